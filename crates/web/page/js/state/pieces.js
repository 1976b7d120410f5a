// The identity of pieces from one position to the next, so that a board can animate moved pieces.

/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Spot} Spot */
/** @typedef {import("./types.js").Scene} Scene */
/**
 * A piece, which keeps its number as long as it is on the board.
 * @typedef {{ id: number, place: Place, spot: Spot }} Man
 */
/**
 * All pieces after a change, sorted by number; the captured pieces; the origins of the moved pieces; the numbers of new
 * pieces.
 * @typedef {{ men: Man[], gone: Man[], from: Map<number, Place>, come: Set<number> }} Arrangement
 */

/** Maximum number of changes in an animated step. More changes count as another position. */
const MOST_CHANGES = 8;

/** @param {Place} a @param {Place} b */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** Returns `true` if one list of moves is a prefix of the other. @param {string[]} short @param {string[]} long */
const begins = (short, long) => short.every((move, i) => move === long[i]);

/** Reports whether two scenes have the same game, size and start. @param {Scene} a @param {Scene} b */
const isSameGame = (a, b) => a.game === b.game && a.size === b.size && a.start === b.start;

/**
 * Returns how one scene follows from another: the same position, one move forward, one move back, or another position.
 * @param {Scene} a @param {Scene} b @returns {"same" | "on" | "back" | "other"}
 */
export function relation(a, b) {
  if (!isSameGame(a, b)) return "other";
  const [from, to] = [a.played.length, b.played.length];
  if (from === to) return a.position === b.position && begins(a.played, b.played) ? "same" : "other";
  if (to === from + 1 && begins(a.played, b.played)) return "on";
  if (to === from - 1 && begins(b.played, a.played)) return "back";
  return "other";
}

/**
 * Reports whether the game of scene `b` is that of scene `a`, possibly with further moves.
 * @param {Scene} a @param {Scene} b
 */
export const isLater = (a, b) => isSameGame(a, b) && begins(a.played, b.played);

/**
 * Returns the squares of the move between two scenes, in the order of the piece's movement.
 * @param {Scene} a @param {Scene} b
 */
export function pathBetween(a, b) {
  const how = relation(a, b);
  if (how === "on") return b.last?.path ?? null;
  return how === "back" ? [...(a.last?.path ?? [])].reverse() : null;
}

/**
 * Predicts the squares after a move, to be shown until the server answers: only the moving piece changes its square.
 * @param {Spot[][]} rows @param {Place[]} path
 */
export function ahead(rows, [from, to]) {
  const next = rows.map((row) => [...row]);
  next[to[0]][to[1]] = rows[from[0]][from[1]];
  next[from[0]][from[1]] = [".", null];
  return next;
}

/**
 * Gives each piece of a position the number that it had in the previous position.
 * @param {Man[]} before @param {Spot[][]} rows @param {Place[] | null} path Squares of the move, if it is known.
 * @returns {Arrangement}
 */
export function arrange(before, rows, path) {
  /** @type {Man[]} */
  const open = rows.flatMap((row, r) =>
    row.flatMap((spot, c) => (spot[1] === null ? [] : [{ id: -1, place: /** @type {Place} */ ([r, c]), spot }])),
  );
  const mover = path?.length === 2 ? before.find((man) => same(man.place, path[0])) : undefined;
  /** @type {Map<Man, Man>} The pieces after the change, with their earlier versions. */
  const were = new Map();
  /** @param {Man} now @param {Man | undefined} was */
  const pair = (now, was) => was && was.spot[1] === now.spot[1] && were.set(now, was);
  if (mover) for (const man of open) if (path && same(man.place, path[1])) pair(man, mover);
  for (const man of open) {
    if (were.has(man)) continue;
    const here = before.find((old) => old !== mover && same(old.place, man.place));
    pair(man, here);
  }
  const taken = new Set(were.values());
  const rest = before.filter((man) => !taken.has(man));
  const added = open.filter((man) => !were.has(man));
  const few = rest.length + added.length <= MOST_CHANGES;
  if (!path && few) {
    for (const man of added) {
      const was = nearest(man, rest);
      if (!was) continue;
      rest.splice(rest.indexOf(was), 1);
      were.set(man, was);
    }
  }
  return numbered(open, were, few ? rest : [], few, 1 + Math.max(-1, ...before.map((man) => man.id)));
}

/** Returns the nearest piece of the same kind. @param {Man} man @param {Man[]} others */
function nearest({ place, spot }, others) {
  const far = (/** @type {Man} */ other) => Math.hypot(other.place[0] - place[0], other.place[1] - place[1]);
  const alike = others.filter((other) => other.spot[0] === spot[0] && other.spot[1] === spot[1]);
  return alike.sort((a, b) => far(a) - far(b))[0];
}

/**
 * @param {Man[]} open @param {Map<Man, Man>} were @param {Man[]} gone @param {boolean} few @param {number} next
 * @returns {Arrangement}
 */
function numbered(open, were, gone, few, next) {
  /** @type {Map<number, Place>} */
  const from = new Map();
  /** @type {Set<number>} */
  const come = new Set();
  const men = open.map((man) => {
    const was = were.get(man);
    const id = was?.id ?? next++;
    if (!was && few) come.add(id);
    if (was && !same(was.place, man.place)) from.set(id, was.place);
    return { ...man, id };
  });
  return { men: men.sort((a, b) => a.id - b.id), gone, from, come };
}
