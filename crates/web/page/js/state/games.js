// The games, as the server describes them (crates/games/src/about.rs). No other module names a game.

/**
 * @typedef {object} About
 * @property {string} name The name that links and messages use.
 * @property {string} title
 * @property {string} summary
 * @property {number[]} sizes
 * @property {number} usualSize
 * @property {[string, string]} sides
 * @property {"discs" | "men" | "pawns" | "dice"} pieces How squares are drawn.
 * @property {string} counted What is counted for each side.
 * @property {string} squareName With `{row}` and `{column}`.
 * @property {[string, string][]} contents Every text of a square, and what a screen reader says for it.
 * @property {string[]} brushes What the editor can put on a square; the first one empties it.
 * @property {boolean} turnIsFree Whether the editor can change the side to move.
 * @property {string | null} fileFormat
 */
/**
 * A position and moves to step through, or to move the pieces freely.
 * @typedef {{ start: string | null, moves: string[] }} Example
 */
/** @typedef {{ title: string, text: string[], example: Example | null }} Lesson */
/** A position and in how many plies it is won. @typedef {[string, number]} Puzzle */

/** @type {Map<string, About>} */
const games = new Map();

/** Takes the games from the server, before anything is drawn. @param {About[]} all */
export function setGames(all) {
  games.clear();
  for (const about of all) games.set(about.name, about);
}

/** All games, the usual one first. */
export const allGames = () => [...games.values()];

/** The game that is shown when no other was asked for. */
export const usualGame = () => allGames()[0];

/**
 * The game of this name, or the usual one if there is none, as after a link to another version.
 * @param {string} name
 */
export const about = (name) => games.get(name) ?? usualGame();
