// A dialog for an analysis of another game or board size.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { text } from "../text/index.js";
import { Button, Select } from "./controls.js";

/** @typedef {import("../state/types.js").Game} Game */

/**
 * The fields for a game and its board size. If `editable` is set, games without an editor are left out.
 * @param {{ game: string, size: number, editable?: boolean, onChange: (game: string, size: number) => void }} props
 */
export function GameFields(props) {
  expect("GameFields", props, { game: "string", size: "number", editable: "boolean?", onChange: "function" });
  const { game, size, editable = false, onChange } = props;
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
  </div>`;
}

/** @param {{ game: string, size: number, onBegin: (game: Game) => void, onClose: () => void }} props */
export function NewAnalysis(props) {
  expect("NewAnalysis", props, { game: "string", size: "number", onBegin: "function", onClose: "function" });
  const [chosen, setChosen] = useState({ game: props.game, size: props.size });
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const begin = () => props.onBegin({ ...chosen, start: null, moves: [] });
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="new-analysis" onClose=${props.onClose}>
    <h2 id="new-analysis">${text.analysis.newAnalysis}</h2>
    <${GameFields}
      ...${chosen}
      onChange=${(/** @type {string} */ game, /** @type {number} */ size) => setChosen({ game, size })}
    />
    <p class="quiet">${text.analysis.startHint}</p>
    <div class="row-end">
      <${Button} label=${text.common.cancel} onClick=${() => dialog.current?.close()} />
      <${Button} label=${text.analysis.start} kind="primary" onClick=${begin} />
    </div>
  </dialog>`;
}
