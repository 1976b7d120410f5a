// The puzzle of the day.

const DAY = 24 * 60 * 60 * 1000;

/** The number of a day in the user's time zone. @param {Date} now */
export const dayNumber = (now) => Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);

/**
 * One of so many for a day: all in turn, in an order that does not look like one.
 * @param {number} day @param {number} count
 */
export function ofDay(day, count) {
  // A step without a common divisor reaches each of them.
  let step = Math.max(1, Math.floor(count * 0.618));
  while (divisor(step, count) !== 1) step += 1;
  return (day * step) % count;
}

/** @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
