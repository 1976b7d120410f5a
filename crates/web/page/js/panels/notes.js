// The notes on the current move: a mark, a comment, drawings.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import * as Tree from "../state/tree.js";
import { text } from "../text/index.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/tree.js").Node} Node */

/** @type {(keyof typeof text.analysis.marks)[]} */
const MARKS = ["!", "!!", "!?", "?!", "?", "??"];

/** @param {{ node: Node, version: number, onChange: (how: (tree: Tree.Tree) => void) => void }} props */
export function Notes(props) {
  expect("Notes", props, { node: "object", version: "number", onChange: "function" });
  const { node, onChange } = props;
  /** @param {string} mark */
  const setMark = (mark) => onChange(() => (node.mark = node.mark === mark ? "" : mark));
  /** @param {any} event */
  const setComment = (event) => onChange(() => (node.comment = event.target.value));
  /** @param {typeof MARKS[number]} mark */
  const button = (mark) => html`<button
    type="button"
    class="button small mark"
    title=${text.analysis.marks[mark]}
    aria-label=${text.analysis.marks[mark]}
    aria-pressed=${node.mark === mark ? "true" : "false"}
    onClick=${() => setMark(mark)}
  >
    ${mark}
  </button>`;
  const clear = () => onChange(() => (node.shapes = []));
  return html`<div class="notes">
    ${
      node.parent &&
      html`<div class="marks-row" role="group" aria-label=${text.analysis.mark}>${MARKS.map(button)}</div>`
    }
    <label class="field wide"
      ><span>${text.analysis.comment}</span
      ><textarea
        rows="2"
        maxlength="4000"
        placeholder=${text.analysis.commentHint}
        value=${node.comment}
        onInput=${setComment}
      ></textarea>
    </label>
    <div class="buttons">
      ${
        node.parent &&
        html`<${Button}
            kind="small"
            icon="up"
            label=${text.analysis.promote}
            disabled=${Tree.isMain(node)}
            onClick=${() => onChange(() => Tree.promote(node))}
          />
          <${Button}
            kind="small"
            icon="trash"
            label=${text.analysis.remove}
            onClick=${() => onChange((tree) => Tree.remove(tree, node))}
          />`
      }
      ${node.shapes.length > 0 && html`<${Button} kind="small" label=${text.analysis.clearShapes} onClick=${clear} />`}
    </div>
    <p class="quiet">${text.analysis.drawHint}</p>
  </div>`;
}
