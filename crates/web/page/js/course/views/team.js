// The public page of a team: its program, rating history and games.

import { html } from "../../../vendor/preact-htm.js";
import { expect } from "../../state/check.js";
import { locale } from "../../text/index.js";
import { eloText, faultText, pointsText, ratingText } from "../state/games.js";
import { graphOf } from "../state/graph.js";
import { dateText } from "../state/time.js";
import { words } from "../text/index.js";
import { usePolled } from "../transport.js";
import { FaultCount, GameList, Program, Waiting, useGames } from "./parts.js";
import { isRunning } from "./scoreboard.js";

/** @typedef {import("../types.js").About} About */
/** @typedef {import("../types.js").Team} Team */
/** @typedef {import("../types.js").Row} Row */

/** @param {{ about: About, id: string }} props */
export function CourseTeam(props) {
  expect("CourseTeam", props, { about: "object", id: "string" });
  const { about, id } = props;
  /** @type {import("../transport.js").Polled<Team>} */
  const { data: team, error } = usePolled(`teams/${encodeURIComponent(id)}`, () => isRunning(about));
  const isOwn = about.team === id;
  const mayReplay = about.publicGames || about.role === "staff" || isOwn;
  const games = useGames(mayReplay ? `team=${encodeURIComponent(id)}` : null, isRunning(about));
  if (!team) return html`<${Waiting} error=${error} />`;
  return html`<main class="course team-page">
    <p><a href="#/course">${words.back}</a></p>
    <header class="team-head">
      <h1><bdi>${team.name}</bdi></h1>
      ${isOwn && html`<p><a class="button" href="#/course/mine">${words.menu.mine}</a></p>`}
      ${
        team.row
          ? html`<p><${Program} agent=${team.row} /></p>
              <${Figures} row=${team.row} />`
          : html`<p class="quiet">${words.team.none}</p>`
      }
    </header>
    <${History} history=${team.history} />
    <section aria-labelledby="team-games">
      <h2 id="team-games">${words.games.title}</h2>
      ${games.error && html`<p class="error" role="alert">${games.error}</p>`}
      ${!mayReplay && html`<p class="quiet">${words.games.hidden}</p>`}
      ${
        games.isKnown &&
        html`<${GameList} games=${games.games} team=${id} more=${games.more} onMore=${games.fetchOlder} showsKind />`
      }
    </section>
  </main>`;
}

/** @param {{ row: Row }} props */
function Figures({ row }) {
  const said = words.board;
  const kinds = faultText(row.faults);
  const figures = [
    [said.rank, row.rank],
    [said.elo, ratingText(row)],
    [said.points, pointsText(row.points, locale)],
    [words.team.record, `${row.won} / ${row.drawn} / ${row.lost}`],
    [words.team.version, row.version],
    [said.faults, html`<${FaultCount} faults=${row.faults} said=${kinds} />`],
  ];
  return html`<dl class="figures">
      ${figures.map(
        ([label, value]) =>
          html`<div class="figure">
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${kinds && html`<p class="quiet">${kinds}</p>`}`;
}

/** Size of the graph in its own units. */
const WIDTH = 640;
const HEIGHT = 180;

/** @param {{ history: [time: string, elo: number][] }} props */
export function History(props) {
  expect("History", props, { history: "array" });
  const { history } = props;
  const graph = graphOf(history, WIDTH, HEIGHT);
  if (!graph) return null;
  const said = words.team;
  const now = history[history.length - 1][1];
  const label = said.historyOf(eloText(graph.low), eloText(graph.high), eloText(now));
  return html`<section aria-labelledby="history">
    <h2 id="history">${said.history}</h2>
    <svg
      class="history"
      viewBox=${`-64 -14 ${WIDTH + 76} ${HEIGHT + 42}`}
      role="img"
      aria-label=${label}
    >
      ${graph.labels.map(
        ({ elo, y }) =>
          html`<line class="grid" x1="0" x2=${WIDTH} y1=${y} y2=${y} />
            <text x="-8" y=${y + 4} text-anchor="end">${eloText(elo)}</text>`,
      )}
      <path class="line" d=${graph.line} />
      <circle cx=${WIDTH} cy=${graph.last} r="4" />
      <text x="0" y=${HEIGHT + 24}>${dateText(history[0][0], locale)}</text>
      <text x=${WIDTH} y=${HEIGHT + 24} text-anchor="end">${dateText(history[history.length - 1][0], locale)}</text>
    </svg>
  </section>`;
}
