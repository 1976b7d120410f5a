// A board as a picture: small, without buttons.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { Piece } from "./pieces.js";

/** @typedef {import("../state/types.js").Scene} Scene */

/** @typedef {import("../state/types.js").Place} Place */

/**
 * Draws a board, empty if there is no scene. Marks the squares of the `last` move, unless the board is flipped.
 * @param {{ game: string, scene: Scene | null, flip?: boolean, last?: Place[] }} props
 */
export function Picture(props) {
  expect("Picture", props, { game: "string", scene: "object?", flip: "boolean?", last: "array?" });
  const { game, scene, flip = false, last = [] } = props;
  const marked = new Set(last.map(String));
  const size = scene?.size ?? about(game).usualSize;
  const places = Array.from({ length: size * size }, (_, i) => [Math.floor(i / size), i % size]);
  /** @param {number[]} place */
  const ground = ([row, column]) =>
    html`<rect
      x=${100 * column}
      y=${100 * row}
      width="100"
      height="100"
      class=${`${(row + column) % 2 ? "dark" : "light"}${marked.has(`${row},${column}`) ? " last" : ""}`}
    />`;
  /** @param {number[]} place */
  const piece = ([row, column]) => {
    const spot = scene?.rows[flip ? size - 1 - row : row][flip ? size - 1 - column : column];
    return (
      spot &&
      html`<g transform=${`translate(${100 * column} ${100 * row})`}><${Piece} game=${game} spot=${spot} /></g>`
    );
  };
  const box = `0 0 ${100 * size} ${100 * size}`;
  return html`<svg class=${`picture ${about(game).pieces}`} viewBox=${box} aria-hidden="true">
    ${places.map(ground)} ${places.map(piece)}
  </svg>`;
}
