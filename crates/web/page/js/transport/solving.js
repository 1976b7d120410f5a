// One puzzle being solved: the user's moves, the defence, and finally the line to step through.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { winIn } from "../state/puzzle.js";
import { text } from "../text/index.js";
import { useShownScene } from "./playback.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Variation} Variation */
/** @typedef {import("../state/games.js").Puzzle} Puzzle */
/** @typedef {import("./desk.js").Desk} Desk */
/** The phase of a puzzle. @typedef {"open" | "checking" | "answered" | "wrong" | "solved" | "shown"} Phase */
/**
 * The message to show: its kind, the assessed move, and the reply.
 * @typedef {{ kind: "task" | "good" | "wrong" | "lost" | "draw" | "unclear" | "solved" | "shown" | "failed", move?:
 *   string, answer?: string }} News
 */
/**
 * The moves from the puzzle's start, and the number of moves on the board.
 * @typedef {{ moves: string[], at: number }} Line
 */

/** Maximum search time for one position, in milliseconds. The wins of all puzzles are proven much faster. */
const LONGEST_LOOK = 6000;
/** Delay between two moves of an automatic line, in milliseconds. */
const PACE = 1100;
/** Maximum number of plies of a refutation that are shown. */
const REFUTATION = 7;
/** Minimum evaluation of a good position without a proven win, in hundredths of a piece. */
const GOOD = 300;

/**
 * Returns the engine's first result with a proof, or its last result.
 * @param {Desk} desk @param {Game} game @returns {Promise<Variation | null>}
 */
function judge(desk, game) {
  return new Promise((resolve, reject) => {
    /** @type {Variation | null} */
    let best = null;
    const end = () => {
      clearTimeout(timer);
      stop();
      if (best || heard) resolve(best);
      else reject(new Error(text.common.lost));
    };
    let heard = false;
    const timer = setTimeout(end, LONGEST_LOOK);
    const stop = desk.analyse(game, 1, ({ thought, done }) => {
      heard = true;
      best = thought?.lines[0] ?? null;
      if (done || !best || !("units" in best.value)) end();
    });
  });
}

/**
 * Returns `true` if a value is good for a side without being a proven win.
 * @param {Variation | null} answer @param {number} side
 */
const isGood = (answer, side) =>
  !!answer && "units" in answer.value && (side === 0 ? answer.value.units : -answer.value.units) >= GOOD;

/**
 * Returns the scene of a line, shown at the pace of the board.
 * @param {Desk} desk @param {Game} game @param {Line} line @param {Scene} first Scene of the puzzle's start.
 */
function useLineScene(desk, { game, start }, line, first) {
  const [scene, setScene] = useState(first);
  const solver = first.turn;
  // Every scene is shown: first the user's move, then the reply. Only scenes that arrive out of order are dropped.
  const counts = useRef({ asked: 0, shown: 0 });
  const moves = line.moves.slice(0, line.at);
  useEffect(() => {
    const number = (counts.current.asked += 1);
    // The first scene is already available.
    if (number === 1 && moves.length === 0) return;
    desk.look({ game, start, moves }).then(
      (next) => {
        if (number <= counts.current.shown) return;
        counts.current.shown = number;
        setScene(next);
      },
      // Without a connection the board is unchanged, and the user can repeat the move.
      () => undefined,
    );
  }, [start, moves.join(" ")]);
  const shown = useShownScene(scene, solver);
  /** Whether the board shows the line, and no animation is running. */
  const arrived = shown.settled && shown.scene === scene && scene.ply === line.at;
  return { scene: shown.scene ?? first, arrived, onShown: shown.onShown, solver };
}

/**
 * @param {Desk} desk @param {string} game @param {Puzzle} puzzle @param {Scene} first Scene of the puzzle's start.
 * @param {(points: number, gaveUp?: boolean) => void} onResult Called with 1 for solved, 0.5 with a hint, 0 for missed.
 *   `gaveUp`: the user saw the solution without a try.
 */
