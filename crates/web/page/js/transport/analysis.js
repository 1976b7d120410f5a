// What the server says about the game of an analysis: its scene, the engine's opinion, the values of all its positions.

import { useEffect, useState } from "../../vendor/preact-htm.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./desk.js").Opinion} Opinion */

/**
 * The scene of a game, or the one before as long as it has not come.
 * @param {Desk} desk @param {Game} game @param {() => void} onSeen
 */
export function useScene(desk, game, onSeen) {
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    desk
      .look(game)
      .then((next) => {
        if (!current) return;
        setScene(next);
        setError("");
        onSeen();
      })
      .catch((reason) => current && setError(reason.message));
    return () => {
      current = false;
    };
  }, [game]);
  return { scene, error };
}

/**
 * Of two opinions the newer one, unless it has fewer lines than are wanted and the older one has more.
 * @param {Opinion | null} now @param {Opinion} next @param {number} wanted
 */
function better(now, next, wanted) {
  if (!now?.thought || !next.thought) return next;
  return next.thought.lines.length < Math.min(wanted, now.thought.lines.length) ? now : next;
}

/**
 * What the engine thinks of a game as long as it is on.
 * @param {Desk} desk @param {Game} game @param {number} wanted @param {boolean} on
 */
export function useOpinion(desk, game, wanted, on) {
  const [opinion, setOpinion] = useState(/** @type {Opinion | null} */ (null));
  useEffect(() => {
    setOpinion(null);
    if (!on) return undefined;
    return desk.analyse(game, wanted, (next) => setOpinion((now) => better(now, next, wanted)));
  }, [game, wanted, on]);
  return opinion;
}

/**
 * The values of all positions of a game, when they were asked for.
 * @param {Desk} desk @param {Game} game @param {boolean} atOnce
 */
export function useJudgement(desk, game, atOnce) {
  const [judging, setJudging] = useState(atOnce);
  const [judged, setJudged] = useState(/** @type {{ of: string, values: (Value | null)[] } | null} */ (null));
  const moves = game.moves ?? [];
  const text = moves.join(" ");
  useEffect(() => {
    if (!judging) return undefined;
    const values = /** @type {(Value | null)[]} */ (Array(moves.length + 1).fill(null));
    return desk.judge(game, ({ ply, thought, done }) => {
      values[ply] = thought?.lines[0]?.value ?? values[ply + 1] ?? null;
      setJudged({ of: text, values: [...values] });
      if (done) setJudging(false);
    });
  }, [judging]);
  return {
    judging,
    values: judged?.of === text ? judged.values : null,
    judge: () => setJudging(true),
    forget: () => setJudged(null),
  };
}
