// A side's clock, which counts down between two messages of the server.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { play } from "../boards/sound.js";
import { expect } from "../state/check.js";
import { ahead, clockText, leftNow, untilNextText, warnsAt } from "../state/clock.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/types.js").ClockView} ClockView */

/** Time below which the clock is highlighted and announced, in milliseconds. */
const LOW = 10_000;

/**
 * Returns a function that estimates the server's time from the last state of the clocks.
 * @param {ClockView | null} clock
 */
export function useServerTime(clock) {
  const difference = useRef(/** @type {number | null} */ (null));
  const seen = useRef(/** @type {ClockView | null} */ (null));
  if (clock && seen.current !== clock) {
    seen.current = clock;
    difference.current = ahead(difference.current, clock.at, performance.now());
  }
  return () => performance.now() - (difference.current ?? 0);
}

/**
 * Returns a side's remaining time, and redraws whenever its text changes.
 * @param {ClockView} clock @param {number} side
 */
function useLeft(clock, side) {
  const [, draw] = useState(0);
  const left = leftNow(clock, side, useServerTime(clock)());
  const runs = clock.running === side && left > 0;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setTimeout(() => draw((count) => count + 1), untilNextText(left));
    return () => clearTimeout(timer);
  });
  return left;
}

/**
 * Plays a sound once when the remaining time of the running clock becomes low.
 * @param {ClockView} view @param {number} left @param {boolean} on
 */
function useWarning({ clock }, left, on) {
  // If the time is already low when the page opens, no sound is played.
  const warned = useRef(warnsAt(false, left, clock));
  useEffect(() => {
    const next = warnsAt(warned.current, left, clock);
    if (next && !warned.current && on) play("low");
    warned.current = next;
  });
}

/**
 * @param {{ clock: ClockView, side: number, name: string, own: boolean }} props `name`: the side's name, for
 *   screen readers. `own`: whether the side is the user's.
 */
export function Clock(props) {
  expect("Clock", props, { clock: "object", side: "number", name: "string", own: "boolean" });
  const { clock, side, name, own } = props;
  const left = useLeft(clock, side);
  const runs = clock.running === side;
  useWarning(clock, left, own && runs && left > 0);
  const kind = `clock${runs ? " runs" : ""}${left < LOW ? " low" : ""}`;
  return html`<span class=${kind} role="timer" aria-label=${text.server.clockOf(name)}>
      <time>${clockText(left)}</time>
    </span>
    <span class="unseen" role="status">${runs && left < LOW ? text.commands.low(name) : ""}</span>`;
}
