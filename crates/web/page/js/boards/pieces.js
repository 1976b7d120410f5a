// The contents of a square, drawn in a box of 100 by 100.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";

/** @typedef {import("../state/types.js").Spot} Spot */

/**
 * Draws a disc seen from above. Themes of pieces differ only in variables of the style sheet.
 * @param {{ side: number, y?: number }} props
 */
function Disc({ side, y = 50 }) {
  return html`<g class=${`disc side${side}`}>
    <circle cx="50" cy=${y + 4} r="38" class="shade" />
    <circle cx="50" cy=${y} r="38" class="body" />
    <circle cx="50" cy=${y} r="28" class="ring" />
    <circle cx="50" cy=${y} r="19" class="groove" />
    <circle cx="50" cy=${y} r="38" class="volume" fill="url(#volume)" />
    <circle cx="50" cy=${y} r="38" class="gloss" fill="url(#gloss)" />
  </g>`;
}

/** Draws a man as a disc, or a tower as two discs. @param {{ text: string, side: number }} props */
function Man({ text, side }) {
  const tower = text === text.toUpperCase();
  if (!tower) return html`<${Disc} side=${side} />`;
  return html`<g>
    <${Disc} side=${side} y=${58} />
    <${Disc} side=${side} y=${42} />
    <path class=${`crown side${side}`} d="M34 52 L31 34 L41 42 L50 30 L59 42 L69 34 L66 52 Z" />
  </g>`;
}

/** Draws a pawn. @param {{ side: number }} props */
function Pawn({ side }) {
  const path =
    "M50 13a15 15 0 0 1 11 25h5v7h-7q2 18 13 26h4v13H24V71h4q11-8 13-26h-7v-7h5a15 15 0 0 1 11-25z";
  return html`<g class=${`pawn side${side}`}>
    <path d=${path} class="shade" transform="translate(0 4)" />
    <path d=${path} class="body" />
    <path d=${path} class="volume" fill="url(#column)" />
    <circle cx="46" cy="24" r="7" class="gloss" fill="url(#gloss)" />
  </g>`;
}

/** Positions of the pips of a die. @type {Record<number, [number, number][]>} */
export const PIPS = {
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

/** Draws spots as the pips of a die. @param {{ text: string, side: number | null }} props */
function Die({ text, side }) {
  const count = parseInt(text, 10);
  const pips = PIPS[Math.min(count, 8)] ?? [];
  // Each pip is the end of a line. The style sheet selects the shape of line ends, so the sides can have pips of
  // different shapes. One path draws all pips, so a new spot changes one attribute.
  return html`<g class=${side === null ? "die" : `die side${side}`}>
    <rect x="9" y="12" width="82" height="82" class="shade" />
    <rect x="9" y="8" width="82" height="82" class="body" />
    <rect x="9" y="8" width="82" height="82" class="volume" fill="url(#sheen)" />
    <rect x="15" y="14" width="70" height="70" class="rim" />
    <path d=${pips.map(([x, y]) => `M${x} ${y - 1}h0`).join("")} class="pip" />
  </g>`;
}

/** Defines the gradients that all pieces of the page share. */
export function Lights() {
  return html`<svg class="unseen" aria-hidden="true">
    <radialGradient id="volume" cx="0.4" cy="0.3" r="0.75">
      <stop offset="0.55" stop-opacity="0" />
      <stop offset="1" stop-opacity="0.55" />
    </radialGradient>
    <radialGradient id="gloss" cx="0.36" cy="0.26" r="0.42">
      <stop offset="0" stop-color="#fff" stop-opacity="0.85" />
      <stop offset="1" stop-color="#fff" stop-opacity="0" />
    </radialGradient>
    <linearGradient id="column">
      <stop offset="0.3" stop-color="#fff" stop-opacity="0.25" />
      <stop offset="0.5" stop-color="#fff" stop-opacity="0" />
      <stop offset="0.55" stop-opacity="0" />
      <stop offset="0.8" stop-opacity="0.3" />
    </linearGradient>
    <linearGradient id="sheen" x2="0" y2="1">
      <stop offset="0" stop-color="#fff" stop-opacity="0.4" />
      <stop offset="0.4" stop-color="#fff" stop-opacity="0" />
      <stop offset="0.6" stop-opacity="0" />
      <stop offset="1" stop-opacity="0.24" />
    </linearGradient>
  </svg>`;
}

/** Draws the contents of a square in the style of its game. @param {{ game: string, spot: Spot }} props */
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
