// Import and export of games: a link that contains a whole game, and the bytes of a file.

import { text } from "../text/index.js";

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

/** Returns `true` for a host that only this machine can reach. @param {string} host */
const isLoopback = (host) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

/**
 * Returns a link to an analysis that other devices can open, or `null` if there is none.
 * @param {{ origin: string, hostname: string, pathname: string }} page The address of the page.
 * @param {string | null} network The link for devices on the local network. @param {string} query
 */
export function publicLink({ origin, hostname, pathname }, network, query) {
  // The server removes the token from the address. With `here`, the browser then opens the analysis in the fragment.
  if (network) return `${network}&here#/analyse?${query}`;
  return isLoopback(hostname) ? null : `${origin}${pathname}#/analyse?${query}`;
}

const CHARSET = /^\s*\([^[]*(?:\[[^\]]*\][^[]*)*?\b(?:CA|CharSet)\s*\[\s*([^\]]*?)\s*\]/i;

/**
 * Decodes a file: an SGF file by its property `CA`, others as UTF-8 or, if the bytes are not UTF-8, as Latin-1.
 * @param {ArrayBuffer} bytes
 */
export function fromFile(bytes) {
  const latin1 = new TextDecoder("latin1").decode(bytes);
  const named = latin1.slice(0, 4096).match(CHARSET)?.[1];
  if (named) return decoder(named).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin1;
  }
}

/** Returns the decoder of a character set, or throws an error that names the set. @param {string} charset */
function decoder(charset) {
  // `Latin-1` and `UTF_8` are common in files and unknown to browsers.
  for (const label of [charset, charset.replace(/[-_ ]/g, "")]) {
    try {
      return new TextDecoder(label);
    } catch {
      // The next spelling is tried.
    }
  }
  throw new Error(text.exchange.unknownCharset(charset));
}
