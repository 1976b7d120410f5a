// Statistics of both sides' play in a game.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { reportOf } from "../state/review.js";
import { text } from "../text/index.js";
import { Token } from "./controls.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/review.js").Judged} Judged */

/** @param {{ scene: Scene, moves: Judged[] }} props */
export function Report(props) {
  expect("Report", props, { scene: "object", moves: "array" });
  const { scene, moves } = props;
  const words = text.review;
  /** @param {number} side */
  const row = (side) => {
    const { accuracy, inaccuracy, mistake, blunder } = reportOf(moves, side);
    return html`<tr>
      <th scope="row"><${Token} game=${scene.game} side=${side} /> ${scene.sides[side]}</th>
      <td><b>${accuracy === null ? words.noMoves : words.percent(accuracy)}</b></td>
      <td>${inaccuracy}</td>
      <td>${mistake}</td>
      <td>${blunder}</td>
    </tr>`;
  };
  return html`<table class="report">
    <thead>
      <tr>
        <th scope="col"><span class="unseen">${words.player}</span></th>
        <th scope="col">${words.accuracy}</th>
        <th scope="col">${words.inaccuracies}</th>
        <th scope="col">${words.mistakes}</th>
        <th scope="col">${words.blunders}</th>
      </tr>
    </thead>
    <tbody>
      ${[0, 1].map(row)}
    </tbody>
  </table>`;
}
