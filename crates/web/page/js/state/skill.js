// The rating of a player of puzzles: Glicko, with one result a period (M. Glickman, "Parameter estimation in large
// dynamic paired comparison experiments", 1999).

/** A rating, how far off it may be (one standard deviation), and from how many results. */
/** @typedef {{ rating: number, deviation: number, count: number }} Skill */

/** @type {Skill} Where nothing is known. */
export const NEW_SKILL = { rating: 1000, deviation: 350, count: 0 };

/** The rating moves on for ever: people learn. */
const LEAST_DEVIATION = 60;
/** Above this the rating is a first guess, and is shown with a question mark. */
const SETTLED = 110;
/** How far off the ratings of puzzles may be. */
const PUZZLE_DEVIATION = 80;
const Q = Math.LN10 / 400;

/** How much a result says about an opponent whose rating is uncertain. @param {number} deviation */
const weight = (deviation) => 1 / Math.sqrt(1 + (3 * (Q * deviation) ** 2) / Math.PI ** 2);

/** The share of puzzles with this rating that a player should solve. @param {Skill} skill @param {number} puzzle */
export const expected = ({ rating }, puzzle) =>
  1 / (1 + Math.pow(10, (-weight(PUZZLE_DEVIATION) * (rating - puzzle)) / 400));

/**
 * The skill after a puzzle with this rating.
 * @param {Skill} skill @param {number} puzzle @param {number} points 1, 0.5 or 0. @returns {Skill}
 */
export function rated(skill, puzzle, points) {
  const g = weight(PUZZLE_DEVIATION);
  const e = expected(skill, puzzle);
  const precision = 1 / skill.deviation ** 2 + Q ** 2 * g ** 2 * e * (1 - e);
  return {
    rating: Math.max(100, skill.rating + (Q / precision) * g * (points - e)),
    deviation: Math.max(LEAST_DEVIATION, Math.sqrt(1 / precision)),
    count: skill.count + 1,
  };
}

/** Whether the rating still is a first guess. @param {Skill} skill */
export const isProvisional = ({ deviation }) => deviation > SETTLED;
