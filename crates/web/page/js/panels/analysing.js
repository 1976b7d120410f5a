// The parts of the panel beside an analysis.

import { html, useEffect } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { firstSide } from "../state/scene.js";
import { mistakes, summary } from "../state/study.js";
import { Button, Select } from "./controls.js";
import { Branches, Moves, Steps } from "./moves.js";
import { Graph, Lines } from "./thoughts.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../state/tree.js").Node} Node */
/** @typedef {import("../transport/desk.js").Opinion} Opinion */
/** Where to go in a line. @typedef {"first" | "back" | "next" | "last"} Where */

/**
 * Whether the engine thinks, and how many lines it shows.
 * @param {{ on: boolean, wanted: number, onSwitch: () => void, onWanted: (lines: number) => void }} props
 */
export function EngineRow(props) {
  expect("EngineRow", props, { on: "boolean", wanted: "number", onSwitch: "function", onWanted: "function" });
  const { on, wanted, onSwitch, onWanted } = props;
  const counts = [1, 2, 3, 5].map((n) => [n, String(n)]);
  /** @param {string} lines */
  const choose = (lines) => onWanted(Number(lines));
  return html`<div class="row">
    <${Button} label=${on ? "Engine on" : "Engine off"} icon="search" pressed=${on} onClick=${onSwitch} />
    <${Select} label="Lines" value=${wanted} options=${counts} onChange=${choose} />
  </div>`;
}

/**
 * The engine's lines.
 * @param {{ opinion: Opinion | null, scene: Scene, wanted: number, onPlay: (moves: string[]) => void }} props
 */
export function OpinionLines(props) {
  expect("OpinionLines", props, { opinion: "object?", scene: "object", wanted: "number", onPlay: "function" });
  const { opinion, scene, wanted, onPlay } = props;
  const { thought = null, seconds = 0, done = false } = opinion ?? {};
  return html`<${Lines}
    thought=${thought}
    seconds=${seconds}
    done=${done}
    scene=${scene}
    wanted=${wanted}
    onPlay=${onPlay}
  />`;
}

/**
 * @typedef {object} LineProps
 * @property {Scene} scene
 * @property {Node[]} line The nodes after the root.
 * @property {number} at How many moves are on the board.
 * @property {(Value | null)[] | null} values Of all positions, once they are judged.
 * @property {(id: number) => void} onGo To a node.
 * @property {(where: Where) => void} onStep
 * @property {(node: Node) => void} onPromote
 * @property {(node: Node) => void} onRemove
 */

/** @type {import("../state/check.js").Shape} */
const LINE = {
  scene: "object",
  line: "array",
  at: "number",
  values: "array?",
  onGo: "function",
  onStep: "function",
  onPromote: "function",
  onRemove: "function",
};

/** The line on the board, how it was judged, and the branches beside it. @param {LineProps} props */
export function Line(props) {
  expect("Line", props, LINE);
  const { scene, line, at, values, onGo, onStep, onPromote, onRemove } = props;
  const first = firstSide(scene);
  const notes = values ? mistakes(values, first) : {};
  const played = line.map((node) => node.move);
  /** @param {number} ply */
  const goTo = (ply) => onGo(ply === 0 ? 0 : line[ply - 1].id);
  return html`${values && html`<${Graph} values=${values} at=${at} sides=${scene.sides} onGo=${goTo} />`}
    ${values && html`<p class="quiet">${summary(notes, first, scene.sides)}</p>`}
    <${Moves} played=${played} at=${at} firstSide=${first} notes=${notes} onGo=${goTo} />
    <${Branches} line=${line} onGo=${onGo} onPromote=${onPromote} onRemove=${onRemove} />
    <${Steps} at=${at} length=${line.length} onStep=${onStep} />`;
}

/** @type {Record<string, Where>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

/** Steps through a line by the keyboard. @param {(where: Where) => void} onStep */
export function useStepKeys(onStep) {
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      // On the board the arrows go from square to square.
      const fields = "input, textarea, select, dialog";
      const own = event.key.startsWith("Arrow") ? `${fields}, [role=grid]` : fields;
      if (event.target instanceof HTMLElement && event.target.closest(own)) return;
      if (KEYS[event.key]) onStep(KEYS[event.key]);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onStep]);
}
