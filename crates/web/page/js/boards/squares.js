// The squares of a board: a grid of real buttons for keyboards and screen readers. The pieces are drawn in a layer
// above.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { contents, squareName } from "../state/words.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Place} Place */
/**
 * The highlights of a board, each a set of `row,column`.
 * @typedef {object} Seen
 * @property {string | null} held
 * @property {Set<string>} targets
 * @property {Set<string>} movable
 * @property {Set<string>} last
 * @property {Set<string>} hint
 * @property {Set<string>} wish
 * @property {Map<string, number> | null} groups
 */
/**
 * @typedef {object} SquaresProps
 * @property {Scene} scene
 * @property {boolean} flip
 * @property {Seen} seen
 * @property {Place} focus The only square that Tab reaches.
 * @property {(place: Place) => void} onChoose
 */

/** @param {Place[]} places */
export const setOf = (places) => new Set(places.map(String));

/** @param {SquaresProps} props */
export function Squares(props) {
  expect("Squares", props, {
    scene: "object",
    flip: "boolean",
    seen: "object",
    focus: "array",
    onChoose: "function",
  });
  const { scene, flip, seen, focus, onChoose } = props;
  const order = [...scene.rows.keys()];
  if (flip) order.reverse();
  /** @param {number} row @param {number} column */
  const square = (row, column) => {
    const key = `${row},${column}`;
    const spot = scene.rows[row][column];
    const [held, target, movable] = [seen.held === key, seen.targets.has(key), seen.movable.has(key)];
    const marks = [
      (row + column) % 2 ? "dark" : "light",
      held && "held",
      target && "target",
      target && spot[1] !== null && "capture",
      seen.last.has(key) && "last",
      seen.hint.has(key) && "hint",
      seen.wish.has(key) && "wish",
      movable && "movable",
      seen.groups && spot[1] !== null && `group${seen.groups.get(key)}`,
    ].filter(Boolean);
    const words = [
      squareName(scene, [row, column]),
      contents(scene, spot),
      held && text.board.held,
      target && text.board.target,
      !seen.held && movable && text.board.movable,
      seen.wish.has(key) && text.board.wish,
    ].filter(Boolean);
    return html`<div role="gridcell" class="cell" aria-selected=${held ? "true" : "false"}>
      <button
        type="button"
        class=${`square ${marks.join(" ")}`}
        data-place=${key}
        aria-label=${words.join(", ")}
        tabindex=${key === String(focus) ? 0 : -1}
        onClick=${() => onChoose([row, column])}
      ></button>
    </div>`;
  };
  return order.map(
    (row) => html`<div role="row" class="board-row">${order.map((column) => square(row, column))}</div>`,
  );
}

/**
 * Returns the number of each square's group within its side. Groups of one piece share a number.
 * @param {Scene} scene
 */
export function groupNumbers(scene) {
  const numbers = new Map();
  const large = scene.groups.filter((group) => group.length > 1);
  for (const group of scene.groups) {
    const number = group.length > 1 ? 1 + (large.indexOf(group) % 6) : 0;
    for (const place of group) numbers.set(String(place), number);
  }
  return numbers;
}
