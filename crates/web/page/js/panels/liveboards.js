// The boards of a tournament, as pictures: players, position with the last move, clocks, result.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Picture } from "../boards/picture.js";
import { expect } from "../state/check.js";
import { clockText, untilNextText } from "../state/clock.js";
import { endingText, leftOn } from "../state/tournament.js";
import { text } from "../text/index.js";
import { Token } from "./controls.js";
import { resultText } from "./replay.js";

/**
 * A board. In a course, games have no number until they end.
 * @typedef {Omit<import("../state/tournament.js").Board, "number"> & { number: number | null }} Board
 */

/** Time below which a clock is highlighted, in milliseconds. */
const LOW = 2_000;

/**
 * @param {{ boards: Board[], more: number, onOpen: (board: Board) => void }} props `more`: number of hidden boards.
 */
export function LiveBoards(props) {
  expect("LiveBoards", props, { boards: "array", more: "number", onOpen: "function" });
  const { boards, more, onOpen } = props;
  const words = text.arena;
  return html`<section class="in-play" aria-labelledby="in-play">
    <h2 id="in-play">${words.boards}</h2>
    ${boards.length === 0
      ? html`<p class="quiet">${words.noBoards}</p>`
      : html`<ul>
          ${boards.map((board) => html`<${LiveBoard} key=${board.key} board=${board} onOpen=${onOpen} />`)}
        </ul>`}
    ${more > 0 && html`<p class="quiet">${words.more(more)}</p>`}
  </section>`;
}

/** @param {{ board: Board, onOpen: (board: Board) => void }} props */
function LiveBoard({ board, onOpen }) {
  const { scene, number, names, end, plies } = board;
  const result = end && resultText(names, end.winner);
  const name = number === null ? text.play.versus(...names) : text.arena.gameOf(number + 1, names[0], names[1]);
  return html`<li class=${end ? "over" : ""} aria-label=${name}>
    <${Side} board=${board} side=${1} />
    <button type="button" class="open" aria-label=${text.arena.open(name)} onClick=${() => onOpen(board)}>
      <${Picture} game=${scene.game} scene=${scene} last=${scene.last?.path ?? []} />
    </button>
    <${Side} board=${board} side=${0} />
    <p class="said">
      ${number !== null && html`<span class="number">${text.arena.game(number + 1)}</span> `}
      ${result && html`<span class="unseen">${result}: </span>`}
      ${end ? endingText(end.ending) : text.arena.after(plies)}
    </p>
  </li>`;
}

/** Returns the points of a side. @param {number | null} winner @param {number} side */
const scoreText = (winner, side) => (winner === null ? "½" : winner === side ? "1" : "0");

/** @param {{ board: Board, side: number }} props */
function Side({ board, side }) {
  const { scene, names, end, running } = board;
  const marks = ["player", running === side && "to-move", end?.winner === side && "winner"].filter(Boolean).join(" ");
  return html`<div class=${marks}>
    <${Token} game=${scene.game} side=${side} />
    <span class="name" title=${names[side]}>${names[side]}</span>
    ${end && html`<b class="score" aria-hidden="true">${scoreText(end.winner, side)}</b>`}
    ${!end && board.left[side] !== null && html`<${Left} board=${board} side=${side} />`}
  </div>`;
}

/** A clock that counts down between two messages. @param {{ board: Board, side: number }} props */
function Left({ board, side }) {
  const [, draw] = useState(0);
  const left = leftOn(board, side, performance.now()) ?? 0;
  const runs = board.running === side && left > 0;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setTimeout(() => draw((count) => count + 1), untilNextText(left));
    return () => clearTimeout(timer);
  });
  const kind = `clock${board.running === side ? " runs" : ""}${left < LOW ? " low" : ""}`;
  return html`<span class=${kind} role="timer" aria-label=${text.server.clockOf(board.names[side])}
    ><time>${clockText(left)}</time></span
  >`;
}
