// What the server says (crates/web/src/messages.rs, crates/games/src/scene.rs), as types.

/** Row from the top and column from the left, from 0. @typedef {[number, number]} Place */
/** A text, and whose it is: 0, 1 or nobody's. @typedef {[string, number | null]} Spot */
/** A move and the squares it touches. @typedef {{ text: string, path: Place[] }} Way */
/**
 * A line of action: where the held piece may go along it.
 * @typedef {{ from: Place, squares: Place[], count: number, to: Place[] }} Line
 */
/** How a game ended. @typedef {{ winner: number | null, text: string }} End */

/**
 * A game after some moves.
 * @typedef {object} Scene
 * @property {string} game
 * @property {number} size
 * @property {[string, string]} sides
 * @property {string} start
 * @property {string} position
 * @property {number} turn
 * @property {number} ply
 * @property {number | null} limit
 * @property {string[]} played
 * @property {Spot[][]} rows
 * @property {string[]} rowLabels
 * @property {string[]} columnLabels
 * @property {Way[]} moves
 * @property {Way | null} last
 * @property {Spot[][][]} frames
 * @property {End | null} end
 * @property {[number, number]} pieces
 * @property {[number, number]} lost
 * @property {Line[]} lines
 * @property {Place[][]} groups
 */

/**
 * @typedef {{ kind: "person" } | { kind: "engine", level: number, seconds?: number | null, nodes?: number | null }}
 *   Seat
 */

/**
 * A room as the server has it: a game with its seats.
 * @typedef {object} Room
 * @property {string} room
 * @property {number} revision
 * @property {Scene} scene
 * @property {[Seat, Seat]} seats
 * @property {boolean} paused
 * @property {boolean} thinking
 * @property {number} pace
 * @property {string[]} undone
 * @property {boolean} terminal
 */

/** A value for the first side. @typedef {{ units: number } | { wins: number } | { loses: number }} Value */
/** @typedef {{ value: Value, moves: string[] }} Variation */
/** @typedef {{ lines: Variation[], depth: number, nodes: number }} Thought */
/**
 * A game in no room.
 * @typedef {{ game: string, size?: number | null, start?: string | null, moves?: string[], limit?: number | null }}
 *   Game
 */

/**
 * A change of a position by hand.
 * @typedef {{ kind: "paint", place: Place, brush: number } | { kind: "clear" } | { kind: "turn" }} Edit
 */

export {};
