// The server's results for an analysed game: its scene, the engine's results, the evaluations of all positions.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { keep, recall } from "../state/memory.js";
import { valueOf } from "../state/study.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../state/tree.js").Node} Node */
/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./desk.js").Opinion} Opinion */

/**
 * Returns the scene of a game, or the previous scene until it arrives.
 * @param {Desk} desk @param {Game | null} game
 */
export function useScene(desk, game) {
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    if (!game) return undefined;
    let current = true;
    const key = JSON.stringify(game);
    // The position of the last visit is shown even if the server is unreachable.
    const kept = recall("scene", null);
    if (!scene && kept?.key === key) setScene(kept.scene);
    desk
      .look(game, () => current)
      .then((next) => {
        if (!current) return;
        setScene(next);
        setError("");
        keep("scene", { key, scene: next });
      })
      .catch((reason) => current && setError(reason.message));
    return () => {
      current = false;
    };
  }, [game]);
  return { scene, error };
}

/**
 * Returns the newer of two results, unless it has fewer lines than requested and the older one has more.
 * @param {Opinion | null} now @param {Opinion} next @param {number} wanted
 */
function better(now, next, wanted) {
  if (!now?.thought || !next.thought) return next;
  return next.thought.lines.length < Math.min(wanted, now.thought.lines.length) ? now : next;
}

/**
 * Returns the engine's result for a game, or `null` without a game.
 * @param {Desk} desk @param {Game | null} game @param {number} wanted
 */
export function useOpinion(desk, game, wanted) {
  const [opinion, setOpinion] = useState(/** @type {Opinion | null} */ (null));
  useEffect(() => {
    setOpinion(null);
    if (!game) return undefined;
    return desk.analyse(game, wanted, (next) => setOpinion((now) => better(now, next, wanted)));
  }, [game, wanted]);
  return opinion;
}

/**
 * Returns the game and scene after the side to move has passed, or `null` if they are not requested or the side cannot
 * pass.
 * @param {Desk} desk @param {Game | null} game
 */
export function usePassed(desk, game) {
  const [passed, setPassed] = useState(/** @type {{ of: Game, game: Game, scene: Scene } | null} */ (null));
  useEffect(() => {
    if (!game) return undefined;
    let current = true;
    desk.edit(game, { kind: "turn" }).then(
      (scene) => {
        const { position: start, size } = scene;
        if (current) setPassed({ of: game, game: { game: game.game, size, start, moves: [] }, scene });
      },
      () => {},
    );
    return () => {
      current = false;
    };
  }, [game]);
  return game && passed?.of === game ? passed : null;
}

/**
 * Returns the evaluations of all positions of a line, on request.
 * @param {Desk} desk @param {Game} game @param {Node[]} line Moves of the line. @param {boolean} atOnce
 */
export function useReview(desk, game, line, atOnce) {
  const [judging, setJudging] = useState(atOnce);
  const [judged, setJudged] = useState(
    /** @type {{ line: Node[], values: (Value | null)[], reasons: (string | undefined)[] } | null} */ (null),
  );
  const ready = line.length > 0;
  useEffect(() => {
    if (!judging || !ready) return undefined;
    const values = /** @type {(Value | null)[]} */ (Array(line.length + 1).fill(null));
    const reasons = /** @type {(string | undefined)[]} For each move. */ (Array(line.length + 1));
    return desk.judge(game, ({ ply, thought, reason, done }) => {
      values[ply] = valueOf(thought) ?? values[ply + 1] ?? null;
      reasons[ply + 1] = reason;
      setJudged({ line, values: [...values], reasons: [...reasons] });
      if (done) setJudging(false);
    });
  }, [judging, ready]);
  return { judging: judging && ready, judged, judge: () => setJudging(true), forget: () => setJudged(null) };
}

/**
 * Runs a proof of one position, which continues while the user looks at other positions.
 * @param {Desk} desk
 */
export function useProof(desk) {
  /** @typedef {import("../state/types.js").ProofNews} ProofNews */
  const [proof, setProof] = useState(
    /** @type {{ game: Game, news: ProofNews | null, stop: () => void } | null} */ (null),
  );
  const stop = () => {
    proof?.stop();
    setProof(null);
  };
  /** @param {Game} game */
  const prove = (game) => {
    proof?.stop();
    const end = desk.prove(game, (news) => setProof((now) => (now?.game === game ? { ...now, news } : now)));
    setProof({ game, news: null, stop: end });
  };
  return { proof, prove, stop };
}
