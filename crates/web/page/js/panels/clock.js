// A side's clock, which counts down between two messages of the server.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { ahead, clockText, leftNow, untilNextText } from "../state/clock.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/types.js").ClockView} ClockView */

/** Time below which the clock warns, in milliseconds. */
const LOW = 10_000;

/**
 * Returns a side's remaining time, and redraws whenever its text changes.
 * @param {ClockView} clock @param {number} side
 */
function useLeft(clock, side) {
  const [, draw] = useState(0);
  const difference = useRef(/** @type {number | null} */ (null));
  const seen = useRef(/** @type {ClockView | null} */ (null));
  if (seen.current !== clock) {
    seen.current = clock;
    difference.current = ahead(difference.current, clock.at, performance.now());
  }
  const left = leftNow(clock, side, performance.now() - (difference.current ?? 0));
  const runs = clock.running === side && left > 0;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setTimeout(() => draw((count) => count + 1), untilNextText(left));
    return () => clearTimeout(timer);
  });
  return left;
}

/** @param {{ clock: ClockView, side: number, name: string }} props `name` is the side's, for screen readers. */
export function Clock(props) {
  expect("Clock", props, { clock: "object", side: "number", name: "string" });
  const { clock, side, name } = props;
  const left = useLeft(clock, side);
  const runs = clock.running === side;
  const kind = `clock${runs ? " runs" : ""}${left < LOW ? " low" : ""}`;
  return html`<span class=${kind} role="timer" aria-label=${text.server.clockOf(name)}>
    <time>${clockText(left)}</time>
  </span>`;
}
