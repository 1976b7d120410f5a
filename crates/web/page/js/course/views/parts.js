// Parts of several views: names, lists of games, steps of a check, notices.

import { html, useEffect, useState } from "../../../vendor/preact-htm.js";
import { Picture } from "../../boards/picture.js";
import { Button, Icon } from "../../panels/controls.js";
import { expect } from "../../state/check.js";
import { endingText } from "../../state/tournament.js";
import { locale, text } from "../../text/index.js";
import {
  faultCount,
  mergedGames,
  outcomeFor,
  playerName,
  resultSentence,
  shortAddress,
  webAddress,
} from "../state/games.js";
import { gameLink } from "../state/route.js";
import { dateText } from "../state/time.js";
import { codeParts, detailParts, stepName } from "../state/upload.js";
import { words } from "../text/index.js";
import { fetched, usePolled, useScene } from "../transport.js";

/** @typedef {import("../types.js").GameRow} GameRow */
/** @typedef {import("../types.js").GamePage} GamePage */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../types.js").Step} StepData */
/** @typedef {import("../../transport/desk.js").Desk} Desk */

/** A view that waits, or an error of the server. @param {{ error: Error | null }} props */
export function Waiting({ error }) {
  expect("Waiting", { error }, { error: "object?" });
  return html`<main class="course">
    <h1 class="unseen">Plyhouse</h1>
    ${
      error
        ? html`<p class="error" role="alert">${error.message}</p>`
        : html`<p class="wait" role="status">${text.server.loading}</p>`
    }
    ${error && html`<p><a href="#/course">${words.back}</a></p>`}
  </main>`;
}

/** A time, in the browser's time zone. @param {{ at: string }} props */
export const Time = ({ at }) => html`<time datetime=${at}>${dateText(at, locale)}</time>`;

/**
 * What a program says about itself. Its address is linked if it is one of the web.
 * @param {{ agent: { name?: string, agent?: string, tagline: string | null, url: string | null } }} props
 */
export function Program({ agent }) {
  const name = agent.agent ?? agent.name ?? "";
  const href = webAddress(agent.url);
  return html`<span class="program">
    <bdi class="agent-name">${name}</bdi>
    ${agent.tagline && html`<bdi class="tagline">${agent.tagline}</bdi>`}
    ${
      href &&
      html`<a href=${href} rel="noopener nofollow noreferrer" target="_blank" title=${href}
        ><bdi>${shortAddress(href)}</bdi></a
      >`
    }
  </span>`;
}

/** A player of a game. @param {{ player: Player }} props */
export const PlayerName = ({ player }) => html`<bdi>${playerName(player)}</bdi>`;

/**
 * Returns games that match a query, the latest one first, and a function that fetches older ones.
 * @param {string | null} query Such as `team=A01`. @param {boolean} busy
 */
export function useGames(query, busy) {
  const path = query === null ? null : `games?${query}`;
  /** @type {import("../transport.js").Polled<GamePage>} */
  const { data, error } = usePolled(path, () => busy);
  const [older, setOlder] = useState({ query, games: /** @type {GameRow[]} */ ([]), more: true, error: "" });
  const known = older.query === query ? older : { query, games: [], more: true, error: "" };
  const games = data ? mergedGames(known.games, data.games) : [];
  // Games that have left the first page must not leave the list.
  useEffect(() => {
    if (data && known.games.length) setOlder((now) => ({ ...now, games: mergedGames(now.games, data.games) }));
  }, [data]);
  const fetchOlder = () => {
    const last = games[games.length - 1]?.id;
    fetched(`games?${query}&before=${last}`).then(
      (page) =>
        setOlder({ query, games: mergedGames(games, page.games), more: page.more, error: "" }),
      (/** @type {Error} */ reason) => setOlder({ ...known, error: reason.message }),
    );
  };
  const more = known.games.length ? known.more : (data?.more ?? false);
  return { games, isKnown: data !== null, more, error: known.error || error?.message || "", fetchOlder };
}

/**
 * @param {{ games: GameRow[], team?: string | null, more?: boolean, onMore?: () => void, showsKind?: boolean }} props
 *   `team`: the team from whose view results are shown.
 */
export function GameList(props) {
  expect("GameList", props, {
    games: "array",
    team: "string?",
    more: "boolean?",
    onMore: "function?",
    showsKind: "boolean?",
  });
  const { games, team = null, more = false, onMore, showsKind = false } = props;
  if (games.length === 0) return html`<p class="quiet">${words.games.none}</p>`;
  return html`<ul class="game-list">
      ${games.map((game) => html`<${GameItem} key=${game.id} game=${game} team=${team} showsKind=${showsKind} />`)}
    </ul>
    ${more && onMore && html`<${Button} label=${words.games.older} onClick=${onMore} />`}`;
}

