// The stages of a cascade: its waves in order, shown automatically or step by step.

/** @typedef {import("./types.js").Spot} Spot */
/** @typedef {import("./types.js").Flight} Flight */
/**
 * A running cascade.
 * @typedef {object} Run
 * @property {number} wave Number of the wave on the board, from 0.
 * @property {number} last Number of the last wave.
 * @property {boolean} flying Whether the spots of the next wave are in the air.
 * @property {boolean} auto Whether the next wave starts without an action by the user.
 * @property {boolean} calm Whether no spots fly.
 */

/** Minimum duration of a wave in a long cascade, as a fraction of the first one. */
const FASTEST = 0.4;
/** Fraction of a wave's duration in which spots fly. Afterwards they lie still. */
const FLYING = 0.72;
/** Maximum time before the first wave, in milliseconds. */
const BEFORE = 250;

/** Returns the duration of a wave, numbered from 0, in milliseconds. @param {number} speed @param {number} wave */
export const waveTime = (speed, wave) => Math.round(speed * Math.max(FASTEST, 0.94 ** wave));

/**
 * Begins a cascade.
 * @param {number} waves @param {boolean} auto @param {boolean} [calm] @returns {Run}
 */
export const begun = (waves, auto, calm = false) => ({ wave: 0, last: waves - 1, flying: false, auto, calm });

/** Returns the next stage; `null` at the end. @param {Run} run @returns {Run | null} */
export function advanced(run) {
  if (!run.flying && !run.calm) return run.wave < run.last ? { ...run, flying: true } : null;
  const wave = run.wave + 1;
  // Only an automatic cascade shows its last wave for a moment before it ends.
  return wave < run.last || (run.auto && wave === run.last) ? { ...run, wave, flying: false } : null;
}

/** Pauses a cascade after the spots in the air have landed. @param {Run} run @returns {Run} */
export const stopped = (run) => ({ ...run, auto: false });

/** Continues a cascade. @param {Run} run @returns {Run} */
export const resumed = (run) => ({ ...run, auto: true });

/** Shows the next wave, and stops after it. @param {Run} run @returns {Run | null} */
export function stepped(run) {
  const landed = run.flying ? advanced(stopped(run)) : stopped(run);
  return landed && advanced(landed);
}

/**
 * Returns the duration of a stage, in milliseconds; `null` if it waits for the user.
 * @param {Run} run @param {number} speed Milliseconds for the first wave.
 */
export function stageTime({ wave, flying, auto }, speed) {
  if (flying) return FLYING * waveTime(speed, wave);
  if (!auto) return null;
  return wave === 0 ? Math.min(speed, BEFORE) : (1 - FLYING) * waveTime(speed, wave - 1);
}

/**
 * Returns the squares and the flying spots of a stage.
 * @param {Run} run @param {{ frames: Spot[][][], flights: Flight[][] }} scene
 */
export function stageOf({ wave, flying }, { frames, flights }) {
  if (!flying) return { rows: frames[wave], flights: /** @type {Flight[]} */ ([]) };
  return { rows: inTheAir(frames[wave], flights[wave + 1]), flights: flights[wave + 1] };
}

/**
 * Returns the squares while spots are in the air: the spots have left, but not arrived.
 * @param {Spot[][]} rows @param {Flight[]} flights @returns {Spot[][]}
 */
export function inTheAir(rows, flights) {
  const counts = new Map();
  for (const [from] of flights) counts.set(String(from), 1 + (counts.get(String(from)) ?? 0));
  return rows.map((row, r) =>
    row.map((spot, c) => {
      const left = counts.get(`${r},${c}`);
      return left ? [String(parseInt(spot[0], 10) - left) + spot[0].replace(/\d+/, ""), spot[1]] : spot;
    }),
  );
}
