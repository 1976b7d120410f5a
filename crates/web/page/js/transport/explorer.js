// The moves of the server's games in a position.

import { useEffect, useState } from "../../vendor/preact-htm.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Openings} Openings */
/** @typedef {import("../state/types.js").Source} Source */

/** Interval between requests while the server is still counting, in milliseconds. */
const AGAIN = 700;

/**
 * Returns the moves played in the position after a game, or those of the previous position until they arrive.
 * @param {import("./desk.js").Desk} desk @param {Game} game @param {Source[]} sources
 */
export function useOpenings(desk, game, sources) {
  const [found, setFound] = useState(/** @type {{ of: Game, openings: Openings } | null} */ (null));
  const [error, setError] = useState("");
  const wanted = sources.join();
  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let current = true;
    const ask = () =>
      desk
        .explore(game, sources)
        .then((openings) => {
          if (!current) return;
          setFound({ of: game, openings });
          setError("");
          if (openings.counting) timer = setTimeout(ask, AGAIN);
        })
        .catch((reason) => current && setError(reason.message));
    ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [desk, game, wanted]);
  return { openings: found?.openings ?? null, isOld: found?.of !== game, error };
}
