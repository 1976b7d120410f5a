// A new game: which, how large, who plays.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { GAMES } from "../state/words.js";
import { Button, Select } from "./controls.js";
import { SeatPicker } from "./seats.js";

/** @typedef {import("../state/types.js").Seat} Seat */
/** @typedef {{ game: import("../state/types.js").Game, seats: [Seat, Seat], paused?: boolean }} NewGame */

const SIDES = { loa: ["Black", "White"], checkers: ["Black", "White"], jump61: ["Red", "Blue"] };

/** @param {{ game: string, seats: [Seat, Seat], onBegin: (game: NewGame) => void, onClose: () => void }} props */
export function NewGameDialog(props) {
  expect("NewGameDialog", props, { game: "string", seats: "array", onBegin: "function", onClose: "function" });
  const { game: first, seats: now, onBegin, onClose } = props;
  const [game, setGame] = useState(first);
  const [size, setSize] = useState(GAMES[first].usual);
  const [limit, setLimit] = useState("");
  const [seats, setSeats] = useState(now);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const names = SIDES[/** @type {keyof typeof SIDES} */ (game)];
  /** @param {number} side @param {Seat} seat */
  const change = (side, seat) => setSeats(side === 0 ? [seat, seats[1]] : [seats[0], seat]);
  const begin = () => onBegin({ game: { game, size, limit: limit ? Number(limit) : null }, seats });
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="new-game" onClose=${onClose}>
    <h2 id="new-game">New game</h2>
    <div class="choices" role="radiogroup" aria-label="Game">
      ${Object.values(GAMES).map(
        ({ name, title, text, usual }) => html`<button
          type="button"
          role="radio"
          aria-checked=${game === name ? "true" : "false"}
          class="choice"
          onClick=${() => {
            setGame(name);
            setSize(usual);
          }}
        >
          <strong>${title}</strong><span>${text}</span>
        </button>`,
      )}
    </div>
    <div class="fields">
      <${Select} label="Board" value=${size} options=${GAMES[game].sizes.map((n) => [n, `${n} × ${n}`])} onChange=${(/** @type {string} */ v) => setSize(Number(v))} />
      <${Select} label="A tie after" value=${limit} options=${[["", "no limit"], ["60", "60 moves"], ["120", "120 moves"], ["200", "200 moves"]]} onChange=${setLimit} />
    </div>
    ${[0, 1].map((side) => html`<${SeatPicker} name=${names[side]} game=${game} side=${side} seat=${seats[side]} onChange=${(/** @type {Seat} */ seat) => change(side, seat)} />`)}
    <div class="row-end">
      <${Button} label="Cancel" onClick=${() => dialog.current?.close()} />
      <${Button} label="Begin" kind="primary" onClick=${begin} />
    </div>
  </dialog>`;
}
