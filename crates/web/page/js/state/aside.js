// Games that were set aside, so that another could begin.

/** @typedef {import("./types.js").NewGame} NewGame */
/** A game to go on with; `when` it was left is its name. @typedef {NewGame & { when: number }} Aside */

const MOST = 12;

/** Whether a user would lose something if another game began. @param {import("./types.js").Room} room */
export function isInProgress({ scene, seats, terminal }) {
  if (terminal || scene.end) return false;
  const first = (scene.turn + scene.ply) % 2;
  // Of the moves on the board one must be a user's.
  return scene.played.some((_, i) => seats[(first + i) % 2].kind === "person");
}

/** @param {Aside[]} games @param {NewGame} game @param {number} when @returns {Aside[]} */
export const putAside = (games, game, when) => [{ ...game, when }, ...games].slice(0, MOST);

/** @param {Aside[]} games @param {number} when @returns {Aside[]} */
export const takeBack = (games, when) => games.filter((game) => game.when !== when);
