// The parts of the panel beside a running game.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { answerTo } from "../state/commands.js";
import { about } from "../state/games.js";
import { canAct, isMine, personsIn, statusText } from "../state/scene.js";
import { budgetOf, timeOf } from "../state/setup.js";
import { text } from "../text/index.js";
import { Button, Icon, Select, Token, Variant } from "./controls.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/types.js").Seat} Seat */
/**
 * Sends a user's action in a room; `kind` is its type.
 * @typedef {(act: { kind: string, [key: string]: unknown }) => void} Act
 */

/** The status of a game in progress. @param {{ room: Room, connected: boolean, act: Act }} props */
export function Status(props) {
  expect("Status", props, { room: "object", connected: "boolean", act: "function" });
  const { room, connected, act } = props;
  const { scene } = room;
  const taught = about(scene.game).lessons > 0;
  const mine = isMine(room);
  const canResume = personsIn(room) === 1 && room.paused && canAct(room) && (!mine || room.clock !== null);
  const go = room.clock ? text.play.continue : text.play.engineMoves;
  const kind = mine ? "small primary" : "small";
  const resume = () => act({ kind: "pause", on: false });
  return html`<div class="status">
    <${Token} game=${scene.game} side=${scene.turn} />
    <p>${statusText(room, connected)}<${Variant} variant=${scene.variant} /></p>
    ${taught && scene.ply === 0 && mine && html`<a href=${`#/learn/${scene.game}`}>${text.play.rules}</a>`}
    ${canResume && html`<${Button} icon="play" kind=${kind} label=${go} onClick=${resume} />`}
  </div>`;
}

/** An error, shown until the user acts or closes it. @param {{ error: string, onClose: () => void }} props */
export function Refusal(props) {
  expect("Refusal", props, { error: "string", onClose: "function" });
  const { error, onClose } = props;
  return html`<div class="error" role="alert">
    <span>${error}</span>
    <button type="button" class="shut" aria-label=${text.common.close} onClick=${onClose}>
      <${Icon} name="close" />
    </button>
  </div>`;
}

/** The engines' thinking times. @param {{ room: Room, act: Act }} props */
export function ThinkingTimes(props) {
  expect("ThinkingTimes", props, { room: "object", act: "function" });
  const {
    room: { scene, seats, terminal },
    act,
  } = props;
  if (terminal || !canAct(props.room)) return null;
  /** @param {Seat} seat @param {number} side */
  const time = (seat, side) => {
    if (seat.kind !== "engine") return null;
    const change = (/** @type {string} */ next) =>
      act({ kind: "seat", side, seat: { ...seat, ...budgetOf(next) } });
    return html`<${Select}
      label=${text.play.thinkingTimeOf(scene.sides[side])}
      value=${timeOf(seat)}
      options=${text.newGame.thinkingTimes}
      onChange=${change}
    />`;
  };
  if (personsIn(props.room) === 2) return null;
  return html`<details class="advanced">
    <summary>${text.newGame.advanced}</summary>
    <div class="fields">${seats.map(time)}</div>
  </details>`;
}

/**
 * A text field for a move or a question about the game. A move stays in the field until it is played.
 * @param {{ room: Room, serverTime: () => number, onMove: (text: string) => void, onAsk: () => void }} props
 */
export function TypedMove(props) {
  expect("TypedMove", props, { room: "object", serverTime: "function", onMove: "function", onAsk: "function" });
  const { room, serverTime, onMove, onAsk } = props;
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState("");
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) setTyped("");
    sent.current = false;
    setAnswer("");
  }, [room.scene.ply, room.scene.start]);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const found = answerTo(typed, room, serverTime());
    setAnswer(found ?? "");
    if (found) {
      setTyped("");
      onAsk();
    } else if (typed.trim()) {
      sent.current = true;
      onMove(typed.trim());
    }
  };
  /** @param {any} event */
  const type = (event) => setTyped(event.target.value);
  return html`<form class="typed" onSubmit=${submit}>
    <label class="field"
      ><span>${text.play.typeMove}</span
      ><input
        value=${typed}
        placeholder=${text.commands.placeholder(room.scene.moves[0]?.text ?? "")}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        onInput=${type}
    /></label>
    <button type="submit" class="button">${text.play.play}</button>
    <p class="typed-answer" role="status">${answer}</p>
  </form>`;
}
