// The shared board: its link with a QR code, and the actions at its seats. The strips show the players.

import { html, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { keep, recall } from "../state/memory.js";
import { text } from "../text/index.js";
import { useTableLink } from "../transport/games.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/types.js").Room} Room */

/** The field for the user's name. @param {{ act: import("./playing.js").Act }} props */
function OwnName({ act }) {
  const [name, setName] = useState(() => recall("name", ""));
  /** @param {any} event */
  const change = (event) => {
    setName(event.target.value);
    keep("name", event.target.value);
    act({ kind: "name", name: event.target.value });
  };
  return html`<label class="field"
    ><span>${text.server.yourName}</span
    ><input value=${name} maxlength="24" autocomplete="nickname" spellcheck="false" onChange=${change}
  /></label>`;
}

/**
 * Buttons for the shared board: taking a seat that is free or whose owner is away, leaving it, agreeing to a takeback,
 * offering or accepting a draw.
 * @param {{ room: Room, act: import("./playing.js").Act }} props
 */
export function TableSeats(props) {
  expect("TableSeats", props, { room: "object", act: "function" });
  const { room, act } = props;
  const { table, scene, seats } = room;
  if (!table) return null;
  /** @param {number} side */
  const line = (side) => {
    const name = scene.sides[side];
    const [taken, away] = [table.taken[side], table.away[side]];
    const canSit = seats[side].kind === "person" && table.you !== side && (!taken || away);
    if (!canSit) return null;
    return html`<li>
      <span>${away ? text.server.away(name) : text.server.waiting(name)}</span>
      <${Button} label=${text.server.sit(name)} onClick=${() => act({ kind: "sit", side })} />
    </li>`;
  };
  const isAsked = table.you !== null && table.asks === 1 - table.you;
  const isOffered = table.you !== null && table.offers === 1 - table.you;
  const canOffer = !scene.end && scene.ply > 0 && !table.taken.includes(false);
  return html`<div class="table-seats">
    ${table.you === null && html`<p role="status">${text.server.youWatch}</p>`}
    <ul>
      ${[0, 1].map(line)}
    </ul>
    ${table.you !== null && table.asks === table.you && html`<p role="status">${text.server.asked}</p>`}
    ${isAsked && html`<p role="status">${text.server.asks}</p>`}
    ${table.you !== null && table.offers === table.you && html`<p role="status">${text.server.drawOffered}</p>`}
    ${isOffered && html`<p role="status">${text.server.drawAsked}</p>`}
    ${table.watching > 0 && html`<p class="quiet">${text.server.watching(table.watching)}</p>`}
    ${
      table.you !== null &&
      html`<div class="buttons">
        ${isAsked && html`<${Button} label=${text.server.agree} onClick=${() => act({ kind: "undo" })} />`}
        ${
          canOffer &&
          html`<${Button}
            label=${isOffered ? text.server.acceptDraw : text.server.offerDraw}
            disabled=${table.offers === table.you}
            onClick=${() => act({ kind: "draw" })}
          />`
        }
        <${Button} label=${text.server.stand} onClick=${() => act({ kind: "stand" })} />
      </div>`
    }
    <${OwnName} act=${act} />
  </div>`;
}

/** The link for other devices. Empty on a server without network access. @param {{ open?: boolean }} props */
export function TableLink(props) {
  expect("TableLink", props, { open: "boolean?" });
  const link = useTableLink();
  const [said, setSaid] = useState("");
  if (!link) return null;
  const copy = () => {
    const done = navigator.clipboard?.writeText(link) ?? Promise.reject(new Error());
    done.then(
      () => setSaid(text.server.copied),
      () => setSaid(text.server.notCopied),
    );
  };
  const select = (/** @type {any} */ event) => event.target.select();
  return html`<details class="table-link" open=${props.open ?? false}>
    <summary>${text.server.invite}</summary>
    <p>${text.server.inviteHow}</p>
    <img src="table.svg" width="240" height="240" alt=${text.server.code} />
    <input readonly value=${link} aria-label=${text.server.link} onFocus=${select} />
    <${Button} label=${text.server.copyLink} onClick=${copy} />
    <p class="quiet said" role="status">${said}</p>
  </details>`;
}
