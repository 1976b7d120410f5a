// Pictures of the games, as scenes from the server.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { allGames } from "../state/games.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("./desk.js").Desk} Desk */

/** @type {Map<string, Scene>} The pictures that have arrived, by game. */
const known = new Map();

/** Returns the pictures of all games that have arrived. @param {Desk} desk @returns {Map<string, Scene>} */
export function usePictures(desk) {
  const [, setCount] = useState(known.size);
  useEffect(() => {
    for (const { name, picture } of allGames()) {
      if (known.has(name)) continue;
      desk.look({ game: name, start: picture }).then(
        (scene) => {
          known.set(name, scene);
          setCount(known.size);
        },
        () => undefined,
      );
    }
  }, [desk]);
  return known;
}

/**
 * Returns the board of one game, or `null` until it arrives.
 * @param {Desk} desk @param {Game | null} game @returns {Scene | null}
 */
export function usePicture(desk, game) {
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const key = JSON.stringify(game);
  useEffect(() => {
    let current = true;
    if (game) {
      desk.look(game, () => current).then(
        (next) => current && setScene(next),
        () => undefined,
      );
    }
    return () => {
      current = false;
    };
  }, [key]);
  return scene;
}
