// The ladder of a game: its opponents, the user's results and rating, and the finished games as a file.

import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { Portrait } from "../boards/portrait.js";
import { Button, Icon } from "../panels/controls.js";
import { download } from "../panels/files.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { gamesOf, nextGame, nextRung, scoreOf } from "../state/ladder.js";
import { beginLink } from "../state/setup.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { exportGames, importGames, useLadder } from "../transport/ladder.js";

/** @typedef {import("../state/ladder.js").Ladder} Ladder */
/** @typedef {import("../state/ladder.js").Rung} RungData */

/** @param {{ game: string }} props */
export function Ladder(props) {
  expect("Ladder", props, { game: "string" });
  const { name, title } = about(props.game);
  const desk = useDesk();
  const [imports, setImports] = useState(0);
  const { ladder, error } = useLadder(desk, name, imports);
  const tab = (/** @type {import("../state/games.js").About} */ game) =>
    html`<a href=${`#/ladder/${game.name}`} aria-current=${game.name === name ? "page" : undefined}>${game.title}</a>`;
  return html`<main class="ladder">
    <div class="ladder-head">
      <h1>${text.views.ladder}<span class="unseen"> ${title}</span></h1>
      <nav class="ladder-games" aria-label=${text.newGame.game}>${allGames().map(tab)}</nav>
    </div>
    <section class="ladder-side" aria-label=${text.ladder.you}>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${ladder && html`<${Next} game=${name} ladder=${ladder} /><${Rating} ladder=${ladder} />`}
      <p class="quiet">${text.ladder.rule}</p>
    </section>
    ${ladder && html`<${Rungs} game=${name} ladder=${ladder} />`}
    ${!error && html`<${Files} desk=${desk} onImport=${() => setImports(imports + 1)} />`}
  </main>`;
}

/** The next opponent. @param {{ game: string, ladder: Ladder }} props */
function Next({ game, ladder }) {
  const next = nextRung(ladder);
  if (!next) {
    return html`<div class="ladder-next">
      <${Portrait} level=${ladder.rungs.at(-1)?.level} />
      <h2>${text.ladder.all}</h2>
    </div>`;
  }
  const { rung, name } = next;
  return html`<div class="ladder-next">
    <${Portrait} level=${rung.level} />
    <div>
      <h2>${text.ladder.nextName(name)}</h2>
      <p>${scoreOf(rung)}</p>
    </div>
    <a class="button primary" href=${beginLink(nextGame(game, rung))}><span>${text.ladder.play(name)}</span></a>
  </div>`;
}

/** The user's rating. @param {{ ladder: Ladder }} props */
function Rating({ ladder: { rating } }) {
  const words = text.ladder;
  if (!rating) return html`<p>${words.unrated}</p>`;
  return html`<dl class="ladder-rating">
    <dt>${words.rating}</dt>
    <dd><strong>${rating.elo}</strong> ± ${rating.deviation}</dd>
    <dd class="quiet">${words.ratedBy(rating.games)}</dd>
  </dl>`;
}

/**
 * All opponents, the strongest at the top, with the user between them.
 * @param {{ game: string, ladder: Ladder }} props
 */
function Rungs({ game, ladder: { rungs, next, rating } }) {
  const { levels } = about(game);
  /** @param {RungData} rung */
  const eloOf = (rung) => levels.find(({ key }) => key === rung.level)?.elo ?? null;
  // The user stands above all opponents with a lower rating.
  const below = rating ? rungs.filter((rung) => (eloOf(rung) ?? 0) <= rating.elo).length : -1;
  const you = rating && html`<li class="you" key="you"><span>${text.ladder.youAt(rating.elo)}</span></li>`;
  const lines = rungs.map(
    (rung, at) =>
      html`<${Rung} key=${rung.level} game=${game} rung=${rung} elo=${eloOf(rung)} isNext=${at === next} />`,
  );
  if (rating) lines.splice(below, 0, you);
  return html`<ol class="rungs" reversed aria-label=${text.newGame.opponent}>${lines.reverse()}</ol>`;
}

/** @param {{ game: string, rung: RungData, elo: number | null, isNext: boolean }} props */
function Rung({ game, rung, elo, isNext }) {
  const { level, beaten, last } = rung;
  const words = text.ladder;
  const known = text.opponents.levels[level];
  const name = known?.name ?? level;
  const kinds = [text.server.results.lost, text.server.results.draw, text.server.results.won];
  const state = beaten ? words.beaten : isNext ? words.isNext : "";
  const marks = ["rung", beaten && "beaten", isNext && "next"].filter(Boolean).join(" ");
  return html`<li class=${marks} aria-current=${isNext ? "step" : undefined}>
    <${Portrait} level=${level} />
    <div class="rung-names">
      <strong>${name}</strong>
      ${elo !== null && html`<span class="elo">${text.opponents.elo(elo)}</span>`}
      ${state && html`<span class="rung-state">${beaten && html`<${Icon} name="check" />`} ${state}</span>`}
      <p>${known?.about}</p>
    </div>
    ${
      gamesOf(rung) > 0 &&
      html`<span class="rung-score">
        <span>${words.brief(rung.wins, rung.losses, rung.draws)}</span>
        <span class="last" role="img" aria-label=${words.last(last.map((points) => kinds[points]).join(", "))}>
          ${last.map((points) => html`<i class=${`points${points}`}></i>`)}
        </span>
      </span>`
    }
    <a class="button compact" href=${beginLink(nextGame(game, rung))} title=${words.play(name)}
      ><${Icon} name="play" /><span class="unseen">${words.play(name)}</span></a
    >
  </li>`;
}

/**
 * The finished games as a file.
 * @param {{ desk: import("../transport/desk.js").Desk, onImport: () => void }} props
 */
function Files({ desk, onImport }) {
  const words = text.ladder;
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [said, setSaid] = useState({ said: "", error: "" });
  const fail = (/** @type {Error} */ reason) => setSaid({ said: "", error: reason.message });
  const save = () => {
    exportGames(desk).then(
      (file) => download("plyhouse-games.jsonl", new Blob([file], { type: "application/jsonl" })),
      fail,
    );
  };
  const read = async (/** @type {any} */ { target }) => {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    setSaid({ said: text.server.loading, error: "" });
    await file
      .text()
      .then((/** @type {string} */ content) => importGames(desk, content))
      .then(setSaid, fail);
    onImport();
  };
  return html`<section class="ladder-files" aria-labelledby="files">
    <h2 id="files">${words.files}</h2>
    <p class="quiet">${words.filesHow}</p>
    <div class="buttons">
      <${Button} label=${words.export} onClick=${save} />
      <${Button} label=${words.import} onClick=${() => input.current?.click()} />
      <input ref=${input} type="file" hidden accept=".jsonl,.txt,application/jsonl" onChange=${read} />
    </div>
    <p role="status">${said.said}</p>
    ${said.error && html`<p class="error" role="alert">${said.error}</p>`}
  </section>`;
}
