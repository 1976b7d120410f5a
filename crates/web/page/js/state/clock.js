// Clocks between two messages of the server: the page counts down itself.

/** @typedef {import("./types.js").ClockView} ClockView */

/** Time below which a clock shows tenths of seconds, in milliseconds. */
const SHORT = 10_000;

/**
 * Returns how far the page's clock is ahead of the server's. Network delay only increases the measured difference, so
 * the smallest one is the most accurate.
 * @param {number | null} known @param {number} serverTime @param {number} pageTime
 */
export const ahead = (known, serverTime, pageTime) => Math.min(known ?? Infinity, pageTime - serverTime);

/**
 * Returns a side's remaining time, in milliseconds.
 * @param {ClockView} view @param {number} side @param {number} serverTime The server's current time.
 */
export function leftNow({ left, running, at }, side, serverTime) {
  const gone = running === side ? Math.max(0, serverTime - at) : 0;
  return Math.max(0, left[side] - gone);
}

/** Formats a time for a clock: 1:05:09, 5:09, 9.4. @param {number} ms */
export function clockText(ms) {
  if (ms < SHORT) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Returns the milliseconds until the text of a clock changes. @param {number} ms */
export const untilNextText = (ms) => (ms < SHORT ? ms % 100 : ms % 1000) + 1;
