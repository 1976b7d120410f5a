// Puzzles: positions that are won by force; every move that keeps the win is right.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { Button, Select, Token } from "../panels/controls.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import { NO_SCORE, firstOpen, scored, taskText, winIn } from "../state/puzzle.js";
import { toLink } from "../state/share.js";
import { spoken } from "../state/words.js";
import { useDesk } from "../transport/desk.js";
import { usePuzzles } from "../transport/games.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Variation} Variation */
/** @typedef {import("../state/games.js").Puzzle} Puzzle */
/** @typedef {import("../state/puzzle.js").Score} Score */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../transport/desk.js").Desk} Desk */
/** How far a puzzle is. @typedef {"open" | "checking" | "wrong" | "solved" | "shown"} State */

/** The longest search for one position, in milliseconds; the wins of all puzzles are proven much sooner. */
const LONGEST_LOOK = 6000;
/** Between two moves of a solution, in milliseconds. */
const SOLUTION_PACE = 900;

/**
 * The engine's first opinion that proves something, or its last one.
 * @param {Desk} desk @param {Game} game @returns {Promise<Variation | null>}
 */
function judge(desk, game) {
  return new Promise((resolve) => {
    /** @type {Variation | null} */
    let best = null;
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve(best);
    };
    const timer = setTimeout(end, LONGEST_LOOK);
    const stop = desk.analyse(game, 1, ({ thought, done }) => {
      best = thought?.lines[0] ?? null;
      if (done || !best || !("units" in best.value)) end();
    });
  });
}

/**
 * One puzzle: the board, the user's moves and the engine's answers.
 * @param {Desk} desk @param {string} game @param {Puzzle} puzzle @param {(right: boolean) => void} onScore
 */
function usePuzzle(desk, game, [start], onScore) {
  const [moves, setMoves] = useState(/** @type {string[]} */ ([]));
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const [solver, setSolver] = useState(0);
  const [state, setState] = useState(/** @type {State} */ ("open"));
  const [said, setSaid] = useState("");
  // An answer or a solution that comes after the puzzle was closed or begun again is dropped.
  const begun = useRef(0);
  const isCurrent = () => {
    const now = begun.current;
    return () => begun.current === now;
  };
  useEffect(() => () => void (begun.current += 1), []);

  useEffect(() => {
    let current = true;
    desk.look({ game, start, moves }).then((next) => {
      if (!current) return;
      setScene(next);
      if (moves.length === 0) setSolver(next.turn);
    });
    return () => {
      current = false;
    };
  }, [moves]);

  const again = () => {
    begun.current += 1;
    setMoves([]);
    setState("open");
    setSaid("");
  };

  /** @param {import("../state/types.js").End} end */
  const finish = (end) => {
    const won = end.winner === solver;
    setState(won ? "solved" : "wrong");
    setSaid(end.text);
    onScore(won);
  };

  /** Plays a move of the user, and the engine's defence if it keeps the win. @param {string} text */
  async function attempt(text) {
    const [tried, current] = [[...moves, text], isCurrent()];
    setMoves(tried);
    setState("checking");
    const after = await desk.look({ game, start, moves: tried });
    if (!current()) return;
    if (after.end) return finish(after.end);
    const answer = await judge(desk, { game, start, moves: tried });
    if (!current()) return;
    if (winIn(answer?.value, solver) === null) {
      setState("wrong");
      setSaid(`${text} lets the win go.`);
      return onScore(false);
    }
    const replied = [...tried, ...(answer?.moves.slice(0, 1) ?? [])];
    const next = await desk.look({ game, start, moves: replied });
    if (!current()) return;
    setMoves(replied);
    if (next.end) return finish(next.end);
    setState("open");
    setSaid("Right. Go on.");
  }

  async function showSolution() {
    const current = isCurrent();
    setState("shown");
    const answer = await judge(desk, { game, start, moves: [] });
    if (!current()) return;
    onScore(false);
    const solution = answer?.moves ?? [];
    setSaid(`The win: ${solution.join(" ") || "?"}`);
    for (let i = 1; i <= solution.length && current(); i += 1) {
      setMoves(solution.slice(0, i));
      await new Promise((resolve) => setTimeout(resolve, SOLUTION_PACE));
    }
  }

  return { scene, moves, solver, state, said, again, attempt, showSolution };
}

/**
 * @typedef {object} OnePuzzleProps
 * @property {Desk} desk
 * @property {string} game
 * @property {Puzzle[]} all
 * @property {number} number From 0.
 * @property {Score} score
 * @property {Settings} settings
 * @property {(right: boolean) => void} onScore
 * @property {(game: string, number?: number) => void} onOpen
 */

