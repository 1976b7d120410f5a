// The variation tree beside an analysis: the main line in rows, variations in brackets below the moves they replace.

import { html, useEffect, useMemo, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { inRows } from "../state/inline.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/tree.js").Node} Node */
/** @typedef {import("../state/tree.js").Tree} Tree */
/** @typedef {import("../state/inline.js").Item} Item */

/** Class names for the colours of marks from the user or the engine. @type {Record<string, string>} */
const KINDS = { "!": "good", "!!": "good", "!?": "maybe", "?!": "doubt", "?": "bad", "??": "worse" };

/**
 * @typedef {object} VariationsProps
 * @property {Tree} tree
 * @property {number} version Number that increases with every change of the tree.
 * @property {number} firstSide The side that moved first.
 * @property {Map<Node, string>} found Marks found by a review.
 * @property {(node: Node) => void} onGo
 */

/** @param {VariationsProps} props */
export function Variations(props) {
  expect("Variations", props, {
    tree: "object",
    version: "number",
    firstSide: "number",
    found: "object",
    onGo: "function",
  });
  const { tree, version, firstSide, found, onGo } = props;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const items = useMemo(() => inRows(tree.root, firstSide), [tree, version, firstSide]);
  useEffect(() => {
    const now = box.current?.querySelector("[aria-current]");
    if (!box.current || !(now instanceof HTMLElement)) return;
    const [list, move] = [box.current.getBoundingClientRect(), now.getBoundingClientRect()];
    // Scrolls only the list, not the page.
    if (move.top < list.top || move.bottom > list.bottom) {
      box.current.scrollTop += move.top - list.top - list.height / 2;
    }
  }, [tree.at, items]);

  /** @param {Item} item @returns {any} */
  const drawn = (item) => {
    if (item.kind === "number") return html`<span class="number">${item.text}</span>`;
    if (item.kind === "gap") return html`<span class="gap">…</span>`;
    if (item.kind === "comment") return html`<q class="comment">${item.node.comment}</q>`;
    if (item.kind === "variation") return html`<span class="variation">${item.items.map(drawn)}</span>`;
    return move(item.node);
  };
  /** @param {Node} node */
  const move = (node) => {
    const mark = node.mark || found.get(node) || "";
    const here = node === tree.at ? "step" : undefined;
    return html`<button type="button" class="move" key=${node.id} aria-current=${here} onClick=${() => onGo(node)}>
      ${node.move}${mark && html`<b class=${`note ${KINDS[mark] ?? ""}`}>${mark}</b>`}
    </button>`;
  };
  return html`<div class="moves tree" ref=${box} tabindex="0" role="region" aria-label=${text.analysis.moves}>
    ${items.length === 0 && html`<p class="quiet">${text.analysis.noMoves}</p>`} ${items.map(drawn)}
  </div>`;
}
