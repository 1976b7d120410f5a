// The games, as described by the server (crates/games/src/about.rs). No other module names a game.

/**
 * @typedef {object} About
 * @property {string} name Name in links and messages.
 * @property {string} title
 * @property {string} summary
 * @property {number[]} sizes
 * @property {number} usualSize
 * @property {[string, string]} sides
 * @property {"discs" | "men" | "pawns" | "dice"} pieces Style of the pieces.
 * @property {string} counted Plural noun for the number shown for each side, such as "pieces".
 * @property {string} squareName Pattern with `{row}` and `{column}`.
 * @property {[string, string][]} contents Every text of a square, and its text for screen readers.
 * @property {string[]} brushes The brushes of the editor. The first one empties a square.
 * @property {boolean} turnIsFree Whether the editor can change the side to move.
 * @property {Strength[]} levels Levels of the engine, weakest first.
 * @property {string[]} rules Names of other rules, which the editor offers.
 * @property {string[]} variants Names of other rules and starts, such as `mso`.
 * @property {string[]} builds The engines by name. The current one, which has the levels, comes first.
 * @property {string | null} fileFormat
 * @property {number} lessons Number of lessons.
 * @property {number} puzzles Number of puzzles.
 * @property {string} picture A position that shows the look of the game.
 */
/**
 * A level of the engine. The Elo rating applies within this game, and is `null` if it was not measured; the weakest
 * level is rated 400. The gentle levels make human errors.
 * @typedef {{ key: string, elo: number | null, gentle: boolean }} Strength
 */
/**
 * A position with a text. The user has to play one of the moves `find`, or any move if `find` is empty. If `find` is
 * `null`, the step has no task.
 * @typedef {object} Step
 * @property {string} key
 * @property {string} text
 * @property {string} [right] Reply to a right move.
 * @property {string} [wrong] Reply to a wrong move.
 * @property {string | null} start
 * @property {string[]} moves Moves from the start to the position of the step.
 * @property {string[] | null} find
 * @property {string[]} then Moves that are played after the solution.
 */
/** @typedef {{ key: string, title: string, steps: Step[] }} Lesson */
/**
 * A position with a task: a win within a number of plies, or the only move that saves the game.
 * @typedef {object} Puzzle
 * @property {string} start
 * @property {["win" | "save", number]} task
 * @property {number} rating
 * @property {string[]} themes
 * @property {string[]} solution
 */

/** @type {Map<string, About>} */
const games = new Map();

/** Sets the games from the server, before the first render. @param {About[]} all */
export function setGames(all) {
  games.clear();
  for (const about of all) games.set(about.name, about);
}

/** Returns all games, the default one first. */
export const allGames = () => [...games.values()];

/** Returns the default game. */
export const usualGame = () => allGames()[0];

/** Returns the games with puzzles or with lessons. @param {"puzzles" | "lessons"} what */
export const gamesWith = (what) => allGames().filter((about) => about[what] > 0);

/**
 * Returns the game with this name if it has puzzles or lessons, otherwise the first game that has some.
 * @param {"puzzles" | "lessons"} what @param {string} name
 */
export const gameWith = (what, name) => gamesWith(what).find((about) => about.name === name) ?? gamesWith(what)[0];

/**
 * Returns the game with this name, or the default one for an unknown name, as in a link from another version.
 * @param {string} name
 */
export const about = (name) => games.get(name) ?? usualGame();
