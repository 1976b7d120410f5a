// Premoves: moves that a user chooses while the other side is to move.

/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Spot} Spot */
/** @typedef {import("./types.js").Way} Way */
/** The chosen squares. A single square is a selected piece or, in games with moves of one square, a whole move. */
/** @typedef {{ path: Place[], ready: boolean }} Wish */

/** @param {Place} a @param {Place} b */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/**
 * Returns the premove after the user has chosen a square, or `null` if the square cancels it.
 * @param {Wish | null} wish @param {Place} place @param {Spot[][]} rows @param {number} side The user's side.
 * @param {boolean} single Whether a move consists of one square. @returns {Wish | null}
 */
export function chosen(wish, place, rows, side, single) {
  const whose = rows[place[0]][place[1]][1];
  if (single) {
    const again = wish && same(wish.path[0], place);
    return again || whose === 1 - side ? null : { path: [place], ready: true };
  }
  if (wish && !wish.ready && same(wish.path[0], place)) return null;
  if (whose === side) return { path: [place], ready: false };
  return wish && !wish.ready ? wished(wish.path[0], place) : null;
}

/**
 * Returns the premove of a drag. The target may hold a piece of the user, which the other side is expected to capture.
 * @param {Place} from @param {Place} to @returns {Wish | null}
 */
export const wished = (from, to) => (same(from, to) ? null : { path: [from, to], ready: true });

/** Returns the legal move that matches a premove. @param {Wish} wish @param {Way[]} moves */
export const fulfilled = ({ path }, moves) =>
  moves.find((way) => way.path.length === path.length && way.path.every((place, i) => same(place, path[i])));
