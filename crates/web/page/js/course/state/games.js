// Players, results and faults of a course's games.

import { opponentName } from "../../state/scene.js";
import { endingText } from "../../state/tournament.js";
import { words } from "../text/index.js";

/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../types.js").GameRow} GameRow */
/** @typedef {import("../types.js").Result} Result */
/** @typedef {import("../types.js").Row} Row */

/** Returns the name of a player: the team's or the level's. @param {Player} player */
export const playerName = (player) => ("level" in player ? opponentName(player.level) : player.name);

/** Returns the names of both players. @param {[Player, Player]} players @returns {[string, string]} */
export const namesOf = ([first, second]) => [playerName(first), playerName(second)];

/** Returns the winner's side; `null` for no winner. @param {Result} result */
export const winnerOf = (result) => (result === "first" ? 0 : result === "second" ? 1 : null);

/** Returns the side of a team, or `null`. @param {[Player, Player]} players @param {string | null} team */
export function sideOf(players, team) {
  const side = players.findIndex((player) => !("level" in player) && player.team === team);
  return team === null || side < 0 ? null : side;
}

/**
 * Returns a game's result for a team; `null` if the team has not played.
 * @param {Pick<GameRow, "players" | "result">} game @param {string | null} team
 * @returns {"won" | "lost" | "drawn" | "void" | null}
 */
export function outcomeFor({ players, result }, team) {
  const side = sideOf(players, team);
  if (side === null) return null;
  if (result === "void") return "void";
  const winner = winnerOf(result);
  return winner === null ? "drawn" : winner === side ? "won" : "lost";
}

/** Returns a game's result as a sentence. @param {Pick<GameRow, "players" | "result">} game */
export function resultSentence({ players, result }) {
  const names = namesOf(players);
  const winner = winnerOf(result);
  if (result === "void") return words.games.void(...names);
  return winner === null ? words.games.drawn(...names) : words.games.beat(names[winner], names[1 - winner]);
}

/** Returns the number of faults. @param {Record<string, number>} faults */
export const faultCount = (faults) => Object.values(faults).reduce((sum, count) => sum + count, 0);

/** Lists faults, the most frequent kind first: "illegal move × 3, crash × 1". @param {Record<string, number>} faults */
export const faultText = (faults) =>
  Object.entries(faults)
    .filter(([, count]) => count > 0)
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([kind, count]) => `${endingText(kind)}\u00a0×\u00a0${count}`)
    .join(words.separator);

/**
 * Returns an address if it is one of the web, otherwise `null`. Browsers send the cookie of a host to all its ports, so
 * other servers of this host are not linked.
 * @param {string | null | undefined} url @param {string} [host] Name of this host.
 */
export function webAddress(url, host = globalThis.location?.hostname) {
  if (!url) return null;
  try {
    const { protocol, hostname, href } = new URL(url);
    return /^https?:$/.test(protocol) && hostname !== host ? href : null;
  } catch {
    return null;
  }
}

/** Returns an address as a short text, without scheme and final slash. @param {string} href */
export const shortAddress = (href) => href.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");

/** Returns the order of a game: those of the final are the latest. @param {GameRow} game @returns {number} */
const orderOf = ({ id }) => (id.startsWith("f") ? Number(id.slice(1)) + Number.MAX_SAFE_INTEGER / 2 : Number(id));

/**
 * Merges a newer page of games with games that were fetched before, the latest game first.
 * @param {GameRow[]} known @param {GameRow[]} fetched
 */
export function mergedGames(known, fetched) {
  const byId = new Map([...known, ...fetched].map((game) => [game.id, game]));
  return [...byId.values()].sort((a, b) => orderOf(b) - orderOf(a));
}

/** Formats points without a needless decimal place. @param {number} points @param {string} locale */
export const pointsText = (points, locale) => points.toLocaleString(locale, { maximumFractionDigits: 1 });

/** Formats a share of 1 in percent. @param {number} share @param {string} locale */
export const percentText = (share, locale) => share.toLocaleString(locale, { style: "percent" });

/** Replaces the hyphen of a negative number by a minus sign. @param {string} number */
export const withMinus = (number) => number.replace(/^-/, "−");

/** Formats a rating: 1512; a dash if there is none. @param {number | null} elo */
export const eloText = (elo) => (elo === null ? "–" : withMinus(String(Math.round(elo))));

/** Formats a rating with its error: 1512 ± 40. @param {Pick<Row, "elo" | "error">} row */
export const ratingText = ({ elo, error }) =>
  elo === null ? eloText(elo) : `${eloText(elo)} ± ${error === null ? "?" : Math.round(error)}`;
