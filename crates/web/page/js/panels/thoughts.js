// The engine's results: a bar, lines, and a graph over the game.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { bestLines } from "../state/study.js";
import { chance, shortResult, shortValue, valueText } from "../state/words.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/types.js").Thought} Thought */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../state/types.js").Scene} Scene */

/**
 * The evaluation in the colours of the sides; in a finished game the result.
 * @param {{ value: Value | null, scene: Scene, flip: boolean }} props
 */
export function Bar(props) {
  expect("Bar", props, { value: "object?", scene: "object", flip: "boolean" });
  const { value, flip, scene } = props;
  const { end, sides } = scene;
  const result = end && (end.winner === null ? 0.5 : 1 - end.winner);
  const share = result ?? (value ? chance(value) : 0.5);
  // The colour shows the winner, so the sign is omitted.
  const digits = end ? shortResult(end) : value ? shortValue(value).replace("−#", "#") : "";
  const words = end
    ? text.analysis.result(end.text)
    : value
      ? text.analysis.evaluation(valueText(value, sides))
      : text.analysis.noEvaluation;
  const kind = `bar ${about(scene.game).pieces} ${flip ? "flip" : ""} ${share >= 0.5 ? "first" : "second"}`;
  return html`<div class=${kind} style=${{ "--share": share }} role="img" aria-label=${words}>
    <div class="bar-first"></div>
    <span class="bar-value">${digits}</span>
  </div>`;
}

/**
 * @typedef {object} LinesProps
 * @property {Thought | null} thought
 * @property {Scene} scene
 * @property {number} wanted Number of lines.
 * @property {((moves: string[]) => void) | null} onPlay `null` if the lines cannot be played from here.
 */

/** The engine's lines. All lines have reserved space, so that the layout is stable. @param {LinesProps} props */
export function Lines(props) {
  expect("Lines", props, { thought: "object?", scene: "object", wanted: "number", onPlay: "function?" });
  const { thought, wanted, onPlay } = props;
  const lines = bestLines(thought, wanted);
  const rows = Array.from({ length: wanted }, (_, i) => lines[i]);
  /** @param {string[]} moves @param {number} i */
  const move = (moves, i) =>
    onPlay
      ? html`<button type="button" class="move" onClick=${() => onPlay(moves.slice(0, i + 1))}>${moves[i]}</button>`
      : html`<span class="move">${moves[i]}</span>`;
  /** @param {import("../state/types.js").Variation | undefined} line */
  const row = (line) => html`<li>
    ${line && html`<b class="value">${shortValue(line.value)}</b>`}
    ${line?.moves.slice(0, 12).map((_, i) => move(line.moves, i))}
  </li>`;
  return html`<ol class="lines" aria-label=${text.analysis.evaluations}>
    ${rows.map(row)}
  </ol>`;
}

const [WIDTH, HEIGHT] = [300, 90];

/**
 * The first side's winning chance over the game. A click goes to the move.
 * @param {{ values: (Value | null)[], at: number, scene: Scene, onGo: (ply: number) => void }} props
 */
export function Graph(props) {
  expect("Graph", props, { values: "array", at: "number", scene: "object", onGo: "function" });
  const { values, at, scene, onGo } = props;
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
  return html`<figure class=${`graph ${about(scene.game).pieces}`}>
    <svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${text.analysis.graph(scene.sides[0])}
      onClick=${go}
    >
      <rect class="ground" width=${WIDTH} height=${HEIGHT} />
      ${curve}
      <line class="middle" x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
      <line class="here" x1=${at * step} x2=${at * step} y1="0" y2=${HEIGHT} />
    </svg>
  </figure>`;
}
