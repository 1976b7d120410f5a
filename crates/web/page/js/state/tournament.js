// The tournament that the server shows, assembled from its messages.

import { text } from "../text/index.js";

/** @typedef {import("./types.js").Scene} Scene */
/**
 * An agent: its wins, draws and losses; its Elo rating; the rating's error, `null` if the games do not bound it.
 * @typedef {{ name: string, games: [number, number, number], points: number, buchholz: number | null,
 *   elo: number | null, error: number | null, faults: Record<string, number> }} Agent
 */
/**
 * A worker. An empty name means the program that runs the tournament. `silent` is the time since the last message, in
 * seconds.
 * @typedef {{ id: number, name: string, jobs: number, busy: number, done: number, failed: number,
 *   perMinute: number | null, silent: number }} Worker
 */
/**
 * @typedef {{ number: number, names: [string, string], winner: number | null, ending: string, plies: number }} Result
 */
/**
 * @typedef {{ state: "waiting" | "running" | "stopped" | "over", trouble: string | null, name: string, game: string,
 *   size: number | null, variant: string, format: string, played: number, planned: number,
 *   round: [number, number] | null, perMinute: number | null, left: number | null, agents: Agent[],
 *   winners: string[], workers: Worker[], recent: Result[], damaged: number, moreBoards: number }} Tournament
 */
/**
 * A game in progress, or the last game on its board. `left` is in milliseconds at the time `at` on the page's clock.
 * @typedef {{ key: string, number: number, names: [string, string], scene: Scene, plies: number,
 *   left: [number | null, number | null], running: number | null, at: number,
 *   end: { winner: number | null, ending: string } | null }} Board
 */
/**
 * @typedef {{ shown: boolean, tournament: Tournament | null, boards: Omit<Board, "at">[], keys: string[] }} News
 * @typedef {{ shown: boolean, tournament: Tournament | null, boards: Board[] }} Known
 */

/**
 * Returns the state after a message. A board that is not in the message is unchanged.
 * @param {Known | null} known @param {News} news @param {number} now @returns {Known}
 */
export function heard(known, { shown, tournament, boards, keys }, now) {
  const byKey = new Map(known?.boards.map((board) => [board.key, board]));
  for (const board of boards) byKey.set(board.key, { ...board, at: now });
  const all = keys.flatMap((key) => byKey.get(key) ?? []);
  return { shown, tournament: tournament ?? known?.tournament ?? null, boards: all };
}

/**
 * Returns a side's remaining time, in milliseconds; `null` without a limit.
 * @param {Pick<Board, "left" | "running" | "at">} board @param {number} side
 */
export function leftOn({ left, running, at }, side, now = at) {
  const ms = left[side];
  return ms === null ? null : Math.max(0, ms - (running === side ? Math.max(0, now - at) : 0));
}

/** Formats a duration: 0:07, 12:30, 1:05:09. @param {number} seconds */
export function spanText(seconds) {
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Formats a rating with its error: +12 ± 30. @param {Agent} agent */
export function eloText({ elo, error }) {
  if (elo === null) return "–";
  const value = Math.round(elo);
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return `${sign}${Math.abs(value)} ± ${error === null ? "?" : Math.round(error)}`;
}

/** Endings that the archive has too, with their causes there. @type {Record<string, import("./types.js").Cause>} */
const CAUSES = {
  "win by no move": "stuck",
  "tie by limit": "limit",
  "tie by repetition": "repetition",
  "tie by quiet plies": "quiet",
  time: "time",
};

/** Returns the reason for a game's end in the language of the page. @param {string} ending Its name in the store. */
export const endingText = (ending) => text.server.reasons[CAUSES[ending]] ?? text.arena.endings[ending] ?? ending;

/** Returns the number of an agent's faults. @param {Agent} agent */
export const faultsOf = ({ faults }) => Object.values(faults).reduce((sum, count) => sum + count, 0);
