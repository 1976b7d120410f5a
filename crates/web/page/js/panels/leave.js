// Asks for confirmation before a game is discarded.

import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { text } from "../text/index.js";
import { Button, Variant } from "./controls.js";

/**
 * @param {{ room: import("../state/types.js").Room, onKeep: () => void, onDiscard: () => void, onCancel: () => void }}
 *   props
 */
export function LeaveDialog(props) {
  expect("LeaveDialog", props, { room: "object", onKeep: "function", onDiscard: "function", onCancel: "function" });
  const { room, onKeep, onDiscard, onCancel } = props;
  const { scene } = room;
  const words = text.play;
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return html`<dialog ref=${dialog} class="dialog leave" aria-labelledby="leave" onClose=${onCancel}>
    <h2 id="leave">${words.leaveTitle}</h2>
    <p>
      ${words.leaveText(about(scene.game).title, scene.ply)}
      <${Variant} variant=${scene.variant} />
    </p>
    <div class="row-end">
      <${Button} label=${text.common.cancel} onClick=${() => dialog.current?.close()} />
      <${Button} label=${words.discard} kind="warn" onClick=${onDiscard} />
      <${Button} label=${words.keepIt} kind="primary" onClick=${onKeep} />
    </div>
  </dialog>`;
}
