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

/** @type {Map<string, any>} Documents that have come. */
const known = new Map();

/** Before a document is asked for again, in milliseconds. */
const AGAIN = 2000;

/** A document of the server; null until it is there. @param {string} path */
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
        // The server may be starting again.
        () => (timer = window.setTimeout(ask, AGAIN)),
      );
    ask();
    return () => clearTimeout(timer);
  }, [path]);
  return known.get(path) ?? null;
}

/**
 * What is taught about a game, in the language of the page.
 * @param {string} game @returns {import("../state/games.js").Lesson[] | null}
 */
export const useLessons = (game) => useDocument(`games/${game}/lessons/${language}.json`);

/** The link for other devices; null on a server that serves this machine alone. @returns {string | null} */
export const useTableLink = () => useDocument("table.json")?.link ?? null;

/** The puzzles of a game. @param {string} game @returns {import("../state/games.js").Puzzle[] | null} */
export const usePuzzles = (game) => useDocument(`games/${game}/puzzles.json`);
