// Playing: against the engine, against another person at the same screen, or watching two engines.

import { html, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { Button } from "../panels/controls.js";
import { FlipButton, GroupsButton } from "../panels/look.js";
import { Moves } from "../panels/moves.js";
import { NewGameDialog } from "../panels/newgame.js";
import { Onward, PlayButtons, Seats, Status, TypedMove, WatchButtons } from "../panels/playing.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { firstSide, hinted, isMine, personsIn } from "../state/scene.js";
import { spoken } from "../state/words.js";
import { useRoom } from "../transport/room.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../panels/newgame.js").NewGame} NewGame */
/** @typedef {ReturnType<typeof useRoom>} Entered */

/**
 * @typedef {object} PlayProps
 * @property {Settings} settings
 * @property {"play" | "watch"} place
 * @property {NewGame | null} first A game to begin at once.
 * @property {(settings: Settings) => void} onSettings
 */

/** @param {PlayProps} props */
export function Play(props) {
  expect("Play", props, { settings: "object", place: "string", first: "object?", onSettings: "function" });
  const { settings, place, first, onSettings } = props;
  const entered = useRoom(place, first);
  const { room, connected } = entered;
  if (room) return html`<${Game} entered=${entered} room=${room} settings=${settings} onSettings=${onSettings} />`;
  return html`<main class="wait">
    <p role="status">${connected ? "Setting up the board …" : "Waiting for the server …"}</p>
  </main>`;
}

/** How much of a hint is shown; it belongs to one position. @param {Entered} entered @param {Room} room */
function useHint({ hint, setHint, send }, { scene }) {
  const key = `${scene.ply} ${scene.position}`;
  const [asked, setAsked] = useState({ key, stage: 0 });
  const stage = asked.key === key ? asked.stage : 0;
  const ask = () => {
    if (stage === 0) {
      setHint(null);
      send({ do: "act", ply: scene.ply, act: { kind: "hint" } });
    }
    setAsked({ key, stage: Math.min(3, stage + 1) });
  };
  return { help: hinted(hint?.ply === scene.ply ? hint.thought : null, scene, stage), ask };
}

/** @param {{ entered: Entered, room: Room, settings: Settings, onSettings: (settings: Settings) => void }} props */
function Game({ entered, room, settings, onSettings }) {
  const { connected, error, send } = entered;
  const { scene, seats, terminal } = room;
  const [flip, setFlip] = useState(false);
  const [asking, setAsking] = useState(false);
  const { help, ask } = useHint(entered, room);

  // For `cargo bench -p plyhouse-web`.
  if (performance.getEntriesByName("board").length === 0) performance.mark("board");
  const [persons, mine] = [personsIn(room), isMine(room)];
  /** @type {import("../panels/playing.js").Act} */
  const act = (what) => send({ do: "act", ply: scene.ply, act: what });
  /** @param {string} text */
  const play = (text) => act({ kind: "play", text });
  /** @param {NewGame} game */
  const begin = (game) => {
    send({ do: "new", ...game });
    setAsking(false);
  };
  // In a terminal another game is of the same kind.
  const again = () => begin({ game: { game: scene.game, size: scene.size }, seats });
  const goOn = () => act({ kind: "pause", on: false });
  const canGoOn = persons === 1 && room.paused && !scene.end;

  return html`<main class="game">
    <h1 class="unseen">${about(scene.game).title}</h1>
    <section class="board-side" aria-label="Board">
      <${Board}
        scene=${scene}
        flip=${flip}
        active=${mine && connected}
        groups=${settings.groups}
        labels=${settings.labels}
        speed=${settings.speed}
        hint=${help.squares}
        arrows=${help.arrows}
        name=${`${scene.sides[0]} against ${scene.sides[1]}`}
        onMove=${play}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label="Game">
      <${Status} room=${room} connected=${connected} />
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${help.text && html`<p class="help-text" role="status">${help.text}</p>`}
      <${Seats} room=${room} act=${act} />
      <${Moves} played=${scene.played} undone=${room.undone} at=${scene.ply} firstSide=${firstSide(scene)} />
      <${PlayButtons} room=${room} act=${act} onHint=${ask}>
        <${FlipButton} flip=${flip} onFlip=${setFlip} />
        <${GroupsButton} scene=${scene} settings=${settings} onSettings=${onSettings} />
      <//>
      ${persons === 0 && !terminal && html`<${WatchButtons} room=${room} act=${act} />`}
      ${canGoOn && html`<${Button} icon="play" label="Let the engine move" onClick=${goOn} />`}
      ${mine && html`<${TypedMove} onMove=${play} />`}
      <${Onward} room=${room} onNew=${terminal ? again : () => setAsking(true)} />
    </section>
    ${
      asking &&
      html`<${NewGameDialog} game=${scene.game} seats=${seats} onClose=${() => setAsking(false)} onBegin=${begin} />`
    }
  </main>`;
}
