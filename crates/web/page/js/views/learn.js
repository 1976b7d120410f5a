// A course for each game: positions in which the user has to find a move.

import { html, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { Lessons, StepButtons, StepText } from "../panels/lesson.js";
import { expect } from "../state/check.js";
import { after, finished, goOn, isFinished, placeIn } from "../state/course.js";
import { gameWith, gamesWith } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import { spoken } from "../state/words.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { useLessons } from "../transport/games.js";
import { useStep } from "../transport/lesson.js";

/** @typedef {import("../state/games.js").About} About */
/** @typedef {import("../state/games.js").Lesson} Lesson */
/** @typedef {import("../state/course.js").Done} Done */
/** @typedef {import("../state/course.js").Place} Place */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../transport/desk.js").Desk} Desk */

/** @param {{ game: string, settings: Settings }} props */
export function Learn(props) {
  expect("Learn", props, { game: "string", settings: "object" });
  const game = gameWith("lessons", props.game);
  const desk = useDesk();
  const lessons = useLessons(game.name);
  if (!lessons) return html`<main class="wait"><p role="status">${text.common.settingUp}</p></main>`;
  return html`<${Course} desk=${desk} game=${game} lessons=${lessons} settings=${props.settings} />`;
}

/** @param {{ desk: Desk, game: About, lessons: Lesson[], settings: Settings }} props */
function Course({ desk, game, lessons, settings }) {
  const [done, setDone] = useState(() => /** @type {Done} */ (recall("learn", {})[game.name] ?? {}));
  const [at, setAt] = useState(() => goOn(lessons, done));
  /** Number of times a step was started. Each start resets the step. */
  const [round, setRound] = useState(0);
  /** @param {Place} place */
  const open = (place) => {
    setAt(place);
    setRound(round + 1);
  };
  const onDone = () => {
    const next = finished(lessons, done, at);
    keep("learn", { ...recall("learn", {}), [game.name]: next });
    setDone(next);
  };
  return html`<main class="trainer learn">
    <nav class="tabs" aria-label=${text.learn.games}>${gamesWith("lessons").map((other) => tab(other, game))}</nav>
    <${Step}
      run=${`${at.lesson} ${at.step} ${round}`}
      desk=${desk}
      game=${game}
      lessons=${lessons}
      at=${at}
      done=${done}
      settings=${settings}
      onDone=${onDone}
      onOpen=${open}
    />
  </main>`;
}

/** @param {About} other @param {About} game */
const tab = (other, game) =>
  html`<a href=${`#/learn/${other.name}`} aria-current=${other === game ? "page" : undefined}>${other.title}</a>`;

/**
 * @typedef {object} StepProps
 * @property {Desk} desk
 * @property {About} game
 * @property {Lesson[]} lessons
 * @property {Place} at
 * @property {string} run Key that differs for each start of a step.
 * @property {Done} done
 * @property {Settings} settings
 * @property {() => void} onDone
 * @property {(place: Place) => void} onOpen
 */

/** @param {StepProps} props */
function Step({ desk, game, lessons, at, run, done, settings, onDone, onOpen }) {
  const lesson = lessons[at.lesson];
  const step = lesson.steps[at.step];
  const next = after(lessons, at);
  const goOn = next?.lesson === at.lesson ? () => onOpen(next) : null;
  const { board, said, misses, open, whole, attempt } = useStep(desk, game.name, step, run, onDone, goOn);
  const { scene } = board;
  const first = at.lesson === 0 && at.step === 0;
  const back = () =>
    onOpen(
      at.step > 0
        ? { lesson: at.lesson, step: at.step - 1 }
        : { lesson: at.lesson - 1, step: lessons[at.lesson - 1].steps.length - 1 },
    );
  const all = lessons.every((one) => isFinished(one, done));
  return html`<section class="board-side" aria-label=${text.play.board}>
      ${board.error && html`<p class="error" role="alert">${text.learn.failed}: ${board.error}</p>`}
      ${
        scene &&
        html`<${Board}
          scene=${scene}
          active=${open}
          labels=${settings.labels}
          speed=${Math.max(settings.speed, 250)}
          hint=${misses > 0 && open ? hinted(step, scene, misses) : []}
          name=${text.learn.board(lesson.title)}
          onMove=${attempt}
          onShown=${board.onShown}
        />`
      }
      <p class="unseen" role="status" aria-live="polite">${scene?.ply ? spoken(scene) : ""}</p>
    </section>
    <section class="trainer-side" aria-label=${text.learn.lessons}>
      <h1 class="unseen">${game.title}</h1>
      <${Lessons}
        lessons=${lessons}
        at=${at.lesson}
        done=${done}
        onOpen=${(/** @type {number} */ lesson) => onOpen(placeIn(lessons, lesson, done))}
      />
      <${StepText} lesson=${lesson} number=${at.lesson} step=${at.step} said=${said} />
      <${StepButtons}
        whole=${whole}
        first=${first}
        last=${!next}
        lastOfLesson=${next?.lesson !== at.lesson}
        onBack=${back}
        onNext=${() => next && onOpen(next)}
        onAgain=${() => onOpen({ lesson: 0, step: 0 })}
      />
      ${all && html`<p class="success">${text.learn.finished}</p>`}
      <div class="buttons">
        <a class=${all ? "button primary" : "button"} href=${`#/play?game=${game.name}`}
          >${text.learn.play(game.title)}</a
        >
        ${game.puzzles > 0 && html`<a class="button" href=${`#/puzzles?game=${game.name}`}>${text.learn.puzzles}</a>`}
      </div>
      <details class="how">
        <summary>${text.learn.controls}</summary>
        <p>${text.learn.controlsText}</p>
      </details>
    </section>`;
}

/**
 * Returns the squares to highlight after a miss: the piece, and after another miss the whole move.
 * @param {import("../state/games.js").Step} step @param {import("../state/types.js").Scene} scene
 * @param {number} misses
 */
function hinted({ find }, scene, misses) {
  const way = scene.moves.find(({ text: move }) => move === find?.[0]);
  return misses > 1 ? (way?.path ?? []) : (way?.path.slice(0, 1) ?? []);
}
