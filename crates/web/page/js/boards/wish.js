// Premoves: moves chosen while the other side is to move. A premove is played or dropped when the user's turn comes.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { chosen, fulfilled, wished } from "../state/premove.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Way} Way */
/** @typedef {import("../state/premove.js").Wish} Wish */

/**
 * @typedef {object} Turn
 * @property {Scene} scene
 * @property {number} branch Number of the scene's branch. A premove ends with its branch.
 * @property {number | null} side The side that can choose a premove; `null` for none.
 * @property {boolean} come Whether the side may move now, and the board shows the position.
 * @property {boolean} single Whether a move consists of one square.
 * @property {(way: Way) => void} onMove
 * @property {(place: Place) => void} onHold Called when a piece was picked up without a target square.
 */

/** @param {Turn} turn */
export function useWish({ scene, branch, side, come, single, onMove, onHold }) {
  const [made, setMade] = useState({ branch, wish: /** @type {Wish | null} */ (null) });
  const wish = made.branch === branch ? made.wish : null;
  /** @param {Wish | null} next */
  const setWish = (next) => setMade({ branch, wish: next });
  const [dropped, setDropped] = useState(/** @type {Place[]} */ ([]));
  useEffect(() => {
    if (!wish || !come) return;
    setWish(null);
    const way = wish.ready && fulfilled(wish, scene.moves);
    if (way) onMove(way);
    else if (wish.ready) setDropped(wish.path);
    else onHold(wish.path[0]);
  }, [come]);
  const over = side === null || scene.end !== null;
  useEffect(() => setWish(null), [over]);
  useEffect(() => {
    if (dropped.length === 0) return undefined;
    const timer = setTimeout(() => setDropped([]), 900);
    return () => clearTimeout(timer);
  }, [dropped]);
  useEffect(() => {
    if (!wish) return undefined;
    const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && setWish(null);
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [wish]);
  return {
    wish,
    dropped,
    /** @param {Place} place */
    choose: (place) => side !== null && setWish(chosen(wish, place, scene.rows, side, single)),
    /** @param {Place} place */
    lift: (place) => setWish({ path: [place], ready: false }),
    /** @param {Place} from @param {Place | null} to */
    drop: (from, to) => setWish(to && wished(from, to)),
  };
}
