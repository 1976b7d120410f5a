// The layer of dice above the squares, and the spots that fly between them in a cascade.

import { html, useLayoutEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { POP } from "./cascade.js";
import { drawnAt, transformTo } from "./men.js";
import { slideTime } from "./motion.js";
import { Piece } from "./pieces.js";

/** @typedef {import("../state/types.js").Spot} Spot */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Flight} Flight */

/**
 * Maximum number of dice that animate a new spot at the same time. If more dice have a new spot, no die is animated, so
 * that large cascades run smoothly.
 */
const MOST_POPS = 12;

/**
 * @typedef {object} DiceProps
 * @property {string} game
 * @property {Spot[][]} rows
 * @property {Flight[]} flights
 * @property {number} wave Number of the wave.
 * @property {number} ms Duration of the flight, in milliseconds.
 * @property {boolean} flip
 * @property {boolean} lively Whether dice animate a new spot.
 */

/** @type {import("../state/check.js").Shape} */
const DICE = {
  game: "string",
  rows: "array",
  flights: "array",
  wave: "number",
  ms: "number",
  flip: "boolean",
  lively: "boolean",
};

/** @param {DiceProps} props */
export function Dice(props) {
  expect("Dice", props, DICE);
  const { game, rows, flights, wave, ms, flip, lively } = props;
  const layer = useRef(/** @type {HTMLElement | null} */ (null));
  // Unchanged squares are not drawn again, so that large cascades run smoothly.
  const drawn = useRef(/** @type {Map<string, { look: string, node: unknown }>} */ (new Map()));
  usePops(layer, rows, lively);
  /** @param {Spot} spot @param {number} row @param {number} column */
  const die = (spot, row, column) => {
    const key = `${row},${column}`;
    const look = `${game} ${rows.length} ${spot[0]} ${spot[1]} ${flip}`;
    const known = drawn.current.get(key);
    if (known?.look === look) return known.node;
    const style = { transform: transformTo([row, column], rows.length, flip) };
    const node = html`<div key=${key} class="piece" data-at=${key} style=${style}>
      <svg viewBox="0 0 100 100"><${Piece} game=${game} spot=${spot} /></svg>
    </div>`;
    drawn.current.set(key, { look, node });
    return node;
  };
  return html`<div class="pieces" aria-hidden="true" ref=${layer}>
    ${rows.map((row, r) => row.map((content, c) => die(content, r, c)))}
    <${Flights} rows=${rows} flights=${flights} wave=${wave} ms=${ms} flip=${flip} />
  </div>`;
}

/**
 * Draws the flying spots. Spots that fly in the same direction are one picture, because a hundred separate animations
 * are too slow.
 * @param {{ rows: Spot[][], flights: Flight[], wave: number, ms: number, flip: boolean }} props
 */
function Flights({ rows, flights, wave, ms, flip }) {
  const size = rows.length;
  /** @type {Map<string, { side: number | null, by: number[], path: string }>} */
  const flocks = new Map();
  for (const [from, to] of flights) {
    const side = rows[from[0]][from[1]][1];
    const [[x, y], [toX, toY]] = [from, to].map((place) => drawnAt(place, size, flip));
    const by = [toX - x, toY - y];
    const key = `${side} ${by}`;
    const path = `${flocks.get(key)?.path ?? ""}M${100 * x + 50} ${100 * y + 50}h0`;
    flocks.set(key, { side, by, path });
  }
  const box = `0 0 ${100 * size} ${100 * size}`;
  return html`<div class="flights" style=${{ "--wave": `${ms}ms` }}>
    ${[...flocks].map(([key, { side, by: [x, y], path }]) => {
      const way = { "--x": `${(100 * x) / size}%`, "--y": `${(100 * y) / size}%` };
      return html`<svg key=${`${wave} ${key}`} class=${`flying side${side}`} viewBox=${box} style=${way}>
        <path class="rim" d=${path} /><path d=${path} />
      </svg>`;
    })}
  </div>`;
}

/**
 * Enlarges dice for a moment when they have received a spot.
 * @param {import("preact").RefObject<HTMLElement>} layer @param {Spot[][]} rows @param {boolean} lively
 */
function usePops(layer, rows, lively) {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    if (!lively || old === rows || old.length !== rows.length || slideTime() === 0) return;
    const more = rows.flatMap((row, r) =>
      row.flatMap(([text], c) => (parseInt(text, 10) > parseInt(old[r][c][0], 10) ? [`${r},${c}`] : [])),
    );
    if (more.length > MOST_POPS) return;
    for (const key of more) {
      const drawing = layer.current?.querySelector(`[data-at="${key}"] svg`);
      drawing?.animate([{ scale: 1 }, { scale: 1.09, offset: 0.4 }, { scale: 1 }], { duration: POP });
    }
  }, [rows]);
}
