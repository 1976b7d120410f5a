// Import and export of games: text, files, links, and games stored in the browser.

import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import { fromFile, fromLink, publicLink, toLink } from "../state/share.js";
import { studyOf } from "../state/study.js";
import * as Tree from "../state/tree.js";
import { locale, text } from "../text/index.js";
import { useTableLink } from "../transport/games.js";
import { Button } from "./controls.js";
import { copyText, download, textFile } from "./files.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/**
 * A game stored in the browser. Entries of earlier versions have no nodes.
 * @typedef {{ name: string, link: string, nodes?: PlainNode[] }} Saved
 */
/** A message, and whether it is an error. @typedef {{ text: string, bad: boolean }} Said */

const MOST_SAVED = 50;

/**
 * @typedef {object} ExchangeProps
 * @property {import("../transport/desk.js").Desk} desk
 * @property {Game} game The line on the board.
 * @property {string} title The game with its board size, rules and start.
 * @property {Tree.Tree} tree
 * @property {string} position
 * @property {() => void} onPictures Opens the dialog with the pictures.
 * @property {() => void} onTry Called before a game is opened, to remove earlier messages.
 * @property {(game: Game, nodes?: PlainNode[] | null, leftOut?: string) => void} onOpen
 */

/** @param {ExchangeProps} props */
export function Exchange(props) {
  expect("Exchange", props, {
    desk: "object",
    game: "object",
    title: "string",
    tree: "object",
    position: "string",
    onPictures: "function",
    onTry: "function",
    onOpen: "function",
  });
  const { desk, game, title, tree, position, onPictures, onTry, onOpen } = props;
  const words = text.exchange;
  const link = publicLink(location, useTableLink(), toLink(game));
  const [pasted, setPasted] = useState("");
  const [said, setSaid] = useState(/** @type {Said} */ ({ text: "", bad: false }));
  const [saved, setSaved] = useState(/** @type {() => Saved[]} */ (() => recall("games", [])));
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @param {any} event */
  const type = (event) => setPasted(event.target.value);
  /** @param {string} words */
  const say = (words) => setSaid({ text: words, bad: false });
  /** @param {Error} reason */
  const complain = (reason) => setSaid({ text: reason.message, bad: true });

  /** Opens the game that a text contains, or shows the error. @param {string} from */
  const read = async (from) => {
    onTry();
    try {
      const linked = fromLink(from.match(/#\/\w+\?(\S+)/)?.[1] ?? "");
      if (linked) {
        await desk.look(linked);
        onOpen(linked);
      } else {
        const { size, start } = game;
        const answer = await desk.read(from, { game: game.game, size, start });
        const branched = Tree.toList(Tree.fromList(answer.nodes)).length - 1 > (answer.game.moves?.length ?? 0);
        onOpen(answer.game, branched || answer.nodes.some(isNoted) ? answer.nodes : null, answer.leftOut);
      }
      say("");
      setPasted("");
    } catch (reason) {
      complain(/** @type {Error} */ (reason));
    }
  };
  // Reads the current text, which may have changed since the last render.
  const readPasted = () => read(area.current?.value ?? pasted);
  const readFile = () => file.current?.files?.[0]?.arrayBuffer().then(fromFile).then(read, complain);

  /** @param {string} copied */
  const copy = async (copied) => {
    setPasted(copied);
    say((await copyText(copied)) ? words.copied : words.copyByHand);
  };
  /** @param {"file" | "moves"} form */
  const write = (form) => desk.write(game, Tree.toList(tree), form);
  const format = about(game.game).fileFormat;
  const save = () =>
    write("file").then(
      (content) => download(`${game.game}.${format?.toLowerCase() ?? "txt"}`, textFile(content)),
      complain,
    );
  /** @param {Saved[]} next */
  const setGames = (next) => {
    keep("games", next);
    setSaved(next);
  };
  const keepGame = () => {
    const name = words.savedName(title, game.moves?.length ?? 0, new Date().toLocaleString(locale));
    setGames([{ name, link: toLink(game), nodes: Tree.toList(tree) }, ...saved].slice(0, MOST_SAVED));
    say(words.saved);
  };
  /** @param {Saved} one */
  const openSaved = (one) => {
    const linked = fromLink(one.link);
    onTry();
    if (!linked) return;
    const study = studyOf(linked, one.nodes ?? null);
    desk.look({ ...study.setting, moves: linked.moves }).then(() => onOpen(linked, one.nodes ?? null), complain);
  };
  /** @param {Saved} one */
  const row = (one) => html`<li key=${one.name + one.link}>
    <button type="button" class="link" onClick=${() => openSaved(one)}>${one.name}</button>
    <${Button}
      kind="compact small"
      icon="trash"
      label=${words.forget(one.name)}
      onClick=${() => setGames(saved.filter((other) => other !== one))}
    />
  </li>`;

  return html`<div class="exchange">
    <label class="field wide"
      ><span>${words.paste}</span
      ><textarea
        ref=${area}
        rows="2"
        spellcheck="false"
        placeholder=${words.pasteHint}
        value=${pasted}
        onInput=${type}
      ></textarea>
    </label>
    <p class=${said.bad ? "error" : "quiet"} role=${said.bad ? "alert" : "status"}>${said.text}</p>
    <div class="buttons">
      <${Button} kind="small primary" label=${words.open} disabled=${!pasted.trim()} onClick=${readPasted} />
      <${Button} kind="small" label=${words.openFile} onClick=${() => file.current?.click()} />
      <input ref=${file} type="file" hidden accept=".sgf,.txt,.jsonl,text/plain" onChange=${readFile} />
    </div>
    <div class="buttons">
      <${Button} kind="small" label=${words.copyPosition} onClick=${() => copy(position)} />
      <${Button} kind="small" label=${words.copyMoves} onClick=${() => write("moves").then(copy, complain)} />
      <${Button}
        kind="small"
        label=${format ? words.copyFile(format) : words.copyGame}
        onClick=${() => write("file").then(copy, complain)}
      />
      <${Button} kind="small" label=${words.download} onClick=${save} />
      ${link && html`<${Button} kind="small" label=${words.copyLink} onClick=${() => copy(link)} />`}
      <${Button} kind="small" label=${words.pictures} onClick=${onPictures} />
      <${Button} kind="small" label=${words.save} onClick=${keepGame} />
    </div>
    ${
      saved.length > 0 &&
      html`<h2>${words.savedGames}</h2>
        <ul class="kept">
          ${saved.map(row)}
        </ul>`
    }
  </div>`;
}

/** Returns `true` if a move has any notes. @param {PlainNode} node */
const isNoted = ({ comment, mark, shapes, other }) => !!(comment || mark || shapes?.length || other?.length);
