// Who plays, and how strongly.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { Select, Token } from "./controls.js";

/** @typedef {import("../state/types.js").Seat} Seat */

/** @type {[string, string][]} */
const LEVELS = Array.from({ length: 10 }, (_, i) => [String(i + 1), `Engine, level ${i + 1}`]);
/** @type {[string, string][]} */
const WHO = [["person", "You"], ...LEVELS];
/** @type {[string, string][]} */
const TIMES = [
  ["", "usual budget"],
  ["0.2", "0.2 s a move"],
  ["1", "1 s a move"],
  ["5", "5 s a move"],
  ["20", "20 s a move"],
  ["10000 n", "10,000 positions"],
  ["1000000 n", "1,000,000 positions"],
];

/**
 * @typedef {object} SeatProps
 * @property {string} name Of the side.
 * @property {string} game
 * @property {number} side
 * @property {Seat} seat
 * @property {number} [count] Pieces or squares of the side.
 * @property {number} [taken] Pieces that it has captured.
 * @property {(seat: Seat) => void} onChange
 * @property {boolean} [toMove]
 */

/** @type {import("../state/check.js").Shape} */
const SHAPE = {
  name: "string",
  game: "string",
  side: "number",
  seat: "object",
  count: "number?",
  taken: "number?",
  onChange: "function",
  toMove: "boolean?",
};

/** @param {SeatProps} props */
export function SeatPicker(props) {
  expect("SeatPicker", props, SHAPE);
  const { name, game, side, seat, count, taken = 0, onChange, toMove = false } = props;
  const engine = seat.kind === "engine" ? seat : null;
  /** @param {string} who */
  const change = (who) => {
    if (who === "person") onChange({ kind: "person" });
    else
      onChange({ kind: "engine", level: Number(who), seconds: engine?.seconds ?? null, nodes: engine?.nodes ?? null });
  };
  /** @param {string} time */
  const changeTime = (time) => {
    const [number, inNodes] = [parseFloat(time) || null, time.endsWith("n")];
    if (engine) onChange({ ...engine, seconds: inNodes ? null : number, nodes: inNodes ? number : null });
  };
  const budget = engine?.nodes ? `${engine.nodes} n` : (engine?.seconds ?? "");
  const captured = Array.from({ length: taken }, () => html`<${Token} game=${game} side=${1 - side} />`);
  return html`<div class=${toMove ? "seat to-move" : "seat"}>
    <${Token} game=${game} side=${side} />
    <${Select} label=${name} value=${engine ? String(engine.level) : "person"} options=${WHO} onChange=${change} />
    ${
      engine && html`<${Select} label=${`Budget of ${name}`} value=${budget} options=${TIMES} onChange=${changeTime} />`
    }
    ${taken > 0 && html`<span class="taken" role="img" aria-label=${`${taken} captured`}>${captured}</span>`}
    ${count !== undefined && html`<span class="count" title=${about(game).counted}>${count}</span>`}
  </div>`;
}
