// The list of finished games: result, opponent, date. Each entry links to its analysis.

import { html, useState } from "../../vendor/preact-htm.js";
import { Picture } from "../boards/picture.js";
import { ownResult, ownSide } from "../state/archive.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { opponentName, turnedFor } from "../state/scene.js";
import { toLink } from "../state/share.js";
import { gameText } from "../state/words.js";
import { locale, text } from "../text/index.js";
import { useArchive } from "../transport/archive.js";
import { usePicture } from "../transport/pictures.js";
import { Button, Select, Token } from "./controls.js";

/** @typedef {import("../state/types.js").Archived} Archived */
/** @typedef {import("../state/types.js").Who} Who */

/** @typedef {"won" | "lost" | "draw"} How */

/**
 * The finished games with a heading; nothing if the server has no archive for this client.
 * @param {{ desk: import("../transport/desk.js").Desk }} props
 */
export function Finished(props) {
  expect("Finished", props, { desk: "object" });
  const { desk } = props;
  const [game, setGame] = useState("");
  const [result, setResult] = useState("");
  const archive = useArchive(desk, game || null, /** @type {How} */ (result) || null);
  const filtered = game !== "" || result !== "";
  const { games, count, error } = archive;
  const words = text.server;
  if (error && !games) return null;
  const showAll = () => {
    setGame("");
    setResult("");
  };
  const filters = html`<div class="fields">
    <${Select}
      label=${text.home.games}
      value=${game}
      options=${[["", words.allGames], ...allGames().map(({ name, title }) => [name, title])]}
      onChange=${setGame}
    />
    <${Select}
      label=${words.result}
      value=${result}
      options=${[["", words.allResults], ...Object.entries(words.results)]}
      onChange=${setResult}
    />
  </div>`;
  return html`<section class="finished">
    <h2>${text.home.finished}</h2>
    ${(filtered || count > 1) && filters}
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${!games && html`<p class="quiet" role="status">${words.loading}</p>`}
    ${games && count === 0 && html`<p class="quiet" role="status">${filtered ? words.noMatch : words.noGames}</p>`}
    ${games && count === 0 && filtered && html`<${Button} label=${words.showAll} onClick=${showAll} />`}
    ${games && count > 0 && html`<${ArchiveList} desk=${desk} archive=${archive} />`}
  </section>`;
}

/** @param {{ desk: import("../transport/desk.js").Desk, archive: ReturnType<typeof useArchive> }} props */
function ArchiveList({ desk, archive: { games, count, more, forget } }) {
  const shown = games ?? [];
  return html`<div class="archive">
    <ul>
      ${shown.map(
        (game) => html`<${Row} key=${game.id} desk=${desk} game=${game} onForget=${() => forget(game.id)} />`,
      )}
    </ul>
    ${shown.length < count && html`<${Button} label=${text.server.moreGames(count - shown.length)} onClick=${more} />`}
  </div>`;
}

/** @param {Who} who */
const engineName = (who) => (who.kind === "engine" && who.level ? opponentName(who.level) : text.server.engine(null));

/** Names the opponent, or both players. @param {Archived} game @param {number | null} own */
function playersOf({ seats }, own) {
  if (own !== null) return text.server.against(engineName(seats[1 - own]));
  const names = seats.map((who) => who.kind === "person" && who.name);
  if (names.some(Boolean)) return names.map((name) => name || text.server.player).join(" – ");
  return seats[0].kind === "person" ? text.home.twoPlayers : seats.map(engineName).join(" – ");
}

/** @param {{ desk: import("../transport/desk.js").Desk, game: Archived, onForget: () => void }} props */
function Row({ desk, game, onForget }) {
  const [sure, setSure] = useState(false);
  const { sides } = about(game.game);
  const scene = usePicture(desk, { game: game.game, size: game.size, start: game.start, moves: game.moves });
  const [own, how] = [ownSide(game), ownResult(game)];
  const result = how ? text.server.results[how] : text.server.wonBy(game.winner === null ? null : sides[game.winner]);
  const link = `#/analyse?${toLink(game)}&review=1`;
  const date = new Date(game.date);
  const day = date.toLocaleDateString(locale, { year: "numeric", month: "short", day: "numeric" });
  return html`<li class=${how ? `own-${how}` : ""}>
    <a href=${link}>
      <${Picture} game=${game.game} scene=${scene} flip=${turnedFor(game.game, own ?? 0)} />
      <strong><${Token} game=${game.game} side=${own ?? game.winner ?? 0} />${result}</strong>
      <span class="cause">${text.server.reasons[game.reason] ?? ""}</span>
      <span class="who">${playersOf(game, own)}</span>
      <span class="what">${gameText(scene ?? game)}\u00a0· ${text.common.moves(game.moves.length)}</span>
      <time datetime=${game.date}>${day}</time>
    </a>
    <a class="button small" href=${`#/review?${toLink(game)}${own === null ? "" : `&side=${own}`}`}
      ><span aria-hidden="true">${text.views.review}</span><span class="unseen">${text.server.reviewOf(day)}</span></a
    >
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
