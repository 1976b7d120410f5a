// The dialog for sharing a game: a file, a list of moves, a position, a picture, an animated picture, or a link.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { film } from "../boards/film.js";
import { coloursOf, draw } from "../boards/sheet.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { publicLink, toLink } from "../state/share.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { useTableLink } from "../transport/games.js";
import { Button, Icon } from "./controls.js";
import { copyText, download, textFile } from "./files.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/** A message, and a text that the user has to copy. @typedef {{ text: string, bad?: boolean, byHand?: string }} Said */

/** Width of a picture of a position, in pixels. */
const WIDTH = 1080;

/**
 * @typedef {object} SharingProps
 * @property {Scene} scene The position on the board.
 * @property {Game} game The whole game.
 * @property {PlainNode[]} [nodes] The game with its variations.
 * @property {boolean} flip
 * @property {() => void} onClose
 */

/** @param {SharingProps} props */
export function Sharing(props) {
  expect("Sharing", props, {
    scene: "object",
    game: "object",
    nodes: "array?",
    flip: "boolean",
    onClose: "function",
  });
  const { scene, game, nodes = [], flip, onClose } = props;
  const desk = useDesk();
  const network = useTableLink();
  const [said, setSaid] = useState(/** @type {Said} */ ({ text: "" }));
  const [busy, setBusy] = useState(false);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const picture = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const isOpen = useRef(true);
  const words = text.sharing;
  useEffect(() => {
    dialog.current?.showModal();
    return () => {
      isOpen.current = false;
    };
  }, []);
  useLayoutEffect(() => {
    if (picture.current) draw(picture.current, scene, coloursOf(scene.game), WIDTH, flip);
  }, [scene, flip]);

  /** @param {Error | undefined} reason */
  const complain = (reason) => setSaid({ text: reason?.message || words.failed, bad: true });
  /** @param {string} copied */
  const copy = async (copied) => {
    const done = await copyText(copied);
    setSaid(done ? { text: text.exchange.copied } : { text: words.byHand, byHand: copied });
  };
  /** @param {string} ending @param {Blob | null} content */
  const save = (ending, content) => {
    if (!content) throw new Error(words.failed);
    const name = `${game.game}.${ending}`;
    download(name, content);
    setSaid({ text: words.saved(name) });
  };
  /** @param {"file" | "moves"} form */
  const write = (form) => desk.write(game, nodes, form);
  const format = about(game.game).fileFormat;
  const saveFile = (/** @type {string} */ content) =>
    save(format?.toLowerCase() ?? "txt", textFile(content));
  const savePicture = () =>
    new Promise((resolve) => picture.current?.toBlob(resolve, "image/png")).then((blob) => save("png", blob));
  const saveFilm = async () => {
    const moves = game.moves ?? [];
    /** @type {Scene[]} */
    const scenes = [];
    setBusy(true);
    try {
      for (let ply = 0; ply <= moves.length && isOpen.current; ply++) {
        scenes.push(await desk.look({ ...game, moves: moves.slice(0, ply), limit: null }));
      }
      const drawn = await film(scenes, flip, (done) => {
        if (isOpen.current) setSaid({ text: words.drawing(done, scenes.length) });
        return isOpen.current;
      });
      if (isOpen.current) save("gif", drawn);
    } catch (reason) {
      if (isOpen.current) complain(/** @type {Error} */ (reason));
    }
    setBusy(false);
  };

  /** @param {string} icon @param {string} label @param {() => void} onClick @param {boolean} [disabled] */
  const button = (icon, label, onClick, disabled = false) =>
    html`<${Button} icon=${icon} kind="small" label=${label} disabled=${disabled} onClick=${onClick} />`;
  const link = publicLink(location, network, toLink(game));
  return html`<dialog ref=${dialog} class="dialog sharing" aria-labelledby="sharing" onClose=${onClose}>
    <h2 id="sharing">${text.play.share}</h2>
    <button type="button" class="shut" aria-label=${text.common.close} onClick=${() => dialog.current?.close()}>
      <${Icon} name="close" />
    </button>
    <canvas ref=${picture} role="img" aria-label=${words.after(text.common.moves(scene.ply))}></canvas>
    <div class="forms">
      <h3>${words.game}</h3>
      <div class="buttons">
        ${button("copy", format ? text.exchange.copyFile(format) : text.exchange.copyGame, () =>
          write("file").then(copy).catch(complain))}
        ${button("save", words.file(format ?? "TXT"), () => write("file").then(saveFile).catch(complain))}
        ${button("copy", text.exchange.copyMoves, () => write("moves").then(copy).catch(complain))}
        ${button("save", words.film, saveFilm, busy)}
      </div>
      <h3>${words.position}</h3>
      <div class="buttons">
        ${button("copy", text.exchange.copyPosition, () => copy(scene.position))}
        ${button("save", words.picture, () => savePicture().catch(complain))}
      </div>
      ${
        link &&
        html`<h3>${network ? words.networkLink : text.server.link}</h3>
          <div class="buttons">${button("copy", text.exchange.copyLink, () => copy(link))}</div>`
      }
    </div>
    <p class=${said.bad ? "error" : "quiet"} role=${said.bad ? "alert" : "status"}>${said.text}</p>
    ${said.byHand && html`<${ByHand} key=${said.byHand} value=${said.byHand} />`}
  </dialog>`;
}

/** A selected text, for browsers that do not let the page copy it. @param {{ value: string }} props */
function ByHand({ value }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useEffect(() => field.current?.select(), []);
  return html`<textarea ref=${field} readonly rows="4" aria-label=${text.sharing.byHand} value=${value}></textarea>`;
}
