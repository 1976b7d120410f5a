// The opening explorer: the moves played in a position, with their frequency and results. A click plays a move.

import { html, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { text } from "../text/index.js";
import { useOpenings } from "../transport/explorer.js";

/** @typedef {import("../state/types.js").Explored} Explored */
/** @typedef {import("../state/types.js").Source} Source */

/** @type {Source[]} */
const SOURCES = ["people", "engines", "files"];

/**
 * @typedef {object} ExplorerProps
 * @property {import("../transport/desk.js").Desk} desk
 * @property {import("../state/types.js").Game} game
 * @property {string} side Name of the side to move.
 * @property {(move: string) => void} onPlay
 */

/** @param {ExplorerProps} props */
export function Explorer(props) {
  expect("Explorer", props, { desk: "object", game: "object", side: "string", onPlay: "function" });
  const { desk, game, side, onPlay } = props;
  const [sources, setSources] = useState(SOURCES);
  const { openings, isOld, error } = useOpenings(desk, game, sources);
  /** @param {Source} source */
  const flip = (source) => setSources(SOURCES.filter((one) => sources.includes(one) !== (one === source)));
  /** @param {Source} source */
  const box = (source) =>
    html`<label
      ><input type="checkbox" checked=${sources.includes(source)} onChange=${() => flip(source)} />${
        text.server.sources[source]
      }</label
    >`;
  const moves = openings?.moves ?? [];
  const all = moves.reduce((sum, move) => sum + games(move), 0);
  /** @param {Explored} move */
  const row = (move) => html`<${Row} key=${move.text} move=${move} all=${all} onPlay=${onPlay} />`;
  return html`<section class="explorer" aria-label=${text.server.explorer} aria-busy=${isOld}>
    <div class="sources">${SOURCES.map(box)}</div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${openings?.counting && html`<p class="quiet" role="status">${text.server.counting}</p>`}
    ${openings && moves.length === 0 && html`<p class="quiet">${text.server.nothingHere}</p>`}
    ${
      moves.length > 0 &&
      html`<table>
        <thead>
          <tr>
            <th scope="col">${text.server.move}</th>
            <th scope="col" class="number" colspan="2">${text.server.games}</th>
            <th scope="col">${text.server.resultsFor(side)}</th>
          </tr>
        </thead>
        <tbody>
          ${moves.map(row)}
        </tbody>
      </table>`
    }
  </section>`;
}

/** @param {Explored} move */
const games = ({ wins, draws, losses }) => wins + draws + losses;

/**
 * A move with a bar of wins, draws and losses.
 * @param {{ move: Explored, all: number, onPlay: (move: string) => void }} props
 */
function Row({ move, all, onPlay }) {
  const { wins, draws, losses } = move;
  const count = games(move);
  /** @param {string} kind @param {number} of */
  const part = (kind, of) => {
    const share = Math.round((100 * of) / count);
    if (of === 0) return null;
    return html`<span class=${kind} style=${{ flexGrow: of }}>${share >= 15 ? `${share}%` : ""}</span>`;
  };
  const spoken = text.server.shares(wins, draws, losses);
  return html`<tr>
    <th scope="row">
      <button type="button" class="move" title=${move.same.join(" ") || undefined} onClick=${() => onPlay(move.text)}>
        ${move.text}
      </button>
    </th>
    <td class="number">${count}</td>
    <td class="number quiet">${Math.round((100 * count) / all)} %</td>
    <td>
      <div class="shares" role="img" aria-label=${spoken} title=${spoken}>
        ${part("won", wins)}${part("drawn", draws)}${part("lost", losses)}
      </div>
    </td>
  </tr>`;
}
