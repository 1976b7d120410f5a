// Games that were saved to start another one.

/** @typedef {import("./types.js").NewGame} NewGame */
/** A saved game. `when` is the time of saving, and identifies it. @typedef {NewGame & { when: number }} Aside */

const MOST = 12;

/** Returns `true` if a user would lose progress if another game started. @param {import("./types.js").Room} room */
export function isInProgress({ scene, seats, terminal }) {
  if (terminal || scene.end) return false;
  const first = (scene.turn + scene.ply) % 2;
  // At least one move on the board must be a user's.
  return scene.played.some((_, i) => seats[(first + i) % 2].kind === "person");
}

/** @param {Aside[]} games @param {NewGame} game @param {number} when @returns {Aside[]} */
export const putAside = (games, game, when) => [{ ...game, when }, ...games].slice(0, MOST);

/** @param {Aside[]} games @param {number} when @returns {Aside[]} */
export const takeBack = (games, when) => games.filter((game) => game.when !== when);
