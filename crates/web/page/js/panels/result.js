// The result of a game.

import { html, useMemo } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { numberOf } from "../state/inline.js";
import { judgedMoves, turningPoint } from "../state/review.js";
import { outcomeOf, ownSide, personsIn, playsAlone, resultTitle, reviewLink } from "../state/scene.js";
import { playedAgain } from "../state/setup.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { useReviewed } from "../transport/review.js";
import { Climb } from "./climb.js";
import { Button, Icon, Token, Variant } from "./controls.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {(game: import("../state/types.js").NewGame) => void} OnBegin */

/**
 * @param {{ room: Room, onBegin: OnBegin, children?: unknown }} props
 */
export function Result(props) {
  expect("Result", props, { room: "object", onBegin: "function" });
  const { room, onBegin, children } = props;
  const { scene } = room;
  const winner = scene.end?.winner ?? null;
  const lost = playsAlone(room) && !room.table && winner === 1 - ownSide(room) && scene.ply > 1;
  const climbs = personsIn(room) === 1 && !room.table && !room.terminal;
  const outcome = outcomeOf(room);
  return html`<div class=${`status over ${outcome}`}>
    <div class="outcome" role="status">
      ${outcome !== "over" && html`<${Icon} name=${outcome} />`}
      ${winner !== null && html`<${Token} game=${scene.game} side=${winner} />`}
      <div>
        <strong>${resultTitle(room)}</strong>
        <p>${scene.end?.text}</p>
        <${Variant} variant=${scene.variant} />
      </div>
    </div>
    ${climbs && html`<${Climb} room=${room} onBegin=${onBegin} />`}
    ${lost && html`<${TurningPoint} room=${room} onBegin=${onBegin} />`} ${children}
  </div>`;
}

/** The user's worst error in a lost game, with its reason. @param {{ room: Room, onBegin: OnBegin }} props */
function TurningPoint({ room, onBegin }) {
  const { game, size, start, played } = room.scene;
  const side = ownSide(room);
  const words = text.review;
  const reviewed = useReviewed(
    useDesk(),
    useMemo(() => ({ game, size, start, moves: played }), []),
  );
  const { known, first, done, error } = reviewed;
  const values = known.map((position) => position?.value ?? null);
  const worst = done ? turningPoint(judgedMoves(values, first), side) : undefined;
  const ply = worst?.ply ?? 0;
  const said = worst
    ? words.turningPoint(`${numberOf(ply, first)} ${played[ply - 1]}`, Math.round(100 * worst.loss))
    : done
      ? words.noTurningPoint
      : words.judging(values.filter(Boolean).length, played.length + 1);
  const look = () => {
    location.hash = reviewLink(room, ply);
  };
  const again = () => onBegin(playedAgain(room, ply));
  return html`<div class="turning-point">
    <p role="status">
      ${!error && (done ? said : html`<span aria-hidden="true">${said}</span>`)} ${worst && known[ply - 1]?.reason}
    </p>
    <div class="buttons">
      <${Button} label=${words.find} disabled=${!worst} onClick=${look} />
      ${
        !room.terminal &&
        html`<${Button} label=${words.playAgain} disabled=${!worst} onClick=${again} />`
      }
    </div>
  </div>`;
}
