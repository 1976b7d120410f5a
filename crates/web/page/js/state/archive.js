// The result of a finished game, for a list.

/** @typedef {import("./types.js").Archived} Archived */

/**
 * Returns the side of the only person who played; `null` if there were two persons or none.
 * @param {Archived} game
 */
export function ownSide({ seats }) {
  const people = [0, 1].filter((side) => seats[side].kind === "person");
  return people.length === 1 ? people[0] : null;
}

/** Returns the result for the only person. @param {Archived} game @returns {"won" | "lost" | "draw" | null} */
export function ownResult(game) {
  const side = ownSide(game);
  if (side === null) return null;
  if (game.winner === null) return "draw";
  return game.winner === side ? "won" : "lost";
}
