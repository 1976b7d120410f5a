// The position editor. The server applies each change and returns the new position; the editor shows it.

import { html, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { rulesIn } from "../state/setup.js";
import { text } from "../text/index.js";
import { Button, Select, Token } from "./controls.js";
import { GameFields } from "./newanalysis.js";
import { RulesChoice } from "./setup.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Edit} Edit */
/** @typedef {import("../state/types.js").Place} Place */

/** Returns a game that starts in a scene's position. @param {Scene} scene @returns {Game} */
const gameAt = ({ game, size, position }) => ({ game, size, start: position, moves: [] });

/** Returns a scene without the data that the editor does not draw. @param {Scene} scene @returns {Scene} */
const bare = (scene) => ({ ...scene, moves: [], lines: [], last: null, frames: [], groups: [], end: null });

/** Holds the edited position. @param {Scene} first @param {import("../transport/desk.js").Desk} desk */
function useEdited(first, desk) {
  const [{ scene, error }, setState] = useState({ scene: first, error: "" });
  // Each change applies to the result of the previous one, and therefore waits for it.
  const last = useRef(Promise.resolve({ scene: first, error: "" }));
  /** @param {Edit} change @param {Game} [from] The position to change, if not the current one. */
  const edit = (change, from) => {
    last.current = last.current.then(async (before) => {
      let after;
      try {
        after = { scene: await desk.edit(from ?? gameAt(before.scene), change), error: "" };
      } catch (reason) {
        after = { scene: before.scene, error: /** @type {Error} */ (reason).message };
      }
      setState(after);
      return after;
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
  const words = text.editor;
  const { scene, error, edit, finished } = useEdited(props.scene, desk);
  const [brush, setBrush] = useState(1);
  const { brushes, turnIsFree } = about(scene.game);
  const rules = rulesIn(scene.game, scene.variant);
  const edited = useMemo(() => bare(scene), [scene]);
  const sides = scene.sides.map((name, side) => [side, name]);
  /** @param {Place} place */
  const paint = (place) => edit({ kind: "paint", place, brush });
  /** @param {Place} place */
  const erase = (place) => edit({ kind: "paint", place, brush: 0 });
  /** @param {Place} from @param {Place | null} to */
  const carry = (from, to) => (to ? edit({ kind: "carry", from, to }) : erase(from));
  /** @param {string} game @param {number} size */
  const choose = (game, size) => {
    setBrush(Math.min(brush, about(game).brushes.length - 1));
    // Another size of the same game has the same rules.
    const start = game === scene.game ? rules : "";
    edit({ kind: "start" }, { game, size, start: start || null, moves: [] });
  };
  const setRules = (/** @type {string} */ name) => edit({ kind: "rules", rules: name });
  const done = () => {
    edit({ kind: "done" });
    finished().then(({ scene: last, error: refused }) => refused || onDone(gameAt(last)));
  };
  return html`<main class="analysis editor">
    <h1 class="unseen">${words.title}</h1>
    <section class="analysis-board" aria-label=${words.board}>
      <${Board} scene=${edited} name=${words.boardName} onSquare=${paint} onErase=${erase}
        onCarry=${brush > 0 ? carry : undefined} />
    </section>
    <section class="analysis-panel" aria-label=${words.tools}>
      <h2>${words.title}</h2>
      <${Brushes} game=${scene.game} brushes=${brushes} chosen=${brush} onChoose=${setBrush} />
      <p class="quiet">${words.hint}</p>
      ${
        turnIsFree &&
        html`<${Select}
          label=${words.toMove}
          value=${scene.turn}
          options=${sides}
          onChange=${() => edit({ kind: "turn" })}
        />`
      }
      <div class="buttons">
        <${Button} label=${words.start} onClick=${() => edit({ kind: "start" })} />
        <${Button} label=${words.clear} onClick=${() => edit({ kind: "clear" })} />
      </div>
      <${GameFields} game=${scene.game} size=${scene.size} editable=${true} onChange=${choose}>
        <${RulesChoice} game=${scene.game} variant=${rules} starts=${false} onChange=${setRules} />
      <//>
      <p class=${error ? "error" : "quiet"} role="alert">${error}</p>
      <div class="row-end">
        <${Button} label=${words.cancel} onClick=${onCancel} />
        <${Button} label=${words.done} kind="primary" onClick=${done} />
      </div>
    </section>
  </main>`;
}

/**
 * The selection of a brush. The first brush empties a square; the others place pieces of alternating sides.
 * @param {{ game: string, brushes: string[], chosen: number, onChoose: (brush: number) => void }} props
 */
function Brushes({ game, brushes, chosen, onChoose }) {
  /** @param {string} name @param {number} i */
  const button = (name, i) =>
    html`<button
      type="button"
      class="button"
      aria-pressed=${i === chosen ? "true" : "false"}
      onClick=${() => onChoose(i)}
    >
      ${i > 0 && html`<${Token} game=${game} side=${(i - 1) % 2} />`}<span>${name}</span>
    </button>`;
  return html`<div class="brushes" role="group" aria-label=${text.editor.brushes}>${brushes.map(button)}</div>`;
}
