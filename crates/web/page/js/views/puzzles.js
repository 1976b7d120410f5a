// The puzzles: a rated mode, themes, numbers, and the puzzle of the day.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { PuzzleButtons, PuzzleLine, Task, Verdict, taskText } from "../panels/puzzle.js";
import { AllPuzzles, PuzzleChoice, Standing } from "../panels/puzzleset.js";
import { expect } from "../state/check.js";
import { dayNumber } from "../state/daily.js";
import { about, gameWith } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import {
  NO_PROGRESS,
  choose,
  gameOfTheDay,
  puzzleOfTheDay,
  skillIn,
  solvedOfDay,
  themesOf,
  tried,
  wasTried,
} from "../state/puzzle.js";
import { toLink } from "../state/share.js";
import { spoken } from "../state/words.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { usePuzzles } from "../transport/games.js";
import { useSolving } from "../transport/solving.js";

/** @typedef {import("../state/games.js").Puzzle} Puzzle */
/** @typedef {import("../state/puzzle.js").Mode} Mode */
/** @typedef {import("../state/puzzle.js").Progress} Progress */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../transport/desk.js").Desk} Desk */
/** @typedef {import("../transport/solving.js").Solving} Solving */

/** Parses a link to a puzzle: its game, its number, or the puzzle of the day. @param {string} query */
function wanted(query) {
  const values = new URLSearchParams(query);
  const game = values.get("game");
  const number = Number(values.get("number")) - 1;
  const day = values.has("day");
  /** @type {Mode | null} */
  const mode = day ? "day" : number >= 0 ? "number" : null;
  return { game: day ? gameOfTheDay(new Date()) : game && gameWith("puzzles", game).name, number, mode };
}

/** Holds the user's progress, stored in the browser. */
function useProgress() {
  const [progress, setProgress] = useState(
    () => /** @type {Progress} */ ({ ...NO_PROGRESS, ...recall("puzzles.progress", {}) }),
  );
  /** @param {Progress} next */
  const set = (next) => {
    keep("puzzles.progress", next);
    setProgress(next);
  };
  return /** @type {[Progress, typeof set]} */ ([progress, set]);
}

/** Holds the selection: at first the link's, then the user's. @param {string} query */
function useChoice(query) {
  const asked = wanted(query);
  const [game, setGame] = useState(() => asked.game ?? gameWith("puzzles", recall("puzzles.game", "")).name);
  const [mode, setMode] = useState(() => asked.mode ?? /** @type {Mode} */ ("rated"));
  const [theme, setTheme] = useState("");
  /** @type {[number | null, (number: number | null) => void]} */
  const [number, setNumber] = useState(/** @type {number | null} */ (asked.mode === "number" ? asked.number : null));
  return { game, setGame, mode, setMode, theme, setTheme, number, setNumber };
}

/** @param {{ settings: Settings, query: string }} props */
export function Puzzles(props) {
  expect("Puzzles", props, { settings: "object", query: "string" });
  const desk = useDesk();
  const [progress, setProgress] = useProgress();
  const choice = useChoice(props.query);
  const { game, mode, theme } = choice;
  const [round, setRound] = useState(0);
  const all = usePuzzles(game);
  // The chosen puzzle stays until the user requests another one, even if the rating changes.
  const chosen = useRef({ key: "", number: 0 });
  if (!all) return html`<main class="wait"><p role="status">${text.common.settingUp}</p></main>`;

  const key = `${game} ${mode} ${theme} ${choice.number} ${round}`;
  if (chosen.current.key !== key) chosen.current = { key, number: pick(all, choice, progress, chosen.current.number) };
  const { number } = chosen.current;

  /** @param {() => void} change */
  const begin = (change) => {
    choice.setNumber(null);
    change();
    setRound(round + 1);
  };
  const onNumber = (/** @type {number} */ next) => begin(() => choice.setNumber(next));
  const next = () => {
    if (mode === "number") return onNumber((number + 1) % all.length);
    // Rated puzzles follow the puzzle of the day.
    return begin(() => mode === "day" && choice.setMode("rated"));
  };
  const change = {
    onGame: (/** @type {string} */ name) =>
      begin(() => {
        keep("puzzles.game", name);
        choice.setGame(name);
        choice.setTheme("");
        if (mode === "day") choice.setMode("rated");
      }),
    onMode: (/** @type {Mode} */ to) =>
      begin(() => {
        choice.setMode(to);
        if (to === "day") choice.setGame(gameOfTheDay(new Date()));
        if (to === "theme") choice.setTheme(themesOf(all)[0]?.[0] ?? "");
        if (to === "number") choice.setNumber(number);
      }),
    onTheme: (/** @type {string} */ name) => begin(() => choice.setTheme(name)),
    onNumber,
  };
  return html`<${Trainer}
    chosen=${{ key, game, mode, theme, all, number }}
    desk=${desk}
    progress=${progress}
    settings=${props.settings}
    onProgress=${setProgress}
    onNext=${next}
    change=${change}
  />`;
}

