// Marks above a board: the lines of action of a held piece with their counts, and the arrows of the engine and the
// user.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";

/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Line} Line */
/** @typedef {import("../state/types.js").Shape} Shape */

/** @typedef {{ path: Place[], strength: number }} Arrow */

/** @param {{ size: number, flip: boolean, lines: Line[], arrows: Arrow[], shapes: Shape[] }} props */
export function Marks(props) {
  expect("Marks", props, { size: "number", flip: "boolean", lines: "array", arrows: "array", shapes: "array" });
  const { size, flip, lines, arrows, shapes } = props;
  /** @param {Place} place @returns {[number, number]} */
  const middle = ([row, column]) => {
    const [y, x] = flip ? [size - 1 - row, size - 1 - column] : [row, column];
    return [100 * x + 50, 100 * y + 50];
  };
  const side = 100 * size;
  return html`<svg class="marks" viewBox=${`0 0 ${side} ${side}`} aria-hidden="true">
    ${lines.map((line) => actionLine(line, middle))}
    ${arrows.map(({ path, strength }) => arrow(path.map(middle), strength))}
    ${shapes.map(({ path, colour }) => html`<g class=${`shape${colour}`}>${arrow(path.map(middle), 0.7)}</g>`)}
  </svg>`;
}

/**
 * Draws the whole line, and the count of pieces at each target square of the piece.
 * @param {Line} line @param {(p: Place) => [number, number]} middle
 */
function actionLine(line, middle) {
  const [first, last] = [line.squares[0], line.squares[line.squares.length - 1]].map(middle);
  if (line.squares.length < 2) return null;
  const ends = line.to.length ? line.to.map(middle) : [farther(middle(line.from), first, last)];
  /** @param {[number, number]} place */
  const count = ([x, y]) =>
    html`<g class="count"><circle cx=${x} cy=${y} r="24" /><text x=${x} y=${y + 11}>${line.count}</text></g>`;
  return html`<g class=${line.to.length ? "action" : "action blocked"}>
    <line x1=${first[0]} y1=${first[1]} x2=${last[0]} y2=${last[1]} />
    ${ends.map(count)}
  </g>`;
}

/**
 * Returns the end of a line that is farther from a square: a blocked line shows its count there.
 * @param {[number, number]} from @param {[number, number]} a @param {[number, number]} b
 */
function farther(from, a, b) {
  const away = (/** @type {[number, number]} */ [x, y]) => Math.hypot(x - from[0], y - from[1]);
  return away(a) > away(b) ? a : b;
}

/** @param {[number, number][]} path @param {number} strength */
function arrow(path, strength) {
  const opacity = 0.35 + 0.5 * strength;
  if (path.length === 1) {
    const [x, y] = path[0];
    return html`<circle
      class="arrow"
      cx=${x}
      cy=${y}
      r="44"
      fill="none"
      stroke-width=${6 + 6 * strength}
      opacity=${opacity}
    />`;
  }
  const [[x0, y0], [x1, y1]] = path;
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [tx, ty] = [x1 - 22 * ux, y1 - 22 * uy];
  const [bx, by] = [x1 - 58 * ux, y1 - 58 * uy];
  const head = `M${tx} ${ty} L${bx - 24 * uy} ${by + 24 * ux} L${bx + 24 * uy} ${by - 24 * ux} Z`;
  return html`<g class="arrow" opacity=${opacity}>
    <line x1=${x0 + 24 * ux} y1=${y0 + 24 * uy} x2=${bx} y2=${by} stroke-width=${10 + 8 * strength} />
    <path d=${head} />
  </g>`;
}
