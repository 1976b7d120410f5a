// Games that the user saved before starting another one.

/** @typedef {import("./types.js").NewGame} NewGame */
/** A saved game. `when`, the time of saving, identifies the game. @typedef {NewGame & { when: number }} Aside */

const MOST = 12;

/** Returns `true` if starting another game would discard a user's moves. @param {import("./types.js").Room} room */
export function isInProgress({ scene, seats, terminal }) {
  if (terminal || scene.end) return false;
  const first = (scene.turn + scene.ply) % 2;
  return scene.played.some((_, i) => seats[(first + i) % 2].kind === "person");
}

/** @param {Aside[]} games @param {NewGame} game @param {number} when @returns {Aside[]} */
export const putAside = (games, game, when) => [{ ...game, when }, ...games].slice(0, MOST);

/** @param {Aside[]} games @param {number} when @returns {Aside[]} */
export const takeBack = (games, when) => games.filter((game) => game.when !== when);
