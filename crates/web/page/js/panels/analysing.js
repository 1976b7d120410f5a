// The parts of the panel beside an analysis: the engine, the navigation and the keys.

import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { valueOf } from "../state/study.js";
import { counted, shortValue, winnersMoves } from "../state/words.js";
import { text } from "../text/index.js";
import { Button, Icon, Token, Variant } from "./controls.js";
import { knownText } from "./proof.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../state/tree.js").Where} Where */
/** @typedef {import("../transport/desk.js").Opinion} Opinion */

/** The side to move, or the result of the game. @param {{ scene: Scene }} props */
export function Standing(props) {
  expect("Standing", props, { scene: "object" });
  const { scene } = props;
  const side = scene.end ? scene.end.winner : scene.turn;
  return html`<p class=${scene.end ? "standing over" : "standing"}>
    ${side !== null && html`<${Token} game=${scene.game} side=${side} />`}
    <span>
      ${scene.end ? scene.end.text : text.analysis.toMove(scene.sides[scene.turn])}
      <${Variant} variant=${scene.variant} />
    </span>
  </p>`;
}

/**
 * @typedef {object} EngineProps
 * @property {boolean} on
 * @property {Opinion | null} opinion
 * @property {Scene} scene
 * @property {number} wanted Number of lines.
 * @property {boolean | null} threat Whether threats are shown; `null` if the side to move cannot pass.
 * @property {() => void} onSwitch
 * @property {(lines: number) => void} onWanted
 * @property {() => void} onThreat
 */

const MOST_LINES = 5;

/** The engine's switch, its evaluation and its depth. @param {EngineProps} props */
export function EngineRow(props) {
  expect("EngineRow", props, {
    on: "boolean",
    opinion: "object?",
    scene: "object",
    wanted: "number",
    threat: "boolean?",
    onSwitch: "function",
    onWanted: "function",
    onThreat: "function",
  });
  const { on, opinion, scene, wanted, threat, onSwitch, onWanted, onThreat } = props;
  const value = on && !scene.end ? valueOf(opinion?.thought) : null;
  return html`<div class="engine">
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked=${on ? "true" : "false"}
      title=${`${text.analysis.engine} (L)`}
      onClick=${onSwitch}
    >
      <span class="unseen">${text.analysis.engine}</span>
    </button>
    <b class="engine-value">${value ? shortValue(value) : ""}</b>
    <${Depth} ...${{ on, opinion, scene }} />
    ${
      threat !== null &&
      html`<button
        type="button"
        class="button icon-only"
        aria-pressed=${threat ? "true" : "false"}
        disabled=${!on || !!scene.end}
        title=${text.analysis.threatTitle}
        onClick=${onThreat}
      >
        <${Icon} name="threat" /><span class="unseen">${text.analysis.threat}</span>
      </button>`
    }
    <div class="stepper" role="group" aria-label=${text.analysis.lines}>
      <button type="button" disabled=${wanted === 1} onClick=${() => onWanted(wanted - 1)}>
        <span aria-hidden="true">−</span><span class="unseen">${text.analysis.fewer}</span>
      </button>
      <span>${wanted}</span>
      <button type="button" disabled=${wanted === MOST_LINES} onClick=${() => onWanted(wanted + 1)}>
        <span aria-hidden="true">+</span><span class="unseen">${text.analysis.more}</span>
      </button>
    </div>
  </div>`;
}

/** @param {{ on: boolean, opinion: Opinion | null, scene: Scene }} props */
function Depth({ on, opinion, scene }) {
  const words = text.analysis;
  const { thought, seconds = 0, done = false } = opinion ?? {};
  if (!on) return html`<span class="depth">${words.engineOff}</span>`;
  if (scene.end) return html`<span class="depth"></span>`;
  if (!thought) return html`<span class="depth">${done ? words.noOpinion : words.thinking}</span>`;
  const proof = thought.known ? knownText(thought.known, scene.sides) : provenText(thought.lines[0]?.value, scene);
  const rate = seconds > 0.02 && html`<span>${words.rate(counted(Math.round(thought.nodes / seconds)))}</span>`;
  return html`<span class="depth">
    ${proof && html`<strong class="proven">${proof}</strong>`}
    <span>${words.depth(thought.depth)}</span>
    ${!proof && html`<span>${words.positions(counted(thought.nodes))}</span>${rate}`}
  </span>`;
}

/** @param {Value | undefined} value @param {Scene} scene */
function provenText(value, { sides }) {
  if (!value || "units" in value) return "";
  const [side, plies] = "wins" in value ? [0, value.wins] : [1, value.loses];
  return text.analysis.proven(sides[side], winnersMoves(plies));
}

/**
 * The navigation of the line, and other frequent actions. It is at the bottom of a small screen.
 * @param {{ at: number, length: number, onStep: (where: Where) => void, onFlip: () => void, children?: unknown }} props
 */
export function StepBar(props) {
  expect("StepBar", props, { at: "number", length: "number", onStep: "function", onFlip: "function" });
  const { at, length, onStep, onFlip, children } = props;
  /** @param {Where} where @param {string} label @param {boolean} disabled */
  const button = (where, label, disabled) =>
    html`<${Button} kind="compact" icon=${where} label=${label} disabled=${disabled} onClick=${() => onStep(where)} />`;
  const words = text.analysis;
  return html`<div class="step-bar" role="group" aria-label=${words.tools}>
    ${button("first", words.first, at === 0)} ${button("back", words.back, at === 0)}
    ${button("next", words.next, at >= length)} ${button("last", words.last, at >= length)}
    <${Button} kind="compact" icon="flip" label=${words.flip} title=${`${words.flip} (F)`} onClick=${onFlip} />
    ${children}
  </div>`;
}

/** @type {Record<string, Where>} */
const STEPS = {
  ArrowLeft: "back",
  ArrowRight: "next",
  ArrowUp: "above",
  ArrowDown: "below",
  Home: "first",
  End: "last",
};

/**
 * Handles the keys of an analysis. Arrows step through the game even after a click has focused the board. After Tab has
 * focused the board, arrows move between squares, and arrows with Shift step through the game.
 * @param {(where: Where) => void} onStep @param {Record<string, () => void>} others Handlers of other keys.
 */
export function useKeys(onStep, others) {
  const keys = useRef({ onStep, others });
  keys.current = { onStep, others };
  const byPointer = useRef(true);
  useEffect(() => {
    const onPointer = () => (byPointer.current = true);
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.key === "Tab") byPointer.current = false;
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
      if (event.target.closest("input, textarea, select, dialog, [popover]")) return;
      const onBoard = event.target.closest("[role=grid]") !== null;
      const where = STEPS[event.key];
      const other = keys.current.others[event.key.toLowerCase()];
      if (where && (!onBoard || byPointer.current || event.shiftKey || !event.key.startsWith("Arrow"))) {
        keys.current.onStep(where);
      } else if (other && !where && !(event.key === " " && !byPointer.current)) {
        other();
      } else {
        return;
      }
      // Stops the event before it reaches the board and the page.
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("pointerdown", onPointer, true);
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("pointerdown", onPointer, true);
      removeEventListener("keydown", onKey, true);
    };
  }, []);
}
