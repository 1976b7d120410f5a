// How long the waves of a cascade take, and what is on the squares while spots fly.

/** @typedef {import("./types.js").Spot} Spot */
/** @typedef {import("./types.js").Flight} Flight */

/** A long cascade gains speed, down to this part of its first wave. */
const FASTEST = 0.4;

/** Milliseconds for a wave, from 0. @param {number} speed @param {number} wave */
export const waveTime = (speed, wave) => Math.round(speed * Math.max(FASTEST, 0.94 ** wave));

/**
 * The squares while spots are in the air: they have left, and have not arrived.
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