/** @param {OnePuzzleProps} props */
function OnePuzzle({ desk, game, all, number, score, settings, onScore, onOpen }) {
  const puzzle = usePuzzle(desk, game, all[number], onScore);
  const { scene, moves, solver, state, said, again, attempt, showSolution } = puzzle;
  if (!scene) return html`<${Waiting} />`;
  const [start, plies] = all[number];
  const task = taskText(scene.sides[solver], plies);
  const hint = `Puzzle ${number + 1} of ${all.length}. Every move that keeps the win counts as right.`;
  const text = state === "checking" ? "Looking …" : state === "solved" ? `Solved! ${said}` : said || hint;
  const tone = state === "wrong" ? "error" : state === "solved" ? "success" : "quiet";
  const next = () => onOpen(game, (number + 1) % all.length);
  const openOther = (/** @type {number} */ i) => onOpen(game, i);
  const games = allGames().map(({ name, title }) => [name, title]);
  return html`<main class="game">
    <h1 class="unseen">Puzzles</h1>
    <section class="board-side" aria-label="Board">
      <${Board}
        scene=${scene}
        flip=${false}
        active=${state === "open" && !scene.end}
        labels=${settings.labels}
        speed=${settings.speed}
        groups=${settings.groups}
        name=${`Puzzle: ${task}`}
        onMove=${attempt}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label="Puzzle">
      <div class="row">
        <${Select} label="Game" value=${game} options=${games} onChange=${onOpen} />
        <p class="streak"><b>${score.streak}</b> in a row<br /><span class="quiet">best ${score.best}</span></p>
      </div>
      <h2><${Token} game=${game} side=${solver} /> ${task}</h2>
      <p class=${tone} role="status">${text}</p>
      <div class="buttons">
        ${state === "wrong" && html`<${Button} label="Try again" kind="primary" onClick=${again} />`}
        ${state === "solved" && html`<${Button} label="Next puzzle" kind="primary" onClick=${next} />`}
        <${Button}
          label="Show the solution"
          disabled=${state === "solved" || state === "shown" || state === "checking"}
          onClick=${showSolution}
        />
        <a class="button" href=${`#/analyse?${toLink({ game, start, moves })}`}>Analyse</a>
      </div>
      <${Dots} all=${all} solved=${score.solved[game] ?? []} at=${number} onOpen=${openOther} />
    </section>
  </main>`;
}

/**
 * A dot for each puzzle, with its number of moves.
 * @param {{ all: Puzzle[], solved: number[], at: number, onOpen: (number: number) => void }} props
 */
function Dots({ all, solved, at, onOpen }) {
  /** @param {Puzzle} puzzle @param {number} i */
  const dot = ([, plies], i) => {
    const done = solved.includes(i);
    const length = Math.ceil(plies / 2);
    return html`<button
      type="button"
      class=${done ? "dot done" : "dot"}
      aria-current=${i === at ? "true" : undefined}
      aria-label=${`Puzzle ${i + 1}, ${length} moves${done ? ", solved" : ""}`}
      onClick=${() => onOpen(i)}
    >
      ${length}
    </button>`;
  };
  return html`<div class="dots" role="group" aria-label="All puzzles">${all.map(dot)}</div>`;
}

/** The puzzles of one game have not come yet. */
function Waiting() {
  return html`<main class="wait"><p role="status">Setting up the board …</p></main>`;
}

/** @param {{ settings: Settings }} props */
export function Puzzles(props) {
  expect("Puzzles", props, { settings: "object" });
  const [game, setGame] = useState(() => about(recall("puzzles.game", "")).name);
  const [score, setScore] = useState(/** @type {Score} */ (recall("puzzles", NO_SCORE)));
  /** The puzzle that was chosen; the first open one if none was. */
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const [times, setTimes] = useState(0);
  const desk = useDesk();
  const all = usePuzzles(game);
  if (!all) return html`<${Waiting} />`;
  const number = chosen ?? firstOpen(all, score.solved[game] ?? []);
  /** @param {string} nextGame @param {number} [next] */
  const open = (nextGame, next) => {
    setGame(nextGame);
    keep("puzzles.game", nextGame);
    setChosen(next ?? null);
    setTimes(times + 1);
  };
  /** @param {boolean} right */
  const onScore = (right) => {
    const next = scored(score, game, number, right);
    // The puzzle stays open when it is solved.
    setChosen(number);
    setScore(next);
    keep("puzzles", next);
  };
  const key = `${game} ${number} ${times}`;
  return html`<${OnePuzzle}
    key=${key}
    desk=${desk}
    game=${game}
    all=${all}
    number=${number}
    score=${score}
    settings=${props.settings}
    onScore=${onScore}
    onOpen=${open}
  />`;
}
