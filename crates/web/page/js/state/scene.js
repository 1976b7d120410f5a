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

/** Returns `true` if the user is not a spectator and the program has not ended. @param {Room} room */
export const canAct = ({ table, ended }) => !ended && (!table || table.you !== null);

/** Returns `true` if the user of this page is to move. @param {Room} room */
export const isMine = ({ scene, seats, table, ended }) =>
  !ended &&
  !scene.end && seats[scene.turn].kind === "person" && (!table || table.you === scene.turn);

/** Returns the side at the bottom of the board: the user's side, if the user has only one. @param {Room} room */
export function ownSide({ seats, table }) {
  if (table) return table.you ?? 0;
  return seats[0].kind === "engine" && seats[1].kind === "person" ? 1 : 0;
}

/** Returns `true` if this page has one user with one side. @param {Room} room */
export const playsAlone = (room) => (room.table ? room.table.you !== null : personsIn(room) === 1);

/**
 * Returns `true` if the board is turned for the side at the bottom. Boards with dice, on which the sides have no home
 * rows, are not turned.
 * @param {string} game @param {number} below
 */
export const turnedFor = (game, below) => below === 1 && about(game).pieces !== "dice";

/** Returns the name of the opponent at a level. @param {string} level */
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
  if (room.ended) return text.play.ended;
  if (!connected) return text.common.lost;
  if (room.thinking) return text.play.thinking(side);
  if (room.paused && persons < 2 && (!mine || room.clock)) return text.play.paused;
  return playsAlone(room) && mine ? text.play.yourTurn(side) : text.play.toMove(side);
}

/** Returns the side of the user of this page; `null` if the user has both sides or none. @param {Room} room */
export const aloneSide = (room) => (playsAlone(room) ? ownSide(room) : null);

/** Returns the kind of a result, from the user's view if the user has one side. @param {Room} room */
export function outcomeOf(room) {
  const [winner, own] = [room.scene.end?.winner ?? null, aloneSide(room)];
  if (winner === null) return "draw";
  if (own === null) return "over";
  return winner === own ? "win" : "loss";
}

/** Returns the result in two words. @param {Room} room */
export const resultTitle = (room) => text.play[outcomeOf(room)];

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

/**
 * Returns the stage after another request for a hint, or `null` if it would show nothing new: a move of one square has
 * no separate piece, and the line may have only one move.
 * @param {Thought | null | undefined} thought @param {Scene} scene @param {number} stage @returns {number | null}
 */
export function nextHint(thought, scene, stage) {
  const line = thought?.lines[0]?.moves ?? [];
  const way = scene.moves.find((w) => w.text === line[0]);
  const next = stage === 1 && way?.path.length === 1 ? 3 : stage + 1;
  return next > (way && line.length < 2 ? 2 : 3) ? null : next;
}

/** Returns a game for storage in the browser, in case the server loses it. @param {Room} room */
export const remembered = ({ scene, seats, paused, clock, helped }) => ({
  game: { game: scene.game, size: scene.size, start: scene.start, moves: scene.played, limit: scene.limit },
  seats,
  paused,
  clock: clock?.clock ?? null,
  left: clock?.left ?? null,
  helped,
});

/** Returns the part of an address that contains a whole game. @param {Scene} scene */
const linkOf = ({ game, size, start, played }) => toLink({ game, size, start, moves: played });

/** Returns the address of a game's analysis. @param {Scene} scene */
export const analysisLink = (scene) => `#/analyse?${linkOf(scene)}`;

/**
 * Returns the address for learning from the mistakes of a game. The mistake at `ply` comes first.
 * @param {Room} room @param {number} [ply]
 */
export function reviewLink(room, ply) {
  const side = playsAlone(room) ? `&side=${ownSide(room)}` : "";
  return `#/review?${linkOf(room.scene)}${side}${ply ? `&ply=${ply}` : ""}`;
}
