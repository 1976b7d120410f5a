// The rating of a puzzle player: Glicko with one result in each period (M. Glickman, "Parameter estimation in large
// dynamic paired comparison experiments", 1999).

/** A rating, its standard deviation, and the number of results. */
/** @typedef {{ rating: number, deviation: number, count: number }} Skill */

/** @type {Skill} The skill of a new player. */
export const NEW_SKILL = { rating: 1000, deviation: 350, count: 0 };

/** Minimum deviation. It keeps the rating variable, because players improve. */
const LEAST_DEVIATION = 60;
/** Deviation above which the rating is provisional and shown with a question mark. */
const SETTLED = 110;
/** Deviation of the ratings of puzzles. */
const PUZZLE_DEVIATION = 80;
/** Maximum loss for a wrong move, and for giving up without trying. Only uncertain ratings could lose more. */
const MOST_LOST = 60;
const MOST_LOST_UNTRIED = 30;
const Q = Math.LN10 / 400;

/** Returns the weight of a result against an opponent with an uncertain rating. @param {number} deviation */
const weight = (deviation) => 1 / Math.sqrt(1 + (3 * (Q * deviation) ** 2) / Math.PI ** 2);

/**
 * Returns the expected score of a player against a puzzle with this rating.
 * @param {Skill} skill @param {number} puzzle
 */
export const expected = ({ rating }, puzzle) =>
  1 / (1 + Math.pow(10, (-weight(PUZZLE_DEVIATION) * (rating - puzzle)) / 400));

/**
 * Returns the skill after an attempt at a puzzle with this rating.
 * @param {Skill} skill @param {number} puzzle @param {number} points 1, 0.5 or 0.
 * @param {boolean} [gaveUp] Whether the player saw the solution without trying. @returns {Skill}
 */
export function rated(skill, puzzle, points, gaveUp = false) {
  const g = weight(PUZZLE_DEVIATION);
  const e = expected(skill, puzzle);
  const most = gaveUp ? MOST_LOST_UNTRIED : MOST_LOST;
  const precision = 1 / skill.deviation ** 2 + Q ** 2 * g ** 2 * e * (1 - e);
  return {
    rating: Math.max(100, skill.rating + Math.max(-most, (Q / precision) * g * (points - e))),
    deviation: Math.max(LEAST_DEVIATION, Math.sqrt(1 / precision)),
    count: skill.count + 1,
  };
}

/** Returns `true` if the rating is provisional. @param {Skill} skill */
export const isProvisional = ({ deviation }) => deviation > SETTLED;
