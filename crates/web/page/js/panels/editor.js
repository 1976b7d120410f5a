// A position set up by hand. The server paints and writes the position; the editor shows it.

import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { Button, Select } from "./controls.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Edit} Edit */
/** @typedef {import("../state/types.js").Place} Place */

/** A position as a game that begins there. @param {Scene} scene @returns {Game} */
const gameAt = ({ game, size, position }) => ({ game, size, start: position, moves: [] });

/** The position being set up. @param {Scene} first @param {import("../transport/desk.js").Desk} desk */
function useEdited(first, desk) {
  const [scene, setScene] = useState(first);
  const [error, setError] = useState("");
  // Each change waits for the one before, since it is a change of what that one left.
  const last = useRef(Promise.resolve(first));
  /** @param {Edit} change */
  const edit = (change) => {
    last.current = last.current.then(async (before) => {
      try {
        const next = await desk.edit(gameAt(before), change);
        setScene(next);
        setError("");
        return next;
      } catch (reason) {
        setError(/** @type {Error} */ (reason).message);
        return before;
      }
    });
  };
  return { scene, error, edit, finished: () => last.current };
}

/**
 * @typedef {object} EditorProps
 * @property {Scene} scene
 * @property {import("../transport/desk.js").Desk} desk
 * @property {(game: Game) => void} onDone
 * @property {() => void} onCancel
 */

/** @param {EditorProps} props */
export function Editor(props) {
  expect("Editor", props, { scene: "object", desk: "object", onDone: "function", onCancel: "function" });
  const { desk, onDone, onCancel } = props;
  const { scene, error, edit, finished } = useEdited(props.scene, desk);
  const [brush, setBrush] = useState(1);
  const { brushes, turnIsFree } = about(scene.game);
  const edited = { ...scene, moves: [], lines: [], last: null, frames: [], groups: [] };
  const sides = scene.sides.map((name, side) => [side, name]);
  /** @param {Place} place */
  const paint = (place) => edit({ kind: "paint", place, brush });
  const done = () => finished().then((last) => onDone(gameAt(last)));
  return html`<main class="game">
    <h1 class="unseen">Edit position</h1>
    <section class="board-side" aria-label="Board">
      <${Board} scene=${edited} name="Position being set up" onSquare=${paint} />
    </section>
    <section class="panel-side" aria-label="Editor">
      <h2>Set up the board</h2>
      <${Brushes} brushes=${brushes} chosen=${brush} onChoose=${setBrush} />
      ${
        turnIsFree &&
        html`<${Select}
          label="To move"
          value=${scene.turn}
          options=${sides}
          onChange=${() => edit({ kind: "turn" })}
        />`
      }
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <div class="buttons">
        <${Button} label="Empty board" onClick=${() => edit({ kind: "clear" })} />
        <${Button} label="Cancel" onClick=${onCancel} />
        <${Button} label="Done" kind="primary" onClick=${done} />
      </div>
    </section>
  </main>`;
}

/**
 * What a click puts on a square.
 * @param {{ brushes: string[], chosen: number, onChoose: (brush: number) => void }} props
 */
function Brushes({ brushes, chosen, onChoose }) {
  /** @param {string} name @param {number} i */
  const button = (name, i) => {
    const checked = i === chosen ? "true" : "false";
    return html`<button type="button" role="radio" class="button" aria-checked=${checked} onClick=${() => onChoose(i)}>
      ${name}
    </button>`;
  };
  return html`<div class="brushes" role="radiogroup" aria-label="What a click puts on a square">
    ${brushes.map(button)}
  </div>`;
}
