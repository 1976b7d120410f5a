// The tables of a tournament: agents, workers, latest results.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { eloText, endingText, faultsOf } from "../state/tournament.js";
import { decimal, text } from "../text/index.js";

/** @typedef {import("../state/tournament.js").Agent} Agent */
/** @typedef {import("../state/tournament.js").Worker} Worker */
/** @typedef {import("../state/tournament.js").Result} Result */

/** Formats a number with one decimal place, or a dash for none. @param {number | null} value */
export const tenth = (value) => (value === null ? "–" : decimal(value, 1));

/** @param {{ agents: Agent[], winners: string[] }} props */
export function Standings(props) {
  expect("Standings", props, { agents: "array", winners: "array" });
  const { agents, winners } = props;
  const words = text.arena;
  const swiss = agents.some((agent) => agent.buchholz !== null);
  return html`<section aria-labelledby="standings">
    <h2 id="standings">${words.standings}</h2>
    <table class="report standings" aria-labelledby="standings">
      <thead>
        <tr>
          <th scope="col"><abbr title=${words.place}>#</abbr></th>
          <th scope="col">${words.agent}</th>
          <th scope="col" class="few">${words.played}</th>
          <th scope="col" class="widest">${words.results}</th>
          <th scope="col" class="few">${words.points}</th>
          ${swiss && html`<th scope="col" class="wide">${words.buchholz}</th>`}
          <th scope="col" class="error-bar">Elo</th>
          <th scope="col" class="few">${words.faults}</th>
        </tr>
      </thead>
      <tbody>
        ${agents.map(
          (agent, i) => html`<${AgentRow}
            key=${agent.name}
            agent=${agent}
            place=${i + 1}
            swiss=${swiss}
            won=${winners.includes(agent.name)}
          />`,
        )}
      </tbody>
    </table>
    <p class="quiet small">${words.eloNote}</p>
  </section>`;
}

/** @param {{ agent: Agent, place: number, swiss: boolean, won: boolean }} props */
function AgentRow({ agent, place, swiss, won }) {
  const { games } = agent;
  const faults = faultsOf(agent);
  const kinds = Object.entries(agent.faults).map(([kind, count]) => `${endingText(kind)} ${count}`).join(", ");
  return html`<tr class=${won ? "winner" : ""}>
    <td>${place}</td>
    <th scope="row" title=${agent.name}>${agent.name}</th>
    <td>${games[0] + games[1] + games[2]}</td>
    <td class="widest">${games.join(" / ")}</td>
    <td><b>${tenth(agent.points)}</b></td>
    ${swiss && html`<td class="wide">${tenth(agent.buchholz)}</td>`}
    <td class="elo-cell">${eloText(agent)}</td>
    <td class=${faults ? "faulty" : ""} title=${kinds}>
      ${faults}${kinds && html`<span class="unseen">: ${kinds}</span>`}
    </td>
  </tr>`;
}

/** @param {{ workers: Worker[] }} props */
export function Workers(props) {
  expect("Workers", props, { workers: "array" });
  const words = text.arena;
  const { workers } = props;
  return html`<section aria-labelledby="workers">
    <h2 id="workers">${words.workers}</h2>
    ${workers.length === 0 && html`<p class="quiet">${words.noWorkers}</p>`}
    ${workers.length > 0 &&
    html`<table class="report workers" aria-labelledby="workers">
      <thead>
        <tr>
          <th scope="col">${words.worker}</th>
          <th scope="col">${words.busy}</th>
          <th scope="col">${words.perMinute}</th>
          <th scope="col">${words.done}</th>
          <th scope="col">${words.failed}</th>
        </tr>
      </thead>
      <tbody>
        ${workers.map(
          (worker) => html`<tr key=${worker.id} class=${worker.silent > 15 ? "silent" : ""}>
            <th scope="row" title=${worker.name}>
              ${worker.name || words.itself}
              ${worker.silent > 15 && html` <small>${words.silent(worker.silent)}</small>`}
            </th>
            <td>${words.of(worker.busy, worker.jobs)}</td>
            <td>${tenth(worker.perMinute)}</td>
            <td>${worker.done}</td>
            <td class=${worker.failed ? "faulty" : ""}>${worker.failed}</td>
          </tr>`,
        )}
      </tbody>
    </table>`}
  </section>`;
}

/** Returns a result as a sentence. @param {[string, string]} names @param {number | null} winner */
const beaten = (names, winner) =>
  winner === null ? text.arena.between(...names) : text.arena.beat(names[winner], names[1 - winner]);

/** @param {{ recent: Result[], onOpen: (game: import("./replay.js").Played) => void }} props */
export function Recent(props) {
  expect("Recent", props, { recent: "array", onOpen: "function" });
  const words = text.arena;
  return html`<section aria-labelledby="recent">
    <h2 id="recent">${words.recent}</h2>
    <ul class="recent">
      ${props.recent.map(
        ({ number, names, winner, ending, plies }) => html`<li key=${number}>
          <button
            type="button"
            class="open"
            onClick=${() => props.onOpen({ number, names, plies, end: { winner, ending } })}
          >
            <span class="number">${words.game(number + 1)}</span>
            <span class="between">
              <b>${beaten(names, winner)}</b>
              <small>${endingText(ending)} · ${text.common.moves(plies)}</small>
            </span>
          </button>
        </li>`,
      )}
    </ul>
  </section>`;
}