export function useSolving(desk, game, puzzle, first, onResult) {
  const { start, task, solution } = puzzle;
  const [line, setLine] = useState(/** @type {Line} */ ({ moves: [], at: 0 }));
  const [phase, setPhase] = useState(/** @type {Phase} */ ("open"));
  const [news, setNews] = useState(/** @type {News} */ ({ kind: "task" }));
  const [hints, setHints] = useState(0);
  const [playing, setPlaying] = useState(false);
  const helped = useRef(false);
  const hasTried = useRef(false);
  const board = useLineScene(desk, { game, start }, line, first);
  // Results that arrive after the puzzle was left or restarted are dropped.
  const begun = useRef(0);
  const isCurrent = () => {
    const now = begun.current;
    return () => begun.current === now;
  };
  useEffect(() => () => void (begun.current += 1), []);

  // Plays a line automatically. Each move waits until the board has shown the previous one.
  useEffect(() => {
    if (!playing || !board.arrived) return undefined;
    if (line.at >= line.moves.length) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setLine((now) => ({ ...now, at: now.at + 1 })), PACE);
    return () => clearTimeout(timer);
  }, [playing, line, board.arrived]);

  /** @param {string[]} moves */
  const show = (moves) => setLine({ moves, at: moves.length });

  /** @param {string[]} tried The line with the wrong move. @param {News} what @param {string[]} answer */
  function miss(tried, what, answer) {
    setPhase("wrong");
    setNews(what);
    setLine({ moves: [...tried, ...answer.slice(0, REFUTATION)], at: tried.length });
    setPlaying(answer.length > 0);
    onResult(0);
  }

  /** @param {string} move */
  function solve(move) {
    setPhase("solved");
    setNews({ kind: "solved", move });
    onResult(helped.current ? 0.5 : 1);
  }

  /** Plays the defence. @param {string[]} tried @param {string} answer @param {() => boolean} current */
  async function reply(tried, answer, current) {
    const next = await desk.look({ game, start, moves: [...tried, answer] });
    if (!current()) return undefined;
    show([...tried, answer]);
    const move = tried[tried.length - 1];
    if (next.end?.winner === board.solver) return solve(move);
    setPhase("open");
    setNews({ kind: "good", move, answer });
    return undefined;
  }

  /** Evaluates a move that differs from the solution. @param {string[]} tried @param {() => boolean} current */
  async function weigh(tried, current) {
    const move = tried[tried.length - 1];
    const after = await desk.look({ game, start, moves: tried });
    if (!current()) return undefined;
    if (after.end?.winner === board.solver && task[0] === "win") return solve(move);
    if (after.end) return miss(tried, { kind: after.end.winner === null ? "draw" : "lost", move }, []);
    const answer = await judge(desk, { game, start, moves: tried });
    if (!current()) return undefined;
    const [best = ""] = answer?.moves ?? [];
    if (task[0] === "win" && best && winIn(answer?.value, board.solver) !== null) return reply(tried, best, current);
    const loses = winIn(answer?.value, 1 - board.solver) !== null;
    const kind = loses ? "lost" : isGood(answer, board.solver) ? "unclear" : "wrong";
    return miss(tried, { kind, move, answer: best }, answer?.moves ?? []);
  }

  /** Plays a move of the user. @param {string} move */
  async function attempt(move) {
    const tried = [...line.moves, move];
    const current = isCurrent();
    hasTried.current = true;
    show(tried);
    setHints(0);
    const known = tried.every((text, i) => text === solution[i]);
    setPhase(known ? "answered" : "checking");
    try {
      if (!known) return await weigh(tried, current);
      if (tried.length >= solution.length) return solve(move);
      setNews({ kind: "good", move });
      return await reply(tried, solution[tried.length], current);
    } catch {
      if (current()) {
        setPhase("open");
        setNews({ kind: "failed" });
        show(line.moves);
      }
      return undefined;
    }
  }

  /** Returns to the position before the wrong move, or to the start. */
  function again() {
    begun.current += 1;
    setPlaying(false);
    setHints(0);
    setNews({ kind: "task" });
    const right = line.moves.findIndex((text, i) => text !== solution[i]);
    show(phase === "wrong" && right >= 0 ? solution.slice(0, right - (right % 2)) : []);
    setPhase("open");
  }

  function showSolution() {
    begun.current += 1;
    onResult(0, !hasTried.current);
    setHints(0);
    setPhase("shown");
    setNews({ kind: "shown" });
    setLine({ moves: solution, at: 0 });
    setPlaying(true);
  }

  /** Next move of the solution, if the line has followed the solution; otherwise `undefined`. */
  const next = line.moves.every((text, i) => text === solution[i]) ? solution[line.moves.length] : undefined;

  const path = board.scene.moves.find((way) => way.text === next)?.path ?? [];
  /** Number of hints: the piece, then the move. A move of one square has only one hint. */
  const mostHints = Math.min(2, path.length);

  function hint() {
    helped.current = true;
    setHints(Math.min(mostHints, hints + 1));
  }

  /** Shows another position of the line. @param {number} at */
  function go(at) {
    setPlaying(false);
    setLine({ ...line, at: Math.max(0, Math.min(line.moves.length, at)) });
  }

  return { board, line, phase, news, hints, mostHints, next, attempt, again, showSolution, hint, go };
}

/** @typedef {ReturnType<typeof useSolving>} Solving */
