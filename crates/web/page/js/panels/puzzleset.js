// The selection of puzzles by game, mode, theme and number, and the player's progress.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { dayNumber } from "../state/daily.js";
import { gamesWith } from "../state/games.js";
import { daysInARow, nameOf, skillIn, themesOf } from "../state/puzzle.js";
import { isProvisional } from "../state/skill.js";
import { text } from "../text/index.js";
import { Button, Select } from "./controls.js";

/** @typedef {import("../state/games.js").Puzzle} Puzzle */
/** @typedef {import("../state/puzzle.js").Mode} Mode */
/** @typedef {import("../state/puzzle.js").Progress} Progress */

/**
 * @typedef {object} ChoiceProps
 * @property {string} game
 * @property {Mode} mode
 * @property {string} theme
 * @property {Puzzle[]} all
 * @property {number} number Index of the puzzle, from 0.
 * @property {(game: string) => void} onGame
 * @property {(mode: Mode) => void} onMode
 * @property {(theme: string) => void} onTheme
 * @property {(number: number) => void} onNumber
 */

/** The selection of the puzzles. @param {ChoiceProps} props */
export function PuzzleChoice(props) {
  expect("PuzzleChoice", props, {
    game: "string",
    mode: "string",
    theme: "string",
    all: "array",
    number: "number",
    onGame: "function",
    onMode: "function",
    onTheme: "function",
    onNumber: "function",
  });
  const { game, mode, theme, all, number, onGame, onMode, onTheme, onNumber } = props;
  const words = text.puzzles;
  const games = gamesWith("puzzles").map(({ name, title }) => [name, title]);
  const themes = themesOf(all).map(([name, count]) => [name, words.themeCount(words.themes[name] ?? name, count)]);
  const setMode = (/** @type {any} */ next) => onMode(next);
  const toNumber = (/** @type {any} */ event) => {
    const wanted = Math.round(Number(event.target.value));
    if (wanted >= 1 && wanted <= all.length) onNumber(wanted - 1);
    else event.target.value = String(number + 1);
  };
  return html`<div class="puzzle-choice">
    <${Select} label=${words.game} value=${game} options=${games} onChange=${onGame} />
    <${Select} label=${words.mode} value=${mode} options=${Object.entries(words.modes)} onChange=${setMode} />
    ${mode === "theme" && html`<${Select} label=${words.theme} value=${theme} options=${themes} onChange=${onTheme} />`}
    ${
      mode === "number" &&
      html`<div class="numbered">
        <${Button}
          kind="compact"
          icon="back"
          label=${words.previous}
          disabled=${number === 0}
          onClick=${() => onNumber(number - 1)}
        />
        <label class="field"
          ><span>${words.numberField}</span>
          <input type="number" min="1" max=${all.length} value=${number + 1} onChange=${toNumber} />
        </label>
        <${Button}
          kind="compact"
          icon="next"
          label=${words.following}
          disabled=${number + 1 >= all.length}
          onClick=${() => onNumber(number + 1)}
        />
      </div>`
    }
  </div>`;
}

/**
 * The player's rating with its last change, and the streak.
 * @param {{ progress: Progress, game: string, change: number | null }} props
 */
export function Standing(props) {
  expect("Standing", props, { progress: "object", game: "string", change: "number?" });
  const { progress, game, change } = props;
  const words = text.puzzles;
  const skill = skillIn(progress, game);
  const rating = Math.round(skill.rating);
  const days = daysInARow(progress, dayNumber(new Date()));
  return html`<dl class="skill">
    <div>
      <dt>${words.yourRating}</dt>
      <dd>
        ${isProvisional(skill) ? words.provisional(rating) : rating}
        ${change !== null && html`<span class=${change < 0 ? "down" : "up"}>${words.change(change)}</span>`}
      </dd>
    </div>
    <div>
      <dt>${words.streak}</dt>
      <dd>${progress.streak} <small>· ${words.best(progress.best)}</small></dd>
    </div>
    ${
      days > 0 &&
      html`<div>
        <dt>${words.days}</dt>
        <dd>${days}</dd>
      </div>`
    }
  </dl>`;
}

/**
 * A square for each puzzle.
 * @param {{ all: Puzzle[], tried: Record<string, number>, at: number, onNumber: (number: number) => void }} props
 */
export function AllPuzzles(props) {
  expect("AllPuzzles", props, { all: "array", tried: "object", at: "number", onNumber: "function" });
  const { all, tried, at, onNumber } = props;
  const words = text.puzzles;
  /** @param {Puzzle} puzzle @param {number} i */
  const square = (puzzle, i) => {
    const points = tried[nameOf(puzzle)];
    const label = points === 1 ? words.numberedSolved : points === 0 ? words.numberedMissed : words.numbered;
    return html`<button
      type="button"
      class=${["puzzle-dot", points === 1 && "solved", points === 0 && "missed"].filter(Boolean).join(" ")}
      aria-current=${i === at ? "true" : undefined}
      aria-label=${label(i + 1, puzzle.rating)}
      onClick=${() => onNumber(i)}
    >
      ${i + 1}
    </button>`;
  };
  return html`<details class="all-puzzles">
    <summary>${words.all}</summary>
    <div class="puzzle-dots" role="group" aria-label=${words.all}>${all.map(square)}</div>
  </details>`;
}
