// The panel beside a lesson's board: the lessons of the game, the text of a step, and the reply to a move.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { isFinished } from "../state/course.js";
import { text } from "../text/index.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/games.js").Lesson} Lesson */
/** @typedef {import("../state/games.js").Step} Step */
/** @typedef {import("../state/course.js").Done} Done */

/**
 * All lessons of a game. Finished lessons have a mark.
 * @param {{ lessons: Lesson[], at: number, done: Done, onOpen: (lesson: number) => void }} props
 */
export function Lessons(props) {
  expect("Lessons", props, { lessons: "array", at: "number", done: "object", onOpen: "function" });
  const { lessons, at, done, onOpen } = props;
  const words = text.learn;
  /** @param {Lesson} lesson @param {number} i */
  const item = (lesson, i) => {
    const finished = isFinished(lesson, done);
    return html`<li key=${lesson.key}>
      <button
        type="button"
        class=${finished ? "lesson-button finished" : "lesson-button"}
        aria-current=${i === at ? "true" : undefined}
        onClick=${() => onOpen(i)}
      >
        <span class="lesson-number" aria-hidden="true">${finished ? "✓" : i + 1}</span>
        <span class="lesson-title">${lesson.title}</span>
        ${finished && html`<span class="unseen">${words.done}</span>`}
      </button>
    </li>`;
  };
  return html`<ol class="lessons" aria-label=${words.lessons}>${lessons.map(item)}</ol>`;
}

/**
 * The text of a step, and the reply to the last move.
 * @param {{ lesson: Lesson, number: number, step: number, said: "task" | "right" | "wrong" }} props
 */
export function StepText(props) {
  expect("StepText", props, { lesson: "object", number: "number", step: "number", said: "string" });
  const { lesson, number, step, said } = props;
  const words = text.learn;
  const { text: task, right = "", wrong = "" } = lesson.steps[step];
  const answer = said === "right" ? right : said === "wrong" ? wrong : "";
  return html`<div class="step-text">
    <h2>${words.lesson(number + 1, lesson.title)}</h2>
    ${lesson.steps.length > 1 && html`<p class="quiet">${words.step(step + 1, lesson.steps.length)}</p>`}
    <p>${task}</p>
    <p class=${`answer ${said}`} role="status">${answer}</p>
  </div>`;
}

/**
 * @param {{ whole: boolean, first: boolean, last: boolean, lastOfLesson: boolean, onBack: () => void,
 *   onNext: () => void, onAgain: () => void }} props `whole`: whether the step is finished.
 */
export function StepButtons(props) {
  expect("StepButtons", props, {
    whole: "boolean",
    first: "boolean",
    last: "boolean",
    lastOfLesson: "boolean",
    onBack: "function",
    onNext: "function",
    onAgain: "function",
  });
  const { whole, first, last, lastOfLesson, onBack, onNext, onAgain } = props;
  const words = text.learn;
  const kind = whole ? "primary" : "";
  const label = lastOfLesson ? words.nextLesson : words.next;
  return html`<div class="buttons step-buttons">
    <${Button} icon="back" label=${words.back} disabled=${first} onClick=${onBack} />
    ${
      last && whole
        ? html`<${Button} icon="again" label=${words.again} onClick=${onAgain} />`
        : html`<${Button} icon="next" kind=${kind} label=${label} disabled=${last} onClick=${onNext} />`
    }
  </div>`;
}
