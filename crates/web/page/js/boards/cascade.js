// Plays a cascade on a board: automatically, wave by wave, or as a replay.

import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { Button } from "../panels/controls.js";
import { advanced, begun, resumed, stageOf, stageTime, stepped, stopped } from "../state/cascade.js";
import { expect } from "../state/check.js";
import { text } from "../text/index.js";
import { slideTime, still } from "./motion.js";
import { play } from "./sound.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/cascade.js").Run} Run */

/** Duration of the animation of a die with a new spot, in milliseconds. */
export const POP = 170;
/** Duration of a wave in a replay if animations are off, in milliseconds. */
const USUAL = 250;
/** Elements that handle the space bar themselves. */
const KEYS_OF_THEIR_OWN = "input, textarea, select, summary, a, dialog, [popover], button:not(.square)";

/** @typedef {Record<"step" | "toggle" | "skip" | "replay" | "tap", () => void>} Controls */

/** The cascade that the keyboard controls. @type {{ run: Run, controls: Controls } | null} */
let active = null;
/** Whether the space bar was pressed to control a cascade. Its release must not click the focused square. */
let pressed = false;

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
  if (!active || document.querySelector("dialog[open], :popover-open")) return;
  if (event.key === "Escape") active.controls.skip();
  const own = event.target instanceof Element && event.target.closest(KEYS_OF_THEIR_OWN);
  if (event.key !== " " || own) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pressed = true;
  if (active.run.auto) active.controls.toggle();
  else active.controls.step();
}

/** @param {KeyboardEvent} event */
function onKeyUp(event) {
  if (event.key !== " " || !pressed) return;
  event.preventDefault();
  pressed = false;
}

// Views handle the space bar, too. These listeners are registered first, so a cascade takes precedence.
addEventListener("keydown", onKeyDown, { capture: true });
addEventListener("keyup", onKeyUp, { capture: true });

/**
 * Plays the waves of the last move if the scene follows from the previous scene by one move.
 * @param {boolean} on Whether the game has dice. @param {Scene} scene @param {string} key The key of the position.
 * @param {string} how How the scene follows from the previous one.
 * @param {number} speed Milliseconds for a wave; 0 for no animation, negative for a cascade that begins paused.
 * @param {(done: boolean) => void} report Called when the position is shown, and when the cascade is paused.
 */
export function useCascade(on, scene, key, how, speed, report) {
  const waves = on ? scene.frames.length : 0;
  const lively = on && how === "on" && !still() && !document.hidden;
  /** The position's cascade and its pace, both set when the position arrives. */
  const plan = useRef({ key: "", first: /** @type {Run | null} */ (null), pace: USUAL });
  if (plan.current.key !== key) {
    const first = lively && waves > 1 && speed !== 0 ? begun(waves, speed > 0) : null;
    plan.current = { key, first, pace: Math.abs(speed) };
  }
  const { first } = plan.current;
  const [now, setNow] = useState({ key: "", run: /** @type {Run | null} */ (null) });
  // The first stage is shown immediately, so that the final position does not flash before it.
  const run = now.key === key ? now.run : first;
  /** @param {Run | null} next */
  const show = (next) => {
    if (run?.flying && next?.wave !== run.wave) play("topple", run.wave + 1);
    setNow({ key, run: next });
    if (!next) report(true);
    else if (!next.auto) report(false);
  };
  const end = () => {
    if (!run) return;
    setNow({ key, run: null });
    report(true);
  };
  /** @type {Controls} */
  const controls = {
    step: () => run && show(stepped(run)),
    toggle: () => run && show(run.auto ? stopped(run) : resumed(run)),
    skip: end,
    tap: () => (run?.auto ? end() : controls.step()),
    replay: () => {
      plan.current.pace = Math.abs(speed) || USUAL;
      show(begun(waves, !still() && speed >= 0, still()));
    },
  };
  const latest = useRef(controls);
  latest.current = controls;
  useLayoutEffect(() => {
    if (!on) return undefined;
    if (how === "on") play("move");
    if (first) {
      show(first);
      return undefined;
    }
    const timer = lively ? setTimeout(() => report(true), slideTime() && POP) : undefined;
    if (!lively) report(true);
    return () => clearTimeout(timer);
  }, [key]);
  const ms = run && now.key === key ? stageTime(run, plan.current.pace) : null;
  useLayoutEffect(() => {
    if (!run || ms === null) return undefined;
    const timer = setTimeout(() => show(advanced(run)), ms);
    return () => clearTimeout(timer);
  }, [run, ms]);
  useEffect(() => {
    if (!run) return undefined;
    const mine = { run, controls };
    active = mine;
    const onHide = () => document.hidden && end();
    document.addEventListener("visibilitychange", onHide);
    return () => {
      if (active === mine) active = null;
      document.removeEventListener("visibilitychange", onHide);
    };
  }, [run]);
  const stage = useMemo(() => run && { ...stageOf(run, scene), ms: ms ?? 0 }, [run, scene]);
  // The board keeps this function while a cascade runs.
  const tap = useCallback(() => latest.current.tap(), []);
  return { run, stage, controls, tap, replayable: waves > 1 };
}

/** @param {{ run: Run | null, controls: Controls }} props */
export function CascadeBar(props) {
  expect("CascadeBar", props, { run: "object?", controls: "object" });
  const { run, controls } = props;
  const words = text.board;
  /** @param {string} icon @param {string} label @param {() => void} onClick @param {string} [more] */
  const button = (icon, label, onClick, more = "") =>
    html`<${Button} icon=${icon} kind=${`compact ${more}`} label=${label} onClick=${onClick} />`;
  const stop = run && !run.auto;
  return html`<div class=${run ? "cascade running" : "cascade"} role="group" aria-label=${words.cascade}>
    <span role="status">${stop && words.wave(run.wave, run.last)}</span>
    ${
      run
        ? html`${button(stop ? "play" : "pause", stop ? words.goOn : words.stop, controls.toggle)}
            ${button("next", words.step, controls.step)} ${button("last", words.skip, controls.skip, "skip")}`
        : button("again", words.replay, controls.replay)
    }
  </div>`;
}
