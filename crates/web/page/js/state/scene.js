// What follows from a scene and a room without asking anybody.

import { toLink } from "./share.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Room} Room */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Thought} Thought */

/** Who made the first move. @param {Scene} scene */
export const firstSide = (scene) => (scene.turn + scene.ply) % 2;

/** How many sides are played by users. @param {Room} room */
export const personsIn = ({ seats }) => seats.filter((seat) => seat.kind === "person").length;

/** Whether a user is to move. @param {Room} room */
export const isMine = ({ scene, seats }) => !scene.end && seats[scene.turn].kind === "person";

/** How the game stands, in a sentence. @param {Room} room @param {boolean} connected */
export function statusText(room, connected) {
  const { scene } = room;
  const [side, persons, mine] = [scene.sides[scene.turn], personsIn(room), isMine(room)];
  if (scene.end) return scene.end.text;
  if (!connected) return "The connection is lost; trying again …";
  if (room.thinking) return `${side} is thinking …`;
  if (room.paused && persons < 2 && !mine) return "Paused.";
  return persons === 1 && mine ? `${side} to move: that is you.` : `${side} to move.`;
}

/** @typedef {{ squares: Place[], arrows: { path: Place[], strength: number }[], text: string }} Help */

/**
 * What a hint shows: first the piece, then the move, then the line.
 * @param {Thought | null | undefined} thought @param {Scene} scene @param {number} stage 0 to 3 @returns {Help}
 */
export function hinted(thought, scene, stage) {
  const line = thought?.lines[0]?.moves ?? [];
  const way = scene.moves.find((w) => w.text === line[0]);
  if (!way || stage === 0) return { squares: [], arrows: [], text: "" };
  if (stage === 1 && way.path.length > 1) return { squares: [way.path[0]], arrows: [], text: "Hint: this piece." };
  const text = stage < 3 ? `Hint: ${way.text}.` : `Hint: ${line.slice(0, 7).join(" ")}`;
  return { squares: way.path, arrows: [{ path: way.path, strength: 1 }], text };
}

/** A game as the browser keeps it, in case the server forgets it. @param {Room} room */
export const remembered = ({ scene, seats, paused }) => ({
  game: { game: scene.game, size: scene.size, start: scene.start, moves: scene.played, limit: scene.limit },
  seats,
  paused,
});

/** The address at which a game is analysed. @param {Scene} scene */
export function analysisLink(scene) {
  const link = toLink({ game: scene.game, size: scene.size, start: scene.start, moves: scene.played });
  return `#/analyse?${link}${scene.end ? "&review=1" : ""}`;
}
