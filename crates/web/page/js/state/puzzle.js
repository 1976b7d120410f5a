// Puzzles: the selection of the next one, the meaning of an evaluation for the solver, and the progress.

import { dayNumber, ofDay } from "./daily.js";
import { about, gamesWith } from "./games.js";
import { NEW_SKILL, rated } from "./skill.js";

/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./games.js").Puzzle} Puzzle */
/** @typedef {import("./skill.js").Skill} Skill */
/**
 * A user's progress, stored in the browser: a rating for each game, the result of each puzzle by name (1 solved, 0
 * missed), the current and the best streak, the number of consecutive days on which the puzzle of the day was solved,
 * and the last of these days.
 * @typedef {object} Progress
 * @property {Record<string, Skill>} skills
 * @property {Record<string, Record<string, number>>} tried
 * @property {number} streak
 * @property {number} best
 * @property {number} days
 * @property {number} lastDay
 */
/** The mode in which puzzles are chosen. @typedef {"rated" | "theme" | "number" | "day"} Mode */

/** @type {Progress} */
export const NO_PROGRESS = { skills: {}, tried: {}, streak: 0, best: 0, days: 0, lastDay: -1 };

/** Maximum rating difference of a suitable puzzle. */
const NEAR = 120;
/** Minimum number of puzzles to choose from, so that the choice is not predictable. */
const ENOUGH = 6;

/**
 * Returns the name of a puzzle. It is derived from the position, because numbers may change when the set grows.
 * @param {Puzzle} puzzle
 */
export function nameOf({ start }) {
  // The FNV hash (Fowler, Noll, Vo).
  let hash = 0x811c9dc5;
  for (let i = 0; i < start.length; i += 1) hash = Math.imul(hash ^ start.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Returns the plies to a side's proven win, or `null`. @param {Value | undefined} value @param {number} side */
export function winIn(value, side) {
  if (!value) return null;
  if (side === 0 && "wins" in value) return value.wins;
  if (side === 1 && "loses" in value) return value.loses;
  return null;
}

/** Returns the number of the solver's moves in a puzzle. @param {Puzzle} puzzle */
export const movesOf = ({ solution }) => Math.ceil(solution.length / 2);

/** Returns the player's rating in a game. @param {Progress} progress @param {string} game */
export const skillIn = (progress, game) => progress.skills[game] ?? NEW_SKILL;

/** Returns the themes of puzzles with their counts, most frequent first. @param {Puzzle[]} all */
export function themesOf(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { themes } of all) for (const theme of themes) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
}

/**
 * Chooses a puzzle at random among those near the player's rating: an untried one if possible, otherwise a missed one,
 * otherwise any. Returns its index. `dice` is a random number between 0 and 1.
 * @param {Puzzle[]} all @param {Record<string, number>} tried @param {number} rating @param {number} dice
 * @param {{ theme?: string, not?: number }} [wish] A theme, and an index that was just shown.
 */
export function choose(all, tried, rating, dice, { theme = "", not = -1 } = {}) {
  const numbers = all.map((_, i) => i).filter((i) => !theme || all[i].themes.includes(theme));
  /** @param {(i: number) => boolean} fits */
  const those = (fits) => numbers.filter((i) => i !== not && fits(i));
  const fresh = those((i) => !(nameOf(all[i]) in tried));
  const missed = those((i) => tried[nameOf(all[i])] === 0);
  const open = [fresh, missed, those(() => true), numbers].find((some) => some.length > 0) ?? [];
  const distance = (/** @type {number} */ i) => Math.abs(all[i].rating - rating);
  const nearest = [...open].sort((a, b) => distance(a) - distance(b));
  const near = nearest.filter((i, place) => place < ENOUGH || distance(i) <= NEAR);
  return near[Math.min(near.length - 1, Math.floor(dice * near.length))] ?? 0;
}

/**
 * Returns the progress after an attempt: 1 for solved, 0.5 with a hint, 0 for missed. Only a first attempt changes the
 * rating.
 * @param {Progress} progress @param {string} game @param {Puzzle} puzzle @param {number} points @param {boolean} counts
 *   Whether the attempt changes the rating. @param {boolean} [gaveUp] Whether the user saw the solution without trying.
 * @returns {Progress}
 */
export function tried(progress, game, puzzle, points, counts, gaveUp = false) {
  const before = progress.tried[game] ?? {};
  const name = nameOf(puzzle);
  const first = !(name in before);
  const streak = points === 1 ? progress.streak + (first ? 1 : 0) : 0;
  const skill = skillIn(progress, game);
  return {
    ...progress,
    tried: { ...progress.tried, [game]: { ...before, [name]: Math.max(before[name] ?? 0, points === 1 ? 1 : 0) } },
    skills:
      first && counts
        ? { ...progress.skills, [game]: rated(skill, puzzle.rating, points, gaveUp) }
        : progress.skills,
    streak,
    best: Math.max(progress.best, streak),
  };
}

/**
 * Returns `true` if a puzzle was tried before.
 * @param {Progress} progress @param {string} game @param {Puzzle} puzzle
 */
export const wasTried = (progress, game, puzzle) => nameOf(puzzle) in (progress.tried[game] ?? {});

/** Returns the progress after solving the puzzle of a day. @param {Progress} progress @param {number} day */
export function solvedOfDay(progress, day) {
  if (progress.lastDay === day) return progress;
  return { ...progress, days: progress.lastDay === day - 1 ? progress.days + 1 : 1, lastDay: day };
}

/**
 * Returns the number of consecutive days with a solved puzzle, up to today or yesterday.
 * @param {Progress} progress @param {number} day
 */
export const daysInARow = ({ days, lastDay }, day) => (lastDay >= day - 1 ? days : 0);

/** Returns the game of the day's puzzle. The games take turns. @param {Date} date */
export function gameOfTheDay(date) {
  const games = gamesWith("puzzles");
  return games[dayNumber(date) % games.length].name;
}

/**
 * Returns the index of a game's puzzle on a day, which is the same for all users.
 * @param {string} game @param {Date} date
 */
export const puzzleOfTheDay = (game, date) => ofDay(dayNumber(date), about(game).puzzles);
