// Mouse, touch and pen input on a board: dragging pieces, painting squares, drawing arrows.

import { useRef, useState } from "../../vendor/preact-htm.js";
import { glide, slideTime } from "./motion.js";

/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Shape} Shape */
/**
 * The state of a press.
 * @typedef {object} Press
 * @property {"lift" | "paint" | "erase" | "draw" | "tap" | "none"} kind
 * @property {Place} place The pressed square.
 * @property {number} x
 * @property {number} y
 * @property {boolean} moved Whether the pointer has moved as far as a drag.
 * @property {boolean} held Whether the piece was already selected before the press.
 * @property {number} ended End of the press, as an event's time stamp.
 * @property {Set<string>} seen Painted squares.
 * @property {number} colour Colour of the drawn shape.
 * @property {HTMLElement | null} piece
 */
/**
 * @typedef {object} Uses
 * @property {number} size
 * @property {boolean} flip
 * @property {(place: Place) => boolean} canLift
 * @property {(place: Place) => boolean} isHeld
 * @property {(place: Place) => void} onTap
 * @property {(place: Place) => void} onLift
 * @property {(from: Place, to: Place | null, cancelled?: boolean) => boolean} onDrop Returns `true` if the piece stays
 *   on the target square.
 * @property {(place: Place) => void} onStray Called when a piece that cannot be lifted was dragged.
 * @property {((place: Place) => void) | null} onPaint
 * @property {((place: Place) => void) | null} onErase
 * @property {((shape: Shape) => void) | null} onDraw
 */

/** Minimum movement of a drag, in pixels. A shorter movement is a click. */
const SLACK = 5;
/** Maximum time between a press and the click that belongs to it, in milliseconds. */
const SAME = 700;
/** Time after which a resting finger starts to draw, in milliseconds. */
const LONG_PRESS = 450;

/**
 * Returns the square at a point.
 * @param {{ left: number, top: number, width: number, height: number }} box @param {number} x @param {number} y
 * @param {number} size @param {boolean} flip @returns {Place | null}
 */
export function placeIn(box, x, y, size, flip) {
  const column = Math.floor(((x - box.left) / box.width) * size);
  const row = Math.floor(((y - box.top) / box.height) * size);
  if (row < 0 || column < 0 || row >= size || column >= size) return null;
  return flip ? [size - 1 - row, size - 1 - column] : [row, column];
}

/** Returns the colour that the modifier keys select. @param {PointerEvent} event */
const colourOf = (event) => (event.shiftKey || event.ctrlKey ? 1 : 0) + (event.altKey || event.metaKey ? 2 : 0);

/**
 * @param {import("preact").RefObject<HTMLElement>} grid The element with the squares and the pieces above them.
 * @param {Uses} uses
 */
