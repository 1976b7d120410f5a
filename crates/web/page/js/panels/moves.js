// The moves of a game without variations.

import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { text } from "../text/index.js";

/**
 * @typedef {object} MovesProps
 * @property {string[]} played
 * @property {number} at Number of moves on the board.
 * @property {string[]} [undone] Moves that were taken back.
 * @property {number} firstSide The side that moved first.
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
  // If the second side moves first, the first cell of the first row is empty.
  const cells = firstSide === 1 ? [null, ...all] : all;
  const rows = [];
  for (let i = 0; i < cells.length; i += 2) rows.push(cells.slice(i, i + 2));
  /** @param {{ text: string, gone: boolean } | null} move @param {number} ply */
  const cell = (move, ply) => {
    if (!move) return html`<span></span>`;
    const current = ply === at ? "step" : undefined;
    const words = html`${move.text}${notes[ply] && html`<b class="note">${notes[ply]}</b>`}`;
    if (!onGo || move.gone)
      return html`<span class=${move.gone ? "move gone" : "move"} aria-current=${current}>${words}</span>`;
    return html`<button type="button" class="move" aria-current=${current} onClick=${() => onGo(ply)}>
      ${words}
    </button>`;
  };
  return html`<div class="moves" ref=${list} tabindex="0" role="region" aria-label=${text.play.moves}>
    ${rows.length === 0 && html`<p class="quiet">${text.play.noMoves}</p>`}
    ${rows.map((row, i) => {
      const ply = 2 * i + 1 - (firstSide === 1 ? 1 : 0);
      return html`<div class="pair">
        <span class="number">${i + 1}</span>${row.map((move, k) => cell(move, ply + k))}
      </div>`;
    })}
  </div>`;
}
