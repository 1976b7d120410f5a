// The finished games in the server's archive.

import { useCallback, useEffect, useState } from "../../vendor/preact-htm.js";

/** @typedef {import("../state/types.js").Archived} Archived */
/** @typedef {import("./desk.js").Desk} Desk */

/** Number of games for each request. */
const PAGE = 20;

/**
 * Returns the finished games, newest first, and loads more on request.
 * @param {Desk} desk @param {string | null} game Only those of this game.
 */
export function useArchive(desk, game) {
  const [games, setGames] = useState(/** @type {Archived[] | null} */ (null));
  const [count, setCount] = useState(0);
  const [error, setError] = useState("");
  const fail = (/** @type {Error} */ reason) => setError(reason.message);
  useEffect(() => {
    let current = true;
    setGames(null);
    desk
      .archive({ game, skip: 0, count: PAGE })
      .then((listed) => {
        if (!current) return;
        setGames(listed.games);
        setCount(listed.count);
        setError("");
      })
      .catch((reason) => current && fail(reason));
    return () => {
      current = false;
    };
  }, [desk, game]);
  const more = useCallback(() => {
    desk
      .archive({ game, skip: games?.length ?? 0, count: PAGE })
      .then((listed) => {
        // A game may have ended in the meantime: no game is listed twice.
        const known = new Set((games ?? []).map(({ id }) => id));
        setGames([...(games ?? []), ...listed.games.filter(({ id }) => !known.has(id))]);
        setCount(listed.count);
      })
      .catch(fail);
  }, [desk, game, games]);
  const forget = useCallback(
    (/** @type {string} */ name) => {
      desk
        .forget(name)
        .then(() => {
          setGames((now) => now?.filter(({ id }) => id !== name) ?? null);
          setCount((now) => now - 1);
        })
        .catch(fail);
    },
    [desk],
  );
  return { games, count, error, more, forget };
}
