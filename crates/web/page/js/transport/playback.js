// Shows scenes in sequence, at the pace of the board (state/playback.js has the rules).

import { useCallback, useEffect, useState } from "../../vendor/preact-htm.js";
import * as Playback from "../state/playback.js";

/** @typedef {import("../state/types.js").Scene} Scene */

/** Duration of the slowest wave of a cascade, in milliseconds, for boards that do not report its end. */
const SLOWEST_WAVE = 700;

/** @template T */
export function usePlayback() {
  const [playback, setPlayback] = useState(/** @type {Playback.Playback<T>} */ (Playback.NOTHING_SHOWN));
  const { shown, told, waiting, moving, held } = playback;
  const finish = () => setPlayback((now) => Playback.finished(now, performance.now()));
  useEffect(() => {
    if (held) return undefined;
    if (moving && shown) {
      const timer = setTimeout(finish, Playback.longest(shown.scene, SLOWEST_WAVE));
      return () => clearTimeout(timer);
    }
    const ms = Playback.wait(playback, performance.now());
    if (ms === null) return undefined;
    const timer = setTimeout(() => setPlayback(Playback.advanced), ms);
    return () => clearTimeout(timer);
  }, [playback]);
  useEffect(() => {
    const onHide = () => document.hidden && setPlayback(Playback.caughtUp);
    document.addEventListener("visibilitychange", onHide);
    return () => document.removeEventListener("visibilitychange", onHide);
  }, []);
  const receive = useCallback(
    (/** @type {Playback.Item<T>} */ item) => setPlayback((now) => Playback.arrived(now, item, document.hidden)),
    [],
  );
  const onShown = useCallback((/** @type {Scene} */ scene, done = true) => {
    setPlayback((now) => Playback.reported(now, scene, done, performance.now()));
  }, []);
  return {
    /** The value on the board. */
    shown: shown?.value ?? null,
    /** The value described beside the board. */
    told: told?.value ?? null,
    /** Whether more values are waiting than can be shown at normal speed, as when engines play fast. */
    hurry: waiting.length > 1,
    /** Whether no animation is running and no value is waiting. */
    settled: !moving && waiting.length === 0,
    receive,
    onShown,
  };
}

/**
 * Shows scenes that a view requests itself: the moves of the user's side immediately, replies after them.
 * @param {Scene | null} scene @param {number} side The user's side.
 */
export function useShownScene(scene, side) {
  const playback = usePlayback();
  useEffect(() => {
    if (!scene) return;
    playback.receive({ scene, own: scene.turn !== side, pause: Playback.PAUSE, value: scene });
  }, [scene]);
  return { scene: /** @type {Scene | null} */ (playback.shown), settled: playback.settled, onShown: playback.onShown };
}
