// The scoreboard: announcements, phase, countdown, standings, live boards, latest games.

import { html, useEffect, useState } from "../../../vendor/preact-htm.js";
import { LiveBoards } from "../../panels/liveboards.js";
import { expect } from "../../state/check.js";
import { about as gameAbout } from "../../state/games.js";
import { locale, text } from "../../text/index.js";
import { faultText, namesOf, pointsText, ratingText } from "../state/games.js";
import { gameLink, liveLink, pageLink, teamLink } from "../state/route.js";
import { dateText, secondsLeft, spanText, untilNextSpan } from "../state/time.js";
import { words } from "../text/index.js";
import { boardInWords, usePolled } from "../transport.js";
import { FaultCount, GameList, Program, Time, Waiting, useGames } from "./parts.js";

/** @typedef {import("../types.js").About} About */
/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").Standings} StandingsData */
/** @typedef {import("../transport.js").Board} Board */

/** Number of live boards and of games beside the standings. */
const BOARDS = 4;
const GAMES = 12;

/** Returns `true` while games are played or uploads are checked. @param {About} about */
export const isRunning = ({ phase }) => phase !== "published" && phase !== "done";

/** @param {{ about: About, page: number }} props */
export function Scoreboard(props) {
  expect("Scoreboard", props, { about: "object", page: "number" });
  const { about, page } = props;
  const running = isRunning(about);
  /** @type {import("../transport.js").Polled<StandingsData>} */
  const standings = usePolled(`standings?page=${Math.max(1, page)}`, () => running);
  const { boards, isKnown } = useBoards(running);
  const mayReplay = about.publicGames || about.role !== "visitor";
  const games = useGames(mayReplay ? "" : null, running);
  return html`<main class="course scoreboard">
    <${Head} about=${about} />
    ${
      isKnown &&
      (running || boards.length > 0) &&
      html`<div class="boards-side">
        <${LiveBoards}
          boards=${boards.slice(0, BOARDS)}
          more=${Math.max(0, boards.length - BOARDS)}
          onOpen=${openBoard}
        />
        ${boards.length > BOARDS && html`<p><a href="#/course/live">${words.board.allBoards}</a></p>`}
      </div>`
    }
    <section class="table-side" aria-labelledby="standings">
      ${standings.error && html`<p class="error" role="alert">${standings.error.message}</p>`}
      ${
        standings.data
          ? html`<${Standings} standings=${standings.data} own=${about.team} />`
          : html`<p class="wait" role="status">${text.server.loading}</p>`
      }
    </section>
    <section class="latest-side" aria-labelledby="latest">
      <h2 id="latest">${words.games.latest}</h2>
      ${games.error && html`<p class="error" role="alert">${games.error}</p>`}
      ${!mayReplay && html`<p class="quiet">${words.games.hidden}</p>`}
      ${games.isKnown && html`<${GameList} games=${games.games.slice(0, GAMES)} team=${null} />`}
    </section>
  </main>`;
}

/**
 * Returns the boards on which a game is played.
 * @param {boolean} running
 */
export function useBoards(running) {
  /** @type {import("../transport.js").Polled<{ boards: import("../types.js").SentBoard[] }>} */
  const { data } = usePolled("live", () => running);
  const boards = (data?.boards ?? []).map((board) => {
    const known = boardInWords(board);
    return { ...known, scene: known.words, names: namesOf(board.players), number: null };
  });
  return { boards, isKnown: data !== null };
}

/** Opens the game of a board. @param {{ key: string, game?: string | null }} board */
export const openBoard = ({ key, game }) => {
  location.hash = game ? gameLink(game) : liveLink(key);
};

/** All boards. @param {{ about: About }} props */
export function AllBoards({ about }) {
  const { boards, isKnown } = useBoards(isRunning(about));
  if (!isKnown) return html`<${Waiting} error=${null} />`;
  return html`<main class="course all-boards">
    <h1>${words.menu.live}</h1>
    <${LiveBoards} boards=${boards} more=${0} onOpen=${openBoard} />
  </main>`;
}

/** @param {{ about: About }} props */
function Head({ about }) {
  const { name, game, size, phase, rehearsal, announcements, teams, versions, games } = about;
  const figures = [
    [words.teams, teams],
    [words.versions, versions],
    [words.gamesPlayed, games],
  ];
  const title = gameAbout(game);
  return html`<header class="course-head">
    <div class="course-title">
      <h1><bdi>${name}</bdi></h1>
      <p class="quiet">${text.common.gameOn(title.title, size ?? title.usualSize)}</p>
      ${rehearsal !== null && html`<p class="faulty">${words.rehearsalHow(rehearsal.toLocaleString(locale))}</p>`}
    </div>
    <p class=${`phase ${phase}`}>${words.phases[phase]}</p>
    <dl>
      ${phase === "open" && html`<${Deadline} about=${about} />`}
      ${figures.map(
        ([label, value]) =>
          html`<div class="figure">
            <dt>${label}</dt>
            <dd>${value.toLocaleString(locale)}</dd>
          </div>`,
      )}
    </dl>
    ${
      announcements.length > 0 &&
      html`<section class="announcements" aria-label=${words.announcements}>
        ${announcements.map(
          ({ id, at, text: said }) =>
            html`<div key=${id}>
              <p class="announcement">${said}</p>
              <p class="quiet small"><${Time} at=${at} /></p>
            </div>`,
        )}
      </section>`
    }
  </header>`;
}

