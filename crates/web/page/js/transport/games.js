// The games, their lessons and their puzzles, from the server.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { language } from "../text/index.js";
import { aboutInWords } from "./translated.js";

/** @param {string} path @returns {Promise<any>} */
async function fetched(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** @returns {Promise<import("../state/games.js").About[]>} */
export const fetchGames = () => fetched("games.json").then((games) => games.map(aboutInWords));

/** @type {Map<string, any>} Documents that have arrived. */
const known = new Map();

/** Delay before a failed request is retried, in milliseconds. */
const AGAIN = 2000;

/** Returns a document from the server, or `null` until it arrives. @param {string} path */
function useDocument(path) {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (known.has(path)) return undefined;
    let timer = 0;
    const ask = () =>
      fetched(path).then(
        (document) => {
          known.set(path, document);
          setCount((count) => count + 1);
        },
        // The server may be restarting.
        () => (timer = window.setTimeout(ask, AGAIN)),
      );
    ask();
    return () => clearTimeout(timer);
  }, [path]);
  return known.get(path) ?? null;
}

/**
 * Returns the lessons of a game in the language of the page.
 * @param {string} game @returns {import("../state/games.js").Lesson[] | null}
 */
export const useLessons = (game) => useDocument(`games/${game}/lessons/${language}.json`);

/** Returns the link for other devices, or `null` on a server without network access. @returns {string | null} */
export const useTableLink = () => useDocument("table.json")?.link ?? null;

/** Returns the puzzles of a game. @param {string} game @returns {import("../state/games.js").Puzzle[] | null} */
export const usePuzzles = (game) => useDocument(`games/${game}/puzzles.json`);
