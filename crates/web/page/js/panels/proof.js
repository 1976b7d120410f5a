// Proves which side wins a position, and shows the winner's answer to each reply of the loser.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { counted, winnersMoves } from "../state/words.js";
import { text } from "../text/index.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Known} Known */
/** @typedef {import("../state/types.js").Reply} Reply */
/** @typedef {import("../state/types.js").ProofNews} ProofNews */
/** @typedef {import("../transport/desk.js").Desk} Desk */

/** Number of replies that are shown at once. */
const PAGE = 12;

/** Describes a known result in a sentence. @param {Known} known @param {[string, string]} sides */
export function knownText({ winner, plies, source }, sides) {
  const words = text.analysis.known[source];
  return winner === null ? words.draw : words.wins(sides[winner], winnersMoves(plies));
}

/**
 * @typedef {object} ProveProps
 * @property {Desk} desk
 * @property {{ game: Game, news: ProofNews | null } | null} proof
 * @property {Game} game The game on the board.
 * @property {boolean} over Whether the game on the board is over.
 * @property {[string, string]} sides
 * @property {() => void} onProve
 * @property {() => void} onStop
 * @property {(game: Game, line: string[]) => void} onShow Shows a line from the proven position on the board.
 */

/** @param {ProveProps} props */
export function Prove(props) {
  expect("Prove", props, {
    desk: "object",
    proof: "object?",
    game: "object",
    over: "boolean",
    sides: "array",
    onProve: "function",
    onStop: "function",
    onShow: "function",
  });
  const { desk, proof, game, over, sides, onProve, onStop, onShow } = props;
  const words = text.analysis;
  const news = proof?.news;
  const here = JSON.stringify(proof?.game) === JSON.stringify(game);
  const busy = proof && (!news || news.state === "waiting" || news.state === "searching");
  const again = !busy && !here;
  return html`<div class="prove">
    ${!proof && html`<p class="quiet">${words.proveHint}</p>`}
    ${
      proof &&
      !here &&
      html`<p class="quiet">
        <button type="button" class="link" onClick=${() => onShow(proof.game, [])}>
          ${words.provenPosition(proof.game.moves?.length ?? 0)}
        </button>
      </p>`
    }
    ${
      busy &&
      html`<div class="proving">
        <p role="status">
          ${news?.state === "waiting" ? words.proofWaits : words.proving(counted(news?.nodes ?? 0), seconds(news))}
        </p>
        <${Button} kind="small" label=${words.stopProof} onClick=${onStop} />
      </div>`
    }
    ${news?.state === "open" && html`<p role="status">${words.notProven(counted(news.nodes))}</p>`}
    ${news?.known && html`<p class="result" role="status">${knownText(news.known, sides)}</p>`}
    ${
      proof &&
      news?.known &&
      news.state === "won" &&
      html`<${Win} key=${proof.game} desk=${desk} proof=${{ game: proof.game, known: news.known }} onShow=${onShow} />`
    }
    ${again && html`<${Button} kind="primary" label=${words.prove} disabled=${over} onClick=${onProve} />`}
  </div>`;
}

/** @param {ProofNews | null | undefined} news */
const seconds = (news) => Math.round(news?.seconds ?? 0);

/**
 * The tree of a proven win.
 * @param {{ desk: Desk, proof: { game: Game, known: Known }, onShow: (game: Game, line: string[]) => void }} props
 */
function Win({ desk, proof, onShow }) {
  const { game, known } = proof;
  const show = (/** @type {string[]} */ line) => onShow(game, line);
  // `known.best` is the winner's move or, in a result from tables, possibly the loser's. Replies follow the winner's.
  const first = known.best === null ? [] : [known.best];
  const [line, setLine] = useState(/** @type {string[] | null} */ (null));
  const [replies, setReplies] = useState(/** @type {Reply[] | null} */ (null));
  useEffect(() => {
    let current = true;
    const ask = (/** @type {string[]} */ at) =>
      desk.replies(at).then((found) => {
        if (!current) return;
        setLine(at);
        setReplies(found);
      });
    ask(first).catch(() => ask([]).catch(() => {}));
    return () => {
      current = false;
    };
  }, []);
  if (!line || !replies) return html`<p class="quiet">${text.analysis.thinking}</p>`;
  return html`<div class="win">
    ${line.length > 0 && html`<button type="button" class="move" onClick=${() => show(line)}>${line[0]}</button>`}
    <${Replies} desk=${desk} line=${line} replies=${replies} onShow=${show} />
  </div>`;
}

/**
 * The loser's replies after a line.
 * @param {{ desk: Desk, line: string[], replies: Reply[], onShow: (line: string[]) => void }} props
 */
function Replies({ desk, line, replies, onShow }) {
  const [shown, setShown] = useState(PAGE);
  return html`<ul class="replies">
    ${replies
      .slice(0, shown)
      .map((reply) => html`<${Branch} key=${reply.move} desk=${desk} line=${line} reply=${reply} onShow=${onShow} />`)}
    ${
      replies.length > shown &&
      html`<li>
        <button type="button" class="link" onClick=${() => setShown(replies.length)}>
          ${text.analysis.moreReplies(replies.length - shown)}
        </button>
      </li>`
    }
  </ul>`;
}

/**
 * A reply and its answer. A click opens the next replies.
 * @param {{ desk: Desk, line: string[], reply: Reply, onShow: (line: string[]) => void }} props
 */
function Branch({ desk, line, reply, onShow }) {
  const [open, setOpen] = useState(false);
  const [next, setNext] = useState(/** @type {Reply[] | null} */ (null));
  const words = text.analysis;
  const { move, answer, plies, ends } = reply;
  const after = answer === null ? [...line, move] : [...line, move, answer];
  const toggle = () => {
    setOpen(!open);
    if (!open && !next) desk.replies(after).then(setNext, () => setNext([]));
  };
  return html`<li>
    <span class="reply">
      ${
        answer && !ends
          ? html`<button
              type="button"
              class="twist"
              aria-expanded=${open ? "true" : "false"}
              aria-label=${words.repliesAfter(move, answer)}
              onClick=${toggle}
            ></button>`
          : html`<span class="twist"></span>`
      }
      <button type="button" class="move" onClick=${() => onShow([...line, move])}>${move}</button>
      ${answer && html`<button type="button" class="move answer" onClick=${() => onShow(after)}>${answer}</button>`}
      <span class="quiet">${plies === null ? words.notAgain : plies > 0 && words.inMoves(winnersMoves(plies))}</span>
    </span>
    ${open && next && html`<${Replies} desk=${desk} line=${after} replies=${next} onShow=${onShow} />`}
  </li>`;
}
