// Looking back during a game: the ribbon that replaces the status, and the keys.

import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { text } from "../text/index.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/past.js").Where} Where */
/** @typedef {import("../transport/past.js").LookBack} LookBack */

/** @param {{ past: LookBack }} props */
export function PastRibbon(props) {
  expect("PastRibbon", props, { past: "object" });
  const { scene, ply, fresh, go, back } = props.past;
  if (!scene) return null;
  const words = text.play;
  const move = scene.played[scene.ply - 1];
  const said = move ? words.pastMove(scene.ply, move) : words.pastStart;
  const { back: before, next } = text.analysis;
  return html`<div class="status past-ribbon">
    <p role="status">${said}${fresh && html` <span class="unseen">${words.pastFresh}</span>`}</p>
    <${Button} kind="compact" icon="back" label=${before} disabled=${ply === 0} onClick=${() => go("back")} />
    <${Button} kind="compact" icon="next" label=${next} onClick=${() => go("next")} />
    <${Button} kind=${fresh ? "primary fresh" : "primary"} label=${words.pastBack} onClick=${back} />
  </div>`;
}

/** @type {Record<string, Where>} */
const STEPS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

/** Returns `true` if the page can be scrolled vertically. */
const scrolls = () => {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight + 1;
};

/**
 * Handles the keys. After Tab has focused the board, the arrow keys move between its squares; with Shift, they still
 * step through the game. If the page is taller than the window, Home and End scroll it, unless the board or the moves
 * have the focus or an earlier position is shown.
 * @param {LookBack} past
 */
export function usePastKeys(past) {
  const now = useRef(past);
  now.current = past;
  const byPointer = useRef(false);
  const looks = past.scene !== null;
  // If the earlier position or the ribbon had the focus, the focus moves to the board.
  useEffect(() => {
    if (!looks) return undefined;
    return () => {
      const square = document.querySelector(".table .square[tabindex='0']");
      const isLost = now.current.scene === null && document.activeElement === document.body;
      if (isLost && square instanceof HTMLElement) square.focus({ preventScroll: true });
    };
  }, [looks]);
  useEffect(() => {
    /** @param {PointerEvent} event */
    const onPointer = ({ target }) => {
      byPointer.current = target instanceof Element && target.closest("dialog") === null;
    };
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.key === "Tab") byPointer.current = false;
      const { target } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return;
      if (target.closest("input, textarea, select, dialog, [popover]")) return;
      const onBoard = target.closest("[role=grid]") !== null;
      const where = STEPS[event.key];
      const isArrow = event.key.startsWith("Arrow");
      const inGame = onBoard || target.closest(".moves") !== null || now.current.ply !== null;
      if (where && isArrow && onBoard && !byPointer.current && !event.shiftKey) return;
      if (where && !isArrow && !inGame && scrolls()) return;
      if (where) now.current.go(where);
      else if (event.key === "Escape" && now.current.ply !== null) now.current.back();
      else return;
      // The board must neither move its focus nor drop a premove.
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("pointerdown", onPointer, true);
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("pointerdown", onPointer, true);
      removeEventListener("keydown", onKey, true);
    };
  }, []);
}
