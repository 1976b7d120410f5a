// A new game: which game, how large, who plays.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { Button, Select } from "./controls.js";
import { SeatPicker } from "./seats.js";

/** @typedef {import("../state/types.js").Seat} Seat */
/** @typedef {{ game: import("../state/types.js").Game, seats: [Seat, Seat], paused?: boolean }} NewGame */

/** @type {[string, string][]} */
const LIMITS = [
  ["", "no limit"],
  ["60", "60 moves"],
  ["120", "120 moves"],
  ["200", "200 moves"],
];

/**
 * @typedef {object} NewGameProps
 * @property {string} game
 * @property {[Seat, Seat]} seats
 * @property {(game: NewGame) => void} onBegin
 * @property {() => void} onClose
 */

/** @param {NewGameProps} props */
export function NewGameDialog(props) {
  expect("NewGameDialog", props, { game: "string", seats: "array", onBegin: "function", onClose: "function" });
  const [game, setGame] = useState(props.game);
  const [size, setSize] = useState(about(game).usualSize);
  const [limit, setLimit] = useState("");
  const [seats, setSeats] = useState(props.seats);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const { sizes, sides } = about(game);
  /** @param {string} name */
  const choose = (name) => {
    setGame(name);
    setSize(about(name).usualSize);
  };
  /** @param {number} side @param {Seat} seat */
  const change = (side, seat) => setSeats(side === 0 ? [seat, seats[1]] : [seats[0], seat]);
  const begin = () => props.onBegin({ game: { game, size, limit: limit ? Number(limit) : null }, seats });
  /** @param {number} side */
  const seat = (side) => {
    const onChange = (/** @type {Seat} */ next) => change(side, next);
    return html`<${SeatPicker}
      name=${sides[side]}
      game=${game}
      side=${side}
      seat=${seats[side]}
      onChange=${onChange}
    />`;
  };
  const boards = sizes.map((n) => [n, `${n} × ${n}`]);
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="new-game" onClose=${props.onClose}>
    <h2 id="new-game">New game</h2>
    <${Choices} game=${game} onChoose=${choose} />
    <div class="fields">
      <${Select}
        label="Board"
        value=${size}
        options=${boards}
        onChange=${(/** @type {string} */ n) => setSize(Number(n))}
      />
      <${Select} label="A draw after" value=${limit} options=${LIMITS} onChange=${setLimit} />
    </div>
    ${[0, 1].map(seat)}
    <div class="row-end">
      <${Button} label="Cancel" onClick=${() => dialog.current?.close()} />
      <${Button} label="Begin" kind="primary" onClick=${begin} />
    </div>
  </dialog>`;
}

/** A button for each game. @param {{ game: string, onChoose: (name: string) => void }} props */
function Choices({ game, onChoose }) {
  /** @param {import("../state/games.js").About} about */
  const choice = ({ name, title, summary }) => {
    const checked = game === name ? "true" : "false";
    return html`<button
      type="button"
      role="radio"
      aria-checked=${checked}
      class="choice"
      onClick=${() => onChoose(name)}
    >
      <strong>${title}</strong><span>${summary}</span>
    </button>`;
  };
  return html`<div class="choices" role="radiogroup" aria-label="Game">${allGames().map(choice)}</div>`;
}
