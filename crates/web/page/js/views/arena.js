// A running tournament: progress, boards, standings, workers, latest results.

import { html, useState } from "../../vendor/preact-htm.js";
import { LiveBoards } from "../panels/liveboards.js";
import { Replay } from "../panels/replay.js";
import { Recent, Standings, Workers, tenth } from "../panels/standings.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { spanText } from "../state/tournament.js";
import { gameText } from "../state/words.js";
import { text } from "../text/index.js";
import { useTournament } from "../transport/tournament.js";

/** @typedef {import("../state/tournament.js").Tournament} Tournament */

/** @typedef {import("../panels/replay.js").Played} Played */

/** @param {{ settings: import("../state/memory.js").Settings }} props */
export function Arena(props) {
  expect("Arena", props, { settings: "object" });
  const [opened, setOpened] = useState(/** @type {Played | null} */ (null));
  const { known, connected } = useTournament();
  const words = text.arena;
  if (!known) return html`<main class="arena"><p class="wait">${text.common.waiting}</p></main>`;
  const { shown, tournament, boards } = known;
  if (!shown) return html`<main class="arena"><p class="wait" role="status">${words.none}</p></main>`;
  if (!tournament || tournament.state === "waiting") {
    return html`<main class="arena">
      <p class="wait" role="status">${connected ? words.states.waiting : text.common.lost}</p>
      ${tournament?.trouble && html`<p class="error">${words.trouble(tournament.trouble)}</p>`}
    </main>`;
  }
  const { agents, winners, workers, recent, moreBoards, state } = tournament;
  return html`<main class=${`arena ${connected ? state : "lost"}`}>
    <${Head} tournament=${tournament} connected=${connected} />
    <${LiveBoards} boards=${boards} more=${moreBoards} onOpen=${setOpened} />
    <div class="tables">
      <${Standings} agents=${agents} winners=${winners} />
      ${state === "running" && html`<${Workers} workers=${workers} />`}
      <${Recent} recent=${recent} onOpen=${setOpened} />
    </div>
    ${
      opened &&
      html`<${Replay}
        key=${opened.number}
        played=${latest(opened, boards, recent)}
        settings=${props.settings}
        onClose=${() => setOpened(null)}
      />`
    }
  </main>`;
}

/**
 * Returns the current state of an opened game.
 * @param {Played} opened @param {Played[]} boards @param {import("../state/tournament.js").Result[]} recent
 * @returns {Played}
 */
function latest(opened, boards, recent) {
  const result = recent.find(({ number }) => number === opened.number);
  if (result) return { ...opened, plies: result.plies, end: result };
  return boards.find(({ number }) => number === opened.number) ?? opened;
}

/** Returns the state of a tournament as a sentence. @param {Tournament} tournament @param {boolean} connected */
function stateText({ state, winners }, connected) {
  const words = text.arena;
  if (!connected) return text.common.lost;
  if (state !== "over" || winners.length === 0) return words.states[state];
  return winners.length === 1 ? words.winner(winners[0]) : words.winners(winners.join(", "));
}

/** @param {{ tournament: Tournament, connected: boolean }} props */
function Head(props) {
  expect("Head", props, { tournament: "object", connected: "boolean" });
  const { tournament, connected } = props;
  const { name, game, size, variant, format, round, played, planned, perMinute, left, damaged, trouble } = tournament;
  const words = text.arena;
  const what = [
    gameText({ game, size: size ?? about(game).usualSize, variant }),
    words.formats[format] ?? format,
    round && words.round(round[0], round[1]),
  ];
  const figures = [
    [words.games, words.of(played, planned)],
    [words.perMinute, tenth(perMinute)],
    [words.left, left === null ? "–" : spanText(left)],
  ];
  return html`<header class="cup">
    <div class="title">
      <h1>${name}</h1>
      <p class="quiet">${what.filter(Boolean).join(" · ")}</p>
    </div>
    <p class="state" role="status" aria-live="polite">${stateText(tournament, connected)}</p>
    <progress max=${planned} value=${played} aria-label=${words.progress(played, planned)}></progress>
    <dl>
      ${figures.map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${damaged > 0 && html`<p class="error">${words.damaged(damaged)}</p>`}
    ${trouble && html`<p class="error">${words.trouble(trouble)}</p>`}
  </header>`;
}
