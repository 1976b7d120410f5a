// The evaluations of a whole game: a graph, and the quality of both sides' play.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { judgedMoves } from "../state/review.js";
import { firstSide } from "../state/scene.js";
import { text } from "../text/index.js";
import { Button } from "./controls.js";
import { Report } from "./report.js";
import { Graph } from "./thoughts.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */

/**
 * @typedef {object} ReviewProps
 * @property {Scene} scene
 * @property {number} at Number of moves on the board.
 * @property {number} length Number of moves of the line.
 * @property {(Value | null)[] | null} values Evaluations of all positions of the line.
 * @property {string} reason Reason why the last move was an error, or good; may be empty.
 * @property {boolean} judging
 * @property {string} trainer Link to the training of the line's mistakes.
 * @property {() => void} onJudge
 * @property {(ply: number) => void} onGo
 */

/** @param {ReviewProps} props */
export function Review(props) {
  expect("Review", props, {
    scene: "object",
    at: "number",
    length: "number",
    values: "array?",
    reason: "string",
    judging: "boolean",
    trainer: "string",
    onJudge: "function",
    onGo: "function",
  });
  const { scene, at, length, values, reason, judging, trainer, onJudge, onGo } = props;
  const words = text.analysis;
  const done = values?.filter(Boolean).length ?? 0;
  const idle = !values && !judging;
  return html`<div class="graph-box">
    ${
      values &&
      html`<${Graph} values=${values} at=${at} scene=${scene} onGo=${onGo} />
        <p class="reason" role="status">${reason}</p>`
    }
    ${judging && html`<p class="quiet" role="status">${words.reviewing(done, length + 1)}</p>`}
    ${
      values &&
      !judging &&
      html`<${Report} scene=${scene} moves=${judgedMoves(values, firstSide(scene))} />
        <a class="button" href=${trainer}>${words.trainer}</a>`
    }
    ${
      idle &&
      html`<p class="quiet">${words.reviewHint}</p>
        <${Button} kind="primary" label=${words.reviewGame} disabled=${length === 0} onClick=${onJudge} />`
    }
  </div>`;
}
