// A game, move by move: a finished one, or one on a live board.

import { html, useState } from "../../../vendor/preact-htm.js";
import { Board } from "../../boards/board.js";
import { StepBar, useKeys } from "../../panels/analysing.js";
import { Token } from "../../panels/controls.js";
import { Moves } from "../../panels/moves.js";
import { expect } from "../../state/check.js";
import { firstSide } from "../../state/scene.js";
import { endingText } from "../../state/tournament.js";
import { spoken } from "../../state/words.js";
import { decimal, text } from "../../text/index.js";
import { useDesk } from "../../transport/desk.js";
import { namesOf, resultSentence, winnerOf } from "../state/games.js";
import { teamLink } from "../state/route.js";
import { words } from "../text/index.js";
import { usePolled, useScene } from "../transport.js";
import { PlayerName, Time, Waiting } from "./parts.js";
import { isRunning, useBoards } from "./scoreboard.js";

/** @typedef {import("../types.js").About} About */
/** @typedef {import("../types.js").WholeGame} WholeGame */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../../state/types.js").Game} Game */
/** @typedef {import("../../state/tree.js").Where} Where */
/** @typedef {import("../../state/memory.js").Settings} Settings */

/** @param {{ id: string, ply: number | null, settings: Settings }} props */
export function CourseGame(props) {
  expect("CourseGame", props, { id: "string", ply: "number?", settings: "object" });
  const { id, ply, settings } = props;
  /** @type {import("../transport.js").Polled<WholeGame>} */
  const { data: game, error } = usePolled(`games/${encodeURIComponent(id)}`);
  const stepping = useStepping(game?.moves.length ?? 0, ply);
  if (!game) return html`<${Waiting} error=${error} />`;
  const winner = winnerOf(game.result);
  return html`<main class="course replay-page">
    <header class="replay-head">
      <p><a href="#/course">${words.back}</a></p>
      <h1>${words.games.name(game.id, ...namesOf(game.players))}</h1>
      <p class="quiet">
        ${words.games.kinds[game.kind]} · <bdi>${resultSentence(game)}</bdi> · ${endingText(game.ending)} ·${" "}
        <${Time} at=${game.began} />
      </p>
    </header>
    <${Replayed}
      record=${{ ...game.record, moves: game.moves.map((move) => move.text) }}
      players=${game.players}
      winner=${winner}
      settings=${settings}
      stepping=${stepping}
      notes=${notesOf(game)}
    >
      <${Times} game=${game} at=${stepping.at} onGo=${stepping.go} />
      <${Faults} game=${game} onGo=${stepping.go} />
    </${Replayed}>
    <${Errors} game=${game} />
  </main>`;
}

/** A live board. @param {{ about: About, boardKey: string, settings: Settings }} props */
export function CourseLive(props) {
  expect("CourseLive", props, { about: "object", boardKey: "string", settings: "object" });
  const { boards, isKnown } = useBoards(isRunning(props.about));
  const board = boards.find(({ key }) => key === props.boardKey) ?? null;
  const stepping = useStepping(board?.scene.played.length ?? 0, null);
  if (!isKnown) return html`<${Waiting} error=${null} />`;
  if (!board) {
    return html`<main class="course">
      <h1 class="unseen">${words.menu.live}</h1>
      <p class="wait">${words.board.noBoard}</p>
      <p><a href="#/course/live">${words.board.allBoards}</a></p>
    </main>`;
  }
  const { game, size, start, played } = board.scene;
  return html`<main class="course replay-page">
    <header class="replay-head">
      <p><a href="#/course/live">${words.board.allBoards}</a></p>
      <h1>${text.play.versus(...board.names)}</h1>
      <p class="quiet" role="status">${board.end ? endingText(board.end.ending) : words.games.going}</p>
    </header>
    <${Replayed}
      record=${{ game, size, start, moves: played }}
      players=${board.players}
      winner=${board.end?.winner ?? null}
      settings=${props.settings}
      stepping=${stepping}
      notes=${{}}
    />
  </main>`;
}

/**
 * Holds the shown position: the last one, until the user steps back.
 * @param {number} length @param {number | null} first The position that is shown first.
 */
function useStepping(length, first) {
  const [chosen, setChosen] = useState(first);
  const [flip, setFlip] = useState(false);
  const at = Math.min(chosen ?? length, length);
  /** @param {number} ply */
  const go = (ply) => setChosen(ply >= length ? null : Math.max(0, ply));
  /** @param {Where} where */
  const step = (where) => go({ first: 0, back: at - 1, next: at + 1, last: length }[String(where)] ?? at);
  useKeys(step, { f: () => setFlip((now) => !now) });
  return { at, length, go, step, flip, setFlip };
}

/** Marks the moves after which a fault occurred. @param {WholeGame} game */
const notesOf = ({ faults }) =>
  Object.fromEntries(faults.flatMap(({ ply }) => (ply === null ? [] : [[ply + 1, "!"]])));