export function usePointer(grid, uses) {
  /** @type {{ current: Press | null }} */
  const press = useRef(null);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const [drawing, setDrawing] = useState(/** @type {Shape | null} */ (null));
  const [over, setOver] = useState(/** @type {Place | null} */ (null));
  const { size, flip, canLift, isHeld, onTap, onLift, onDrop, onStray, onPaint, onErase, onDraw } = uses;

  /** Returns the current box of the board, because the window may scroll or change its size during a drag. */
  const boxNow = () => /** @type {HTMLElement} */ (grid.current).getBoundingClientRect();
  /** @param {PointerEvent} event */
  const here = (event) => placeIn(boxNow(), event.clientX, event.clientY, size, flip);
  /** @param {Place} place @param {Press} at @returns {Shape} */
  const shape = (place, at) => ({
    path: String(place) === String(at.place) ? [place] : [at.place, place],
    colour: at.colour,
  });

  /** @param {PointerEvent} event @param {Place} place @returns {Press["kind"]} */
  function kindOf({ button }, place) {
    if (button !== 0) return button !== 2 ? "none" : onErase ? "erase" : "draw";
    if (canLift(place)) return "lift";
    return onPaint ? "paint" : "tap";
  }

  /** @param {PointerEvent} event */
  function onPointerDown(event) {
    if (!event.isPrimary) return cancel();
    const place = here(event);
    press.current = null;
    if (!place) return undefined;
    /** @type {Press} */
    const at = {
      kind: kindOf(event, place),
      place,
      x: event.clientX,
      y: event.clientY,
      moved: false,
      held: isHeld(place),
      ended: 0,
      seen: new Set(),
      colour: colourOf(event),
      piece: null,
    };
    press.current = at;
    paint(place, at);
    // A piece shows its legal moves as soon as it is touched.
    if (at.kind === "lift" && !at.held) onLift(place);
    if (at.kind === "draw" && onDraw) setDrawing(shape(place, at));
    if (onDraw && event.pointerType === "touch") {
      timer.current = setTimeout(() => {
        at.kind = "draw";
        setDrawing(shape(place, at));
      }, LONG_PRESS);
    }
    return undefined;
  }

  /** @param {Place} place @param {Press} at */
  function paint(place, at) {
    if (at.kind !== "paint" && at.kind !== "erase") return;
    if (at.seen.has(String(place))) return;
    at.seen.add(String(place));
    if (at.kind === "erase") onErase?.(place);
    else onPaint?.(place);
  }

  /** @param {PointerEvent} event */
  function onPointerMove(event) {
    const at = press.current;
    if (!at || event.buttons === 0) return;
    const [x, y] = [event.clientX - at.x, event.clientY - at.y];
    if (!at.moved && Math.hypot(x, y) < SLACK) return;
    if (!at.moved) {
      at.moved = true;
      if (at.kind !== "draw") clearTimeout(timer.current);
      if (at.kind !== "tap") grid.current?.setPointerCapture(event.pointerId);
      if (at.kind === "lift") lift(at, event);
    }
    const place = here(event);
    if (place) paint(place, at);
    if (at.kind === "draw" && onDraw) setDrawing(place && shape(place, at));
    if (at.kind !== "lift") return;
    carry(at, event);
    if (String(place) !== String(over)) setOver(place);
  }

  /** @param {Press} at @param {PointerEvent} event */
  function lift(at, event) {
    const piece = grid.current?.querySelector(`.piece[data-at="${at.place}"]`);
    at.piece = piece instanceof HTMLElement ? piece : null;
    if (at.piece) at.piece.dataset.dragged = event.pointerType;
    if (at.held) onLift(at.place);
  }

  /** Moves the piece to the pointer, or above a finger. @param {Press} at @param {PointerEvent} event */
  function carry({ piece, place }, event) {
    if (!piece) return;
    const box = boxNow();
    const square = box.width / size;
    const [column, row] = flip ? [size - 1 - place[1], size - 1 - place[0]] : [place[1], place[0]];
    const x = (event.clientX - box.left) / square - column - 0.5;
    const y = (event.clientY - box.top) / square - row - (event.pointerType === "touch" ? 0.85 : 0.5);
    piece.style.translate = `${100 * x}% ${100 * y}%`;
  }

  /** Moves the piece back to its square. @param {Press} at */
  function back({ piece }) {
    if (!piece) return;
    const [x, y] = piece.style.translate.split(" ").map(parseFloat);
    delete piece.dataset.dragged;
    glide(piece, [x, y ?? 0], slideTime());
  }

  /** @param {PointerEvent} event */
  function onPointerUp(event) {
    clearTimeout(timer.current);
    const at = press.current;
    setOver(null);
    setDrawing(null);
    if (!at) return;
    at.ended = event.timeStamp;
    const place = here(event);
    if (at.kind === "draw" && place) onDraw?.(shape(place, at));
    if (at.kind === "lift" && at.moved && !onDrop(at.place, place)) back(at);
    if (at.kind === "tap" && at.moved) onStray(at.place);
    if (!at.moved && (at.kind === "tap" || (at.kind === "lift" && at.held))) onTap(at.place);
  }

  function cancel() {
    clearTimeout(timer.current);
    const at = press.current;
    press.current = null;
    setOver(null);
    setDrawing(null);
    if (at?.kind === "lift" && at.moved) {
      onDrop(at.place, null, true);
      back(at);
    }
  }

  /** Ignores the click that follows a press. All other clicks come from a keyboard. @param {MouseEvent} event */
  function onClickCapture(event) {
    const at = press.current;
    press.current = null;
    if (at?.ended && event.detail > 0 && event.timeStamp - at.ended < SAME) event.stopPropagation();
  }

  /** @param {Event} event */
  const onContextMenu = (event) => (onDraw || onErase || press.current?.moved) && event.preventDefault();

  const events = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: cancel, onClickCapture, onContextMenu };
  return { events, drawing, over, cancel };
}
