// The actions during and after a game: a grid of buttons, or a bar with a menu on small screens.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { analysisLink, canAct, isMine, personsIn, reviewLink } from "../state/scene.js";
import { text } from "../text/index.js";
import { Button, Icon, Menu, Select, SureButton } from "./controls.js";

/** @typedef {import("../state/types.js").Room} Room */

/** Media query for small screens, on which some buttons are in a menu. */
export const NARROW =
  "(orientation: portrait) and (max-width: 1100px), (orientation: landscape) and (max-height: 560px)";

/**
 * @typedef {object} ActionsProps
 * @property {Room} room
 * @property {import("./playing.js").Act} act
 * @property {(() => void) | null} onHint `null` if there is no further hint.
 * @property {() => void} onFlip
 * @property {() => void} onNew
 * @property {() => void} onRematch
 * @property {() => void} onShare
 */

/** @type {import("../state/check.js").Shape} */
const SHAPE = {
  room: "object",
  act: "function",
  onHint: "function?",
  onFlip: "function",
  onNew: "function",
  onRematch: "function",
  onShare: "function",
};

/** Returns all buttons by name, except those that do not apply in this room. @param {ActionsProps} props */
function buttonsOf({ room, act, onHint, onFlip, onNew, onRematch, onShare }) {
  const { scene, undone, terminal, paused } = room;
  const words = text.play;
  const persons = personsIn(room);
  const link = (/** @type {string} */ icon, /** @type {string} */ to, /** @type {string} */ label) =>
    html`<a class="button" href=${to}><${Icon} name=${icon} /><span>${label}</span></a>`;
  const undo = () => act({ kind: "undo" });
  const redo = () => act({ kind: "redo" });
  const resign = () => act({ kind: "resign" });
  const pause = () => act({ kind: "pause", on: !paused });
  const step = () => act({ kind: "step" });
  const sure = { icon: "flag", label: words.resign, sure: words.resignSure };
  const buttons = {
    undo: html`<${Button} icon="undo" label=${words.undo} disabled=${scene.ply === 0} onClick=${undo} />`,
    redo:
      !terminal &&
      html`<${Button} icon="redo" label=${words.redo} disabled=${undone.length === 0} onClick=${redo} />`,
    hint:
      persons > 0 &&
      html`<${Button}
        icon="hint"
        label=${words.hint}
        disabled=${!isMine(room) || !onHint}
        onClick=${onHint ?? undo}
      />`,
    flip: html`<${Button} icon="flip" label=${words.flip} onClick=${onFlip} />`,
    pause: html`<${Button}
      icon=${paused ? "play" : "pause"}
      kind="primary"
      label=${paused ? words.resume : words.pause}
      disabled=${!!scene.end}
      onClick=${pause}
    />`,
    step: html`<${Button} icon="next" label=${words.step} disabled=${!!scene.end} onClick=${step} />`,
    resign: persons > 0 && !terminal && html`<${SureButton} ...${sure} onClick=${resign} />`,
    rematch:
      persons > 0 &&
      !terminal &&
      html`<${Button} icon="again" kind="primary" label=${words.rematch} onClick=${onRematch} />`,
    newGame: html`<${Button} icon="plus" label=${words.newGame} onClick=${onNew} />`,
    learn: link("learn", reviewLink(room), persons === 1 ? words.learn : words.review),
    mistakes: link("learn", reviewLink(room), words.mistakes),
    analyse: link("search", analysisLink(scene), words.analyse),
    share: html`<${Button} icon="share" label=${words.share} onClick=${onShare} />`,
  };
  // Spectators cannot change the game, and a program that has ended does not answer.
  if (canAct(room)) return buttons;
  const { flip, share, learn, mistakes, analyse } = buttons;
  /** @type {Partial<typeof buttons>} */
  const few = room.ended ? { flip, share } : { flip, share, learn, mistakes, analyse };
  return few;
}

/** The actions beside the board. @param {ActionsProps & { children?: unknown }} props */
export function Actions({ children, ...props }) {
  expect("Actions", props, SHAPE);
  const { undo, redo, hint, flip, resign, newGame, analyse, share } = buttonsOf(props);
  const going = !props.room.scene.end;
  return html`<div class="actions">${undo} ${redo} ${going && hint} ${flip} ${children}</div>
    ${going && html`<div class="actions">${resign} ${analyse} ${newGame} ${share}</div>`}`;
}

/** The actions after a game, as a part of its result. @param {ActionsProps} props */
export function Onward(props) {
  expect("Onward", props, SHAPE);
  const { rematch, newGame, learn, analyse, share } = buttonsOf(props);
  return html`<div class="buttons">${rematch} ${newGame} ${learn} ${analyse} ${share}</div>`;
}

/** The actions at the bottom of a small screen. @param {ActionsProps & { children?: unknown }} props */
export function ActionBar({ children, ...props }) {
  expect("ActionBar", props, SHAPE);
  const { room, act } = props;
  const all = buttonsOf(props);
  const { undo, redo, flip, newGame, analyse } = all;
  const watched = isWatched(room);
  const always = html`${analyse} ${newGame} ${all.share}`;
  let [handy, others] = [html`${undo} ${all.hint} ${flip}`, html`${redo} ${all.resign} ${always}`];
  if (watched) [handy, others] = [html`${all.pause} ${all.step} ${flip}`, html`${undo} ${redo} ${always}`];
  if (room.scene.end) {
    handy = html`${all.rematch || flip} ${newGame} ${all.mistakes}`;
    others = html`${undo} ${redo} ${all.rematch && flip} ${analyse} ${all.share}`;
  }
  const pace = watched && html`<${Pace} room=${room} act=${act} />`;
  return html`<div class="actions handy">${handy}<${Menu}>${others} ${pace} ${children}<//></div>`;
}

/** Returns `true` if engines play both sides, in a room that can be paused. @param {Room} room */
const isWatched = (room) => personsIn(room) === 0 && !room.terminal;

/** Buttons for games between engines: pause, single step and pace. @param {ActionsProps} props */
export function WatchButtons(props) {
  expect("WatchButtons", props, SHAPE);
  const { room, act } = props;
  const { pause, step } = buttonsOf(props);
  if (!isWatched(room) || room.scene.end) return null;
  return html`<div class="buttons watch-buttons">${pause} ${step} <${Pace} room=${room} act=${act} /></div>`;
}

/** A selection of the time between two moves. @param {{ room: Room, act: import("./playing.js").Act }} props */
function Pace({ room, act }) {
  /** @param {string} ms */
  const change = (ms) => act({ kind: "pace", ms: Number(ms) });
  return html`<${Select} label=${text.play.pace} value=${room.pace} options=${text.play.paces} onChange=${change} />`;
}
