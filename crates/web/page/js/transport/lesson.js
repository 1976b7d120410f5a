// A step of a lesson: the user's move, the reply, and the undo of a wrong move.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { isRight } from "../state/course.js";
import { useShownScene } from "./playback.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/games.js").Step} Step */
/** @typedef {import("./desk.js").Desk} Desk */

/** Delay before a wrong move is taken back, and between the moves after a right one, in milliseconds. */
const PACE = 1300;
/** Delay before the next step starts, and additional delay for each letter of the praise, in milliseconds. */
const PRAISE = 1500;
const A_LETTER = 45;

/** The state of a step. @typedef {{ key: string, played: string[], misses: number, said: Said }} Tried */
/** The subject of the text. @typedef {"task" | "right" | "wrong"} Said */

/**
 * @param {Desk} desk @param {string} game @param {Step} step @param {string} key Identifies this run of the step. A
 *   new run resets the step, but keeps the board.
 * @param {() => void} onDone Called when the step is finished.
 * @param {(() => void) | null} goOn Starts the next step of the lesson.
 */
export function useStep(desk, game, step, key, onDone, goOn) {
  /** @type {Tried} */
  const fresh = { key, played: [], misses: 0, said: step.find ? "task" : "right" };
  const [kept, setKept] = useState(fresh);
  const now = kept.key === key ? kept : fresh;
  /** @param {Partial<Tried>} change */
  const set = (change) => setKept((before) => ({ ...(before.key === key ? before : fresh), ...change }));
  const { played, misses, said } = now;
  const board = useBoard(desk, { game, start: step.start, moves: [...step.moves, ...played] });
  const right = played.length > 0 && isRight(step, played[0]);
  const whole = board.arrived && (!step.find || (right && played.length > step.then.length));

  const told = useRef("");
  useEffect(() => {
    if (!whole || told.current === key) return;
    told.current = key;
    onDone();
  }, [whole, key]);

  // The automatic actions. Each waits until the board has shown the previous moves.
  useEffect(() => {
    if (!board.arrived || played.length === 0) return undefined;
    set({ said: right ? "right" : "wrong" });
    /** @type {[() => void, number] | null} */
    let next = null;
    if (!right) next = [() => set({ played: [] }), PACE];
    else if (!whole) next = [() => set({ played: [...played, step.then[played.length - 1]] }), PACE];
    else if (goOn) next = [goOn, PRAISE + A_LETTER * (step.right?.length ?? 0)];
    if (!next) return undefined;
    const timer = setTimeout(...next);
    return () => clearTimeout(timer);
  }, [board.arrived, key, played]);

  /** @param {string} move */
  const attempt = (move) => set({ played: [move], misses: misses + (isRight(step, move) ? 0 : 1) });
  const open = !!step.find && played.length === 0 && board.arrived && !board.scene?.end;
  return { board, said, misses, open, whole, attempt };
}

/**
 * Returns the board after some moves.
 * @param {Desk} desk @param {{ game: string, start: string | null, moves: string[] }} at
 */
function useBoard(desk, { game, start, moves }) {
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const [error, setError] = useState("");
  const key = `${game} ${start} ${moves.join(" ")}`;
  const [shownKey, setShownKey] = useState("");
  useEffect(() => {
    let current = true;
    desk.look({ game, start, moves }, () => current).then(
      (next) => {
        if (!current) return;
        setScene(next);
        setShownKey(key);
        setError("");
      },
      (reason) => current && setError(reason.message),
    );
    return () => {
      current = false;
    };
  }, [key]);
  // Every move is shown immediately, because this module adds the pauses.
  const { scene: shown, settled, onShown } = useShownScene(scene, scene ? 1 - scene.turn : 0);
  return { scene: shown, arrived: settled && shown === scene && shownKey === key, onShown, error };
}
