// The next opponent of the ladder, after a game and on the start page.

import { html } from "../../vendor/preact-htm.js";
import { Portrait } from "../boards/portrait.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { nextGame, nextRung, scoreOf } from "../state/ladder.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { useLadder } from "../transport/ladder.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/types.js").Room} Room */

/**
 * The next opponent in one line, with a button that starts the game.
 * @param {{ room: Room, onBegin: (game: import("../state/types.js").NewGame) => void }} props
 */
export function Climb(props) {
  expect("Climb", props, { room: "object", onBegin: "function" });
  const { room, onBegin } = props;
  const { game, ply } = room.scene;
  const { ladder, error } = useLadder(useDesk(), game, ply);
  if (error) return null;
  const next = ladder && nextRung(ladder);
  const words = text.ladder;
  const line = next ? words.next(next.name, scoreOf(next.rung)) : ladder ? words.all : "";
  return html`<div class="climb">
    ${next && html`<${Portrait} level=${next.rung.level} />`}
    <p><a href=${`#/ladder/${game}`}>${line}</a>${ladder && room.helped && html` <small>${words.helped}</small>`}</p>
    ${
      next &&
      html`<${Button}
        icon="play"
        kind="compact"
        label=${words.play(next.name)}
        onClick=${() => onBegin(nextGame(game, next.rung))}
      />`
    }
  </div>`;
}

/**
 * A link to the ladder of a game with the next opponent.
 * @param {{ desk: import("../transport/desk.js").Desk, game: string }} props
 */
export function ClimbLink(props) {
  expect("ClimbLink", props, { desk: "object", game: "string" });
  const { desk, game } = props;
  const { ladder } = useLadder(desk, game);
  if (!ladder) return null;
  const next = nextRung(ladder);
  const level = next?.rung.level ?? ladder.rungs.at(-1)?.level ?? "";
  return html`<section class="other">
    <h2>${text.views.ladder}</h2>
    <a class="game-link rung-link" href=${`#/ladder/${game}`}>
      <${Portrait} level=${level} />
      <span class="names">
        <strong>${next ? text.ladder.nextName(next.name) : text.ladder.all}</strong>
        <span>${about(game).title}${next && ` · ${scoreOf(next.rung)}`}</span>
      </span>
    </a>
  </section>`;
}
