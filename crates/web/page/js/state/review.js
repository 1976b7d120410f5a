// What the engine's values say about the moves of a game, and whether a better move was found.

import { chance } from "./words.js";

/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./types.js").End} End */
/** @typedef {"good" | "inaccuracy" | "mistake" | "blunder"} Kind */
/**
 * A move as it is judged: whose it was, and how much of the chance to win it gave away.
 * @typedef {{ ply: number, side: number, before: number, loss: number, kind: Kind }} Judged
 */
/** @typedef {{ accuracy: number | null, inaccuracy: number, mistake: number, blunder: number }} Report */

/**
 * From which loss of winning chances a move has a name, the worst first. Those of lichess; docs/page.md says how they
 * tell random play from good play in our games.
 * @type {[Kind, number][]}
 */
const KINDS = [
  ["blunder", 0.15],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
];
/** The marks of chess for moves. @type {Record<Kind, string>} */
export const MARKS = { good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
/** Who has less than this chance is lost: nothing that follows says how well somebody plays. */
const LOST = 0.03;

/** @param {number} loss @returns {Kind} */
export const kindOf = (loss) => KINDS.find(([, least]) => loss >= least)?.[0] ?? "good";

/** The value of a finished game. @param {End} end @returns {Value} */
export const valueOfEnd = ({ winner }) => (winner === null ? { units: 0 } : winner === 0 ? { wins: 0 } : { loses: 0 });

/** A side's chance. @param {Value} value @param {number} side */
const chanceOf = (value, side) => (side === 0 ? chance(value) : 1 - chance(value));

/**
 * How much of its chances a side gave away between two positions.
 * @param {Value} before @param {Value} after @param {number} side
 */
export const lossOf = (before, after, side) => Math.max(0, chanceOf(before, side) - chanceOf(after, side));

/**
 * Every move that can be judged.
 * @param {(Value | null)[]} values One for each position, from the start. @param {number} first The side that began.
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

/** How accurate a move was, of a hundred (after lichess.org/page/accuracy). @param {number} loss */
export const accuracyOf = (loss) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));

/** How a side played. @param {Judged[]} moves @param {number} side @returns {Report} */
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

/** The moves to learn from. @param {Judged[]} moves @param {number} side */
export const lessonsOf = (moves, side) =>
  moves.filter((move) => move.side === side && (move.kind === "mistake" || move.kind === "blunder"));

/**
 * Whether a move keeps what the best move has: it loses less than an inaccuracy.
 * @param {Value} best @param {Value} found @param {number} side
 */
export const keepsValue = (best, found, side) => kindOf(lossOf(best, found, side)) === "good";
