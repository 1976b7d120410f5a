// The dialog that asks before an action of the staff, says what it does, and shows its result.

import { html, useEffect, useRef, useState } from "../../../vendor/preact-htm.js";
import { Button, Icon } from "../../panels/controls.js";
import { copyText } from "../../panels/files.js";
import { expect } from "../../state/check.js";
import { text } from "../../text/index.js";
import { confirmation } from "../state/staff.js";
import { words } from "../text/index.js";
import { post } from "../transport.js";
import { Answer, useAnswer } from "./parts.js";

/** @typedef {import("../state/staff.js").Action} Action */
/** @typedef {import("../state/staff.js").Subject} Subject */
/** @typedef {{ action: Action, subject: Subject }} Wanted */

/** Maximum length of a reason or an announcement. */
const LONGEST = 2000;

/**
 * @param {{ wanted: Wanted, opponents?: { id: string, name: string }[], onClose: () => void }} props `opponents`: the
 *   teams among which the action needs a second one.
 */
export function Confirm(props) {
  expect("Confirm", props, { wanted: "object", opponents: "array?", onClose: "function" });
  const { wanted, opponents = [], onClose } = props;
  const { action, subject } = wanted;
  const others = action === "rerunPair" ? opponents.filter(({ id }) => id !== subject.team?.id) : [];
  const [other, setOther] = useState(/** @type {{ id: string, name: string } | undefined} */ (undefined));
  const [typed, setTyped] = useState("");
  const [link, setLink] = useState("");
  const answer = useAnswer();
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const { title, what, button, field, isGrave, request } = confirmation(action, { ...subject, other });
  const isComplete = (!field || typed.trim() !== "") && (action !== "rerunPair" || other !== undefined);
  const close = () => dialog.current?.close();
  const choose = (/** @type {any} */ { target }) => setOther(others.find(({ id }) => id === target.value));
  const act = async () => {
    const [path, body] = request(typed.trim());
    const isDone = await answer.run(post(`staff/${path}`, body), (result) => {
      if (result?.link) setLink(result.link);
      return words.staff.done;
    });
    if (isDone && action !== "renewLink") close();
  };
  const said = words.staff;
  return html`<dialog ref=${dialog} class="dialog confirm" aria-labelledby="confirm" onClose=${onClose}>
    <div class="confirm-title">
      <h2 id="confirm"><bdi>${title}</bdi></h2>
      <button type="button" class="shut" aria-label=${text.common.close} onClick=${close}>
        <${Icon} name="close" />
      </button>
    </div>
    <p>${what}</p>
    ${
      others.length > 0 &&
      html`<label class="field"
        ><span>${said.rerunWith}</span>
        <select autofocus onChange=${choose}>
          <option value="">–</option>
          ${others.map(
            ({ id, name }) => html`<option value=${id} selected=${id === other?.id}>${name} (${id})</option>`,
          )}
        </select>
      </label>`
    }
    ${
      field &&
      html`<label class="field"
        ><span>${said[field]}</span>
        <textarea
          autofocus
          rows="3"
          maxlength=${LONGEST}
          value=${typed}
          onInput=${(/** @type {any} */ { target }) => setTyped(target.value)}
        ></textarea>
      </label>`
    }
    ${link && html`<${NewLink} link=${link} />`}
    <${Answer} said=${answer.bad ? answer.said : ""} bad=${answer.bad} />
    <div class="row-end">
      <${Button} label=${link ? text.common.close : text.common.cancel} onClick=${close} />
      ${
        !link &&
        html`<${Button}
          kind=${isGrave ? "warn" : "primary"}
          label=${button}
          disabled=${!isComplete || answer.busy}
          onClick=${act}
        />`
      }
    </div>
  </dialog>`;
}

/** @param {{ link: string }} props */
function NewLink({ link }) {
  const [copied, setCopied] = useState(false);
  return html`<div class="new-link">
    <label class="field wide"
      ><span>${words.staff.newLink}</span>
      <input readonly value=${link} onFocus=${(/** @type {any} */ { target }) => target.select()} />
    </label>
    <${Button} icon="copy" label=${words.staff.copy} onClick=${() => copyText(link).then(setCopied)} />
    <span role="status">${copied ? words.staff.copied : ""}</span>
  </div>`;
}
