// A dialog for an analysis of another game, board size or rules.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { setupFrom } from "../state/setup.js";
import { text } from "../text/index.js";
import { Button, Select } from "./controls.js";
import { RulesChoice } from "./setup.js";

/** @typedef {import("../state/types.js").Game} Game */

/**
 * The fields for a game and its board size, and more fields as children. If `editable` is set, games without an editor
 * are left out.
 * @param {{ game: string, size: number, editable?: boolean, onChange: (game: string, size: number) => void, children?:
 *   unknown }} props
 */
export function GameFields(props) {
  expect("GameFields", props, { game: "string", size: "number", editable: "boolean?", onChange: "function" });
  const { game, size, editable = false, onChange, children } = props;
  const offered = allGames().filter(({ brushes }) => !editable || brushes.length > 0);
  const games = offered.map(({ name, title }) => [name, title]);
  const sizes = about(game).sizes.map((n) => [n, text.analysis.sizeOf(n)]);
  return html`<div class="fields">
    <${Select}
      label=${text.analysis.game}
      value=${game}
      options=${games}
      onChange=${(/** @type {string} */ name) => onChange(name, about(name).usualSize)}
    />
    <${Select}
      label=${text.analysis.size}
      value=${size}
      options=${sizes}
      onChange=${(/** @type {string} */ n) => onChange(game, Number(n))}
    />
    ${children}
  </div>`;
}

/**
 * The dialog. At first it has the game, board size and rules of the current analysis.
 * @param {{ scene: import("../state/types.js").Scene, onBegin: (game: Game) => void, onClose: () => void }} props
 */
export function NewAnalysis(props) {
  expect("NewAnalysis", props, { scene: "object", onBegin: "function", onClose: "function" });
  const [setup, setSetup] = useState(() => setupFrom(props.scene));
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const { game, size, variant } = setup;
  const choose = (/** @type {string} */ name, /** @type {number} */ n) =>
    setSetup(setupFrom({ ...setup, game: name, size: n }));
  const setVariant = (/** @type {string} */ name) => setSetup({ ...setup, variant: name });
  const begin = () => props.onBegin({ game, size, start: variant || null, moves: [] });
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="new-analysis" onClose=${props.onClose}>
    <h2 id="new-analysis">${text.analysis.newAnalysis}</h2>
    <${GameFields} game=${game} size=${size} onChange=${choose}>
      <${RulesChoice} game=${game} variant=${variant} onChange=${setVariant} />
    <//>
    <p class="quiet">${text.analysis.startHint}</p>
    <div class="row-end">
      <${Button} label=${text.common.cancel} onClick=${() => dialog.current?.close()} />
      <${Button} label=${text.analysis.start} kind="primary" onClick=${begin} />
    </div>
  </dialog>`;
}
