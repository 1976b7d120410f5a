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
 * The result for a position: its value, the best moves, and the reason why the played move was bad or good.
 * @typedef {{ value: Value, line: string[], reason?: string }} Known
 */
/** @typedef {{ scene: Scene | null, known: (Known | null)[], done: boolean }} Reviewed */

/** The last review, so that the next view of the same game shows it at once. */
let last = { game: "", reviewed: /** @type {Reviewed} */ ({ scene: null, known: [], done: false }) };

/** Identifies a game. @param {Game | null} game */
const keyOf = (game) => game && JSON.stringify([game.game, game.size, game.start, game.moves]);

/** @param {import("./desk.js").Opinion} opinion @returns {Known | null} */
function knownOf({ thought, reason }) {
  const value = valueOf(thought);
  return value && { value, line: bestLines(thought, 1)[0]?.moves ?? [], reason };
}

/**
 * Evaluates a whole game.
 * @param {Desk} desk @param {Game | null} game
 */
export function useReviewed(desk, game) {
  const kept = last.game === keyOf(game);
  const [reviewed, setReviewed] = useState(kept ? last.reviewed : { scene: null, known: [], done: false });
  const [error, setError] = useState(game === null);
  useEffect(() => {
    if (!game || kept) return undefined;
    let stop = () => {};
    let current = true;
    const all = /** @type {(Known | null)[]} */ (Array((game.moves?.length ?? 0) + 1).fill(null));
    /** @param {Scene} scene */
    const judge = (scene) => {
      /** @param {boolean} done */
      const show = (done) => {
        const next = { scene, known: [...all], done };
        if (done) last = { game: keyOf(game) ?? "", reviewed: next };
        setReviewed(next);
      };
      show(false);
      stop = desk.judge(game, (opinion) => {
        all[opinion.ply] = knownOf(opinion) ?? (scene.end && { value: valueOfEnd(scene.end), line: [] });
        show(opinion.done);
      });
    };
    desk.look(game).then(
      (scene) => current && judge(scene),
      () => current && setError(true),
    );
    return () => {
      current = false;
      stop();
    };
  }, []);
  const { scene } = reviewed;
  return { ...reviewed, first: scene ? firstSide(scene) : 0, error };
}

/**
 * Evaluates the position after a tried move, with the same limits as the positions of the game.
 * @param {Desk} desk @param {Game} game The game with the move. @returns {Promise<Known | null>}
 */
export async function judgeAfter(desk, game) {
  const { game: name, size, end, position } = await desk.look(game);
  if (end) return { value: valueOfEnd(end), line: [] };
  return new Promise((resolve) => {
    desk.judge({ game: name, size, start: position, moves: [] }, (opinion) => {
      if (opinion.done) resolve(knownOf(opinion));
    });
  });
}
