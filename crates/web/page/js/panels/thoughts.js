// What the engine thinks: bar, lines, and a graph over the game.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { chance, counted, shortValue, valueText } from "../state/words.js";

/** @typedef {import("../state/types.js").Thought} Thought */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../state/types.js").Scene} Scene */

/** @param {{ value: Value | null, flip: boolean, sides: [string, string] }} props */
export function Bar(props) {
  expect("Bar", props, { value: "object?", flip: "boolean", sides: "array" });
  const { value, flip, sides } = props;
  const share = value ? chance(value) : 0.5;
  const words = value ? valueText(value, sides) : "not judged";
  return html`<div class=${flip ? "bar flip" : "bar"} role="img" aria-label=${`Evaluation: ${words}`}>
    <div class="bar-first" style=${{ height: `${100 * share}%` }}></div>
    <span class=${share > 0.5 ? "bar-value low" : "bar-value high"}>${value ? shortValue(value) : ""}</span>
  </div>`;
}

/**
 * @typedef {object} LinesProps
 * @property {Thought | null} thought
 * @property {number} seconds
 * @property {boolean} done
 * @property {Scene} scene
 * @property {number} wanted How many lines.
 * @property {(moves: string[]) => void} onPlay
 */

/** The engine's lines. @param {LinesProps} props */
export function Lines(props) {
  expect("Lines", props, {
    thought: "object?",
    seconds: "number",
    done: "boolean",
    scene: "object",
    wanted: "number",
    onPlay: "function",
  });
  const { thought, seconds, done, scene, wanted, onPlay } = props;
  if (scene.end) return html`<p class="quiet">${scene.end.text}</p>`;
  const lines = thought?.lines ?? [];
  const proven = lines.length > 0 && !("units" in lines[0].value);
  // There is room for all lines from the beginning, so that nothing below moves while the engine thinks.
  const rows = Array.from({ length: wanted }, (_, i) => lines[i]);
  /** @param {string[]} moves @param {number} i */
  const move = (moves, i) => {
    const play = () => onPlay(moves.slice(0, i + 1));
    return html`<button type="button" class="move" onClick=${play}>${moves[i]}</button>`;
  };
  const speed = thought && seconds > 0.02 ? ` · ${counted(Math.round(thought.nodes / seconds))}/s` : "";
  const depth = thought
    ? `depth ${thought.depth} · ${counted(thought.nodes)} nodes${speed}${done ? " · done" : ""}`
    : "Thinking …";
  return html`<div class="lines">
    <p class="depth">
      <strong class="proven">${proven ? `Proven: ${valueText(lines[0].value, scene.sides)} plies` : ""}</strong>
      <span>${depth}</span>
    </p>
    <ol>
      ${rows.map(
        (line) =>
          html`<li>
            <b class="value">${line ? shortValue(line.value) : " "}</b>
            ${line?.moves.slice(0, 10).map((_, i) => move(line.moves, i))}
          </li>`,
      )}
    </ol>
  </div>`;
}

const [WIDTH, HEIGHT] = [300, 90];

/**
 * The first side's chances over the game; a click goes to the move.
 * @param {{ values: (Value | null)[], at: number, sides: [string, string], onGo: (ply: number) => void }} props
 */
export function Graph(props) {
  expect("Graph", props, { values: "array", at: "number", sides: "array", onGo: "function" });
  const { values, at, sides, onGo } = props;
  const step = WIDTH / Math.max(1, values.length - 1);
  /** @param {Value} value */
  const y = (value) => HEIGHT - HEIGHT * chance(value);
  const points = values.flatMap((value, i) => (value ? [`${(i * step).toFixed(1)},${y(value).toFixed(1)}`] : []));
  /** @param {any} event */
  const go = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    onGo(Math.round(((event.clientX - box.left) / box.width) * (values.length - 1)));
  };
  /** @param {string} point */
  const below = (point) => `${point.split(",")[0]},${HEIGHT}`;
  const area = () => [below(points[0]), ...points, below(points[points.length - 1])].join(" ");
  const curve =
    points.length > 1 && html`<polygon class="area" points=${area()} /><polyline points=${points.join(" ")} />`;
  return html`<figure class="graph">
    <svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${`Evaluation over the game, ${sides[0]} above`}
      onClick=${go}
    >
      <rect class="ground" width=${WIDTH} height=${HEIGHT} />
      ${curve}
      <line class="middle" x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
      <line class="here" x1=${at * step} x2=${at * step} y1="0" y2=${HEIGHT} />
    </svg>
  </figure>`;
}
