// The order in which positions are shown. The current animation finishes first, and a reply waits a moment longer.
// Results are shown after the last animation.

import { relation } from "./pieces.js";

/** @typedef {import("./types.js").Scene} Scene */
/**
 * A value with a scene to show. `own`: the user made the scene's last move, so no pause is needed. `pause`:
 * milliseconds between the previous animation and this one.
 * @template T @typedef {{ scene: Scene, own: boolean, pause: number, value: T }} Item
 */
/**
 * @template T
 * @typedef {object} Playback
 * @property {Item<T> | null} shown The value on the board.
 * @property {Item<T> | null} told The value described beside the board. Before a result it lags behind `shown` until
 *   the animation has ended.
 * @property {Item<T>[]} waiting
 * @property {boolean} moving Whether the animation is running.
 * @property {boolean} held Whether the user has paused the animation.
 * @property {Scene | null} drawn The last scene whose animation has ended, if the board has shown it before `shown`.
 * @property {number} since End of the last animation, in milliseconds.
 */

/** Pause between a user's move and the reply, in milliseconds. */
export const PAUSE = 350;
/** Maximum number of waiting values. If there are more, all but the last one are skipped. */
const MOST_WAITING = 3;

/** @type {Playback<any>} */
export const NOTHING_SHOWN = {
  shown: null,
  told: null,
  waiting: [],
  moving: false,
  held: false,
  drawn: null,
  since: 0,
};

/** @template T @param {Playback<T>} playback @param {Item<T>} next @returns {Playback<T>} */
function showing({ shown, told, drawn, since }, next) {
  const ends = shown && next.scene.end && relation(shown.scene, next.scene) === "on";
  const moving = !drawn || relation(drawn, next.scene) !== "same";
  return { shown: next, told: ends && moving ? told : next, waiting: [], moving, held: false, drawn: null, since };
}

/**
 * Adds a new value. A move waits until the current animation has ended; a reply waits a moment longer. An undo and
 * another game are shown immediately. A hidden page shows everything immediately.
 * @template T @param {Playback<T>} playback @param {Item<T>} next @param {boolean} [hidden]
 * @returns {Playback<T>}
 */
export function arrived(playback, next, hidden = false) {
  const { shown, waiting, moving } = playback;
  if (!shown) return showing(playback, next);
  const last = waiting.length - 1;
  const how = relation((waiting[last] ?? shown).scene, next.scene);
  if (how === "same" && last >= 0) return { ...playback, waiting: [...waiting.slice(0, last), next] };
  // The position is the same, for example after a resignation or a change of players.
  if (how === "same") return { ...playback, shown: next, told: moving && next.scene.end ? playback.told : next };
  const free = next.own && !moving && last < 0;
  if (how !== "on" || free || hidden) return showing(playback, next);
  return { ...playback, waiting: last + 1 < MOST_WAITING ? [...waiting, next] : [next] };
}

/** Records the end of the animation. @template T @param {Playback<T>} playback @param {number} now */
export const finished = (playback, now) =>
  playback.moving ? { ...playback, told: playback.shown, moving: false, held: false, since: now } : playback;

/**
 * Handles the board's report that the animation leading to a scene has ended or was paused. A view can draw its first
 * scene before the playback has received that scene; the report is then kept.
 * @template T @param {Playback<T>} playback @param {Scene} scene @param {boolean} done `false` if the user has paused
 *   the animation. @param {number} now @returns {Playback<T>}
 */
export function reported(playback, scene, done, now) {
  const { shown } = playback;
  if (!shown) return done ? { ...playback, drawn: scene } : playback;
  if (relation(shown.scene, scene) !== "same") return playback;
  return done ? finished(playback, now) : { ...playback, held: playback.moving };
}

/**
 * Returns how long the next value has to wait, in milliseconds, or `null` if there is none or an animation is running.
 * @template T @param {Playback<T>} playback
 */
export const wait = ({ waiting, moving, since }, /** @type {number} */ now) =>
  moving || waiting.length === 0 ? null : Math.max(0, since + (waiting[0].own ? 0 : waiting[0].pause) - now);

/** Shows the first waiting value. @template T @param {Playback<T>} playback @returns {Playback<T>} */
export function advanced(playback) {
  const [first, ...rest] = playback.waiting;
  return first && !playback.moving ? { ...showing(playback, first), waiting: rest } : playback;
}

/** Skips all waiting values but the last one. @template T @param {Playback<T>} playback */
export const caughtUp = (playback) =>
  playback.waiting.length ? showing(playback, playback.waiting[playback.waiting.length - 1]) : playback;

/**
 * Returns the maximum duration of an animation, in milliseconds. It matters only if the board was removed, because all
 * other boards report the end of an animation.
 * @param {Scene} scene @param {number} wave Milliseconds for a wave of a cascade.
 */
export const longest = (scene, wave) => 2000 + scene.frames.length * wave;
