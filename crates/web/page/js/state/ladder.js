// The ladder: the user's results against the levels of the engine, and the file of finished games.

import { opponentName } from "./scene.js";
import { newGameOf, setupFrom } from "./setup.js";
import { text } from "../text/index.js";

/**
 * The results against a level. `last` has the half points of the last games, the oldest first.
 * @typedef {{ level: string, wins: number, draws: number, losses: number, last: number[], beaten: boolean }} Rung
 */
/**
 * The opponents from the weakest to the strongest, the index of the next one, and the user's rating.
 * @typedef {object} Ladder
 * @property {Rung[]} rungs
 * @property {number | null} next
 * @property {{ elo: number, deviation: number, games: number } | null} rating
 */

/** Returns the number of games against an opponent. @param {Rung} rung */
export const gamesOf = ({ wins, draws, losses }) => wins + draws + losses;

/** Returns the results against an opponent as a text, such as "you are 1–2". @param {Rung} rung */
export const scoreOf = (rung) =>
  gamesOf(rung) === 0 ? text.ladder.fresh : text.ladder.score(text.ladder.brief(rung.wins, rung.losses, rung.draws));

/**
 * Returns the next game against an opponent. The user's side alternates.
 * @param {string} game @param {Rung} rung
 */
export function nextGame(game, rung) {
  const { level } = rung;
  return newGameOf(setupFrom({ game, levels: [level, level], side: gamesOf(rung) % 2 }), 0);
}

/** Returns the next opponent and its name. @param {Ladder} ladder */
export function nextRung({ rungs, next }) {
  const rung = next === null ? undefined : rungs[next];
  return rung && { rung, name: text.opponents.levels[rung.level]?.name ?? opponentName(rung.level) };
}

/**
 * Splits a file into parts of whole lines, each with the number of its first line from 1. A line longer than
 * `most` bytes has its own part.
 * @param {string} file @param {number} most @returns {{ line: number, text: string, fits: boolean }[]}
 */
export function partsOf(file, most) {
  /** @type {{ line: number, lines: string[], size: number }[]} */
  const parts = [];
  const encoder = new TextEncoder();
  for (const [at, line] of file.split("\n").entries()) {
    // The part is sent as a string in JSON.
    const size = encoder.encode(JSON.stringify(line)).length;
    const last = parts.at(-1);
    if (last && last.size + size <= most) {
      last.lines.push(line);
      last.size += size;
    } else parts.push({ line: at + 1, lines: [line], size });
  }
  return parts.map(({ line, lines, size }) => ({ line, text: lines.join("\n"), fits: size <= most }));
}
