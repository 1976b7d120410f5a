// A game of a tournament, move by move, in a dialog.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { expect } from "../state/check.js";
import { firstSide } from "../state/scene.js";
import { toLink } from "../state/share.js";
import { endingText } from "../state/tournament.js";
import { spoken } from "../state/words.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { usePicture } from "../transport/pictures.js";
import { useReplay } from "../transport/tournament.js";
import { StepBar } from "./analysing.js";
import { Icon, Token } from "./controls.js";
import { Moves } from "./moves.js";

/** @typedef {import("../state/tree.js").Where} Where */
/**
 * A game: its number, its players, the number of moves that the server knows, and its end.
 * @typedef {{ number: number, names: [string, string], plies: number,
 *   end: { winner: number | null, ending: string } | null }} Played
 */

/** @type {Record<string, Where>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

/**
 * Shows the last position of a game first, and then every new move until the user steps back.
 * @param {{ played: Played, settings: import("../state/memory.js").Settings, onClose: () => void }} props
 */
export function Replay(props) {
  expect("Replay", props, { played: "object", settings: "object", onClose: "function" });
  const { played, settings, onClose } = props;
  const { number, names, plies, end } = played;
  const desk = useDesk();
  const { game, error } = useReplay(desk, number, `${plies} ${end !== null}`);
  const length = game?.moves?.length ?? 0;
  // `null` selects the last position.
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const [flip, setFlip] = useState(false);
  const at = Math.min(chosen ?? length, length);
  const scene = usePicture(desk, game && { ...game, moves: game.moves?.slice(0, at) });
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const words = text.arena;
  useEffect(() => dialog.current?.showModal(), []);
  /** @param {number} ply */
  const go = (ply) => setChosen(ply >= length ? null : Math.max(0, ply));
  /** @param {Where} where */
  const step = (where) => go({ first: 0, back: at - 1, next: at + 1, last: length }[String(where)] ?? at);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const where = KEYS[event.key];
    if (!where || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    step(where);
  };
  const result = end && `${resultText(names, end.winner)} · ${endingText(end.ending)}`;
  return html`<dialog
    ref=${dialog}
    class="dialog replay"
    aria-labelledby="replay"
    onClose=${onClose}
    onKeyDownCapture=${onKey}
  >
    <h2 id="replay">${words.gameOf(number + 1, names[0], names[1])}</h2>
    <button type="button" class="shut" aria-label=${text.common.close} onClick=${() => dialog.current?.close()}>
      <${Icon} name="close" />
    </button>
    <div class="replay-board">
      ${
        scene &&
        html`<${Board}
            scene=${scene}
            flip=${flip}
            labels=${settings.labels}
            speed=${settings.speed}
            name=${words.gameOf(number + 1, names[0], names[1])}
          />
          <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>`
      }
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${!scene && !error && html`<p class="quiet" role="status">${text.server.loading}</p>`}
    </div>
    <div class="replay-side">
      ${
        scene &&
        html`<ul class="replay-names">
            ${names.map(
              (name, side) =>
                html`<li class=${end?.winner === side ? "winner" : ""}>
                  <${Token} game=${scene.game} side=${side} /><span>${name}</span>
                </li>`,
            )}
          </ul>
          <p class="quiet">${result ?? words.going}</p>
          <${Moves} played=${game?.moves ?? []} at=${at} firstSide=${firstSide(scene)} onGo=${go} />
          <${StepBar} at=${at} length=${length} onStep=${step} onFlip=${() => setFlip(!flip)} />
          <a class="button" href=${`#/analyse?${toLink({ ...scene, moves: game?.moves })}`}>${text.play.analyse}</a>`
      }
    </div>
  </dialog>`;
}

/** Names the winner. @param {[string, string]} names @param {number | null} winner */
export const resultText = (names, winner) =>
  winner === null ? text.arena.drawn : text.arena.won(names[winner]);