/**
 * @typedef {object} ReplayedProps
 * @property {Game} record
 * @property {[Player, Player]} players
 * @property {number | null} winner
 * @property {Settings} settings
 * @property {ReturnType<typeof useStepping>} stepping
 * @property {Record<number, string>} notes
 * @property {unknown} [children]
 */

/** The board, the players and the moves. @param {ReplayedProps} props */
function Replayed(props) {
  expect("Replayed", props, {
    record: "object",
    players: "array",
    winner: "number?",
    settings: "object",
    stepping: "object",
    notes: "object",
  });
  const { record, players, winner, settings, stepping, notes, children } = props;
  const { at, length, go, step, flip, setFlip } = stepping;
  const desk = useDesk();
  const { scene, failed } = useScene(desk, { ...record, moves: record.moves?.slice(0, at) });
  return html`<section class="replay-main" aria-label=${text.play.board}>
      ${
        scene
          ? html`<${Board}
                scene=${scene}
                flip=${flip}
                labels=${settings.labels}
                speed=${settings.speed}
                name=${text.play.versus(...namesOf(players))}
              />
              <p class="unseen" role="status">${spoken(scene)}</p>`
          : html`<p class="quiet" role="status">${failed ? words.games.noPosition : text.common.settingUp}</p>`
      }
      ${scene && failed && html`<p class="error" role="alert">${words.games.noPosition}</p>`}
    </section>
    <section class="replay-aside">
      <ul class="replay-names">
        ${players.map(
          (player, side) =>
            html`<li class=${winner === side ? "winner" : ""}>
              <${Token} game=${record.game} side=${side} />
              ${
                "level" in player
                  ? html`<${PlayerName} player=${player} />`
                  : html`<a href=${teamLink(player.team)}><${PlayerName} player=${player} /></a>
                      <small class="quiet">${words.games.version(player.version)}</small>`
              }
            </li>`,
        )}
      </ul>
      <${StepBar} at=${at} length=${length} onStep=${step} onFlip=${() => setFlip(!flip)} />
      <${Moves}
        played=${record.moves ?? []}
        at=${at}
        firstSide=${scene ? firstSide(scene) : 0}
        notes=${notes}
        onGo=${go}
      />
      ${children}
    </section>`;
}

/** Number of moves in the list of the slowest ones. */
const SLOWEST = 5;

/** @param {{ game: WholeGame, at: number, onGo: (ply: number) => void }} props */
function Times({ game, at, onGo }) {
  const timed = game.moves.flatMap(({ text: move, seconds }, i) =>
    seconds === undefined ? [] : [{ move, seconds, ply: i + 1 }],
  );
  if (timed.length === 0) return null;
  const said = words.games;
  const now = timed.find(({ ply }) => ply === at);
  const slowest = timed.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return html`<div class="times">
    <p class="quiet">${now ? said.time(secondsText(now.seconds)) : "\u00a0"}</p>
    <h2>${said.slowest}</h2>
    <ul class="jumps">
      ${slowest.map(
        ({ move, seconds, ply }) =>
          html`<li>
            <button type="button" class="jump" onClick=${() => onGo(ply)}>
              ${said.slow(ply, move, secondsText(seconds))}
            </button>
          </li>`,
      )}
    </ul>
  </div>`;
}

/** Formats seconds. @param {number} seconds */
export const secondsText = (seconds) => `${decimal(seconds, seconds < 10 ? 2 : 1)} s`;

/** @param {{ game: WholeGame, onGo: (ply: number) => void }} props */
function Faults({ game, onGo }) {
  const { faults, players } = game;
  if (faults.length === 0) return null;
  const names = namesOf(players);
  return html`<div class="faults">
    <h2>${words.games.faults}</h2>
    <ul class="jumps">
      ${faults.map(({ side, kind, ply, detail }) => {
        const what = ply === null ? endingText(kind) : words.games.faultAt(endingText(kind), ply + 1);
        return html`<li>
          <p><bdi>${names[side]}</bdi>: ${what}</p>
          ${detail && html`<pre tabindex="0" role="group" aria-label=${what}>${detail}</pre>`}
          ${
            ply !== null &&
            html`<button type="button" class="jump" onClick=${() => onGo(ply)}>${words.games.goTo}</button>`
          }
        </li>`;
      })}
    </ul>
  </div>`;
}

/** The standard error of the user's own side. @param {{ game: WholeGame }} props */
function Errors({ game }) {
  const names = namesOf(game.players);
  const shown = game.stderr.flatMap((content, side) => (content === null ? [] : [{ content, name: names[side] }]));
  if (shown.length === 0) return null;
  return html`<section class="stderr" aria-labelledby="stderr">
    <h2 id="stderr">${words.games.stderr}</h2>
    ${shown.map(({ content, name }) => {
      const label = words.games.stderrOf(name);
      return html`<h3><bdi>${name}</bdi></h3>
        ${
          content
            ? html`<pre tabindex="0" role="group" aria-label=${label}>${content}</pre>`
            : html`<p class="quiet">${words.games.noStderr}</p>`
        }`;
    })}
  </section>`;
}
