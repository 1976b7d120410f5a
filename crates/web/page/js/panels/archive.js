// The list of finished games: result, opponent, date. Each entry links to its analysis.

import { html, useState } from "../../vendor/preact-htm.js";
import { ownResult, ownSide } from "../state/archive.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { opponentName } from "../state/scene.js";
import { toLink } from "../state/share.js";
import { language, text } from "../text/index.js";
import { useArchive } from "../transport/archive.js";
import { Button, Token } from "./controls.js";

/** @typedef {import("../state/types.js").Archived} Archived */
/** @typedef {import("../state/types.js").Who} Who */

/**
 * The finished games with a heading; nothing if the server has no archive for this client.
 * @param {{ desk: import("../transport/desk.js").Desk, game?: string | null }} props Games of one kind, or all.
 */
export function Finished(props) {
  expect("Finished", props, { desk: "object", game: "string?" });
  const archive = useArchive(props.desk, props.game ?? null);
  if (archive.error && !archive.games) return null;
  return html`<section class="finished">
    <h2>${text.home.finished}</h2>
    <${ArchiveList} archive=${archive} />
  </section>`;
}

/** @param {{ archive: ReturnType<typeof useArchive> }} props */
function ArchiveList({ archive: { games, count, error, more, forget } }) {
  if (error) return html`<p class="error" role="alert">${error}</p>`;
  if (!games) return html`<p class="quiet" role="status">${text.server.loading}</p>`;
  if (count === 0) return html`<p class="quiet">${text.server.noGames}</p>`;
  return html`<div class="archive">
    <ul>
      ${games.map((game) => html`<${Row} key=${game.id} game=${game} onForget=${() => forget(game.id)} />`)}
    </ul>
    ${games.length < count && html`<${Button} label=${text.server.moreGames(count - games.length)} onClick=${more} />`}
  </div>`;
}

/** @param {Who} who */
const playerName = (who) =>
  who.kind === "person" ? text.server.person : who.level ? opponentName(who.level) : text.server.engine(null);

/** @param {{ game: Archived, onForget: () => void }} props */
function Row({ game, onForget }) {
  const [sure, setSure] = useState(false);
  const { title, sides } = about(game.game);
  const [own, how] = [ownSide(game), ownResult(game)];
  const players = own === null ? game.seats.map(playerName) : [playerName(game.seats[1 - own])];
  const result = how ? text.server.results[how] : text.server.wonBy(game.winner === null ? null : sides[game.winner]);
  const link = `#/analyse?${toLink(game)}&review=1`;
  const date = new Date(game.date);
  const day = date.toLocaleDateString(language, { year: "numeric", month: "short", day: "numeric" });
  return html`<li class=${how ?? "between"}>
    <a href=${link}>
      <${Token} game=${game.game} side=${own ?? game.winner ?? 0} />
      <strong>${result}</strong>
      <span class="why">${text.server.reasons[game.reason] ?? ""}</span>
      <span class="who">${text.server.against(players)}</span>
      <span class="what">${text.server.game(title, game.size, game.moves.length)}</span>
      <time datetime=${game.date}>${day}</time>
    </a>
    ${
      sure
        ? html`<${Button} label=${text.server.forgetForGood} kind="danger" onClick=${onForget} />`
        : html`<${Button}
            icon="trash"
            kind="compact"
            label=${text.server.forget(day)}
            onClick=${() => setSure(true)}
          />`
    }
  </li>`;
}
