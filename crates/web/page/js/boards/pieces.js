// What stands on a square, drawn in a box of 100 by 100.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";

/** @typedef {import("../state/types.js").Spot} Spot */

/** A flat disc seen from above. @param {{ side: number, y?: number }} props */
function Disc({ side, y = 50 }) {
  return html`<g class=${`disc side${side}`}>
    <circle cx="50" cy=${y + 3} r="37" class="shade" />
    <circle cx="50" cy=${y} r="37" class="body" />
    <circle cx="50" cy=${y} r="28" class="ring" />
  </g>`;
}

/** A man is a disc, a tower two on top of each other. @param {{ text: string, side: number }} props */
function Man({ text, side }) {
  const tower = text === text.toUpperCase();
  if (!tower) return html`<${Disc} side=${side} />`;
  return html`<g>
    <${Disc} side=${side} y=${60} />
    <${Disc} side=${side} y=${40} />
    <path class=${`crown side${side}`} d="M34 48 L31 31 L41 38 L50 27 L59 38 L69 31 L66 48 Z" />
  </g>`;
}

/** A pawn. @param {{ side: number }} props */
function Pawn({ side }) {
  const path =
    "M50 13a15 15 0 0 1 11 25h5v7h-7q2 18 13 26h4v13H24V71h4q11-8 13-26h-7v-7h5a15 15 0 0 1 11-25z";
  return html`<g class=${`pawn side${side}`}>
    <path d=${path} class="shade" transform="translate(0 4)" />
    <path d=${path} class="body" />
  </g>`;
}

/** Where the pips of a die are. @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[50, 50]],
  2: [
    [32, 32],
    [68, 68],
  ],
  3: [
    [30, 30],
    [50, 50],
    [70, 70],
  ],
  4: [
    [32, 32],
    [68, 32],
    [32, 68],
    [68, 68],
  ],
  5: [
    [30, 30],
    [70, 30],
    [50, 50],
    [30, 70],
    [70, 70],
  ],
  6: [
    [32, 26],
    [68, 26],
    [32, 50],
    [68, 50],
    [32, 74],
    [68, 74],
  ],
  7: [
    [32, 26],
    [68, 26],
    [32, 50],
    [68, 50],
    [32, 74],
    [68, 74],
    [50, 38],
  ],
  8: [
    [32, 26],
    [68, 26],
    [32, 50],
    [68, 50],
    [32, 74],
    [68, 74],
    [50, 38],
    [50, 62],
  ],
};

/** Spots as the pips of a die. @param {{ text: string, side: number | null }} props */
function Die({ text, side }) {
  const count = parseInt(text, 10);
  const pips = PIPS[Math.min(count, 8)] ?? [];
  return html`<g class=${side === null ? "die" : `die side${side}`}>
    <rect x="10" y="12" width="80" height="80" rx="16" class="shade" />
    <rect x="10" y="9" width="80" height="80" rx="16" class="body" />
    ${pips.map(([x, y]) => html`<circle cx=${x} cy=${y} r="8.5" class="pip" />`)}
  </g>`;
}

/** What stands on a square, in the way of its game. @param {{ game: string, spot: Spot }} props */
export function Piece(props) {
  expect("Piece", props, { game: "string", spot: "array" });
  const {
    game,
    spot: [text, side],
  } = props;
  const { pieces } = about(game);
  if (pieces === "dice") return html`<${Die} text=${text} side=${side} />`;
  if (side === null) return null;
  if (pieces === "men") return html`<${Man} text=${text} side=${side} />`;
  if (pieces === "pawns") return html`<${Pawn} side=${side} />`;
  return html`<${Disc} side=${side} />`;
}
