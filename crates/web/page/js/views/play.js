// Playing: against the engine, against somebody at the same screen, or watching two engines.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Board } from "../boards/board.js";
import { Button, Select, Token } from "../panels/controls.js";
import { Moves } from "../panels/moves.js";
import { NewGameDialog } from "../panels/newgame.js";
import { SeatPicker } from "../panels/seats.js";
import { keep, recall } from "../state/memory.js";
import { toLink } from "../state/share.js";
import { GAMES, spoken } from "../state/words.js";
import { connect } from "../transport/socket.js";

/** @typedef {import("../state/types.js").Table} Table */
/** @typedef {import("../state/types.js").Seat} Seat */
/** @typedef {import("../state/types.js").Thought} Thought */
/** @typedef {import("../state/memory.js").Settings} Settings */

/** @type {[string, string][]} */
const PACES = [["100", "fast"], ["600", "normal"], ["2000", "slow"]];

/** A game as the browser keeps it, in case the server forgets. @param {Table} table */
const copy = ({ scene, seats, paused }) => ({
  game: { game: scene.game, size: scene.size, start: scene.start, moves: scene.played, limit: scene.limit },
  seats,
  paused,
});

/**
 * Sits at the table of this place, at a new one if the server does not know it any more, where the game then goes on.
 * @param {string} place @param {import("../panels/newgame.js").NewGame | null} first
 */
function useTable(place, first) {
  const [table, setTable] = useState(/** @type {Table | null} */ (null));
  const [connected, setConnected] = useState(true);
  const [error, setError] = useState("");
  const [hint, setHint] = useState(/** @type {{ ply: number, thought: Thought | null } | null} */ (null));
  const link = useRef(/** @type {import("../transport/socket.js").Connection | null} */ (null));
  useEffect(() => {
    const known = recall(`table.${place}`, null);
    let name = known;
    let wanted = first;
    /** @type {Table | null} What there was before a game was asked for, in case it is refused. */
    let before = null;
    link.current = connect({
      table: known,
      onTable(next) {
        const strange = next.table !== name;
        name = next.table;
        keep(`table.${place}`, next.table);
        // A table that is new to us: the game that we remember goes on at it, or the one that was asked for.
        const game = wanted ?? (strange && !next.terminal ? recall(`game.${place}`, null) : null);
        wanted = null;
        if (game) {
          before = next;
          link.current?.send({ do: "new", game: game.game, seats: game.seats, paused: game.paused ?? false });
          return;
        }
        keep(`game.${place}`, copy(next));
        setTable((now) => (now && now.table === next.table && now.revision > next.revision ? now : next));
        setError("");
      },
      onMessage(message) {
        if (message.is === "refused") {
          setTable((now) => now ?? before);
          setError(message.text);
        }
        if (message.is === "hint") setHint({ ply: message.ply, thought: message.thought });
      },
      onState: setConnected,
    });
    return () => link.current?.close();
  }, [place]);
  return { table, connected, error, hint, setHint, send: (/** @type {object} */ message) => link.current?.send(message) };
}

/** What the first step of a hint shows is the piece, the second the move, the third the line. @param {Thought | null | undefined} thought @param {Table} table @param {number} stage */
function hinted(thought, table, stage) {
  const line = thought?.lines[0]?.moves ?? [];
  const way = table.scene.moves.find((w) => w.text === line[0]);
  if (!way || stage === 0) return { squares: [], arrows: [], text: "" };
  const piece = stage === 1 && way.path.length > 1;
  return {
    squares: piece ? [way.path[0]] : way.path,
    arrows: piece ? [] : [{ path: way.path, strength: 1 }],
    text: piece ? "Hint: this piece." : stage < 3 ? `Hint: ${way.text}.` : `Hint: ${line.slice(0, 7).join(" ")}`,
  };
}

