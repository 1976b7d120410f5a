// Clocks between two messages of the server: the page counts down itself.

import { decimal } from "../text/index.js";

/** @typedef {import("./types.js").ClockView} ClockView */

/** @typedef {import("./types.js").Clock} Clock */

/** Maximum of `lowTime`, in milliseconds. */
const LOW = 10_000;

/**
 * Returns the time below which a clock warns with a sound, in milliseconds: a tenth of the whole time, at most 10 s.
 * @param {Clock} clock
 */
export const lowTime = ({ ms }) => Math.min(LOW, ms / 10);

/**
 * Returns whether a clock has given its low-time warning. It can warn again once it shows at least twice the low time,
 * for example at the next move.
 * @param {boolean} warned @param {number} left In milliseconds. @param {Clock} clock
 */
export const warnsAt = (warned, left, clock) => left < (warned ? 2 : 1) * lowTime(clock);

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
  if (ms < SHORT) return decimal(Math.floor(ms / 100) / 10, 1);
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Returns the milliseconds until the text of a clock changes. @param {number} ms */
export const untilNextText = (ms) => (ms < SHORT ? ms % 100 : ms % 1000) + 1;
