// The playing view: games against the engine, against a person at the same screen, or between two engines.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { ActionBar, Actions, NARROW, Onward, WatchButtons } from "../panels/actions.js";
import { Clock, useServerTime } from "../panels/clock.js";
import { useMedia } from "../panels/controls.js";
import { LeaveDialog } from "../panels/leave.js";
import { GroupsButton } from "../panels/look.js";
import { Moves } from "../panels/moves.js";
import { NewGameDialog } from "../panels/newgame.js";
import { PastRibbon, usePastKeys } from "../panels/past.js";
import { Refusal, Status, ThinkingTimes, TypedMove } from "../panels/playing.js";
import { Result } from "../panels/result.js";
import { Strip } from "../panels/strips.js";
import { TableLink, TableSeats } from "../panels/table.js";
import { WatchChoice } from "../panels/watchchoice.js";
import { isInProgress, putAside } from "../state/aside.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import {
  aloneSide,
  firstSide,
  hinted,
  isMine,
  nextHint,
  ownSide,
  personsIn,
  remembered,
  turnedFor,
} from "../state/scene.js";
import { rematch, setupFrom, setupOf } from "../state/setup.js";
import { spoken } from "../state/words.js";
import { text } from "../text/index.js";
import { usePast } from "../transport/past.js";
import { useRoom } from "../transport/room.js";
import { Later } from "./later.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../state/types.js").NewGame} NewGame */
/** @typedef {ReturnType<typeof useRoom>} Entered */

/**
 * @typedef {object} PlayProps
 * @property {Settings} settings
 * @property {"play" | "watch" | "table"} place
 * @property {NewGame | null} first A game to start immediately.
 * @property {(settings: Settings) => void} onSettings
 */

/** @param {PlayProps} props */
export function Play(props) {
  expect("Play", props, { settings: "object", place: "string", first: "object?", onSettings: "function" });
  const { settings, place, first, onSettings } = props;
  const entered = useRoom(place, first);
  const { room, connected } = entered;
  const common = { entered, room, settings, onSettings };
  if (room) return html`<${Game} ...${common} watching=${place === "watch"} />`;
  return html`<main class="wait">
    <p role="status">${entered.error || (connected ? text.common.settingUp : text.common.waiting)}</p>
  </main>`;
}

/** Holds the stage of the hint, which belongs to one position. @param {Entered} entered @param {Room} room */
function useHint({ hint, setHint, act }, { scene }) {
  const key = `${scene.ply} ${scene.position}`;
  const [asked, setAsked] = useState({ key, stage: 0 });
  const stage = asked.key === key ? asked.stage : 0;
  const thought = hint?.ply === scene.ply ? hint.thought : null;
  const next = nextHint(thought, scene, stage);
  const ask = () => {
    if (stage === 0) {
      setHint(null);
      act({ kind: "hint" });
    }
    setAsked({ key, stage: next ?? stage });
  };
  return { help: hinted(thought, scene, stage), ask: next === null ? null : ask };
}

/** Returns the side at the bottom, and whether the board is turned. @param {Room} room */
function useView(room) {
  const own = ownSide(room);
  const key = `${room.scene.game} ${own}`;
  const [turned, setTurned] = useState({ key, on: false });
  const on = turned.key === key && turned.on;
  const below = on ? 1 - own : own;
  const flip = turnedFor(room.scene.game, own) !== on;
  return { below, flip, turn: () => setTurned({ key, on: !on }) };
}

/** Starts other games, after a confirmation if a game is in progress. @param {Entered} entered @param {Room} room */
function useNewGame({ asked, setAsked, ...entered }, room) {
  const [choosing, setChoosing] = useState(false);
  /** @param {NewGame} game */
  const begin = (game) => {
    entered.begin(game);
    setAsked(null);
    setChoosing(false);
  };
  /** @param {NewGame} game @param {import("../state/setup.js").Setup} [setup] */
  const want = (game, setup) => {
    if (setup) keep("setup", setup);
    // One dialog at a time.
    setChoosing(false);
    if (isInProgress(room)) setAsked(game);
    else begin(game);
  };
  const cancel = () => setAsked(null);
  const keepAside = () => {
    keep("aside", putAside(recall("aside", []), remembered(room), Date.now()));
    if (asked) begin(asked);
  };
  return { choosing, setChoosing, begin, want, cancel, keepAside };
}

/**
 * Starts a watched game between engines if the user left its view before the first move.
 * @param {Entered} entered @param {Room} room @param {boolean} watching
 */
function useStart({ act }, room, watching) {
  const waits = watching && room.paused && personsIn(room) === 0 && room.scene.ply === 0;
  useEffect(() => {
    if (waits) act({ kind: "pause", on: false });
  }, [room.room]);
}

/**
 * @param {{ entered: Entered, room: Room, settings: Settings, onSettings: (settings: Settings) => void, watching:
 *   boolean }} props
 */
