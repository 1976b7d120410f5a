// The players as strips above and below the board: name, strength, captured pieces, remaining time.

import { html } from "../../vendor/preact-htm.js";
import { Portrait } from "../boards/portrait.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { canAct, engineName, opponentName, playerName } from "../state/scene.js";
import { text } from "../text/index.js";
import { Select, Token } from "./controls.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/types.js").Seat} Seat */
/** @typedef {import("./playing.js").Act} Act */

/**
 * @typedef {object} StripProps
 * @property {Room} room
 * @property {number} side
 * @property {"above" | "below"} place
 * @property {Act} act
 * @property {unknown} [children] The clock.
 */

/** @param {StripProps} props */
export function Strip(props) {
  expect("Strip", props, { room: "object", side: "number", place: "string", act: "function" });
  const { room, side, place, act, children } = props;
  const { scene, seats } = room;
  const seat = seats[side];
  const isLevel = seat.kind === "engine" && (seat.build ?? "current") === "current";
  const toMove = !scene.end && scene.turn === side;
  const taken = scene.lost[1 - side];
  const captured = Array.from({ length: taken }, () => html`<${Token} game=${scene.game} side=${1 - side} />`);
  const counted = text.play.counted(scene.pieces[side], about(scene.game).counted);
  const marks = ["strip", place, toMove && "to-move", toMove && room.thinking && "thinking"].filter(Boolean);
  return html`<section class=${marks.join(" ")} aria-label=${scene.sides[side]}>
    <${Token} game=${scene.game} side=${side} />
    ${isLevel && html`<${Portrait} level=${seat.level} />`}
    <${Who} room=${room} side=${side} seat=${seat} act=${act} />
    <span class="busy" aria-hidden="true"><i></i><i></i><i></i></span>
    ${taken > 0 && html`<span class="taken" role="img" aria-label=${text.play.captured(taken)}>${captured}</span>`}
    <span class="count"><b>${scene.pieces[side]}</b> <small>${counted}</small></span>
    ${children}
  </section>`;
}

/** Returns the seats with a person on this side. @param {Room} room @param {number} side @returns {[Seat, Seat]} */
const withPerson = ({ seats }, side) => (side === 0 ? [{ kind: "person" }, seats[1]] : [seats[0], { kind: "person" }]);

/**
 * Returns the occupant of a side of a shared board.
 * @param {import("../state/types.js").Table} table @param {number} side
 */
function sitting({ you, taken, names }, side) {
  const name = taken[side] && names[side];
  if (name) return you === side ? text.server.ownName(name) : name;
  if (you === side) return text.play.you;
  if (!taken[side]) return text.server.freeSeat;
  return you === null ? text.server.player : text.server.opponent;
}

/**
 * The player's name, which is also the control for changing the player.
 * @param {{ room: Room, side: number, seat: Seat, act: Act }} props
 */
function Who({ room, side, seat, act }) {
  const { scene } = room;
  const alone = { ...room, seats: withPerson(room, side) };
  const person = room.table ? sitting(room.table, side) : playerName(alone, side);
  /** @type {[string, string][]} */
  const options = [
    ["person", person],
    ...about(scene.game).levels.map(
      ({ key }) => /** @type {[string, string]} */ ([key, opponentName(key)]),
    ),
  ];
  const isOther = seat.kind === "engine" && seat.build !== undefined && seat.build !== "current";
  const value = seat.kind === "person" ? "person" : isOther ? "other" : seat.level;
  // A link from another version may name an engine or a level that this game does not offer.
  if (seat.kind === "engine" && !options.some(([key]) => key === value)) options.push([value, engineName(seat)]);
  /** @param {string} who */
  const change = (who) => {
    if (who === "other") return;
    const { seconds = null, nodes = null } = seat.kind === "engine" ? seat : {};
    act({
      kind: "seat",
      side,
      seat: who === "person" ? { kind: "person" } : { kind: "engine", level: who, seconds, nodes },
    });
  };
  const select = { label: scene.sides[side], value, options, disabled: !canAct(room) };
  return html`<${Select} ...${select} onChange=${change} />`;
}
