// The puzzle of the day.

const DAY = 24 * 60 * 60 * 1000;

/** Returns the number of the current day in the user's time zone. @param {Date} now */
export const dayNumber = (now) => Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);

/**
 * Returns the index of a day's item, from 0 to `count - 1`. The items take turns in an order that looks random.
 * @param {number} day @param {number} count
 */
export function ofDay(day, count) {
  // A step that is coprime to `count` reaches every item.
  let step = Math.max(1, Math.floor(count * 0.618));
  while (divisor(step, count) !== 1) step += 1;
  return (day * step) % count;
}

/** @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
