// Earlier positions of a running game: those that the board has shown, and others from the server.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { followed, gameUntil, keyOfGame, looked } from "../state/past.js";
import { openDesk } from "./desk.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/past.js").Past} Past */
/** @typedef {import("../state/past.js").Where} Where */

/** Delay before a refused request is sent again, in milliseconds. */
const AGAIN = 1000;
/** Maximum number of kept scenes. */
const MOST = 400;

/** Returns the scenes that the board has shown, by position. @param {Scene} scene */
function useKept(scene) {
  const kept = useRef(/** @type {Map<string, Scene>} */ (new Map()));
  /** @param {Scene} next */
  const add = (next) => {
    // An earlier position shows no result and allows no move.
    kept.current.set(keyOfGame(gameUntil(next)), { ...next, end: null, moves: [], lines: [] });
    if (kept.current.size > MOST) kept.current.delete(kept.current.keys().next().value ?? "");
  };
  useEffect(() => add(scene), [scene]);
  return { scenes: kept.current, add };
}

/**
 * Holds the earlier position that the user looks at.
 * @param {Scene} scene The present.
 */
export function usePast(scene) {
  const [wanted, setWanted] = useState(/** @type {Past | null} */ (null));
  const { scenes, add } = useKept(scene);
  const [, draw] = useState(0);
  const past = followed(wanted, scene);
  const game = past && { ...past.game, moves: past.game.moves?.slice(0, past.ply) };
  const key = game ? keyOfGame(game) : "";
  const desk = useRef(/** @type {import("./desk.js").Desk | null} */ (null));
  useEffect(() => () => desk.current?.close(), []);
  useEffect(() => setWanted(past), [past?.ply, past?.fresh, past === null]);
  useEffect(() => {
    if (!game || scenes.has(key)) return undefined;
    const { look } = (desk.current ??= openDesk());
    let current = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const ask = () =>
      look(game, () => current).then(
        (next) => {
          add(next);
          if (current) draw((count) => count + 1);
        },
        () => {
          if (current) timer = setTimeout(ask, AGAIN);
        },
      );
    ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  // Until the position arrives, the board and the ribbon show the previous one.
  /** @type {{ current: Scene | null }} */
  const shown = useRef(null);
  if (!past) shown.current = null;
  else if (scenes.has(key)) shown.current = scenes.get(key) ?? null;
  /** @param {Where} where */
  const go = (where) => setWanted((now) => looked(followed(now, scene), scene, where));
  return { scene: shown.current, ply: past?.ply ?? null, fresh: past?.fresh ?? false, go, back: () => setWanted(null) };
}

/** @typedef {ReturnType<typeof usePast>} LookBack */