/**
 * Returns the index of the next puzzle.
 * @param {Puzzle[]} all @param {ReturnType<typeof useChoice>} choice @param {Progress} progress @param {number} before
 */
function pick(all, { game, mode, theme, number }, progress, before) {
  if (number !== null) return Math.min(number, all.length - 1);
  if (mode === "day") return puzzleOfTheDay(game, new Date());
  const known = progress.tried[game] ?? {};
  const wish = { theme: mode === "theme" ? theme : "", not: before };
  return choose(all, known, skillIn(progress, game).rating, Math.random(), wish);
}

/**
 * The selection of a puzzle, with its key.
 * @typedef {{ key: string, game: string, mode: Mode, theme: string, all: Puzzle[], number: number }} Chosen
 */
/**
 * @typedef {object} TrainerProps
 * @property {Chosen} chosen
 * @property {Desk} desk
 * @property {Progress} progress
 * @property {Settings} settings
 * @property {(progress: Progress) => void} onProgress
 * @property {() => void} onNext
 * @property {Pick<import("../panels/puzzleset.js").ChoiceProps, "onGame" | "onMode" | "onTheme" | "onNumber">} change
 */

/** Shows the previous puzzle until the board of the next one has arrived. @param {TrainerProps} props */
function Trainer(props) {
  const { chosen, desk } = props;
  const [ready, setReady] = useState(/** @type {{ chosen: Chosen, scene: Scene, follows: boolean } | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    desk.look({ game: chosen.game, start: chosen.all[chosen.number].start }, () => current).then(
      (scene) => {
        if (!current) return;
        setReady((before) => ({ chosen, scene, follows: before !== null }));
        setError("");
      },
      (reason) => current && setError(reason.message),
    );
    return () => {
      current = false;
    };
  }, [chosen.key]);
  if (error) return html`<main class="wait"><p role="alert">${text.puzzles.unusable} ${error}</p></main>`;
  if (!ready) return html`<main class="wait"><p role="status">${text.common.settingUp}</p></main>`;
  const { scene, follows } = ready;
  const shown = ready.chosen;
  return html`<${OnePuzzle} key=${shown.key} ...${props} chosen=${shown} first=${scene} follows=${follows} />`;
}

/** @param {TrainerProps & { first: Scene, follows: boolean }} props `follows`: another puzzle was shown before it. */
function OnePuzzle({ chosen, first, follows, desk, progress, settings, onProgress, onNext, change }) {
  const { game, mode, theme, all, number } = chosen;
  const puzzle = all[number];
  const [gained, setGained] = useState(/** @type {number | null} */ (null));
  const isNew = useRef(!wasTried(progress, game, puzzle));
  const scored = useRef(false);
  /** @param {number} points @param {boolean} [gaveUp] */
  const onResult = (points, gaveUp = false) => {
    // Only the first result of a puzzle counts. Later moves are practice.
    if (scored.current) return;
    scored.current = true;
    const after = tried(progress, game, puzzle, points, true, gaveUp);
    if (isNew.current) setGained(Math.round(skillIn(after, game).rating) - Math.round(skillIn(progress, game).rating));
    onProgress(mode === "day" && points > 0 ? solvedOfDay(after, dayNumber(new Date())) : after);
  };
  const solving = useSolving(desk, game, puzzle, first, onResult);
  const { board, line, phase } = solving;
  const told = useTold(solving);
  const { scene } = board;
  const whole = useFocus(follows);
  const side = scene.sides[board.solver];
  const over = isOver(told.phase);
  const help = hinted(solving);
  const analysis = `#/analyse?${toLink({ game, start: puzzle.start, moves: line.moves.slice(0, line.at) })}`;
  return html`<main class="trainer" ref=${whole}>
    <h1 class="unseen">${text.views.puzzles}</h1>
    <section class="board-side" aria-label=${text.play.board}>
      <${Board}
        scene=${scene}
        flip=${board.solver === 1 && about(game).pieces !== "dice"}
        active=${phase === "open" && board.arrived && !scene.end}
        labels=${settings.labels}
        speed=${settings.speed}
        groups=${settings.groups}
        hint=${help.squares}
        arrows=${help.arrows}
        own=${board.solver}
        name=${text.puzzles.board(taskText(puzzle, side))}
        onMove=${solving.attempt}
        onShown=${board.onShown}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="trainer-side" aria-label=${text.puzzles.title}>
      <${PuzzleChoice} game=${game} mode=${mode} theme=${theme} all=${all} number=${number} ...${change} />
      <${Task}
        puzzle=${puzzle}
        game=${game}
        side=${board.solver}
        name=${side}
        number=${number}
        count=${all.length}
        open=${mode === "rated" && !over}
      />
      <${Verdict} news=${told.news} puzzle=${puzzle} hint=${help.text} checking=${told.phase === "checking"} />
      ${over && html`<${PuzzleLine} solving=${solving} />`}
      <${PuzzleButtons} solving=${{ ...solving, phase: told.phase }} analysis=${analysis} onNext=${onNext} />
      <${Standing} progress=${progress} game=${game} change=${over ? gained : null} />
      <${AllPuzzles} all=${all} tried=${progress.tried[game] ?? {}} at=${number} onNumber=${change.onNumber} />
    </section>
  </main>`;
}

/** Focuses the board if the focus was lost with the previous puzzle. @param {boolean} follows */
function useFocus(follows) {
  const whole = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const square = whole.current?.querySelector(".square[tabindex='0']");
    const lost = follows && document.activeElement === document.body;
    if (lost && square instanceof HTMLElement) square.focus({ preventScroll: true });
  }, []);
  return whole;
}

/**
 * Returns `true` if the puzzle's line can be stepped through.
 * @param {import("../transport/solving.js").Phase} phase
 */
const isOver = (phase) => phase === "wrong" || phase === "solved" || phase === "shown";

/** Returns the news to show. A verdict waits until the board has shown its move. @param {Solving} solving */
function useTold({ board, phase, news }) {
  const [told, setTold] = useState({ phase, news });
  useEffect(() => {
    if (board.arrived || phase === "checking") setTold({ phase, news });
  }, [board.arrived, phase, news]);
  return told;
}

/** Returns what a hint shows: first the piece, then the move. @param {Solving} solving */
function hinted({ board: { scene }, hints, next }) {
  const way = scene.moves.find(({ text: move }) => move === next);
  if (!way || hints === 0) return { squares: [], arrows: [], text: "" };
  const words = text.puzzles;
  if (hints === 1 && way.path.length > 1) return { squares: [way.path[0]], arrows: [], text: words.firstHint };
  return { squares: way.path, arrows: [{ path: way.path, strength: 1 }], text: words.moveHint(way.text) };
}
