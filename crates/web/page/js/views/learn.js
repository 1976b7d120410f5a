// A page of rules for each game, with boards that can be played through.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { Steps } from "../panels/moves.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { spoken } from "../state/words.js";
import { useDesk } from "../transport/desk.js";
import { useLessons } from "../transport/games.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/games.js").About} About */
/** @typedef {import("../transport/desk.js").Desk} Desk */

/**
 * A board to step through or, without moves, to move the pieces on.
 * @param {{ desk: Desk, game: string, title: string, example: import("../state/games.js").Example }} props
 */
function Example({ desk, game, title, example }) {
  const all = example.moves;
  const [moves, setMoves] = useState(/** @type {string[]} */ ([]));
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  useEffect(() => {
    let current = true;
    desk.look({ game, start: example.start, moves }).then(
      (next) => current && setScene(next),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [moves]);
  if (!scene) return html`<div class="example"></div>`;
  const free = all.length === 0;
  /** @param {"first" | "back" | "next" | "last"} where */
  const step = (where) => {
    const length = { first: 0, back: moves.length - 1, next: moves.length + 1, last: all.length }[where];
    setMoves(all.slice(0, length));
  };
  const again = html`<div class="buttons">
    <button type="button" class="button" disabled=${moves.length === 0} onClick=${() => setMoves([])}>
      Begin again
    </button>
  </div>`;
  return html`<figure class="example">
    <${Board}
      scene=${scene}
      active=${free && !scene.end}
      speed=${450}
      name=${`Example: ${title}`}
      onMove=${(/** @type {string} */ text) => setMoves([...moves, text])}
    />
    ${free ? again : html`<${Steps} at=${moves.length} length=${all.length} onStep=${step} />`}
    <figcaption><span role="status">${moves.length ? spoken(scene) : ""}</span></figcaption>
  </figure>`;
}

/** What is the same for every game. @param {{ game: About }} props */
function AtTheBoard({ game }) {
  return html`<article class="lesson">
    <div>
      <h2>At the board</h2>
      <p>
        Click a piece, then a square; or drag it; or use the arrow keys and Enter; or type the move. Escape puts a piece
        down and skips a cascade.
      </p>
      <p>
        Undo takes back to your own last move, and Redo plays it again. You can give any side to the engine, or take it
        over, in the middle of a game.
      </p>
    </div>
    <p><a class="button primary" href=${`#/play?game=${game.name}`}>Play ${game.title}</a></p>
  </article>`;
}

/** @param {{ game: string }} props */
export function Learn(props) {
  expect("Learn", props, { game: "string" });
  const game = about(props.game);
  const desk = useDesk();
  const lessons = useLessons(game.name) ?? [];
  /** @param {About} other */
  const tab = (other) => {
    const current = other === game ? "page" : undefined;
    return html`<a href=${`#/learn/${other.name}`} aria-current=${current}>${other.title}</a>`;
  };
  /** @param {import("../state/games.js").Lesson} lesson */
  const article = ({ title, text, example }) =>
    html`<article class="lesson" key=${game.name + title}>
      <div>
        <h2>${title}</h2>
        ${text.map((paragraph) => html`<p>${paragraph}</p>`)}
      </div>
      ${example && html`<${Example} desk=${desk} game=${game.name} title=${title} example=${example} />`}
    </article>`;
  return html`<main class="learn">
    <nav class="tabs" aria-label="Games">${allGames().map(tab)}</nav>
    <h1>${game.title}</h1>
    ${lessons.map(article)}
    <${AtTheBoard} game=${game} />
  </main>`;
}
