// Games in and out: text, link, and those that the browser keeps.

import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import { fromLink, toLink } from "../state/share.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/types.js").Game} Game */

/**
 * @param {{ desk: import("../transport/desk.js").Desk, game: Game, position: string, onOpen: (game: Game) => void }}
 *   props
 */
export function Exchange(props) {
  expect("Exchange", props, { desk: "object", game: "object", position: "string", onOpen: "function" });
  const { desk, game, position, onOpen } = props;
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const [games, setGames] = useState(() => recall("games", []));
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  /** @param {any} event */
  const type = (event) => setText(event.target.value);
  const read = () => {
    // The text that is there now, even if it was typed since the last drawing.
    const now = area.current?.value ?? text;
    const link = now.match(/#\/\w+\?(\S+)/);
    const linked = link && fromLink(link[1]);
    const { size, start } = game;
    const wanted = linked ? desk.look(linked).then(() => linked) : desk.read(now, { game: game.game, size, start });
    wanted.then(onOpen).catch((error) => setSaid(error.message));
  };
  /** @param {string} what @param {string} copied */
  const copy = (what, copied) => {
    setText(copied);
    navigator.clipboard?.writeText(copied).then(
      () => setSaid(`${what} copied.`),
      () => setSaid(`${what}: select and copy it above.`),
    );
  };
  const copyFile = () =>
    desk.write(game).then(
      (file) => copy("Game", file),
      (reason) => setSaid(reason.message),
    );
  const save = () => {
    const name = `${about(game.game).title}, ${game.moves?.length ?? 0} moves, ${new Date().toLocaleString()}`;
    const next = [{ name, link: toLink(game) }, ...games].slice(0, 50);
    keep("games", next);
    setGames(next);
    setSaid("Kept in this browser.");
  };
  return html`<details class="exchange">
    <summary>Import, export, keep</summary>
    <label class="field wide"
      ><span>A position, a list of moves, an SGF file, a game of a tournament’s export, or a link</span
      ><textarea ref=${area} rows="3" spellcheck="false" value=${text} onInput=${type}></textarea>
    </label>
    <div class="buttons">
      <${Button} label="Open" disabled=${!text.trim()} onClick=${read} />
      <${Button} label="Copy position" onClick=${() => copy("Position", position)} />
      <${Button} label="Copy moves" onClick=${() => copy("Moves", (game.moves ?? []).join(" "))} />
      <${Button} label=${`Copy ${about(game.game).fileFormat ?? "game"}`} onClick=${copyFile} />
      <${Button} label="Copy link" onClick=${() => copy("Link", `${location.origin}/#/analyse?${toLink(game)}`)} />
      <${Button} label="Keep this game" onClick=${save} />
    </div>
    <p class="quiet said" role="status">${said}</p>
    ${
      games.length > 0 &&
      html`<ul class="kept">
        ${games.map(kept)}
      </ul>`
    }
  </details>`;
}

/** A game that the browser keeps. @param {{ name: string, link: string }} game */
const kept = ({ name, link }) => html`<li><a href=${`#/analyse?${link}`}>${name}</a></li>`;
