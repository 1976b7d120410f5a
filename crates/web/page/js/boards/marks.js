// Marks above a board: the lines of action of a held piece with their counts, and the arrows of the engine and the
// user.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { drawnAt } from "./men.js";

/** @typedef {import("../state/types.js").Scene} Scene */
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
 * Marks the squares that decided a game: those of the winner, and the blocked pieces of the loser.
 * @param {{ scene: Scene, flip: boolean, fresh: boolean }} props `fresh`: the game has just ended.
 */
export function EndMarks(props) {
  expect("EndMarks", props, { scene: "object", flip: "boolean", fresh: "boolean" });
  const { scene, flip, fresh } = props;
  const { size, end } = scene;
  // Ends from older servers have no highlight.
  const { steps = [], links = [] } = end?.highlight ?? {};
  const winner = end?.winner ?? 0;
  const at = (/** @type {Place} */ place) => drawnAt(place, size, flip).map((n) => 100 * n);
  /** Index of each square's step. @type {Map<string, number>} */
  const order = new Map(steps.flatMap((places, i) => places.map((place) => [String(place), i])));
  /** @param {Place} place @param {number} i */
  const square = (place, i) => {
    const [x, y] = at(place);
    const lost = scene.rows[place[0]][place[1]][1] === 1 - winner;
    const kind = lost ? "lost" : "won";
    return html`<rect class=${kind} x=${x} y=${y} width="100" height="100" style=${{ "--step": i }} />`;
  };
  /** @param {[Place, Place]} link */
  const line = ([from, to]) => {
    const [[x1, y1], [x2, y2]] = [at(from), at(to)].map(([x, y]) => [x + 50, y + 50]);
    const style = { "--step": order.get(String(to)) ?? 0 };
    return html`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2} pathLength="1" style=${style} />`;
  };
  const kinds = `marks ending side${winner} ${about(scene.game).pieces}${fresh ? " fresh" : ""}`;
  return html`<svg class=${kinds} viewBox=${`0 0 ${100 * size} ${100 * size}`} aria-hidden="true">
    ${steps.map((places, i) => places.map((place) => square(place, i)))} ${links.map(line)}
  </svg>`;
}

/**
 * Draws the whole line, with its number of pieces at each target square.
 * @param {Line} line @param {(p: Place) => [number, number]} middle
 */
function actionLine(line, middle) {
  const [first, last] = [line.squares[0], line.squares[line.squares.length - 1]].map(middle);
  if (line.squares.length < 2) return null;
  const ends = line.to.length ? line.to.map(middle) : [besides(middle(line.from), first, last)];
  /** @param {[number, number]} place */
  const count = ([x, y]) =>
    html`<g class="count"><circle cx=${x} cy=${y} r="24" /><text x=${x} y=${y + 11}>${line.count}</text></g>`;
  return html`<g class=${line.to.length ? "action" : "action blocked"}>
    <line x1=${first[0]} y1=${first[1]} x2=${last[0]} y2=${last[1]} />
    ${ends.map(count)}
  </g>`;
}

/**
 * Returns the position of a blocked line's count: the edge of the piece's square, towards the farther end of the line.
 * In the middle of a square the count would look like a target.
 * @param {[number, number]} from @param {[number, number]} a @param {[number, number]} b @returns {[number, number]}
 */
function besides([x, y], a, b) {
  const away = (/** @type {[number, number]} */ end) => Math.hypot(end[0] - x, end[1] - y);
  const [endX, endY] = away(a) > away(b) ? a : b;
  return [x + 56 * Math.sign(endX - x), y + 56 * Math.sign(endY - y)];
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
