// Countdown, dates, and the interval of polling.

/** @typedef {"day" | "hour" | "minute" | "second"} Unit */

/** Units of durations, in seconds. @type {[Unit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/**
 * Splits a duration into its largest unit and the next smaller one, without zeros at the end.
 * @param {number} seconds @returns {[number, Unit][]}
 */
export function spanParts(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([, size]) => whole >= size);
  if (first < 0) return [[0, "second"]];
  const [[unit, size], next] = [UNITS[first], UNITS[first + 1]];
  /** @type {[number, Unit][]} */
  const parts = [[Math.floor(whole / size), unit]];
  const rest = next ? Math.floor((whole % size) / next[1]) : 0;
  return next && rest > 0 ? [...parts, [rest, next[0]]] : parts;
}

/** Formats a duration: "2 days 3 hours". @param {number} seconds @param {string} locale */
export function spanText(seconds, locale) {
  const form = (/** @type {Unit} */ unit) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  return spanParts(seconds).map(([count, unit]) => form(unit).format(count)).join(" ");
}

/** Minimum time between two texts of a countdown, in milliseconds. */
const SHORTEST = 200;

/**
 * Returns the milliseconds until the text of a countdown changes. A fast countdown skips texts.
 * @param {number} seconds @param {number} [speed] Seconds of the course's clock in a second.
 */
export function untilNextSpan(seconds, speed = 1) {
  const step = seconds >= 86_400 ? 3_600 : seconds >= 3_600 ? 60 : 1;
  return Math.max(speed > 1 ? SHORTEST : 0, Math.ceil(((seconds % step) / speed) * 1000) + 20);
}

/**
 * Returns the seconds until the deadline by the course's clock, which runs faster than time in a rehearsal.
 * @param {{ now: string, deadline: string, rehearsal: number | null }} about
 * @param {number} passed Time since the course sent this, in milliseconds.
 */
export const secondsLeft = ({ now, deadline, rehearsal }, passed) =>
  (Date.parse(deadline) - Date.parse(now) - passed * (rehearsal ?? 1)) / 1000;

/**
 * Formats a time in a time zone, with the zone's name. An unknown zone is replaced by the browser's.
 * @param {string} time @param {string} locale @param {string} [timeZone]
 */
export function dateText(time, locale, timeZone) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  if (!timeZone) return date.toLocaleString(locale, options);
  try {
    return date.toLocaleString(locale, { ...options, timeZone, timeZoneName: "short" });
  } catch {
    return date.toLocaleString(locale, { ...options, timeZoneName: "short" });
  }
}

/** Intervals of polling, in milliseconds. */
const BUSY = 2_000;
const IDLE = 10_000;
const HIDDEN = 60_000;
const LONGEST = 60_000;

/**
 * Returns the delay before the next request, in milliseconds.
 * @param {{ busy: boolean, hidden: boolean, failures: number }} now `busy`: whether something is running whose progress
 *   is shown. `failures`: number of requests that failed in a row.
 * @param {number} [random] Between 0 and 1. Spreads the requests of many pages after an interruption.
 */
export function pollDelay({ busy, hidden, failures }, random = 0.5) {
  if (failures > 0) return Math.round(Math.min(LONGEST, BUSY * 2 ** (failures - 1)) * (0.75 + random / 2));
  return hidden ? HIDDEN : busy ? BUSY : IDLE;
}
