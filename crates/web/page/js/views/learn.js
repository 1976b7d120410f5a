// A page of rules for each game, with boards that can be played through.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Board } from "../boards/board.js";
import { Steps } from "../panels/moves.js";
import { GAMES, spoken } from "../state/words.js";
import { useDesk } from "../transport/desk.js";
import { LESSONS } from "./lessons.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../transport/desk.js").Desk} Desk */

/** @param {{ desk: Desk, game: string, lesson: import("./lessons.js").Lesson }} props */
function Example({ desk, game, lesson }) {
  const all = lesson.moves ?? [];
  const [moves, setMoves] = useState(/** @type {string[]} */ ([]));
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  useEffect(() => {
    let current = true;
    desk.look({ game, size: lesson.size, start: lesson.start, moves }).then((next) => current && setScene(next), () => undefined);
    return () => {
      current = false;
    };
  }, [moves]);
  if (!scene) return html`<div class="example"></div>`;
  /** @param {"first" | "back" | "next" | "last"} where */
  const step = (where) => setMoves(all.slice(0, { first: 0, back: moves.length - 1, next: moves.length + 1, last: all.length }[where]));
  const free = lesson.try === true;
  return html`<figure class="example">
    <${Board} scene=${scene} active=${free && !scene.end} speed=${450} name=${`Example: ${lesson.title}`} onMove=${(/** @type {string} */ text) => setMoves([...moves, text])} />
    ${free && html`<div class="buttons"><button type="button" class="button" disabled=${moves.length === 0} onClick=${() => setMoves([])}>Begin again</button></div>`}
    ${!free && html`<${Steps} at=${moves.length} length=${all.length} onStep=${step} />`}
    <figcaption><span role="status">${moves.length ? spoken(scene) : ""}</span></figcaption>
  </figure>`;
}

/** @param {{ game: string }} props */
export function Learn(props) {
  expect("Learn", props, { game: "string" });
  const { game } = props;
  const desk = useDesk();
  const known = LESSONS[game] ? game : "loa";
  return html`<main class="learn">
    <nav class="tabs" aria-label="Games">
      ${Object.values(GAMES).map(({ name, title }) => html`<a href=${`#/learn/${name}`} aria-current=${name === known ? "page" : undefined}>${title}</a>`)}
    </nav>
    <h1>${GAMES[known].title}</h1>
    ${LESSONS[known].map(
      (lesson) => html`<article class="lesson" key=${known + lesson.title}>
        <div>
          <h2>${lesson.title}</h2>
          ${lesson.text.map((text) => html`<p>${text}</p>`)}
        </div>
        ${(lesson.start || lesson.try) && html`<${Example} desk=${desk} game=${known} lesson=${lesson} />`}
      </article>`,
    )}
    <article class="lesson">
      <div>
        <h2>At the board</h2>
        <p>Click a piece, then a square; or drag it; or use the arrow keys and Enter; or type the move. Escape puts a piece down and ends a cascade.</p>
        <p>Undo takes back to your own last move, and Redo plays it again. Any side can be given to the engine, or taken from it, in the middle of a game.</p>
      </div>
      <p><a class="button primary" href=${`#/play?game=${known}`}>Play ${GAMES[known].title}</a></p>
    </article>
  </main>`;
}
