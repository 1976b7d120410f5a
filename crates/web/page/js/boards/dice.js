// The layer of dice above the squares, and the spots that fly between them in a cascade.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { inTheAir, waveTime } from "../state/cascade.js";
import { expect } from "../state/check.js";
import { drawnAt, transformTo } from "./men.js";
import { slideTime, still } from "./motion.js";
import { Piece } from "./pieces.js";
import { play } from "./sound.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Spot} Spot */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Flight} Flight */
/**
 * A stage of a cascade: the contents of the squares, the flying spots, and the duration of their flight.
 * @typedef {{ rows: Spot[][], flights: Flight[], ms: number }} Stage
 */

/** Fraction of a wave in which spots fly. For the rest they lie still. */
const FLYING = 0.72;
/** Size of a flying spot, in widths of a square, as in the style sheet. */
const SPOT = 0.26;
/**
 * Maximum number of dice that show a new spot at the same time. With more, none does, so that large cascades run
 * smoothly.
 */
const MOST_POPS = 12;
/** Duration of the animation of a die with a new spot, in milliseconds. */
const POP = 170;

/**
 * Plays the waves of the last move, if the scene is one move after the previous one.
 * @param {boolean} on Whether the game has dice. @param {Scene} scene @param {string} key The key of the position.
 * @param {string} how How the scene follows from the previous one. @param {number} speed Milliseconds for a wave.
 * @param {() => void} onDone
 */
export function useCascade(on, scene, key, how, speed, onDone) {
  const { frames, flights } = scene;
  const lively = on && how === "on" && !still() && !document.hidden;
  /** Whether the position has a cascade, decided when it arrived. */
  const plan = useRef({ key: "", runs: false });
  if (plan.current.key !== key) plan.current = { key, runs: lively && frames.length > 1 && speed > 0 };
  const { runs } = plan.current;
  const [now, setNow] = useState({ key: "", stage: /** @type {Stage | null} */ (null) });
  // The first stage is shown immediately, so that the final position does not flash before it.
  const stage = now.key === key ? now.stage : runs ? { rows: frames[0], flights: [], ms: speed } : null;
  const end = useRef(() => {});
  useLayoutEffect(() => {
    if (!on) return undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const show = (/** @type {Stage | null} */ next) => setNow({ key, stage: next });
    const after = (/** @type {number} */ ms, /** @type {() => void} */ next) => (timer = setTimeout(next, ms));
    const finish = () => {
      clearTimeout(timer);
      end.current = () => {};
      show(null);
      onDone();
    };
    const fly = (/** @type {number} */ i) => {
      if (i >= frames.length) return finish();
      const ms = waveTime(speed, i - 1);
      show({ rows: inTheAir(frames[i - 1], flights[i]), flights: flights[i], ms: FLYING * ms });
      return after(FLYING * ms, () => {
        play("topple", i);
        show({ rows: frames[i], flights: [], ms });
        after((1 - FLYING) * ms, () => fly(i + 1));
      });
    };
    if (how === "on") play("move");
    if (!lively) finish();
    else if (runs) after(Math.min(speed, 250), () => fly(1));
    else after(slideTime() && POP, finish);
    if (runs) end.current = finish;
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (!stage) return undefined;
    const onHide = () => document.hidden && end.current();
    const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && end.current();
    document.addEventListener("visibilitychange", onHide);
    addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      removeEventListener("keydown", onKey);
    };
  }, [stage !== null]);
  return { stage, skip: () => end.current() };
}

/**
 * @typedef {object} DiceProps
 * @property {string} game
 * @property {Spot[][]} rows
 * @property {Flight[]} flights
 * @property {number} ms Duration of their flight, in milliseconds.
 * @property {boolean} flip
 * @property {boolean} lively Whether dice animate a new spot.
 */

/** @type {import("../state/check.js").Shape} */
const DICE = {
  game: "string",
  rows: "array",
  flights: "array",
  ms: "number",
  flip: "boolean",
  lively: "boolean",
};

/** @param {DiceProps} props */
export function Dice(props) {
  expect("Dice", props, DICE);
  const { game, rows, flights, ms, flip, lively } = props;
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
  /** @param {Flight} flight @param {number} i */
  const spot = ([from, to], i) => {
    const [[x0, y0], [x1, y1]] = [from, to].map((place) => drawnAt(place, rows.length, flip));
    const side = rows[from[0]][from[1]][1];
    const at = (/** @type {number} */ n) => `${(100 * n) / SPOT}%`;
    const ways = { "--x0": at(x0), "--y0": at(y0), "--x1": at(x1), "--y1": at(y1) };
    return html`<i key=${`${from} ${to} ${i}`} class=${`flying side${side}`} style=${ways}></i>`;
  };
  return html`<div class="pieces" aria-hidden="true" ref=${layer}>
    ${rows.map((row, r) => row.map((content, c) => die(content, r, c)))}
    <div class="flights" style=${{ "--wave": `${ms}ms` }}>${flights.map(spot)}</div>
  </div>`;
}

/**
 * Enlarges a die for a moment when it has received a spot.
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
