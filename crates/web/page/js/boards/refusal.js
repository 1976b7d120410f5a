// The server's reason why a move is not legal, shown at the move's square until the next action.

import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { inWords } from "../transport/translated.js";
import { askAtLength } from "../transport/wire.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {{ key: string, place: Place, text: string }} Refused */

/** @param {Scene} scene @param {string} key Identifies the position, to which the reason belongs. */
export function useRefusal({ game, size, position }, key) {
  const [refused, setRefused] = useState(/** @type {Refused | null} */ (null));
  const asked = useRef(0);
  return {
    refusal: refused?.key === key ? refused : null,
    /** Asks why a move is not legal, or why a piece cannot move. @param {Place[]} path */
    async explain(path) {
      const id = (asked.current += 1);
      const answer = await askAtLength({ do: "try", id, game: { game, size, start: position }, path });
      if (answer?.is !== "refused" || asked.current !== id) return;
      setRefused({ key, place: path[path.length - 1], text: inWords(answer).text });
    },
    forget() {
      asked.current += 1;
      setRefused(null);
    },
  };
}

/**
 * The reason above its square, or below it in the upper half of the board. A live region beside the board speaks it.
 * @param {{ refused: Refused, size: number, flip: boolean }} props
 */
export function Refused({ refused, size, flip }) {
  const [row, column] = flip ? refused.place.map((i) => size - 1 - i) : refused.place;
  const below = row < size / 2;
  const style = { "--x": (column + 0.5) / size, "--y": below ? (row + 1) / size : 1 - row / size };
  return html`<p class=${below ? "why below" : "why"} style=${style} aria-hidden="true">${refused.text}</p>`;
}
