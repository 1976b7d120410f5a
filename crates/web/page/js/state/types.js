// What the server says (crates/room/src/messages, crates/games/src/scene.rs), as types.

/** Row from the top and column from the left, from 0. @typedef {[number, number]} Place */
/** A text, and whose it is: 0, 1 or nobody's. @typedef {[string, number | null]} Spot */
/** A move and the squares it touches. @typedef {{ text: string, path: Place[] }} Way */
/**
 * A line of action: where the held piece may go along it.
 * @typedef {{ from: Place, squares: Place[], count: number, to: Place[] }} Line
 */
/** A spot of a cascade that goes from one square to another. @typedef {[Place, Place]} Flight */
/**
 * What a user draws on a board: a circle on one square or an arrow between two, in one of four colours.
 * @typedef {{ path: Place[], colour: number }} Shape
 */
/**
 * How a game ended. The cause is a word for files and other languages.
 * @typedef {"board" | "stuck" | "limit" | "repetition" | "quiet" | "resigned" | "time"} Cause
 * @typedef {{ winner: number | null, cause: Cause, text: string }} End
 */

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
 * @property {Flight[][]} flights For each frame, the spots that fly to it.
 * @property {End | null} end
 * @property {[number, number]} pieces
 * @property {[number, number]} lost
 * @property {Line[]} lines
 * @property {Place[][]} groups
 */

/**
 * @typedef {{ kind: "person" } | { kind: "engine", level: string, seconds?: number | null, nodes?: number | null,
 *   build?: string }}
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
 * @property {ClockView | null} clock
 * @property {Table | null} table
 */

/**
 * How much time the sides have, in milliseconds: for the game, or for each move.
 * @typedef {{ kind: "game", ms: number, increment: number } | { kind: "move", ms: number }} Clock
 */

/**
 * The clocks when the server wrote this: what both sides had left, whose clock runs, the server's time.
 * @typedef {{ clock: Clock, left: [number, number], running: number | null, at: number }} ClockView
 */

/**
 * A board that several devices share: the side of this browser, whether the seats are taken, whether who sits there has
 * lost the connection, how many watch, which side asks to take its move back (an undo of the other one agrees).
 * @typedef {{ you: number | null, taken: [boolean, boolean], away: [boolean, boolean], watching: number,
 *   asks: number | null }} Table
 */

/**
 * A game to begin; `when` names one that was set aside. `left` is what both sides have left on their clocks if it goes
 * on; with `swap` the two people at a shared board change sides.
 * @typedef {{ game: Game, seats: [Seat, Seat], paused?: boolean, clock?: Clock | null,
 *   left?: [number, number] | null, swap?: boolean, when?: number }} NewGame
 */

/**
 * Who played a side of a finished game.
 * @typedef {{ kind: "person" } | { kind: "engine", level?: string | null }} Who
 */
/**
 * A finished game, as the archive keeps it.
 * @typedef {{ id: string, date: string, game: string, size: number | null, start: string | null, moves: string[],
 *   limit: number | null, clock: Clock | null, seats: [Who, Who], winner: number | null, reason: Cause }} Archived
 */

/** A value for the first side. @typedef {{ units: number } | { wins: number } | { loses: number }} Value */
/** @typedef {{ value: Value, moves: string[] }} Variation */
/**
 * A result that is known for certain: of a book, of endgame tables, or by a proof search.
 * @typedef {{ winner: number | null, plies: number, best: string | null, source: "book" | "tables" | "search" }} Known
 */
/** @typedef {{ lines: Variation[], depth: number, nodes: number, known?: Known }} Thought */
/**
 * A reply of the side that loses a proven position, and the winner's answer.
 * @typedef {{ move: string, answer: string | null, plies: number | null, ends: boolean }} Reply
 */
/**
 * How far a proof has come.
 * @typedef {{ nodes: number, seconds: number, state: "waiting" | "searching" | "won" | "drawn" | "open",
 *   known: Known | null }} ProofNews
 */
/**
 * A game in no room.
 * @typedef {{ game: string, size?: number | null, start?: string | null, moves?: string[], limit?: number | null }}
 *   Game
 */

/**
 * A move of a tree in a list: the first node is the start, and a parent precedes its children.
 * @typedef {{ parent: number, move: string, comment?: string, mark?: string, shapes?: Shape[],
 *   other?: [string, string[]][] }} PlainNode
 */

/**
 * A change of a position by hand. `done` changes nothing, and is refused where nothing can be played.
 * @typedef {{ kind: "paint", place: Place, brush: number } | { kind: "clear" } | { kind: "start" } | { kind: "turn" }
 *   | { kind: "done" }} Edit
 */

/** Games with people, games between engines, games of files. @typedef {"people" | "engines" | "files"} Source */
/**
 * A move of a position, and how the games with it ended for the side that made it; `same` are its mirror images.
 * @typedef {{ text: string, same: string[], wins: number, draws: number, losses: number }} Explored
 * @typedef {{ moves: Explored[], counting: boolean }} Openings
 */

export {};
