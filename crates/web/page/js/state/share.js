// Import and export of games: a link that contains a whole game, and the bytes of a file.

/** @typedef {import("./types.js").Game} Game */

/** Returns the part of a link after `#/analyse?`. @param {Game} game */
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

const NAMES_LATIN_1 = /^\s*\([^[]*(?:\[[^\]]*\][^[]*)*?\bCA\s*\[\s*(?:iso[-_]?8859-1|latin-?1)\s*\]/i;

/**
 * Decodes a file: UTF-8, or Latin-1 if an SGF file names it or the bytes are not UTF-8.
 * @param {ArrayBuffer} bytes
 */
export function fromFile(bytes) {
  const latin1 = new TextDecoder("latin1").decode(bytes);
  if (NAMES_LATIN_1.test(latin1.slice(0, 4096))) return latin1;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin1;
  }
}
