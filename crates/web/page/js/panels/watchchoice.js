// A choice of engine games to watch: one for each kind of game.

import { html } from "../../vendor/preact-htm.js";
import { Picture } from "../boards/picture.js";
import { expect } from "../state/check.js";
import { allGames } from "../state/games.js";
import { opponentName } from "../state/scene.js";
import { watchedGame } from "../state/setup.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { usePictures } from "../transport/pictures.js";

/** @typedef {import("../state/types.js").NewGame} NewGame */
/** @typedef {import("../state/types.js").Room} Room */

/** Returns an opponent's name without its level. @param {string} level */
const shortName = (level) => text.opponents.levels[level]?.name ?? opponentName(level);

/** @param {{ room: Room, connected: boolean, onChoose: (game: NewGame) => void }} props */
export function WatchChoice(props) {
  expect("WatchChoice", props, { room: "object", connected: "boolean", onChoose: "function" });
  const { room, connected, onChoose } = props;
  const pictures = usePictures(useDesk());
  /** @param {import("../state/games.js").About} about */
  const board = ({ name, title }) => {
    const wanted = watchedGame(name);
    const names = wanted.seats.map((seat) => (seat.kind === "engine" ? shortName(seat.level) : ""));
    const watched = room.scene.game === name;
    return html`<li>
      <button
        type="button"
        class="board-card"
        aria-pressed=${watched ? "true" : "false"}
        disabled=${!connected}
        onClick=${() => onChoose(wanted)}
      >
        <${Picture} game=${name} scene=${watched ? room.scene : (pictures.get(name) ?? null)} />
        <strong>${title}</strong><small>${names.join(" – ")}</small>
      </button>
    </li>`;
  };
  return html`<section class="watch-choice" aria-labelledby="watch-choice">
    <h2 id="watch-choice">${text.play.watchChoice}</h2>
    <ul>
      ${allGames().map(board)}
    </ul>
  </section>`;
}
