// The layer of pieces above the squares. Each piece moves to its new square as one element, above everything else.

import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { arrange } from "../state/pieces.js";
import { atRest, glide, offsetOf, slideTime } from "./motion.js";
import { Piece } from "./pieces.js";
import { play } from "./sound.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Spot} Spot */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/pieces.js").Man} Man */
/** @typedef {import("../state/pieces.js").Arrangement} Arrangement */

/**
 * @typedef {object} MenProps
 * @property {Scene} scene
 * @property {{ key: string, how: string, path: Place[] | null }} step How the scene follows from the previous one.
 * @property {Place[] | null} ahead A move that is shown before the server has confirmed it.
 * @property {Spot[][]} rows
 * @property {boolean} flip
 * @property {number} pace Fraction of the normal duration of an animation.
 * @property {() => void} onDone Called when the animation has ended.
 */

/**
 * Returns the position of a square on the drawn board, in widths of a square.
 * @param {Place} place @param {number} size @param {boolean} flip
 */
export const drawnAt = ([row, column], size, flip) =>
  flip ? [size - 1 - column, size - 1 - row] : [column, row];

/** @param {Place} place @param {number} size @param {boolean} flip */
export function transformTo(place, size, flip) {
  const [x, y] = drawnAt(place, size, flip);
  return `translate(${100 * x}%, ${100 * y}%)`;
}

/** @typedef {{ key: string, of: string, game: string, size: number, now: Arrangement }} Arranged */

/** Returns the numbered pieces to show, and the changes since the last call. @param {MenProps} props */
function useArrangement({ scene, step, ahead, rows }) {
  const key = `${step.key} ${ahead ?? ""}`;
  const last = useRef(/** @type {Arranged | null} */ (null));
  const before = last.current;
  if (before?.key !== key) {
    const known = before?.game === scene.game && before.size === rows.length;
    // If the scene is unchanged and no move is pending, the server has not confirmed the move: the piece returns.
    const path = ahead ?? (before?.of === step.key ? null : step.path);
    const now = arrange(known ? before.now.men : [], rows, path);
    last.current = { key, of: step.key, game: scene.game, size: rows.length, now };
  }
  return /** @type {NonNullable<typeof before>} */ (last.current);
}

/** @param {MenProps} props */
export function Men(props) {
  expect("Men", props, {
    scene: "object",
    step: "object",
    ahead: "array?",
    rows: "array",
    flip: "boolean",
    pace: "number",
    onDone: "function",
  });
  const { scene, step, rows, flip, ahead, onDone } = props;
  const size = rows.length;
  const layer = useRef(/** @type {HTMLElement | null} */ (null));
  const { key, now: arrangement } = useArrangement(props);
  const [settled, setSettled] = useState("");
  const takes = useRef(false);
  useLayoutEffect(() => {
    const ms = props.pace * slideTime();
    const turn = flip ? -100 : 100;
    // If a capture was shown before the server confirmed it, the confirmed scene changes nothing on the board. The
    // capture is remembered, because its sound is played after the confirmation.
    takes.current = arrangement.gone.length > 0 || (takes.current && !ahead && arrangement.from.size === 0);
    for (const man of arrangement.men) {
      const was = arrangement.from.get(man.id);
      const element = layer.current?.querySelector(`[data-man="${man.id}"]`);
      if (!was || !(element instanceof HTMLElement)) continue;
      const [x, y] = offsetOf(element);
      const dragged = element.dataset.dragged !== undefined;
      delete element.dataset.dragged;
      const from = [x + turn * (was[1] - man.place[1]), y + turn * (was[0] - man.place[0])];
      glide(element, /** @type {[number, number]} */ (from), dragged ? ms / 2 : ms);
    }
    let current = true;
    const done = () => {
      if (!current) return;
      setSettled(key);
      if (!ahead && step.how === "on") play(takes.current ? "capture" : "move");
      if (!ahead && step.how === "back") play("move");
      onDone();
    };
    if (ms === 0 || !layer.current) done();
    else atRest(layer.current).then(done);
    return () => {
      current = false;
    };
  }, [key]);

  /** @param {Man} man @param {string} kind */
  const drawn = ({ id, place, spot }, kind) =>
    html`<div
      key=${id}
      class=${`piece ${kind}`}
      data-man=${id}
      data-at=${kind === "gone" ? undefined : String(place)}
      style=${{ transform: transformTo(place, size, flip) }}
    >
      <svg viewBox="0 0 100 100"><${Piece} game=${scene.game} spot=${spot} /></svg>
    </div>`;
  const gone = settled === key ? [] : arrangement.gone;
  return html`<div class="pieces" aria-hidden="true" ref=${layer}>
    ${arrangement.men.map((man) => drawn(man, arrangement.come.has(man.id) ? "come" : ""))}
    ${gone.map((man) => drawn(man, "gone"))}
  </div>`;
}
