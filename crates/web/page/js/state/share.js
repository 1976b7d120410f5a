// A link that holds a whole game.

/** @typedef {import("./types.js").Game} Game */

/** The part of a link after `#/analyse?`. @param {Game} game */
export function toLink(game) {
  const query = new URLSearchParams({ game: game.game });
  if (game.size) query.set("size", String(game.size));
  if (game.start) query.set("start", game.start);
  if (game.moves?.length) query.set("moves", game.moves.join(","));
  return query.toString();
}

/** @param {string} query @returns {Game | null} */
export function fromLink(query) {
  const values = new URLSearchParams(query);
  const game = values.get("game");
  if (!game) return null;
  const size = Number(values.get("size"));
  const moves = values.get("moves")?.split(",").filter(Boolean) ?? [];
  return { game, size: size || null, start: values.get("start"), moves };
}