/** Times of arrival by the page's clock, in milliseconds. @type {WeakMap<About, number>} */
const arrivals = new WeakMap();

/** Returns the milliseconds since a message has arrived. @param {About} about */
function timeSince(about) {
  const arrived = arrivals.get(about) ?? Date.now();
  arrivals.set(about, arrived);
  return Date.now() - arrived;
}

/** The deadline and the time until then. @param {{ about: About }} props */
export function Deadline({ about }) {
  const [, draw] = useState(0);
  const left = secondsLeft(about, timeSince(about));
  const isOpen = left > 0;
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => draw((count) => count + 1), untilNextSpan(left, about.rehearsal ?? 1));
    return () => clearTimeout(timer);
  });
  const there = dateText(about.deadline, locale, about.timeZone);
  const here = dateText(about.deadline, locale);
  const isLocal = new Intl.DateTimeFormat().resolvedOptions().timeZone === about.timeZone;
  return html`<div class="deadline">
      <dt>${words.deadline}</dt>
      <dd>
        <time datetime=${about.deadline}>${there}</time>
        ${!isLocal && html`<small>${words.localTime(here)}</small>`}
      </dd>
    </div>
    <div class="countdown">
      <dt>${words.timeLeft}</dt>
      <dd><span role="timer">${spanText(Math.max(0, left), locale)}</span></dd>
    </div>`;
}

/** @param {{ standings: StandingsData, own: string | null }} props */
function Standings({ standings, own }) {
  const said = words.board;
  const { kind, rows, page, pages } = standings;
  return html`<h2 id="standings">${kind === "final" ? said.final : said.ladder}</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">${said.empty}</p>`
        : html`<table class="course-table standings-table" aria-labelledby="standings">
            <thead>
              <tr>
                <th scope="col" class="number"><abbr title=${said.rank}>#</abbr></th>
                <th scope="col">${said.team}</th>
                <th scope="col" class="number">${said.elo}</th>
                <th scope="col" class="number wide">${said.points}</th>
                <th scope="col" class="number wide">${said.games}</th>
                <th scope="col" class="number widest">${said.results}</th>
                <th scope="col" class="number wide">${said.faults}</th>
              </tr>
            </thead>
            <tbody>
              ${rows.map((row) => html`<${StandingsRow} key=${row.team} row=${row} isOwn=${row.team === own} />`)}
            </tbody>
          </table>`
    }
    ${pages > 1 && html`<${Pages} page=${page} pages=${pages} />`}
    <p class="quiet small">${said.eloNote}</p>`;
}

/** @param {{ row: Row, isOwn: boolean }} props */
function StandingsRow({ row, isOwn }) {
  const said = words.board;
  const { rank, team, name, games, points, faults, live, won, drawn, lost } = row;
  const kinds = faultText(faults);
  const pointsSaid = pointsText(points, locale);
  // Phones show these facts in the first column, in place of three columns.
  const brief = [said.gamesOf(games), said.pointsOf(points, pointsSaid), kinds];
  return html`<tr class=${isOwn ? "own" : ""}>
    <td class="number">${rank}</td>
    <th scope="row">
      <a class="team-name" href=${teamLink(team)}><bdi>${name}</bdi></a>
      ${isOwn && html` <span class="badge">${said.you}</span>`}
      ${live && html` <span class="live-dot" role="img" aria-label=${said.live} title=${said.live}></span>`}
      <${Program} agent=${row} />
      <span class="brief">${brief.filter(Boolean).join(" · ")}</span>
    </th>
    <td class="number elo-cell">${ratingText(row)}</td>
    <td class="number wide"><b>${pointsSaid}</b></td>
    <td class="number wide">${games}</td>
    <td class="number widest">${won} / ${drawn} / ${lost}</td>
    <td class="number wide"><${FaultCount} faults=${faults} said=${kinds} /></td>
  </tr>`;
}

/** @param {{ page: number, pages: number }} props */
function Pages({ page, pages }) {
  const said = words.board;
  return html`<nav class="pages" aria-label=${said.pages}>
    ${page > 1 && html`<a class="button" rel="prev" href=${pageLink(page - 1)}>${said.previous}</a>`}
    <span>${said.page(page, pages)}</span>
    ${page < pages && html`<a class="button" rel="next" href=${pageLink(page + 1)}>${said.next}</a>`}
  </nav>`;
}