/** @param {{ settings: Settings, place: "play" | "watch", first: import("../panels/newgame.js").NewGame | null, onSettings: (settings: Settings) => void }} props */
export function Play(props) {
  expect("Play", props, { settings: "object", place: "string", first: "object?", onSettings: "function" });
  const { settings, place, first, onSettings } = props;
  const { table, connected, error, hint, setHint, send } = useTable(place, first);
  const [flip, setFlip] = useState(false);
  const [asking, setAsking] = useState(false);
  const ply = table?.scene.ply ?? 0;
  // How much of a hint is shown belongs to one position.
  const key = `${ply} ${table?.scene.position}`;
  const [helped, setHelped] = useState({ key, stage: 0 });
  const stage = helped.key === key ? helped.stage : 0;
  if (!table) return html`<main class="wait"><p role="status">${connected ? "Setting up the board …" : "Waiting for the server …"}</p></main>`;

  // For `cargo bench -p web`.
  if (performance.getEntriesByName("board").length === 0) performance.mark("board");
  const { scene, seats } = table;
  const persons = seats.filter((seat) => seat.kind === "person").length;
  const mine = !scene.end && seats[scene.turn].kind === "person";
  /** @param {object} act */
  const act = (act) => send({ do: "act", ply, act });
  const help = hinted(hint?.ply === ply ? hint.thought : null, table, stage);
  const askHint = () => {
    if (stage === 0) {
      setHint(null);
      act({ kind: "hint" });
    }
    setHelped({ key, stage: Math.min(3, stage + 1) });
  };
  /** In a terminal another game is of the same kind. */
  const anew = () => send({ do: "new", game: { game: scene.game, size: scene.size }, seats });
  const status = scene.end ? scene.end.text : !connected ? "The connection is lost; trying again …" : table.thinking ? `${scene.sides[scene.turn]} is thinking …` : table.paused && persons < 2 && !mine ? "Paused." : `${scene.sides[scene.turn]} to move${persons === 1 && mine ? ": that is you." : "."}`;
  const board = { scene, flip, active: mine && connected, groups: settings.groups, labels: settings.labels, speed: settings.speed, hint: help.squares, arrows: help.arrows };
  const link = `#/analyse?${toLink({ game: scene.game, size: scene.size, start: scene.start, moves: scene.played })}`;

  return html`<main class="table">
    <h1 class="unseen">${GAMES[scene.game].title}</h1>
    <section class="board-side" aria-label="Board">
      <${Board} ...${board} name=${`${scene.sides[0]} against ${scene.sides[1]}`} onMove=${(/** @type {string} */ text) => act({ kind: "play", text })} />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label="Game">
      <div class=${scene.end ? "status over" : "status"}>
        <${Token} game=${scene.game} side=${scene.end ? (scene.end.winner ?? scene.turn) : scene.turn} />
        <p>${status}</p>
      </div>
      ${ply === 0 && mine && html`<p class="quiet">New to ${GAMES[scene.game].title}? <a href=${`#/learn/${scene.game}`}>Learn it in a minute.</a></p>`}
      ${error && html`<p class="error" role="alert">${error}</p>`} ${help.text && html`<p class="help-text" role="status">${help.text}</p>`}
      <div class="seats">
        ${[0, 1].map((side) => html`<${SeatPicker} key=${side} name=${scene.sides[side]} game=${scene.game} side=${side} seat=${seats[side]} count=${scene.pieces[side]} taken=${scene.lost[1 - side]} toMove=${!scene.end && scene.turn === side} onChange=${(/** @type {Seat} */ seat) => act({ kind: "seat", side, seat })} />`)}
      </div>
      <${Moves} played=${scene.played} undone=${table.undone} at=${ply} firstSide=${firstSide(scene)} />
      <div class="buttons">
        <${Button} icon="undo" label="Undo" disabled=${ply === 0} onClick=${() => act({ kind: "undo" })} />
        ${!table.terminal && html`<${Button} icon="redo" label="Redo" disabled=${table.undone.length === 0} onClick=${() => act({ kind: "redo" })} />`}
        ${persons > 0 && html`<${Button} icon="hint" label="Hint" disabled=${!mine} onClick=${askHint} />`}
        ${persons > 0 && !table.terminal && html`<${Button} icon="flag" label="Resign" disabled=${!!scene.end} onClick=${() => act({ kind: "resign" })} />`}
        <${Button} icon="flip" label="Flip" onClick=${() => setFlip(!flip)} />
        ${scene.groups.length > 0 && html`<${Button} icon="groups" label="Groups" pressed=${settings.groups} onClick=${() => onSettings({ ...settings, groups: !settings.groups })} />`}
      </div>
      ${persons === 0 && !table.terminal && html`<div class="buttons">
        <${Button} icon=${table.paused ? "play" : "pause"} label=${table.paused ? "Go on" : "Pause"} onClick=${() => act({ kind: "pause", on: !table.paused })} />
        <${Button} icon="next" label="One move" disabled=${!!scene.end} onClick=${() => act({ kind: "step" })} />
        <${Select} label="Pace" value=${table.pace} options=${PACES} onChange=${(/** @type {string} */ ms) => act({ kind: "pace", ms: Number(ms) })} />
      </div>`}
      ${persons === 1 && table.paused && !scene.end && html`<${Button} icon="play" label="Let the engine move" onClick=${() => act({ kind: "pause", on: false })} />`}
      ${mine && html`<${TypedMove} onMove=${(/** @type {string} */ text) => act({ kind: "play", text })} />`}
      <div class="row-end">
        <a class="button" href=${scene.end ? `${link}&review=1` : link}>${scene.end ? "Learn from your mistakes" : "Analyse"}</a>
        <${Button} icon="plus" label="New game" kind="primary" onClick=${() => (table.terminal ? anew() : setAsking(true))} />
      </div>
    </section>
    ${asking && html`<${NewGameDialog} game=${scene.game} seats=${seats} onClose=${() => setAsking(false)} onBegin=${(/** @type {import("../panels/newgame.js").NewGame} */ game) => {
      send({ do: "new", ...game });
      setAsking(false);
    }} />`}
  </main>`;
}

/** Who made the first move. @param {import("../state/types.js").Scene} scene */
export function firstSide(scene) {
  return (scene.turn + scene.ply) % 2;
}

/** A move in words. @param {{ onMove: (text: string) => void }} props */
function TypedMove({ onMove }) {
  const [text, setText] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) onMove(text.trim());
    setText("");
  };
  return html`<form class="typed" onSubmit=${submit}>
    <label class="field"><span>Type a move</span><input value=${text} autocomplete="off" spellcheck="false" onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
    <button type="submit" class="button">Play</button>
  </form>`;
}
