// The panel beside a puzzle's board: the task, the reply to a move, the line to step through, and the buttons.

import { html, useLayoutEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { movesOf } from "../state/puzzle.js";
import { text } from "../text/index.js";
import { Button, Icon, Token } from "./controls.js";

/** @typedef {import("../state/games.js").Puzzle} Puzzle */
/** @typedef {import("../transport/solving.js").News} News */
/** @typedef {import("../transport/solving.js").Solving} Solving */

/** Describes the task in a sentence. @param {Puzzle} puzzle @param {string} side */
export const taskText = (puzzle, side) =>
  puzzle.task[0] === "save" ? text.puzzles.save(side) : text.puzzles.win(side, movesOf(puzzle));

/**
 * The task as a heading, and the puzzle's number.
 * @param {{ puzzle: Puzzle, game: string, side: number, name: string, number: number, count: number, open: boolean }}
 *   props `open`: whether the puzzle is unsolved. Its rating is hidden then, because it would be a hint.
 */
export function Task(props) {
  expect("Task", props, {
    puzzle: "object",
    game: "string",
    side: "number",
    name: "string",
    number: "number",
    count: "number",
    open: "boolean",
  });
  const { puzzle, game, side, name, number, count, open } = props;
  const words = text.puzzles;
  return html`<div class="task">
    <${Token} game=${game} side=${side} />
    <h2>${taskText(puzzle, name)}</h2>
    <p class="quiet">
      ${words.number(number + 1, count)} · ${open ? words.ratingHidden : words.rated(puzzle.rating)}
    </p>
  </div>`;
}

/** Class names for kinds of news. @type {Record<News["kind"], string>} */
const TONES = {
  task: "",
  good: "good",
  wrong: "bad",
  lost: "bad",
  draw: "bad",
  unclear: "bad",
  solved: "good",
  shown: "",
  failed: "bad",
};
/** @type {Record<string, string>} */
const SIGNS = { good: "M5 13l5 5L19 7", bad: "M6 6l12 12M18 6L6 18", "": "M5 12h13M13 6l6 6-6 6" };

/** Returns a heading and a sentence for news. @param {News} news @param {Puzzle} puzzle @returns {[string, string]} */
function wordsOf({ kind, move = "", answer }, puzzle) {
  const words = text.puzzles;
  switch (kind) {
    case "task":
      return [text.learn.yourMove, puzzle.task[0] === "save" ? words.saveTask : words.winTask];
    case "good":
      return [words.good, answer ? words.answered(answer) : ""];
    case "solved":
      return [words.solved, words.solvedBy(move)];
    case "shown":
      return [words.solution, words.solutionHint];
    case "unclear":
      return [words.notThis, words.unclear(move)];
    case "lost":
      return [words.notThis, answer ? words.losesTo(move, answer) : words.loses(move)];
    case "draw":
      return [words.notThis, words.draws(move)];
    case "failed":
      return [words.failed, ""];
    default:
      return [words.notThis, answer ? words.slipsTo(move, answer) : words.slips(move)];
  }
}

/**
 * The reply to a move, shown after the board has shown the move.
 * @param {{ news: News, puzzle: Puzzle, hint: string, checking: boolean }} props
 */
export function Verdict(props) {
  expect("Verdict", props, { news: "object", puzzle: "object", hint: "string", checking: "boolean" });
  const { news, puzzle, hint, checking } = props;
  const [title, sentence] = wordsOf(news, puzzle);
  const tone = checking ? "" : TONES[news.kind];
  return html`<div class=${`verdict ${tone}`} role="status">
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[tone]} /></svg>
    <p><strong>${checking ? text.puzzles.checking : title}</strong> ${checking ? "" : hint || sentence}</p>
  </div>`;
}

/** The line of a finished puzzle, to step through. @param {{ solving: Solving }} props */
export function PuzzleLine(props) {
  expect("PuzzleLine", props, { solving: "object" });
  const { line, go } = props.solving;
  const words = text.puzzles;
  const length = line.moves.length;
  // After Tab has focused the board, the arrow keys move between its squares.
  const walks = useRef(false);
  // The keys work as soon as the line is visible.
  useLayoutEffect(() => {
    const onPointer = () => (walks.current = false);
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.key === "Tab") walks.current = true;
      /** @type {Record<string, number>} */
      const places = { ArrowLeft: line.at - 1, ArrowRight: line.at + 1, Home: 0, End: length };
      const to = places[event.key];
      const at = document.activeElement;
      const elsewhere = at?.closest("input, select") || (walks.current && at?.closest(".squares"));
      if (to === undefined || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      go(to);
    };
    addEventListener("keydown", onKey, true);
    addEventListener("pointerdown", onPointer);
    return () => {
      removeEventListener("keydown", onKey, true);
      removeEventListener("pointerdown", onPointer);
    };
  }, [line]);
  /** @param {string} move @param {number} i */
  const step = (move, i) =>
    html`${i % 2 === 0 && html`<span class="number">${words.moveNumber(i / 2 + 1)}</span>`}<button
        type="button"
        class="move"
        aria-current=${line.at === i + 1 ? "step" : undefined}
        onClick=${() => go(i + 1)}
      >
        ${move}
      </button>`;
  /** @param {string} icon @param {string} label @param {number} to */
  const button = (icon, label, to) =>
    html`<${Button} kind="compact" icon=${icon} label=${label} disabled=${to < 0 || to > length || to === line.at}
      onClick=${() => go(to)} />`;
  return html`<div class="puzzle-line">
    <div class="line-moves" role="group" aria-label=${words.line}>${line.moves.map(step)}</div>
    <div class="steps">
      ${button("first", words.first, 0)} ${button("back", words.back, line.at - 1)}
      ${button("next", words.forward, line.at + 1)} ${button("last", words.last, length)}
    </div>
  </div>`;
}

/**
 * @param {{ solving: Solving, analysis: string, onNext: () => void }} props `analysis`: the link to the analysis.
 */
export function PuzzleButtons(props) {
  expect("PuzzleButtons", props, { solving: "object", analysis: "string", onNext: "function" });
  const { solving, analysis, onNext } = props;
  const { phase, hints, mostHints, again, showSolution, hint } = solving;
  const words = text.puzzles;
  const busy = phase === "checking" || phase === "answered";
  const over = phase === "solved" || phase === "shown";
  const analyse = html`<a class="button" href=${analysis}><${Icon} name="search" /><span>${words.analyse}</span></a>`;
  const show = { label: words.showSolution, disabled: busy, onClick: showSolution };
  const solution = html`<${Button} icon="learn" ...${show} />`;
  if (over)
    return html`<div class="puzzle-buttons">
      <${Button} icon="next" kind="primary" label=${words.next} onClick=${onNext} />
      <${Button} icon="again" label=${words.retry} onClick=${again} /> ${analyse}
    </div>`;
  if (phase === "wrong")
    return html`<div class="puzzle-buttons">
      <${Button} icon="again" kind="primary" label=${words.tryAgain} onClick=${again} /> ${solution} ${analyse}
      <${Button} icon="next" label=${words.next} onClick=${onNext} />
    </div>`;
  return html`<div class="puzzle-buttons">
    <${Button}
      icon="hint"
      label=${hints === 1 ? words.nextHint : words.hint}
      disabled=${busy || hints >= mostHints}
      onClick=${hint}
    />
    ${solution}
    <${Button} icon="next" label=${words.next} disabled=${busy} onClick=${onNext} />
  </div>`;
}
