// Who plays, and how strongly.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Select, Token } from "./controls.js";

/** @typedef {import("../state/types.js").Seat} Seat */

/** @type {[string, string][]} */
const WHO = [["person", "You"], ...Array.from({ length: 10 }, (_, i) => /** @type {[string, string]} */ ([String(i + 1), `Engine, level ${i + 1}`]))];
/** @type {[string, string][]} */
const TIMES = [["", "usual budget"], ["0.2", "0.2 s a move"], ["1", "1 s a move"], ["5", "5 s a move"], ["20", "20 s a move"], ["10000 n", "10,000 positions"], ["1000000 n", "1,000,000 positions"]];

/** @param {{ name: string, game: string, side: number, seat: Seat, count?: number, taken?: number, onChange: (seat: Seat) => void, toMove?: boolean }} props */
export function SeatPicker(props) {
  expect("SeatPicker", props, { name: "string", game: "string", side: "number", seat: "object", count: "number?", taken: "number?", onChange: "function", toMove: "boolean?" });
  const { name, game, side, seat, count, taken = 0, onChange, toMove = false } = props;
  const value = seat.kind === "person" ? "person" : String(seat.level);
  /** @param {string} who */
  const change = (who) => onChange(who === "person" ? { kind: "person" } : { kind: "engine", level: Number(who), seconds: seat.kind === "engine" ? seat.seconds : null, nodes: seat.kind === "engine" ? seat.nodes : null });
  /** @param {string} time */
  const changeTime = (time) => {
    const [number, inNodes] = [parseFloat(time) || null, time.endsWith("n")];
    if (seat.kind === "engine") onChange({ ...seat, seconds: inNodes ? null : number, nodes: inNodes ? number : null });
  };
  const budget = seat.kind === "engine" ? (seat.nodes ? `${seat.nodes} n` : (seat.seconds ?? "")) : "";
  return html`<div class=${toMove ? "seat to-move" : "seat"}>
    <${Token} game=${game} side=${side} />
    <${Select} label=${name} value=${value} options=${WHO} onChange=${change} />
    ${seat.kind === "engine" && html`<${Select} label=${`Budget of ${name}`} value=${budget} options=${TIMES} onChange=${changeTime} />`}
    ${taken > 0 && html`<span class="taken" role="img" aria-label=${`${taken} captured`}>${Array.from({ length: taken }, () => html`<${Token} game=${game} side=${1 - side} />`)}</span>`}
    ${count !== undefined && html`<span class="count" title=${game === "jump61" ? "squares" : "pieces"}>${count}</span>`}
  </div>`;
}
