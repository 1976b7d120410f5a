// The duration of the waves of a cascade, and the contents of the squares while spots fly.

/** @typedef {import("./types.js").Spot} Spot */
/** @typedef {import("./types.js").Flight} Flight */

/** Minimum duration of a wave in a long cascade, as a fraction of the first one. */
const FASTEST = 0.4;

/** Returns the duration of a wave, numbered from 0, in milliseconds. @param {number} speed @param {number} wave */
export const waveTime = (speed, wave) => Math.round(speed * Math.max(FASTEST, 0.94 ** wave));

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
