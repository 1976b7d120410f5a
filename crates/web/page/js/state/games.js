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
 * @property {Strength[]} levels Of its engine, the weakest first.
 * @property {string[]} builds Its engines: the current one, which has the levels, comes first.
 * @property {string | null} fileFormat
 * @property {number} puzzles How many there are.
 * @property {string} picture A position that shows what the game looks like.
 */
/**
 * A level of the engine; Elo within this game, where the weakest has 400. The gentle ones err as people do.
 * @typedef {{ key: string, elo: number, gentle: boolean }} Strength
 */
/**
 * A position and what is asked for there: any of the moves `find`, every move if it is empty, nothing if it is null.
 * @typedef {object} Step
 * @property {string} key
 * @property {string} text
 * @property {string} [right] What is said to a right move.
 * @property {string} [wrong] What is said to another one.
 * @property {string | null} start
 * @property {string[]} moves From the start to the step's position.
 * @property {string[] | null} find
 * @property {string[]} then What is played after it.
 */
/** @typedef {{ key: string, title: string, steps: Step[] }} Lesson */
/**
 * A position in which something is to be found: a win in so many plies, or the only move that saves the game.
 * @typedef {object} Puzzle
 * @property {string} start
 * @property {["win" | "save", number]} task
 * @property {number} rating
 * @property {string[]} themes
 * @property {string[]} solution
 */

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
