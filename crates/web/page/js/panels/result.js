// The result of a game.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { resultTitle } from "../state/scene.js";
import { Token } from "./controls.js";

/** @param {{ room: import("../state/types.js").Room, children?: unknown }} props */
export function Result(props) {
  expect("Result", props, { room: "object" });
  const { room, children } = props;
  const { scene } = room;
  const winner = scene.end?.winner ?? null;
  return html`<div class="status over">
    <div class="outcome" role="status">
      ${winner !== null && html`<${Token} game=${scene.game} side=${winner} />`}
      <div>
        <strong>${resultTitle(room)}</strong>
        <p>${scene.end?.text}</p>
      </div>
    </div>
    ${children}
  </div>`;
}
