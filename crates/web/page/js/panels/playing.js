// The parts of the panel beside a game that is played.

import { html, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { analysisLink, isMine, personsIn, statusText } from "../state/scene.js";
import { Button, Select, Token } from "./controls.js";
import { SeatPicker } from "./seats.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/types.js").Seat} Seat */
/**
 * What a user wants done in a room; `kind` says what.
 * @typedef {(act: { kind: string, [key: string]: unknown }) => void} Act
 */

/** @type {[string, string][]} */
const PACES = [
  ["100", "fast"],
  ["600", "normal"],
  ["2000", "slow"],
];

/** How the game stands. @param {{ room: Room, connected: boolean }} props */
export function Status(props) {
  expect("Status", props, { room: "object", connected: "boolean" });
  const { room, connected } = props;
  const { scene } = room;
  const { title } = about(scene.game);
  const lesson = html`<a href=${`#/learn/${scene.game}`}>Learn it in a minute.</a>`;
  return html`<div class=${scene.end ? "status over" : "status"}>
      <${Token} game=${scene.game} side=${scene.end?.winner ?? scene.turn} />
      <p>${statusText(room, connected)}</p>
    </div>
    ${scene.ply === 0 && isMine(room) && html`<p class="quiet">New to ${title}? ${lesson}</p>`}`;
}

/** Who plays which side. @param {{ room: Room, act: Act }} props */
export function Seats(props) {
  expect("Seats", props, { room: "object", act: "function" });
  const {
    room: { scene, seats },
    act,
  } = props;
  /** @param {number} side */
  const seat = (side) =>
    html`<${SeatPicker}
      key=${side}
      name=${scene.sides[side]}
      game=${scene.game}
      side=${side}
      seat=${seats[side]}
      count=${scene.pieces[side]}
      taken=${scene.lost[1 - side]}
      toMove=${!scene.end && scene.turn === side}
      onChange=${(/** @type {Seat} */ next) => act({ kind: "seat", side, seat: next })}
    />`;
  return html`<div class="seats">${[0, 1].map(seat)}</div>`;
}

/** Undo, redo, hint and resign. @param {{ room: Room, act: Act, onHint: () => void, children?: unknown }} props */
export function PlayButtons(props) {
  expect("PlayButtons", props, { room: "object", act: "function", onHint: "function" });
  const { room, act, onHint, children } = props;
  const { scene, undone, terminal } = room;
  const plays = personsIn(room) > 0;
  const undo = () => act({ kind: "undo" });
  const redo = () => act({ kind: "redo" });
  const resign = () => act({ kind: "resign" });
  return html`<div class="buttons">
    <${Button} icon="undo" label="Undo" disabled=${scene.ply === 0} onClick=${undo} />
    ${!terminal && html`<${Button} icon="redo" label="Redo" disabled=${undone.length === 0} onClick=${redo} />`}
    ${plays && html`<${Button} icon="hint" label="Hint" disabled=${!isMine(room)} onClick=${onHint} />`}
    ${plays && !terminal && html`<${Button} icon="flag" label="Resign" disabled=${!!scene.end} onClick=${resign} />`}
    ${children}
  </div>`;
}

/** Pause, single moves and pace of engines that play each other. @param {{ room: Room, act: Act }} props */
export function WatchButtons(props) {
  expect("WatchButtons", props, { room: "object", act: "function" });
  const {
    room: { paused, pace, scene },
    act,
  } = props;
  const pause = () => act({ kind: "pause", on: !paused });
  const step = () => act({ kind: "step" });
  /** @param {string} ms */
  const setPace = (ms) => act({ kind: "pace", ms: Number(ms) });
  return html`<div class="buttons">
    <${Button} icon=${paused ? "play" : "pause"} label=${paused ? "Go on" : "Pause"} onClick=${pause} />
    <${Button} icon="next" label="One move" disabled=${!!scene.end} onClick=${step} />
    <${Select} label="Pace" value=${pace} options=${PACES} onChange=${setPace} />
  </div>`;
}

/** The ways on from here: analysis, or another game. @param {{ room: Room, onNew: () => void }} props */
export function Onward(props) {
  expect("Onward", props, { room: "object", onNew: "function" });
  const {
    room: { scene },
    onNew,
  } = props;
  const label = scene.end ? "Learn from your mistakes" : "Analyse";
  return html`<div class="row-end">
    <a class="button" href=${analysisLink(scene)}>${label}</a>
    <${Button} icon="plus" label="New game" kind="primary" onClick=${onNew} />
  </div>`;
}

/** A field for a move in words. @param {{ onMove: (text: string) => void }} props */
export function TypedMove(props) {
  expect("TypedMove", props, { onMove: "function" });
  const [text, setText] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) props.onMove(text.trim());
    setText("");
  };
  /** @param {any} event */
  const type = (event) => setText(event.target.value);
  return html`<form class="typed" onSubmit=${submit}>
    <label class="field"
      ><span>Type a move</span><input value=${text} autocomplete="off" spellcheck="false" onInput=${type}
    /></label>
    <button type="submit" class="button">Play</button>
  </form>`;
}
