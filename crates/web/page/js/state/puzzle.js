// Puzzles: what was solved, and what a value says to the solver.

/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./games.js").Puzzle} Puzzle */
/**
 * What the user has solved of each game, by number.
 * @typedef {{ solved: Record<string, number[]>, streak: number, best: number }} Score
 */

/** @type {Score} */
export const NO_SCORE = { solved: {}, streak: 0, best: 0 };

/** In how many plies a side has a proven win. @param {Value | undefined} value @param {number} side */
export function winIn(value, side) {
  if (!value) return null;
  if (side === 0 && "wins" in value) return value.wins;
  if (side === 1 && "loses" in value) return value.loses;
  return null;
}

/** The first puzzle that is not solved, or the first of all. @param {Puzzle[]} all @param {number[]} solved */
export function firstOpen(all, solved) {
  return Math.max(
    0,
    all.findIndex((_, i) => !solved.includes(i)),
  );
}

/**
 * The score after a puzzle was solved or missed.
 * @param {Score} score @param {string} game @param {number} number @param {boolean} right @returns {Score}
 */
export function scored(score, game, number, right) {
  const before = score.solved[game] ?? [];
  const solved = { ...score.solved, [game]: right ? [...new Set([...before, number])] : before };
  const streak = right ? score.streak + 1 : 0;
  return { solved, streak, best: Math.max(score.best, streak) };
}

/** What is to be done. @param {string} side @param {number} plies */
export const taskText = (side, plies) => `${side} wins in ${Math.ceil(plies / 2)} ${plies > 1 ? "moves" : "move"}`;
