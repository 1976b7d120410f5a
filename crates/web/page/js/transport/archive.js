// The finished games in the server's archive.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";

/** @typedef {import("../state/types.js").Archived} Archived */
/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {{ games: Archived[] | null, count: number }} Listed */

/** Number of games for each request. */
const PAGE = 20;

/** @type {Listed} */
const NOTHING = { games: null, count: 0 };

/**
 * Returns the finished games, newest first, and loads more on request. Requests are sent one after the other, because
 * each needs the result of the previous one.
 * @param {Desk} desk @param {string | null} game Restricts the list to this game.
 * @param {"won" | "lost" | "draw" | null} result Restricts the list to this result of the only person.
 */
export function useArchive(desk, game, result = null) {
  const [listed, setListed] = useState(NOTHING);
  const [error, setError] = useState("");
  /** The list and its number. A new list has another number, so that answers for an old one are dropped. */
  const now = useRef({ ...NOTHING, number: 0 });
  const queue = useRef(Promise.resolve());

  /**
   * Changes the list by a request.
   * @param {(list: Listed) => Promise<Listed>} request
   */
  const change = (request) => {
    const { number } = now.current;
    const isCurrent = () => now.current.number === number;
    queue.current = queue.current.then(async () => {
      if (!isCurrent()) return;
      try {
        const next = await request(now.current);
        if (!isCurrent()) return;
        now.current = { ...next, number };
        setListed(next);
        setError("");
      } catch (reason) {
        if (isCurrent()) setError(/** @type {Error} */ (reason).message);
      }
    });
  };
  const more = () =>
    change(async ({ games }) => {
      const known = games ?? [];
      const next = await desk.archive({ game, result, skip: known.length, count: PAGE });
      // A game that has ended in the meantime shifts the pages, so duplicates are removed.
      const ids = new Set(known.map(({ id }) => id));
      return { games: [...known, ...next.games.filter(({ id }) => !ids.has(id))], count: next.count };
    });
  /** @param {string} name */
  const forget = (name) =>
    change(async ({ games, count }) => {
      await desk.forget(name);
      return { games: games?.filter(({ id }) => id !== name) ?? null, count: count - 1 };
    });
  useEffect(() => {
    now.current = { ...NOTHING, number: now.current.number + 1 };
    setListed(NOTHING);
    setError("");
    more();
    return () => void (now.current.number += 1);
  }, [desk, game, result]);
  return { ...listed, error, more, forget };
}
