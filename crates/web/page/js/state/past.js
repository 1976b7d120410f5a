// Looking back during a game: the earlier position that the board shows while the game continues.

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Game} Game */
/**
 * A view of an earlier position: the number of its moves, the game at that time, and whether moves were made later.
 * @typedef {{ ply: number, game: Game, fresh: boolean }} Past
 */
/** @typedef {"first" | "back" | "next" | "last" | number} Where */

/** Returns a scene's game after its first `ply` moves. @param {Scene} scene @param {number} [ply] @returns {Game} */
export const gameUntil = ({ game, size, start, played }, ply = played.length) => ({
  game,
  size,
  start,
  moves: played.slice(0, ply),
});

/** Identifies a position by its game and all its moves, because lines differ in their positions. @param {Game} game */
export const keyOfGame = ({ game, size, start, moves = [] }) => [game, size, start, ...moves].join(" ");

/**
 * Returns the view after a step; `null` for the present.
 * @param {Past | null} past @param {Scene} scene The present. @param {Where} where @returns {Past | null}
 */
export function looked(past, scene, where) {
  const last = scene.played.length;
  const at = past?.ply ?? last;
  const ply = typeof where === "number" ? where : { first: 0, back: at - 1, next: at + 1, last }[where];
  const to = Math.max(0, ply);
  if (to >= last) return null;
  return { ply: to, game: gameUntil(scene), fresh: past?.fresh ?? false };
}

/**
 * Returns the view after the game has changed, or `null` if the game no longer contains the position.
 * @param {Past | null} past @param {Scene} scene The present. @returns {Past | null}
 */
export function followed(past, scene) {
  if (!past) return null;
  const game = gameUntil(scene);
  if (keyOfGame(game) === keyOfGame(past.game)) return past;
  const { ply } = past;
  const seen = keyOfGame({ ...past.game, moves: past.game.moves?.slice(0, ply) });
  if (scene.played.length <= ply || keyOfGame(gameUntil(scene, ply)) !== seen) return null;
  return { ply, game, fresh: past.fresh || scene.played.length > (past.game.moves?.length ?? 0) };
}
