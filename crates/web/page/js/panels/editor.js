// A position set up by hand.

import { html, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Board } from "../boards/board.js";
import { Button, Select } from "./controls.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Spot} Spot */
/** @typedef {import("../state/types.js").Place} Place */

/** What can stand on a square of each game, the empty one first; the text is that of positions. @type {Record<string, [string, string][]>} */
const BRUSHES = {
  loa: [[".", "Empty"], ["b", "Black"], ["w", "White"]],
  checkers: [[".", "Empty"], ["b", "Black man"], ["w", "White man"], ["B", "Black tower"], ["W", "White tower"]],
  jump61: [["-", "Neutral"], ["r", "Red, one more spot"], ["b", "Blue, one more spot"]],
};

/** The text of a position. @param {Scene} scene @param {Spot[][]} rows @param {number} turn */
function positionText(scene, rows, turn) {
  const empty = scene.game === "loa" ? "-" : ".";
  /** @param {Spot} spot */
  const cell = ([text, side]) => (scene.game === "jump61" ? text : side === null ? empty : text);
  const board = rows.map((row) => row.map(cell).join("")).join("/");
  return scene.game === "jump61" ? board : `${board} ${turn === 0 ? "b" : "w"}`;
}

/** @param {string} brush @param {string} game @param {Spot} old @returns {Spot} */
function painted(brush, game, [text, side]) {
  if (game !== "jump61") return [brush, brush === "." ? null : brush.toLowerCase() === "b" ? 0 : 1];
  if (brush === "-") return ["1-", null];
  const mine = (brush === "r" ? 0 : 1) === side;
  const spots = mine ? (parseInt(text, 10) % 4) + 1 : 1;
  return [`${spots}${brush}`, brush === "r" ? 0 : 1];
}

/** @param {{ scene: Scene, desk: import("../transport/desk.js").Desk, onDone: (game: import("../state/types.js").Game) => void, onCancel: () => void }} props */
export function Editor(props) {
  expect("Editor", props, { scene: "object", desk: "object", onDone: "function", onCancel: "function" });
  const { scene, desk, onDone, onCancel } = props;
  const [rows, setRows] = useState(scene.rows);
  const [turn, setTurn] = useState(scene.turn);
  const [brush, setBrush] = useState(BRUSHES[scene.game][1][0]);
  const [error, setError] = useState("");
  /** @param {Place} place */
  const paint = ([row, column]) => setRows(rows.map((cells, r) => cells.map((spot, c) => (r === row && c === column ? painted(brush, scene.game, spot) : spot))));
  const done = () => {
    const game = { game: scene.game, size: scene.size, start: positionText(scene, rows, turn), moves: [] };
    desk.look(game).then(() => onDone(game), (reason) => setError(reason.message));
  };
  const empty = /** @type {Spot} */ (scene.game === "jump61" ? ["1-", null] : [".", null]);
  const edited = { ...scene, rows, moves: [], lines: [], last: null, frames: [], groups: [] };
  return html`<main class="table">
    <h1 class="unseen">Edit position</h1>
    <section class="board-side" aria-label="Board"><${Board} scene=${edited} name="Position being set up" onSquare=${paint} /></section>
    <section class="panel-side" aria-label="Editor">
      <h2>What stands where?</h2>
      <div class="brushes" role="radiogroup" aria-label="What to put on a square">
        ${BRUSHES[scene.game].map(([key, name]) => html`<button type="button" role="radio" class="button" aria-checked=${brush === key ? "true" : "false"} onClick=${() => setBrush(key)}>${name}</button>`)}
      </div>
      ${scene.game !== "jump61" && html`<${Select} label="To move" value=${turn} options=${[[0, scene.sides[0]], [1, scene.sides[1]]]} onChange=${(/** @type {string} */ side) => setTurn(Number(side))} />`}
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <div class="buttons">
        <${Button} label="Empty board" onClick=${() => setRows(rows.map((row) => row.map(() => empty)))} />
        <${Button} label="Cancel" onClick=${onCancel} />
        <${Button} label="Done" kind="primary" onClick=${done} />
      </div>
    </section>
  </main>`;
}
