// In which order positions are shown: what is being shown is finished first, and an answer waits a moment after it.
// Results are told after the last movement.

import { relation } from "./pieces.js";

/** @typedef {import("./types.js").Scene} Scene */
/**
 * Something with a scene that is to be shown. `own`: the user made its last move, so that nothing is gained by a pause.
 * `pause`: milliseconds between the movement before it and its own.
 * @template T @typedef {{ scene: Scene, own: boolean, pause: number, value: T }} Item
 */
/**
 * @template T
 * @typedef {object} Playback
 * @property {Item<T> | null} shown What is on the board.
 * @property {Item<T> | null} told What the words beside the board are about: before a result they wait for the board.
 * @property {Item<T>[]} waiting
 * @property {boolean} moving Whether the movement of what is shown still runs.
 * @property {number} since When it ended, in milliseconds.
 */

/** Between a user's move and the answer, in milliseconds. */
export const PAUSE = 350;
/** If more wait, all but the last one are left out. */
const MOST_WAITING = 3;

/** @type {Playback<any>} */
export const NOTHING_SHOWN = { shown: null, told: null, waiting: [], moving: false, since: 0 };

/** @template T @param {Playback<T>} playback @param {Item<T>} next @returns {Playback<T>} */
function showing({ shown, told, since }, next) {
  const ends = shown && next.scene.end && relation(shown.scene, next.scene) === "on";
  return { shown: next, told: ends ? told : next, waiting: [], moving: true, since };
}

/**
 * Something new has come. A move waits until what is shown has ended, and an answer a moment longer. An undo or another
 * game is shown at once, and so is everything while nobody looks.
 * @template T @param {Playback<T>} playback @param {Item<T>} next @param {boolean} [hidden]
 * @returns {Playback<T>}
 */
export function arrived(playback, next, hidden = false) {
  const { shown, waiting, moving } = playback;
  if (!shown) return showing(playback, next);
  const last = waiting.length - 1;
  const how = relation((waiting[last] ?? shown).scene, next.scene);
  if (how === "same" && last >= 0) return { ...playback, waiting: [...waiting.slice(0, last), next] };
  // As before, but a side was given to the engine, or a user has resigned.
  if (how === "same") return { ...playback, shown: next, told: moving && next.scene.end ? playback.told : next };
  const free = next.own && !moving && last < 0;
  if (how !== "on" || free || hidden) return showing(playback, next);
  return { ...playback, waiting: last + 1 < MOST_WAITING ? [...waiting, next] : [next] };
}

/** The movement on the board has ended. @template T @param {Playback<T>} playback @param {number} now */
export const finished = (playback, now) =>
  playback.moving ? { ...playback, told: playback.shown, moving: false, since: now } : playback;

/**
 * How long the next one has to wait, in milliseconds; `null` if none does, or a movement runs.
 * @template T @param {Playback<T>} playback
 */
export const wait = ({ waiting, moving, since }, /** @type {number} */ now) =>
  moving || waiting.length === 0 ? null : Math.max(0, since + (waiting[0].own ? 0 : waiting[0].pause) - now);

/** Shows what waits first. @template T @param {Playback<T>} playback @returns {Playback<T>} */
export function advanced(playback) {
  const [first, ...rest] = playback.waiting;
  return first && !playback.moving ? { ...showing(playback, first), waiting: rest } : playback;
}

/** Everything that waits is left out but the last one. @template T @param {Playback<T>} playback */
export const caughtUp = (playback) =>
  playback.waiting.length ? showing(playback, playback.waiting[playback.waiting.length - 1]) : playback;

/**
 * A bound for a movement, in milliseconds, in case no board reports its end.
 * @param {Scene} scene @param {number} wave Milliseconds for a wave of a cascade.
 */
export const longest = (scene, wave) => 2000 + scene.frames.length * wave;
