// What a finished game says in a list.

/** @typedef {import("./types.js").Archived} Archived */

/**
 * The side of the only person who played; none if there were two or no people.
 * @param {Archived} game
 */
export function ownSide({ seats }) {
  const people = [0, 1].filter((side) => seats[side].kind === "person");
  return people.length === 1 ? people[0] : null;
}

/** How it went for the only person. @param {Archived} game @returns {"won" | "lost" | "draw" | null} */
export function ownResult(game) {
  const side = ownSide(game);
  if (side === null) return null;
  if (game.winner === null) return "draw";
  return game.winner === side ? "won" : "lost";
}
