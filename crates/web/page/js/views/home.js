// The home view: the games, saved games, the puzzle of the day.

import { html, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { Picture } from "../boards/picture.js";
import { Finished } from "../panels/archive.js";
import { ClimbLink } from "../panels/climb.js";
import { Button } from "../panels/controls.js";
import { BeginButton, Choices } from "../panels/newgame.js";
import { taskText } from "../panels/puzzle.js";
import { GameChoice } from "../panels/setup.js";
import { isInProgress, takeBack } from "../state/aside.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import { gameOfTheDay, puzzleOfTheDay } from "../state/puzzle.js";
import { isMine, opponentName, ownSide, personsIn, playerName } from "../state/scene.js";
import { beginLink, setupFrom } from "../state/setup.js";
import { gameText } from "../state/words.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { usePuzzles, useTableLink } from "../transport/games.js";
import { usePicture } from "../transport/pictures.js";
import { useRoom } from "../transport/room.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/types.js").NewGame} NewGame */
/** @typedef {import("../state/aside.js").Aside} Aside */
/** @typedef {import("../transport/desk.js").Desk} Desk */

export function Home() {
  const desk = useDesk();
  const { room } = useRoom("play", null);
  const table = useTableLink();
  const [setup, setSetup] = useState(() => setupFrom({ ...recall("setup", {}), ...notWatched() }));
  // A terminal's page has only one game.
  useEffect(() => {
    if (room?.terminal) location.replace("#/play?terminal");
  }, [room?.terminal]);
  /** @param {NewGame} game @param {import("../state/setup.js").Setup} chosen */
  const start = (game, chosen) => {
    keep("setup", chosen);
    location.hash = beginLink(game);
  };
  return html`<main class="home">
    <section class="start" aria-labelledby="start">
      <div class="welcome">
        <h1 id="start">${text.home.heading}</h1>
        <p class="quiet">${text.home.lead}</p>
      </div>
      <${GameChoice} setup=${setup} onChange=${setSetup} desk=${desk} />
      <div class="chosen">
        <${Choices} setup=${setup} onChange=${setSetup} clocks=${true} />
        <div class="go">
          ${about(setup.game).lessons > 0 && html`<a href=${`#/learn/${setup.game}`}>${text.home.rules}</a>`}
          <${BeginButton} setup=${setup} onBegin=${start} />
        </div>
      </div>
    </section>
    <aside class="others">
      ${room && isInProgress(room) && html`<${Continue} room=${room} />`}
      <${SetAside} desk=${desk} />
      <${Daily} desk=${desk} />
      <${ClimbLink} desk=${desk} game=${setup.game} />
      ${table && html`<p><a class="button" href="#/table">${text.views.table}</a></p>`}
    </aside>
    <${Finished} desk=${desk} />
  </main>`;
}

/** Replaces a game between two engines in the last setup, because such games have their own view. */
const notWatched = () => (recall("setup", null)?.against === "watch" ? { against: "engine" } : {});

/** The game in the room. @param {{ room: Room }} props */
function Continue({ room }) {
  const { scene } = room;
  const own = ownSide(room);
  const words = text.home;
  const who = personsIn(room) === 1 ? words.against(playerName(room, 1 - own)) : words.twoPlayers;
  return html`<section class="other large">
    <h2>${words.goOn}</h2>
    <a class="game-link" href="#/play">
      <${Picture} game=${scene.game} scene=${scene} flip=${own === 1} />
      <span class="names">
        <strong>${gameText(scene)}</strong>
        <span>${who}</span>
        <span>${text.common.moves(scene.ply)} · ${isMine(room) ? words.yourMove : words.theirMove}</span>
      </span>
    </a>
  </section>`;
}

/** The saved games. @param {{ desk: Desk }} props */
function SetAside(props) {
  expect("SetAside", props, { desk: "object" });
  const [games, setGames] = useState(/** @type {() => Aside[]} */ (() => recall("aside", [])));
  if (games.length === 0) return null;
  /** @param {Aside} game */
  const remove = (game) => {
    const left = takeBack(games, game.when);
    keep("aside", left);
    setGames(left);
  };
  return html`<section class="other">
    <h2>${text.home.aside}</h2>
    <ul class="asides">
      ${games.map(
        (aside) =>
          html`<li key=${aside.when}>
            <${AsideGame} desk=${props.desk} aside=${aside} />
            <${Button} kind="compact small" icon="trash" label=${text.home.remove} onClick=${() => remove(aside)} />
          </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {{ desk: Desk, aside: Aside }} props */
function AsideGame({ desk, aside }) {
  const { game, seats } = aside;
  const scene = usePicture(desk, game);
  const engine = seats.find((seat) => seat.kind === "engine");
  const who = engine?.kind === "engine" ? text.home.against(opponentName(engine.level)) : text.home.twoPlayers;
  return html`<a class="game-link" href=${beginLink(aside)}>
    <${Picture} game=${game.game} scene=${scene} />
    <span class="names">
      <strong>${gameText(scene ?? game)}</strong>
      <span>${who} · ${text.common.moves(game.moves?.length ?? 0)}</span>
    </span>
  </a>`;
}

/** The puzzle of the day. @param {{ desk: Desk }} props */
function Daily({ desk }) {
  const today = useMemo(() => new Date(), []);
  const { name, title } = about(gameOfTheDay(today));
  const puzzle = usePuzzles(name)?.[puzzleOfTheDay(name, today)] ?? null;
  const start = puzzle?.start ?? null;
  const scene = usePicture(desk, useMemo(() => (start ? { game: name, start } : null), [start]));
  return html`<section class="other large">
    <h2>${text.home.puzzle}</h2>
    <a class="game-link" href="#/puzzles?day">
      <${Picture} game=${name} scene=${scene} />
      <span class="names">
        <strong>${title}</strong>
        <span>${scene && puzzle ? taskText(puzzle, scene.sides[scene.turn]) : ""}</span>
      </span>
    </a>
  </section>`;
}