/** @param {{ game: GameRow, team: string | null, showsKind: boolean }} props */
function GameItem({ game, team, showsKind }) {
  const { id, kind, players, ending, plies, faults, began } = game;
  const outcome = outcomeFor(game, team);
  const kinds = showsKind ? [words.games.kinds[kind]] : [];
  const all = faults[0] + faults[1];
  const facts = [...kinds, endingText(ending), text.common.moves(plies), ...(all ? [words.board.faultsOf(all)] : [])];
  return html`<li>
    <a class=${outcome ? `game-item is-${outcome}` : "game-item"} href=${gameLink(id)}>
      ${outcome && html`<b class="outcome">${words.games.outcomes[outcome]}</b>`}
      <span class="between">
        ${
          outcome
            ? html`<${PlayerName} player=${players[0]} /> – <${PlayerName} player=${players[1]} />`
            : html`<bdi>${resultSentence(game)}</bdi>`
        }
        <small>${facts.join(" · ")}</small>
      </span>
      <span class="when"><${Time} at=${began} /></span>
    </a>
  </li>`;
}

/** A number of faults with their kinds for screen readers and pointers. @param {{ faults: Record<string, number>,
 *   said: string }} props */
export function FaultCount({ faults, said }) {
  const count = faultCount(faults);
  return html`<span class=${count ? "faulty" : ""} title=${said}
    >${count}${said && html`<span class="unseen">: ${said}</span>`}</span
  >`;
}

/** The steps of a check. @param {{ steps: StepData[], desk: Desk }} props */
export function Steps(props) {
  expect("Steps", props, { steps: "array", desk: "object" });
  return html`<ol class="check-steps">
    ${props.steps.map((step, i) => html`<${StepItem} key=${`${i} ${step.name}`} step=${step} desk=${props.desk} />`)}
  </ol>`;
}

/** @type {Record<string, string>} */
const STEP_ICONS = { passed: "check", warned: "hint", failed: "close", running: "again" };

/** @param {{ step: StepData, desk: Desk }} props */
function StepItem({ step, desk }) {
  const { name, state, detail, remedy, position = null } = step;
  const { said, quoted } = detailParts(detail, state);
  return html`<li class=${`is-${state}`}>
    <span class="step-mark"><${Icon} name=${STEP_ICONS[state] ?? "again"} /></span>
    <div class="check-text">
      <p class="step-name">
        <b>${stepName(name)}</b> <span class="step-state">${words.stepStates[state] ?? state}</span>
      </p>
      ${said.map((line) => html`<p><bdi><${Quoting} said=${line} /></bdi></p>`)}
      ${
        (quoted || position) &&
        html`<div class="check-shown">
          ${position && html`<${Position} desk=${desk} game=${position} label=${words.upload.position} />`}
          ${quoted && html`<pre tabindex="0" role="group" aria-label=${stepName(name)}>${quoted}</pre>`}
        </div>`
      }
      ${remedy && html`<div class="remedy"><b>${words.upload.remedy}</b><p><${Quoting} said=${remedy} /></p></div>`}
    </div>
  </li>`;
}

/** A text of the server, with the parts between backticks as code. @param {{ said: string }} props */
export function Quoting(props) {
  expect("Quoting", props, { said: "string" });
  return codeParts(props.said).map(({ isCode, said }) => (isCode ? html`<code>${said}</code>` : said));
}

/**
 * A small board. @param {{ desk: Desk, game: import("../../state/types.js").Game, label: string }} props
 */
export function Position(props) {
  expect("Position", props, { desk: "object", game: "object", label: "string" });
  const { desk, game, label } = props;
  const { scene, failed } = useScene(desk, game);
  if (failed) return html`<p class="quiet">${words.games.noPosition}</p>`;
  return html`<figure class="small-board">
    <div role="img" aria-label=${`${label}: ${scene?.position ?? ""}`}>
      <${Picture} game=${game.game} scene=${scene} last=${scene?.last?.path ?? []} />
    </div>
  </figure>`;
}

/**
 * Holds the result of an action: a text and whether it is an error.
 * @returns {{ said: string, bad: boolean, busy: boolean, run: (work: Promise<any>, done: (answer: any) => string) =>
 *   Promise<boolean> }}
 */
export function useAnswer() {
  const [answer, setAnswer] = useState({ said: "", bad: false, busy: false });
  /** @param {Promise<any>} work @param {(answer: any) => string} done */
  const run = (work, done) => {
    setAnswer({ said: "", bad: false, busy: true });
    return work.then(
      (value) => {
        setAnswer({ said: done(value), bad: false, busy: false });
        return true;
      },
      (reason) => {
        setAnswer({ said: reason.message, bad: true, busy: false });
        return false;
      },
    );
  };
  return { ...answer, run };
}

/** Shows the result of an action, and announces it. @param {{ said: string, bad: boolean }} props */
export const Answer = ({ said, bad }) =>
  html`<p class=${bad ? "error" : said ? "answer" : ""} role=${bad ? "alert" : "status"}>${said}</p>`;
