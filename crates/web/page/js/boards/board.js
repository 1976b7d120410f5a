// A board: a grid of real buttons, with drawings in and over them. It knows no rules: the legal moves are in the scene.

import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { contents, squareName } from "../state/words.js";
import { Marks } from "./marks.js";
import { Piece } from "./pieces.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Spot} Spot */

/**
 * @typedef {object} BoardProps
 * @property {Scene} scene
 * @property {boolean} [flip] Whether it is seen from the other side.
 * @property {boolean} [active] Whether moves can be made.
 * @property {(text: string) => void} [onMove]
 * @property {Place[]} [hint] Squares to point at.
 * @property {{ path: Place[], strength: number }[]} [arrows]
 * @property {boolean} [groups] Whether groups are tinted.
 * @property {boolean} [labels]
 * @property {number} [speed] Milliseconds for a wave of a cascade; 0 shows none.
 * @property {(place: Place) => void} [onSquare] Instead of moves, as in an editor.
 * @property {string} [name]
 */

/** @param {Place} a @param {Place | null} b */
const same = (a, b) => b !== null && a[0] === b[0] && a[1] === b[1];

/** Whether the user prefers reduced motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Plays the frames of the last move, when the scene has just gone one move further.
 * @param {Scene} scene @param {number} speed
 */
function useFrames(scene, speed) {
  const [shown, setShown] = useState(/** @type {Spot[][] | null} */ (null));
  const before = useRef({ ply: scene.ply, start: scene.start });
  useLayoutEffect(() => {
    const next = scene.ply === before.current.ply + 1 && scene.start === before.current.start;
    before.current = { ply: scene.ply, start: scene.start };
    if (!next || scene.frames.length < 2 || speed === 0 || still()) {
      setShown(null);
      return undefined;
    }
    let i = 0;
    setShown(scene.frames[0]);
    const timer = setInterval(() => {
      i += 1;
      if (i >= scene.frames.length) {
        clearInterval(timer);
        setShown(null);
      } else {
        setShown(scene.frames[i]);
      }
    }, speed);
    return () => clearInterval(timer);
  }, [scene.start, scene.position, scene.ply]);
  return { rows: shown ?? scene.rows, running: shown !== null, skip: () => setShown(null) };
}

/**
 * Lets the piece that moved slide to its square.
 * @param {import("preact").RefObject<HTMLElement>} ref @param {Scene} scene @param {boolean} flip
 */
function useSlide(ref, scene, flip) {
  const before = useRef(scene.ply);
  useLayoutEffect(() => {
    const next = scene.ply === before.current + 1;
    before.current = scene.ply;
    const path = scene.last?.path;
    if (!next || !path || path.length < 2 || still() || !ref.current) return;
    const [[r0, c0], [r1, c1]] = path;
    const piece = ref.current.querySelector(`[data-place="${r1},${c1}"] svg`);
    const turn = flip ? -1 : 1;
    const from = `translate(${100 * turn * (c0 - c1)}%, ${100 * turn * (r0 - r1)}%)`;
    piece?.animate([{ transform: from }, { transform: "none" }], { duration: 180, easing: "ease-out" });
  }, [scene.position, scene.ply]);
}

