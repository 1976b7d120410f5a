// Hints of copies: groups of identical submissions, pairs of similar ones, and a pair side by side.

import { html, useRef, useState } from "../../../vendor/preact-htm.js";
import { expect } from "../../state/check.js";
import { locale, text } from "../../text/index.js";
import { percentText } from "../state/games.js";
import { matchedLines } from "../state/staff.js";
import { words } from "../text/index.js";
import { usePolled } from "../transport.js";

/** @typedef {import("../types.js").Copies} CopiesData */
/** @typedef {import("../types.js").Submission} Submission */
/** @typedef {import("../types.js").SideBySide} SideBySideData */
/** @typedef {import("../types.js").Match} Match */

/** Returns the name of a submission. @param {Submission} submission */
const nameOf = ({ name, version }) => `${name} (${words.games.version(version)})`;

export function Copies() {
  const said = words.staff;
  /** @type {import("../transport.js").Polled<CopiesData>} */
  const { data, error } = usePolled("staff/copies");
  if (!data) {
    return html`<p class=${error ? "error" : "quiet"} role=${error ? "alert" : "status"}>
      ${error ? error.message : text.server.loading}
    </p>`;
  }
  const { groups, pairs } = data;
  return html`<p class="quiet">${groups.length + pairs.length === 0 ? said.noCopies : said.copiesHow}</p>
    ${
      groups.length > 0 &&
      html`<section aria-labelledby="identical">
        <h2 id="identical">${said.identical}</h2>
        <ul class="copy-groups">
          ${groups.map((group) => html`<li><bdi>${group.map(nameOf).join(words.separator)}</bdi></li>`)}
        </ul>
      </section>`
    }
    ${
      pairs.length > 0 &&
      html`<section aria-labelledby="similar">
        <h2 id="similar">${said.similar}</h2>
        <table class="course-table copy-table" aria-labelledby="similar">
          <thead>
            <tr>
              <th scope="col">${said.teams}</th>
              <th scope="col" class="number">${said.share}</th>
              <th scope="col"><span class="unseen">${said.compare}</span></th>
            </tr>
          </thead>
          <tbody>
            ${pairs.map(
              ({ a, b, identical, share }) =>
                html`<tr key=${`${a.upload} ${b.upload}`}>
                  <th scope="row"><bdi>${nameOf(a)}</bdi><br /><bdi>${nameOf(b)}</bdi></th>
                  <td class="number">${percentText(identical ? 1 : share, locale)}</td>
                  <td>
                    <a class="button small" href=${`#/course/staff/copies/${a.upload}/${b.upload}`}
                      >${said.compare}<span class="unseen">: ${said.pair(a.name, b.name)}</span></a
                    >
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`
    }`;
}

/** @param {{ a: string, b: string }} props */
export function SideBySide(props) {
  expect("SideBySide", props, { a: "string", b: "string" });
  const said = words.staff;
  const path = `staff/copies/${encodeURIComponent(props.a)}/${encodeURIComponent(props.b)}`;
  /** @type {import("../transport.js").Polled<SideBySideData>} */
  const { data, error } = usePolled(path);
  const [chosen, setChosen] = useState(-1);
  const panes = [useRef(/** @type {HTMLElement | null} */ (null)), useRef(/** @type {HTMLElement | null} */ (null))];
  if (!data) {
    return html`<p class=${error ? "error" : "quiet"} role=${error ? "alert" : "status"}>
      ${error ? error.message : text.server.loading}
    </p>`;
  }
  const { a, b, files, matches } = data;
  /** @param {number} number */
  const show = (number) => {
    setChosen(number);
    const { files: places, lines } = matches[number];
    panes.forEach((pane, which) => {
      const line = pane.current?.querySelector(`[data-line="${places[which]} ${lines[which][0]}"]`);
      if (pane.current && line instanceof HTMLElement) {
        pane.current.scrollTop = line.offsetTop - pane.current.clientHeight / 4;
      }
    });
  };
  /** @param {Match} match @param {0 | 1} which */
  const place = (match, which) => {
    const [from, to] = match.lines[which];
    return said.lines(files[which][match.files[which]]?.name ?? "?", from, to);
  };
  return html`<p><a href="#/course/staff/copies">${said.copies}</a></p>
    <h2><bdi>${said.pair(nameOf(a), nameOf(b))}</bdi></h2>
    <section aria-labelledby="matches">
      <h3 id="matches">${said.matches}</h3>
      <ol class="matches">
        ${matches.map(
          (match, i) =>
            html`<li>
              <button
                type="button"
                class="jump"
                aria-pressed=${i === chosen ? "true" : "false"}
                onClick=${() => show(i)}
              >
                <bdi>${said.match(i + 1, place(match, 0), place(match, 1))}</bdi>
              </button>
            </li>`,
        )}
      </ol>
    </section>
    <div class="panes">
      ${/** @type {const} */ ([0, 1]).map(
        (which) =>
          html`<div class="pane" ref=${panes[which]} tabindex="0" role="group" aria-label=${nameOf(which ? b : a)}>
            ${files[which].map(
              (file, i) =>
                html`<h4><bdi>${said.source(nameOf(which ? b : a), file.name)}</bdi></h4>
                  <${Source}
                    lines=${file.lines}
                    file=${i}
                    matched=${matchedLines(matches, which, i)}
                    chosen=${chosen}
                  />`,
            )}
          </div>`,
      )}
    </div>`;
}

/** @param {{ lines: string[], file: number, matched: Map<number, number>, chosen: number }} props */
function Source({ lines, file, matched, chosen }) {
  return html`<pre class="source">${lines.map((line, i) => {
    const match = matched.get(i + 1);
    const marks = match === undefined ? "" : match === chosen ? "common picked" : "common";
    return html`<span class=${`line ${marks}`} data-line=${`${file} ${i + 1}`}
      ><span class="line-number" aria-hidden="true">${i + 1}</span><bdi>${line}</bdi>${"\n"}</span
    >`;
  })}</pre>`;
}
