// The moves of a game, with its branches.

import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/tree.js").Node} Node */

/**
 * @typedef {object} MovesProps
 * @property {string[]} played
 * @property {number} at How many moves are on the board.
 * @property {string[]} [undone] Moves that were taken back.
 * @property {number} firstSide Who moves first.
 * @property {Record<number, string>} [notes] A mark and a title for some plies: `?`, `??`, `!`.
 * @property {(ply: number) => void} [onGo]
 */

/** @param {MovesProps} props */
export function Moves(props) {
  expect("Moves", props, {
    played: "array",
    at: "number",
    undone: "array?",
    firstSide: "number",
    notes: "object?",
    onGo: "function?",
  });
  const { played, at, undone = [], firstSide, notes = {}, onGo } = props;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const box = list.current;
    const now = box?.querySelector("[aria-current]");
    if (box && now instanceof HTMLElement) box.scrollTop = now.offsetTop - box.clientHeight / 2;
  }, [at, played.length]);
  const all = [...played.map((text) => ({ text, gone: false })), ...undone.map((text) => ({ text, gone: true }))];
  // Where the second side begins, the first place of the first row stays empty.
  const cells = firstSide === 1 ? [null, ...all] : all;
  const rows = [];
  for (let i = 0; i < cells.length; i += 2) rows.push(cells.slice(i, i + 2));
  /** @param {{ text: string, gone: boolean } | null} move @param {number} ply */
  const cell = (move, ply) => {
    if (!move) return html`<span></span>`;
    const current = ply === at ? "step" : undefined;
    const text = html`${move.text}${notes[ply] && html`<b class="note">${notes[ply]}</b>`}`;
    if (!onGo || move.gone)
      return html`<span class=${move.gone ? "move gone" : "move"} aria-current=${current}>${text}</span>`;
    return html`<button type="button" class="move" aria-current=${current} onClick=${() => onGo(ply)}>${text}</button>`;
  };
  return html`<div class="moves" ref=${list} tabindex="0" role="region" aria-label="Moves">
    ${rows.length === 0 && html`<p class="quiet">No moves yet.</p>`}
    ${rows.map((row, i) => {
      const ply = 2 * i + 1 - (firstSide === 1 ? 1 : 0);
      return html`<div class="pair">
        <span class="number">${i + 1}</span>${row.map((move, k) => cell(move, ply + k))}
      </div>`;
    })}
  </div>`;
}

/**
 * First, back, next, last.
 * @param {{ at: number, length: number, onStep: (where: "first" | "back" | "next" | "last") => void }} props
 */
export function Steps(props) {
  expect("Steps", props, { at: "number", length: "number", onStep: "function" });
  const { at, length, onStep } = props;
  return html`<div class="steps">
    <${Button}
      kind="compact"
      icon="first"
      label="To the beginning"
      disabled=${at === 0}
      onClick=${() => onStep("first")}
    />
    <${Button} kind="compact" icon="back" label="Back" disabled=${at === 0} onClick=${() => onStep("back")} />
    <${Button} kind="compact" icon="next" label="Next" disabled=${at >= length} onClick=${() => onStep("next")} />
    <${Button} kind="compact" icon="last" label="To the end" disabled=${at >= length} onClick=${() => onStep("last")} />
  </div>`;
}

/**
 * The branches beside a line: at each node of the line that has others.
 * @param {{ line: Node[], onGo: (id: number) => void, onPromote: (node: Node) => void, onRemove: (node: Node) => void
 *   }} props
 */
export function Branches(props) {
  expect("Branches", props, { line: "array", onGo: "function", onPromote: "function", onRemove: "function" });
  const { line, onGo, onPromote, onRemove } = props;
  const others = [];
  for (const [i, node] of line.entries()) {
    for (const sibling of node.parent?.children ?? []) if (sibling !== node) others.push({ ply: i + 1, node: sibling });
  }
  if (others.length === 0) return null;
  return html`<details class="branches" open>
    <summary>${others.length} ${others.length === 1 ? "variation" : "variations"} beside this line</summary>
    <ul>
      ${others.map(
        ({ ply, node }) =>
          html`<li>
            <button type="button" class="move" onClick=${() => onGo(node.id)}>${ply}. ${node.move}${tail(node)}</button>
            <${Button}
              kind="compact small"
              icon="up"
              label=${`Make ${node.move} the main line`}
              onClick=${() => onPromote(node)}
            />
            <${Button}
              kind="compact small"
              icon="trash"
              label=${`Remove ${node.move}`}
              onClick=${() => onRemove(node)}
            />
          </li>`,
      )}
    </ul>
  </details>`;
}

/** @param {Node} node */
function tail(node) {
  const next = node.children[0];
  return next ? ` ${next.move}${next.children.length ? " …" : ""}` : "";
}
