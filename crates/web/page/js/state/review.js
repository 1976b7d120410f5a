// Assesses the moves of a game from the engine's evaluations, and the user's attempts to find a better move.

import { chance } from "./words.js";

/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./types.js").End} End */
/** @typedef {"good" | "inaccuracy" | "mistake" | "blunder"} Kind */
/**
 * An assessed move: its side, and the loss of winning chance.
 * @typedef {{ ply: number, side: number, before: number, loss: number, kind: Kind }} Judged
 */
/** @typedef {{ accuracy: number | null, inaccuracy: number, mistake: number, blunder: number }} Report */

/**
 * Minimum loss of winning chance for each kind of error, worst first. The values are those of lichess; docs/page.md
 * describes how well they separate random play from good play in these games.
 * @type {[Kind, number][]}
 */
const KINDS = [
  ["blunder", 0.15],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
];
/** The marks of chess notation for moves. @type {Record<Kind, string>} */
export const MARKS = { good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
/** Winning chance below which a position is lost. Moves in lost positions do not count. */
const LOST = 0.03;

/** @param {number} loss @returns {Kind} */
export const kindOf = (loss) => KINDS.find(([, least]) => loss >= least)?.[0] ?? "good";

/** Returns the value of a finished game. @param {End} end @returns {Value} */
export const valueOfEnd = ({ winner }) => (winner === null ? { units: 0 } : winner === 0 ? { wins: 0 } : { loses: 0 });

/** Returns a side's winning chance. @param {Value} value @param {number} side */
const chanceOf = (value, side) => (side === 0 ? chance(value) : 1 - chance(value));

/**
 * Returns the loss of a side's winning chance between two positions.
 * @param {Value} before @param {Value} after @param {number} side
 */
export const lossOf = (before, after, side) => Math.max(0, chanceOf(before, side) - chanceOf(after, side));

/**
 * Returns every move that can be assessed.
 * @param {(Value | null)[]} values One for each position, from the start. @param {number} first The first side to move.
 * @returns {Judged[]}
 */
export function judgedMoves(values, first) {
  return values.slice(1).flatMap((after, i) => {
    const before = values[i];
    if (!before || !after) return [];
    const side = (first + i) % 2;
    const loss = lossOf(before, after, side);
    return [{ ply: i + 1, side, before: chanceOf(before, side), loss, kind: kindOf(loss) }];
  });
}

/** Returns the accuracy of a move in percent (after lichess.org/page/accuracy). @param {number} loss */
export const accuracyOf = (loss) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));

/** Summarizes the play of a side. @param {Judged[]} moves @param {number} side @returns {Report} */
export function reportOf(moves, side) {
  const own = moves.filter((move) => move.side === side);
  const open = own.filter((move) => move.before > LOST);
  const sum = open.reduce((all, move) => all + accuracyOf(move.loss), 0);
  /** @param {Kind} kind */
  const count = (kind) => own.filter((move) => move.kind === kind).length;
  return {
    accuracy: open.length ? Math.round(sum / open.length) : null,
    inaccuracy: count("inaccuracy"),
    mistake: count("mistake"),
    blunder: count("blunder"),
  };
}

/** Returns the moves to learn from. @param {Judged[]} moves @param {number} side */
export const lessonsOf = (moves, side) =>
  moves.filter((move) => move.side === side && (move.kind === "mistake" || move.kind === "blunder"));

/**
 * Returns a side's most serious mistake, and the first one if several lost equally much winning chance.
 * @param {Judged[]} moves @param {number} side @returns {Judged | undefined}
 */
export const turningPoint = (moves, side) => lessonsOf(moves, side).sort((a, b) => b.loss - a.loss)[0];

/**
 * Returns `true` if a move is about as good as the best one: it loses less than an inaccuracy.
 * @param {Value} best @param {Value} found @param {number} side
 */
export const keepsValue = (best, found, side) => kindOf(lossOf(best, found, side)) === "good";
