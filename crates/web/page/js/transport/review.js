// The server's results for a reviewed game: the value and the best line of every position, and of a tried move.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { valueOfEnd } from "../state/review.js";
import { firstSide } from "../state/scene.js";
import { bestLines, valueOf } from "../state/study.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("./desk.js").Desk} Desk */
/**
 * The result for a position: its value, and the best moves.
 * @typedef {{ value: Value, line: string[] }} Known
 */

/** @param {import("../state/types.js").Thought | null} thought @returns {Known | null} */
function knownOf(thought) {
  const value = valueOf(thought);
  return value && { value, line: bestLines(thought, 1)[0]?.moves ?? [] };
}

/**
 * Evaluates a whole game.
 * @param {Desk} desk @param {Game | null} game
 */
export function useReviewed(desk, game) {
  const [scene, setScene] = useState(/** @type {Scene | null} The last position. */ (null));
  const [known, setKnown] = useState(/** @type {(Known | null)[]} */ ([]));
  const [done, setDone] = useState(false);
  const [error, setError] = useState(game === null);
  useEffect(() => {
    if (!game) return undefined;
    let stop = () => {};
    let current = true;
    const all = /** @type {(Known | null)[]} */ (Array((game.moves?.length ?? 0) + 1).fill(null));
    /** @param {Scene} last */
    const judge = (last) => {
      setScene(last);
      stop = desk.judge(game, ({ ply, thought, done: finished }) => {
        const position = knownOf(thought);
        if (position) all[ply] = position;
        else if (last.end) all[ply] = { value: valueOfEnd(last.end), line: [] };
        setKnown([...all]);
        if (finished) setDone(true);
      });
    };
    desk.look(game).then(
      (last) => current && judge(last),
      () => current && setError(true),
    );
    return () => {
      current = false;
      stop();
    };
  }, []);
  return { scene, first: scene ? firstSide(scene) : 0, known, done, error };
}

/**
 * Evaluates the position after a tried move, with the same limits as the positions of the game.
 * @param {Desk} desk @param {Game} game The game with the move. @returns {Promise<Known | null>}
 */
export async function judgeAfter(desk, game) {
  const { game: name, size, end, position } = await desk.look(game);
  if (end) return { value: valueOfEnd(end), line: [] };
  return new Promise((resolve) => {
    desk.judge({ game: name, size, start: position, moves: [] }, ({ thought, done }) => {
      if (done) resolve(knownOf(thought));
    });
  });
}