/** @param {BoardProps} props */
export function Board(props) {
  expect("Board", props, {
    scene: "object",
    flip: "boolean?",
    active: "boolean?",
    onMove: "function?",
    hint: "array?",
    arrows: "array?",
    groups: "boolean?",
    labels: "boolean?",
    speed: "number?",
    onSquare: "function?",
    name: "string?",
  });
  const { scene, flip = false, active = false, onMove, hint = [], groups = false, labels = true, onSquare } = props;
  // What is held belongs to one position, so that nothing has to be forgotten when another comes.
  const key = `${scene.game} ${scene.ply} ${scene.position}`;
  const [holding, setHolding] = useState(/** @type {{ place: Place | null, key: string }} */ ({ place: null, key }));
  const held = holding.key === key ? holding.place : null;
  /** @param {Place | null} place */
  const setHeld = (place) => setHolding({ place, key });
  const [wanted, setFocus] = useState(/** @type {Place} */ ([scene.size - 1, 0]));
  const [drag, setDrag] = useState(/** @type {{ x: number, y: number } | null} */ (null));
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const { rows, running, skip } = useFrames(scene, props.speed ?? 250);
  useSlide(grid, scene, flip);

  const size = rows.length;
  /** The one square that Tab reaches; on a smaller board than before it may lie outside. @type {Place} */
  const focus = wanted[0] < size && wanted[1] < size ? wanted : [size - 1, 0];
  const order = [...Array(size).keys()];
  const [rowOrder, columnOrder] = flip ? [[...order].reverse(), [...order].reverse()] : [order, order];
  /** @param {Place} place */
  const waysFrom = (place) => scene.moves.filter((way) => same(way.path[0], place));
  const open = active && !running ? scene.moves : [];
  const targets = held ? waysFrom(held).map((way) => way.path[1]) : [];
  const tint = groups ? groupNumbers(scene) : null;

  /** @param {Place} place */
  function choose(place) {
    setFocus(place);
    if (running) return skip();
    if (onSquare) return onSquare(place);
    if (!active) return undefined;
    const way = held && waysFrom(held).find((w) => same(w.path[1], place));
    if (way) {
      setHeld(null);
      return onMove?.(way.text);
    }
    const ways = open.filter((w) => same(w.path[0], place));
    if (ways.length === 1 && ways[0].path.length === 1) return onMove?.(ways[0].text);
    return setHeld(ways.length && !same(place, held) ? place : null);
  }

  /** @param {KeyboardEvent} event */
  function onKeyDown(event) {
    const turn = flip ? -1 : 1;
    /** @type {Record<string, Place>} */
    const steps = { ArrowUp: [-turn, 0], ArrowDown: [turn, 0], ArrowLeft: [0, -turn], ArrowRight: [0, turn] };
    const by = steps[event.key];
    if (event.key === "Escape") {
      setHeld(null);
      if (running) skip();
      return;
    }
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    /** @param {number} i */
    const inside = (i) => Math.min(size - 1, Math.max(0, i));
    /** @type {Place} */
    const next = [inside(focus[0] + by[0]), inside(focus[1] + by[1])];
    setFocus(next);
    const button = grid.current?.querySelector(`[data-place="${next}"]`);
    if (button instanceof HTMLElement) button.focus();
  }

  /** The square under the pointer. @param {PointerEvent} event @returns {Place | null} */
  function placeAt(event) {
    const found = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((e) => e instanceof HTMLElement && e.dataset.place);
    if (!(found instanceof HTMLElement) || !grid.current?.contains(found)) return null;
    const [row, column] = (found.dataset.place ?? "").split(",").map(Number);
    return [row, column];
  }

  /** @type {{ current: { place: Place, x: number, y: number, moved: boolean } | null }} */
  const press = useRef(null);
  /** @param {PointerEvent} event */
  function onPointerDown(event) {
    const place = placeAt(event);
    press.current = null;
    if (!place || !active || running || onSquare || event.button !== 0) return;
    if (!waysFrom(place).some((way) => way.path.length === 2)) return;
    press.current = { place, x: event.clientX, y: event.clientY, moved: false };
  }
  /** @param {PointerEvent} event */
  function onPointerMove(event) {
    const at = press.current;
    if (!at) return;
    const [x, y] = [event.clientX - at.x, event.clientY - at.y];
    if (!at.moved && Math.hypot(x, y) < 6) return;
    if (!at.moved) {
      at.moved = true;
      grid.current?.setPointerCapture(event.pointerId);
      setHeld(at.place);
    }
    setDrag({ x, y });
  }
  /** @param {PointerEvent} event */
  function onPointerUp(event) {
    const at = press.current;
    if (!at?.moved) return;
    const to = placeAt(event);
    setDrag(null);
    const way = to && waysFrom(at.place).find((w) => same(w.path[1], to));
    if (way) {
      setHeld(null);
      onMove?.(way.text);
    }
  }
  /** A drag ends with a click, which is not meant. @param {MouseEvent} event */
  function onClickCapture(event) {
    if (press.current?.moved) event.stopPropagation();
    press.current = null;
  }

  /** @param {number} row @param {number} column */
  function square(row, column) {
    /** @type {Place} */
    const place = [row, column];
    const spot = rows[row][column];
    const isTarget = targets.some((target) => same(target, place));
    const canMove = open.some((way) => same(way.path[0], place));
    const marks = [
      (row + column) % 2 ? "dark" : "light",
      same(place, held) && "held",
      isTarget && "target",
      isTarget && spot[1] !== null && "capture",
      scene.last?.path.some((p) => same(p, place)) && "last",
      hint.some((p) => same(p, place)) && "hint",
      active && canMove && "movable",
      tint && spot[1] !== null && `group${tint.get(String(place))}`,
    ].filter(Boolean);
    const words = [
      squareName(scene, place),
      contents(scene, spot),
      same(place, held) && "held",
      isTarget && "can go here",
      !held && active && canMove && "can move",
    ].filter(Boolean);
    const moved = drag && same(place, held) ? { transform: `translate(${drag.x}px, ${drag.y}px)` } : undefined;
    return html`<div role="gridcell" class="cell" aria-selected=${same(place, held) ? "true" : "false"}>
      <button
        type="button"
        class=${`square ${marks.join(" ")}`}
        data-place=${String(place)}
        aria-label=${words.join(", ")}
        tabindex=${same(place, focus) ? 0 : -1}
        onClick=${() => choose(place)}
      >
        <svg viewBox="0 0 100 100" aria-hidden="true" style=${moved} class=${moved ? "dragged" : ""}>
          <${Piece} game=${scene.game} spot=${spot} />
        </svg>
      </button>
    </div>`;
  }

  /** @param {number} row */
  const squares = (row) => {
    const cells = columnOrder.map((column) => square(row, column));
    return html`<div role="row" class="board-row">${cells}</div>`;
  };
  const line = held ? scene.lines.filter((l) => same(l.from, held)) : [];
  return html`<div class=${`board ${about(scene.game).pieces} ${labels ? "labelled" : ""}`} style=${{ "--size": size }}>
    ${labels && html`<${Labels} kind="ranks" texts=${rowOrder.map((row) => scene.rowLabels[row])} />`}
    <div
      class="squares"
      role="grid"
      aria-label=${props.name ?? "Board"}
      aria-rowcount=${size}
      aria-colcount=${size}
      ref=${grid}
      onKeyDown=${onKeyDown}
      onPointerDown=${onPointerDown}
      onPointerMove=${onPointerMove}
      onPointerUp=${onPointerUp}
      onPointerCancel=${() => setDrag(null)}
      onClickCapture=${onClickCapture}
    >
      ${rowOrder.map(squares)}
      <${Marks} size=${size} flip=${flip} lines=${line} arrows=${props.arrows ?? []} />
    </div>
    ${labels && html`<${Labels} kind="files" texts=${columnOrder.map((column) => scene.columnLabels[column])} />`}
    ${running && html`<button type="button" class="skip" onClick=${skip}>Skip the cascade</button>`}
  </div>`;
}

/** Coordinates beside the board. @param {{ kind: "ranks" | "files", texts: string[] }} props */
function Labels({ kind, texts }) {
  return html`<div class=${kind} aria-hidden="true">${texts.map((text) => html`<span>${text}</span>`)}</div>`;
}

/** Which group of its side a square belongs to; groups of one piece share a number. @param {Scene} scene */
function groupNumbers(scene) {
  const numbers = new Map();
  const large = scene.groups.filter((group) => group.length > 1);
  for (const group of scene.groups) {
    const number = group.length > 1 ? 1 + (large.indexOf(group) % 6) : 0;
    for (const place of group) numbers.set(String(place), number);
  }
  return numbers;
}
