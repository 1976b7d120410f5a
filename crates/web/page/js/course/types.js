// The messages of a course's server.

/**
 * @typedef {"open" | "closing" | "final" | "done" | "published"} Phase
 * @typedef {"visitor" | "team" | "staff"} Role
 * @typedef {{ id: number, at: string, text: string }} Announcement
 */
/**
 * The course. Times are ISO 8601 in UTC.
 * @typedef {object} About
 * @property {string} name
 * @property {string} game
 * @property {number | null} size
 * @property {Phase} phase
 * @property {string} deadline
 * @property {string} timeZone A name of the IANA time zone database.
 * @property {string} now
 * @property {number | null} rehearsal Seconds of the course's clock in a second, in a rehearsal.
 * @property {number} teams
 * @property {number} versions
 * @property {number} games
 * @property {Role} role
 * @property {string | null} team Id of the user's own team.
 * @property {number} uploadLimit In bytes.
 * @property {string} checkCommand Command line that makes the check of uploads elsewhere. `FILE` stands for the file.
 * @property {{ perHour: number, levels: (string | number)[], left: number }} practice
 * @property {Announcement[]} announcements The latest one first.
 * @property {boolean} lateUploads Whether uploads are received after the deadline.
 * @property {boolean} publicGames Whether visitors can replay finished games.
 */
/**
 * A row of the standings. `agent`, `tagline` and `url` are what the program says about itself.
 * @typedef {{ rank: number, team: string, name: string, agent: string, tagline: string | null, url: string | null,
 *   elo: number | null, error: number | null, games: number, won: number, drawn: number, lost: number, points: number,
 *   faults: Record<string, number>, version: number, live: boolean }} Row
 * @typedef {{ kind: "ladder" | "final", page: number, pages: number, rows: Row[], updated: string }} Standings
 */
/**
 * A player of a game: a version of a team, or a level of our engines.
 * @typedef {{ team: string, name: string, agent: string, version: number } | { level: string }} Player
 * @typedef {"first" | "second" | "draw" | "void"} Result
 * @typedef {"ladder" | "final" | "practice"} Kind
 */
/**
 * A finished game. Ids of the final's games begin with `f`. `faults` are the numbers of faults of both sides.
 * @typedef {{ id: string, kind: Kind, began: string, players: [Player, Player], result: Result, ending: string,
 *   plies: number, faults: [number, number] }} GameRow
 * @typedef {{ games: GameRow[], more: boolean }} GamePage
 */
/**
 * A fault. `ply` is the number of moves before it. Only the team itself and staff receive `detail`.
 * @typedef {{ side: number, kind: string, ply: number | null, detail?: string }} Fault
 */
/**
 * A finished game with its moves. `seconds` and `stderr` are only those of the user's own side, or of both for staff.
 * @typedef {Omit<GameRow, "faults"> & { record: import("../state/types.js").Game,
 *   moves: { text: string, side: number, seconds?: number }[], faults: Fault[],
 *   stderr: [string | null, string | null] }} WholeGame
 */
/**
 * A game in progress, or the last game on its board. `left` is in milliseconds; `null` for no limit.
 * @typedef {{ key: string, players: [Player, Player], scene: import("../transport/translated.js").SentScene,
 *   plies: number, left: [number | null, number | null], running: number | null,
 *   end: { winner: number | null, ending: string } | null, game: string | null }} SentBoard
 */
/**
 * A step of the check of an upload. `position` is the position in which a fault occurred.
 * @typedef {{ name: string, state: "running" | "passed" | "warned" | "failed", detail: string, remedy: string,
 *   position?: import("../state/types.js").Game | null }} Step
 */
/**
 * An upload of a team. `place` is its place in the queue, from 1, while it waits.
 * @typedef {{ id: number, number: number, fileName: string, size: number, received: string, late: boolean,
 *   state: "waiting" | "checking" | "accepted" | "refused", place: number | null, notes: string[], steps: Step[],
 *   playing: boolean, agent: { name: string, tagline: string | null, url: string | null } | null }} Upload
 */
/**
 * The uploads of the user's own team, the latest one first. `out` is set if the team takes part no longer.
 * @typedef {{ name: string, frozen: boolean, uploads: Upload[],
 *   out: { kind: "withdrawn" | "disqualified", reason: string } | null }} Own
 */
/**
 * The public data of a team. `row` is `null` before its first game. Visitors receive only the version that plays.
 * @typedef {{ team: string, name: string, row: Row | null, versions: (Upload | { number: number, received: string,
 *   state: Upload["state"], playing: boolean })[], frozen: boolean, history: [time: string, elo: number][] }} Team
 */
/**
 * A request for a practice game, the latest one first. `detail` is the reason for a failure.
 * @typedef {{ game: number, level: string, asked: string, state: "waiting" | "playing" | "played" | "failed",
 *   detail: string }} PracticeRequest
 */
/**
 * What a team can improve. `before` and `after` are its chances of winning before and after the move, from 0 to 1.
 * @typedef {{ faults: { kind: string, count: number, game: string, ply: number | null }[],
 *   slowest: { game: string, ply: number, seconds: number }[],
 *   lost: { game: string, ply: number, position: import("../state/types.js").Game, before: number, after: number }[]
 *   }} Advice
 */
/**
 * A team as staff sees it.
 * @typedef {{ id: string, name: string, mail: string, link: "none" | "made" | "used", uploads: number,
 *   lastUpload: string | null, state: Upload["state"] | null, playing: number | null, elo: number | null,
 *   games: number, faults: number, late: number, frozen: number | null, withdrawn: string | null,
 *   disqualified: string | null }} StaffTeam
 */
/**
 * Workers on other machines: games that they can play at the same time, games that are handed out, and the reason why
 * they play none.
 * @typedef {{ address: string, jobs: number, offered: number, trouble: string | null }} Workers
 * @typedef {{ teams: StaffTeam[], workers: Workers | null }} StaffTeams
 */
/** @typedef {{ id: number, at: string, actor: string, action: string, subject: string, detail: string }} AuditEntry */
/**
 * @typedef {{ id: string, name: string, version: number | null, accepted: boolean, why: string, checks: number,
 *   faults: Record<string, number>, rank: number | null, points: number, games: number, elo: number | null,
 *   error: number | null, marks: { rule: string, marks: number }[], total: number }} Grade
 */
/**
 * A submission in the list of copies. `upload` is the id of the upload.
 * @typedef {{ upload: number, team: string, name: string, version: number }} Submission
 * @typedef {{ a: Submission, b: Submission, identical: boolean, share: number }} CopyPair
 * @typedef {{ groups: Submission[][], pairs: CopyPair[] }} Copies
 */
/**
 * Two submissions side by side. Lines are numbered from 1; ranges include both ends.
 * @typedef {{ files: [number, number], lines: [[number, number], [number, number]] }} Match
 * @typedef {{ name: string, lines: string[] }} SourceFile
 * @typedef {{ a: Submission, b: Submission, files: [SourceFile[], SourceFile[]], matches: Match[] }} SideBySide
 */

export {};
