// The dialog for a new game: game, opponent and side.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { newGameOf } from "../state/setup.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { Button } from "./controls.js";
import { EnginesChoice, GameChoice, MoreChoices, OpponentChoice, SideChoice } from "./setup.js";

/** @typedef {import("../state/setup.js").Setup} Setup */
/** @typedef {import("../state/types.js").NewGame} NewGame */

/** Returns 0 or 1 at random. */
const lot = () => Number(Math.random() < 0.5);

/**
 * @typedef {object} NewGameProps
 * @property {Setup} setup Initial values.
 * @property {boolean} clocks Whether clocks are offered.
 * @property {(game: NewGame, setup: Setup) => void} onBegin
 * @property {() => void} onClose
 */

/** @param {NewGameProps} props */
export function NewGameDialog(props) {
  expect("NewGameDialog", props, { setup: "object", clocks: "boolean", onBegin: "function", onClose: "function" });
  const [setup, setSetup] = useState(props.setup);
  const desk = useDesk();
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return html`<dialog ref=${dialog} class="dialog new-game" aria-labelledby="new-game" onClose=${props.onClose}>
    <h2 id="new-game">${text.newGame.title}</h2>
    <${GameChoice} setup=${setup} onChange=${setSetup} desk=${desk} />
    <${Choices} setup=${setup} onChange=${setSetup} clocks=${props.clocks} />
    <div class="row-end">
      <${Button} label=${text.common.cancel} onClick=${() => dialog.current?.close()} />
      <${BeginButton} setup=${setup} onBegin=${props.onBegin} />
    </div>
  </dialog>`;
}

/** All fields except the game. @param {{ setup: Setup, onChange: (setup: Setup) => void, clocks: boolean }} props */
export function Choices(props) {
  expect("Choices", props, { setup: "object", onChange: "function", clocks: "boolean" });
  const { setup, onChange, clocks } = props;
  const watch = setup.against === "watch";
  const players = watch ? EnginesChoice : OpponentChoice;
  return html`<${players} setup=${setup} onChange=${onChange} />
    ${setup.against === "engine" && html`<${SideChoice} setup=${setup} onChange=${onChange} />`}
    <${MoreChoices} setup=${setup} onChange=${onChange} clocks=${clocks && !watch} />`;
}

/**
 * The button that starts the chosen game.
 * @param {{ setup: Setup, onBegin: (game: NewGame, setup: Setup) => void }} props
 */
export function BeginButton(props) {
  expect("BeginButton", props, { setup: "object", onBegin: "function" });
  const { setup, onBegin } = props;
  const label = setup.against === "watch" ? text.newGame.watch : text.newGame.begin;
  const begin = () => onBegin(newGameOf(setup, lot()), setup);
  return html`<${Button} label=${label} kind="primary begin" onClick=${begin} />`;
}
