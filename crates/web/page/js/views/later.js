// Views and dialogs that are fetched when they are first shown, so that the first view is light.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Button } from "../panels/controls.js";
import { text } from "../text/index.js";

/** The modules that are not part of the first view. */
const PATHS = {
  Arena: "./arena.js",
  Ladder: "./ladder.js",
  Learn: "./learn.js",
  Puzzles: "./puzzles.js",
  Review: "./review.js",
  Sharing: "../panels/sharing.js",
};
/** The views of a course's server, which are fetched only there. */
const COURSE_PATHS = {
  CourseGame: "../course/views/game.js",
  CourseLive: "../course/views/game.js",
  CourseMine: "../course/views/mine.js",
  CourseStaff: "../course/views/staff.js",
  CourseTeam: "../course/views/team.js",
};
const ALL = { ...PATHS, ...COURSE_PATHS };
/** @typedef {keyof typeof ALL} Name */

/** Delay before a failed request is retried, in milliseconds. */
const AGAIN = 2000;

/** The components that have arrived. @type {Map<Name, any>} */
const known = new Map();

/**
 * Fetches a component. Browsers may remember a failed request, so each attempt has its own address.
 * @param {Name} name @param {number} attempt
 */
async function fetched(name, attempt) {
  const address = new URL(ALL[name], import.meta.url);
  if (attempt > 0) address.search = String(attempt);
  const module = await import(address.href);
  known.set(name, module[name]);
}

/** Fetches all components while the page is idle, so that they can be shown even without the server. */
export function fetchAll() {
  const next = async () => {
    for (const name of /** @type {Name[]} */ (Object.keys(PATHS))) {
      if (!known.has(name)) await fetched(name, 0).catch(() => undefined);
    }
  };
  if ("requestIdleCallback" in window) requestIdleCallback(next, { timeout: 5000 });
  else setTimeout(next, AGAIN);
}

/**
 * Shows a component with the properties `with` as soon as the component has arrived.
 * @param {{ name: Name, with: object, dialog?: boolean }} props A dialog shows nothing until then.
 */
export function Later({ name, with: props, dialog = false }) {
  const [attempt, setAttempt] = useState(0);
  const [, draw] = useState(0);
  useEffect(() => {
    if (known.has(name)) {
      // The component may have arrived after this one was rendered.
      draw((count) => count + 1);
      return undefined;
    }
    let timer = 0;
    let current = true;
    fetched(name, attempt).then(
      () => current && draw((count) => count + 1),
      () => {
        if (current) timer = window.setTimeout(() => setAttempt(attempt + 1), AGAIN);
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [name, attempt]);
  const View = known.get(name);
  if (View) return html`<${View} ...${props} />`;
  if (dialog) return html`<p class="unseen" role="status">${text.server.loading}</p>`;
  // Another version of the server has different files, which a reload fetches.
  return html`<main class="wait">
    <p role="status">${attempt > 0 ? text.common.lost : text.server.loading}</p>
    ${attempt > 0 && html`<${Button} icon="again" label=${text.common.reload} onClick=${() => location.reload()} />`}
  </main>`;
}
