// Derived data of scenes and rooms.

import { about } from "./games.js";
import { text } from "../text/index.js";
import { toLink } from "./share.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Room} Room */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Thought} Thought */

/** Returns the side that made the first move. @param {Scene} scene */
export const firstSide = (scene) => (scene.turn + scene.ply) % 2;

/** Returns the number of sides played by users. @param {Room} room */
export const personsIn = ({ seats }) => seats.filter((seat) => seat.kind === "person").length;

/** Returns `true` if the user of this page is to move. @param {Room} room */
export const isMine = ({ scene, seats, table }) =>
  !scene.end && seats[scene.turn].kind === "person" && (!table || table.you === scene.turn);

/** Returns the side at the bottom of the board. A user who plays alone sits there. @param {Room} room */
export function ownSide({ seats, table }) {
  if (table) return table.you ?? 0;
  return seats[0].kind === "engine" && seats[1].kind === "person" ? 1 : 0;
}

/** Returns `true` if this page has one user with one side. @param {Room} room */
const playsAlone = (room) => (room.table ? room.table.you !== null : personsIn(room) === 1);

/**
 * Returns `true` if the board is turned for the side at the bottom. Boards with dice, on which the sides have no home
 * rows, are not turned.
 * @param {string} game @param {number} below
 */
export const turnedFor = (game, below) => below === 1 && about(game).pieces !== "dice";

/** Returns the name of an opponent of a level. @param {string} level */
export function opponentName(level) {
  const { levels, named, unnamed } = text.opponents;
  const known = levels[level];
  if (!known) return unnamed(level);
  return Number(level) ? named(known.name, level) : known.name;
}

/** Returns the name of an engine. @param {{ level: string, build?: string }} seat */
export const engineName = ({ level, build = "current" }) => text.opponents.builds[build] ?? opponentName(level);

/** Returns the name of a side's player. @param {Room} room @param {number} side */
export function playerName(room, side) {
  const seat = room.seats[side];
  if (seat.kind === "engine") return engineName(seat);
  return playsAlone(room) && ownSide(room) === side ? text.play.you : room.scene.sides[side];
}

/** Returns the status of the game as a sentence. @param {Room} room @param {boolean} connected */
export function statusText(room, connected) {
  const { scene } = room;
  const [side, persons, mine] = [scene.sides[scene.turn], personsIn(room), isMine(room)];
  if (scene.end) return scene.end.text;
  if (!connected) return text.play.lost;
  if (room.thinking) return text.play.thinking(side);
  if (room.paused && persons < 2 && !mine) return text.play.paused;
  return playsAlone(room) && mine ? text.play.yourTurn(side) : text.play.toMove(side);
}

/** Returns the result in two words, from the user's view if only one side is theirs. @param {Room} room */
export function resultTitle(room) {
  const winner = room.scene.end?.winner;
  if (winner === null || winner === undefined) return text.play.draw;
  if (!playsAlone(room)) return text.play.over;
  return winner === ownSide(room) ? text.play.win : text.play.loss;
}

/** @typedef {{ squares: Place[], arrows: { path: Place[], strength: number }[], text: string }} Help */

/**
 * Returns what a hint shows: first the piece, then the move, then the line.
 * @param {Thought | null | undefined} thought @param {Scene} scene @param {number} stage 0 to 3 @returns {Help}
 */
export function hinted(thought, scene, stage) {
  const line = thought?.lines[0]?.moves ?? [];
  const way = scene.moves.find((w) => w.text === line[0]);
  if (!way || stage === 0) return { squares: [], arrows: [], text: "" };
  if (stage === 1 && way.path.length > 1) return { squares: [way.path[0]], arrows: [], text: text.play.hintPiece };
  const { hintMove, hintLine } = text.play;
  const words = stage < 3 ? hintMove(way.text) : hintLine(line.slice(0, 7).join(" "));
  return { squares: way.path, arrows: [{ path: way.path, strength: 1 }], text: words };
}

/** Returns a game for storage in the browser, in case the server loses it. @param {Room} room */
export const remembered = ({ scene, seats, paused, clock }) => ({
  game: { game: scene.game, size: scene.size, start: scene.start, moves: scene.played, limit: scene.limit },
  seats,
  paused,
  clock: clock?.clock ?? null,
  left: clock?.left ?? null,
});

/** Returns the part of an address that contains a whole game. @param {Scene} scene */
const linkOf = ({ game, size, start, played }) => toLink({ game, size, start, moves: played });

/** Returns the address of a game's analysis. @param {Scene} scene */
export const analysisLink = (scene) => `#/analyse?${linkOf(scene)}`;

/** Returns the address for learning from the mistakes of a game. @param {Room} room */
export function reviewLink(room) {
  const side = playsAlone(room) ? `&side=${ownSide(room)}` : "";
  return `#/review?${linkOf(room.scene)}${side}`;
}
