// The types of the server's messages (crates/house/src/messages, crates/games/src/scene.rs).

/** Row from the top and column from the left, from 0. @typedef {[number, number]} Place */
/** The text of a square and its owner: 0, 1 or none. @typedef {[string, number | null]} Spot */
/** A move and the squares it touches. @typedef {{ text: string, path: Place[] }} Way */
/**
 * A line of action through a piece, with the piece's targets on the line.
 * @typedef {{ from: Place, squares: Place[], count: number, to: Place[] }} Line
 */
/** A spot of a cascade that flies from one square to another. @typedef {[Place, Place]} Flight */
/**
 * A shape drawn by the user: a circle on one square or an arrow between two, in one of four colours.
 * @typedef {{ path: Place[], colour: number }} Shape
 */
/**
 * The end of a game. The cause is a keyword for files and translations.
 * @typedef {"board" | "stuck" | "limit" | "repetition" | "quiet" | "resigned" | "time" | "agreed"} Cause
 * @typedef {{ steps: Place[][], links: [Place, Place][] }} Highlight Squares that decided the game, in the order in
 *   which they are marked, and lines between them.
 * @typedef {{ winner: number | null, cause: Cause, text: string, highlight?: Highlight }} End
 */

/**
 * A game after some moves.
 * @typedef {object} Scene
 * @property {string} game
 * @property {number} size
 * @property {[string, string]} sides
 * @property {string} start
 * @property {string} variant Name of the rules and the start, such as `mso`; empty for the usual ones.
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
 * A room of the server: a game with its seats.
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
 * @property {boolean} helped Whether the user was helped, so that the game does not count for the ladder.
 * @property {boolean} [ended] Set by the page when the program has ended.
 */

/**
 * The time control, in milliseconds: for the game, or for each move.
 * @typedef {{ kind: "game", ms: number, increment: number } | { kind: "move", ms: number }} Clock
 */

/**
 * The clocks at the time of the message: the remaining times, the running clock, the server's time.
 * @typedef {{ clock: Clock, left: [number, number], running: number | null, at: number }} ClockView
 */

/**
 * A shared board: the side of this browser, the taken seats, the seats whose owner is disconnected, the number of
 * spectators, the side that asks for a takeback (the other side agrees by sending an undo), the side that offers a
 * draw, and the names of the players.
 * @typedef {{ you: number | null, taken: [boolean, boolean], away: [boolean, boolean], watching: number,
 *   asks: number | null, offers: number | null, names: [string | null, string | null] }} Table
 */

/**
 * A new game. `when` identifies a saved game. `left` has the remaining times of a continued game. With `swap`, the two
 * people at a shared board change sides.
 * @typedef {{ game: Game, seats: [Seat, Seat], paused?: boolean, clock?: Clock | null,
 *   left?: [number, number] | null, swap?: boolean, helped?: boolean, when?: number }} NewGame
 */

/**
 * The player of a side in a finished game.
 * @typedef {{ kind: "person", name?: string } | { kind: "engine", level?: string | null }} Who
 */
/**
 * A finished game in the archive.
 * @typedef {{ id: string, date: string, game: string, size: number | null, start: string | null, moves: string[],
 *   limit: number | null, clock: Clock | null, seats: [Who, Who], winner: number | null, reason: Cause }} Archived
 */

/** A value from the first side's view. @typedef {{ units: number } | { wins: number } | { loses: number }} Value */
/** @typedef {{ value: Value, moves: string[] }} Variation */
/**
 * A result that is known exactly: from a book, endgame tables, or a proof search.
 * @typedef {{ winner: number | null, plies: number, best: string | null, source: "book" | "tables" | "search" }} Known
 */
/** @typedef {{ lines: Variation[], depth: number, nodes: number, known?: Known }} Thought */
/**
 * A reply of the losing side in a proven position, and the winner's answer.
 * @typedef {{ move: string, answer: string | null, plies: number | null, ends: boolean }} Reply
 */
/**
 * The progress of a proof.
 * @typedef {{ nodes: number, seconds: number, state: "waiting" | "searching" | "won" | "drawn" | "open",
 *   known: Known | null }} ProofNews
 */
/**
 * A game outside of any room.
 * @typedef {{ game: string, size?: number | null, start?: string | null, moves?: string[], limit?: number | null }}
 *   Game
 */

/**
 * A node of a tree as a list entry. The first entry is the start, and a parent precedes its children.
 * @typedef {{ parent: number, move: string, comment?: string, mark?: string, shapes?: Shape[],
 *   other?: [string, string[]][] }} PlainNode
 */

/**
 * A manual change of a position. `done` changes nothing, and is refused in positions that cannot be played.
 * @typedef {{ kind: "paint", place: Place, brush: number } | { kind: "carry", from: Place, to: Place }
 *   | { kind: "clear" } | { kind: "start" } | { kind: "turn" } | { kind: "rules", rules: string }
 *   | { kind: "done" }} Edit
 */

/**
 * The source of games: with people, between engines, or from files.
 * @typedef {"people" | "engines" | "files"} Source
 */
/**
 * A move in a position, with the results for the side that made it; `same` lists its mirror images.
 * @typedef {{ text: string, same: string[], wins: number, draws: number, losses: number }} Explored
 * @typedef {{ moves: Explored[], counting: boolean }} Openings
 */

export {};