function Game({ entered, room, settings, onSettings, watching }) {
  const { connected, ended, error, closeError, asked, onShown } = entered;
  const { scene, terminal } = room;
  const past = usePast(scene);
  usePastKeys(past);
  /**
   * Performs an action. If the action changes the game, the board first returns to the present.
   * @type {import("../panels/playing.js").Act}
   */
  const act = (what) => {
    if (!["pause", "pace", "step", "name"].includes(what.kind)) past.back();
    entered.act(what);
  };
  const { help, ask } = useHint({ ...entered, act }, room);
  const { below, flip, turn } = useView(room);
  const game = useNewGame(entered, room);
  const narrow = useMedia(NARROW);
  useStart(entered, room, watching);
  const [sharing, setSharing] = useState(false);

  // Used by `cargo bench -p plyhouse-web`.
  useEffect(() => {
    if (performance.getEntriesByName("board").length === 0) performance.mark("board");
  }, []);
  const serverTime = useServerTime(room.clock);
  const mine = isMine(room);
  // Against the engine the user can choose a premove.
  const premove = personsIn(room) === 1 && settings.premoves ? ownSide(room) : null;
  /** @param {string} move */
  const play = (move) => act({ kind: "play", text: move });
  // While the board shows an earlier position, only a premove can be played, and the board keeps the position.
  const playAhead = (/** @type {string} */ move) => entered.act({ kind: "play", text: move });
  // Beside a terminal, a new game has the same board and players.
  const again = () => game.begin({ game: { game: scene.game, size: scene.size }, seats: room.seats });
  const onNew = terminal ? again : () => game.setChoosing(true);
  const onRematch = () => game.begin(rematch(room));
  const actions = { room, act, onHint: ask, onFlip: turn, onNew, onRematch, onShare: () => setSharing(true) };
  const typing = personsIn(room) > 0 && !scene.end && !ended;
  const typed = { room, serverTime, onMove: play, onAsk: closeError };
  const more = html`${typing && html`<${TypedMove} ...${typed} />`}
    <${ThinkingTimes} room=${room} act=${act} />`;
  const { groups: tinted, labels, speed } = settings;
  const name = text.play.versus(scene.sides[0], scene.sides[1]);
  const look = { flip, groups: tinted, labels, speed, name };
  const groups = html`<${GroupsButton} scene=${scene} settings=${settings} onSettings=${onSettings} />`;

  /** @param {number} side */
  const clock = (side) =>
    room.clock &&
    html`<${Clock}
      key=${side}
      clock=${room.clock}
      side=${side}
      name=${scene.sides[side]}
      own=${room.seats[side].kind === "person" && (!room.table || room.table.you === side)}
    />`;

  return html`<main class=${watching ? "table watching" : "table"}>
    <h1 class="unseen">${about(scene.game).title}</h1>
    <${Strip} room=${room} side=${1 - below} place="above" act=${act}>${clock(1 - below)}<//>
    <section class=${past.scene ? "board-side back" : "board-side"} aria-label=${text.play.board}>
      ${past.scene && html`<div class="past"><${Board} ...${look} scene=${past.scene} onSquare=${past.back} /></div>`}
      <${Board}
        ...${look}
        scene=${entered.scene ?? scene}
        active=${mine && connected}
        premove=${premove}
        hint=${help.squares}
        arrows=${help.arrows}
        own=${aloneSide(room)}
        onMove=${playAhead}
        hurry=${entered.hurry}
        onShown=${onShown}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
      <p class="unseen" role="status">${connected || ended ? "" : text.common.lost}</p>
    </section>
    <${Strip} room=${room} side=${below} place="below" act=${act}>${clock(below)}<//>
    <section class="panel-side" aria-label=${text.play.game}>
      ${
        scene.end
          ? html`<${Result} room=${room} onBegin=${game.begin}>${!narrow && html`<${Onward} ...${actions} />`}<//>`
          : html`<${Status} room=${room} connected=${connected || ended} act=${act} />`
      }
      ${
        room.table &&
        html`<${TableLink} open=${room.table.taken.includes(false)} /><${TableSeats} room=${room} act=${act} />`
      }
      <${PastRibbon} past=${past} />
      <div class="toasts">
        ${ended && scene.end && html`<p class="help-text" role="status">${text.play.ended}</p>`}
        ${error && html`<${Refusal} error=${error} onClose=${closeError} />`}
        ${help.text && html`<p class="help-text" role="status">${help.text}</p>`}
      </div>
      <${Moves}
        played=${scene.played}
        undone=${room.undone}
        at=${past.scene?.ply ?? scene.ply}
        firstSide=${firstSide(scene)}
        onGo=${past.go}
      />
      ${
        narrow
          ? html`<${ActionBar} ...${actions}>${groups} ${more}<//>`
          : html`<${WatchButtons} ...${actions} /><${Actions} ...${actions}>${groups}<//> ${more}`
      }
      ${watching && html`<${WatchChoice} room=${room} connected=${connected} onChoose=${game.want} />`}
    </section>
    ${game.choosing && html`<${ChooseGame} room=${room} game=${game} />`}
    ${
      sharing &&
      html`<${Later}
        name="Sharing"
        dialog=${true}
        with=${{
          scene: past.scene ?? entered.scene ?? scene,
          game: remembered(room).game,
          flip,
          onClose: () => setSharing(false),
        }}
      />`
    }
    ${
      asked &&
      html`<${LeaveDialog}
        room=${room}
        onKeep=${game.keepAside}
        onDiscard=${() => game.begin(asked)}
        onCancel=${game.cancel}
      />`
    }
  </main>`;
}

/** @param {{ room: Room, game: ReturnType<typeof useNewGame> }} props */
function ChooseGame({ room, game }) {
  const setup = setupOf(room, setupFrom(recall("setup", null)));
  return html`<${NewGameDialog}
    setup=${setup}
    clocks=${!room.terminal}
    onBegin=${game.want}
    onClose=${() => game.setChoosing(false)}
  />`;
}
