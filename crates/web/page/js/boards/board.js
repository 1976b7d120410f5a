// A board: a grid of real buttons, with the pieces above it, and lines and arrows above the pieces. It has no rules:
// the legal moves are in the scene.

import { html, useEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { ahead as withMove, isLater, pathBetween, relation } from "../state/pieces.js";
import { text } from "../text/index.js";
import { Dice, useCascade } from "./dice.js";
import { Marks } from "./marks.js";
import { Men, transformTo } from "./men.js";
import { usePointer } from "./pointer.js";
import { play } from "./sound.js";
import { Squares, groupNumbers, setOf } from "./squares.js";
import { useWish } from "./wish.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Place} Place */
/** @typedef {import("../state/types.js").Way} Way */
/** @typedef {import("../state/types.js").Shape} Shape */

/**
 * @typedef {object} BoardProps
 * @property {Scene} scene
 * @property {boolean} [flip] Whether the board is seen from the second side.
 * @property {boolean} [active] Whether moves can be made.
 * @property {(text: string) => void} [onMove]
 * @property {number | null} [premove] The side that can choose moves before its turn.
 * @property {(scene: Scene) => void} [onShown] Called when the animation to this scene has ended.
 * @property {boolean} [hurry] Whether animations are short because more scenes are waiting.
 * @property {Place[]} [hint] Squares to point at.
 * @property {{ path: Place[], strength: number }[]} [arrows]
 * @property {Shape[]} [shapes] Shapes drawn by the user.
 * @property {(shape: Shape) => void} [onDraw] Called when the user has drawn an arrow or a circle.
 * @property {boolean} [groups] Whether groups are tinted.
 * @property {boolean} [labels]
 * @property {number} [speed] Milliseconds for each wave of a cascade; 0 for no animation.
 * @property {(place: Place) => void} [onSquare] Called on a click or a stroke over squares, in place of moves, as in an
 *   editor.
 * @property {string} [name]
 */

/** @type {import("../state/check.js").Shape} */
const PROPS = {
  scene: "object",
  flip: "boolean?",
  active: "boolean?",
  onMove: "function?",
  premove: "number?",
  onShown: "function?",
  hurry: "boolean?",
  hint: "array?",
  arrows: "array?",
  shapes: "array?",
  onDraw: "function?",
  groups: "boolean?",
  labels: "boolean?",
  speed: "number?",
  onSquare: "function?",
  name: "string?",
};

/** How long the board shows a move that the server has not confirmed, in milliseconds. */
const PATIENCE = 3000;
/** Fraction of the normal duration of an animation in a hurry. */
const HURRY = 0.4;

/** @param {Place} a @param {Place | null} b */
const same = (a, b) => b !== null && a[0] === b[0] && a[1] === b[1];

/** Returns a key for a position of a game. @param {Scene} scene */
const keyOf = ({ game, size, start, position, played }) => `${game} ${size} ${start} ${played.join(" ")} ${position}`;

/**
 * Returns how the scene follows from the previous one. An undo and another game begin a new branch.
 * @param {Scene} scene @param {string} key
 */
function useStep(scene, key) {
  /** @type {{ current: { key: string, scene: Scene, how: string, path: Place[] | null, branch: number } }} */
  const last = useRef({ key, scene, how: "same", path: null, branch: 0 });
  if (last.current.key !== key) {
    const before = last.current.scene;
    const branch = last.current.branch + (isLater(before, scene) ? 0 : 1);
    last.current = { key, scene, how: relation(before, scene), path: pathBetween(before, scene), branch };
  }
  return last.current;
}

/**
 * Holds a move that is shown before the server has confirmed it, and takes it back after a timeout.
 * @param {string} key Identifies the position and its branch: after an undo, the move is not shown again.
 */
function useAhead(key) {
  const [made, setMade] = useState({ key: "", path: /** @type {Place[] | null} */ (null) });
  useEffect(() => {
    const timer = made.path && setTimeout(() => setMade({ key: "", path: null }), PATIENCE);
    return () => clearTimeout(timer ?? undefined);
  }, [made]);
  return {
    ahead: made.key === key ? made.path : null,
    goAhead: (/** @type {Way} */ { path }) => path.length === 2 && setMade({ key, path }),
  };
}

/** @param {BoardProps} props */
export function Board(props) {
  expect("Board", props, PROPS);
  const { scene, flip = false, active = false, onMove, premove = null, onSquare, labels = true, onDraw } = props;
  const key = useMemo(() => keyOf(scene), [scene]);
  const step = useStep(scene, key);
  const dice = about(scene.game).pieces === "dice";
  // The held piece belongs to one position, so it needs no reset when the position changes.
  const [holding, setHolding] = useState(/** @type {{ place: Place | null, key: string }} */ ({ place: null, key }));
  const held = holding.key === key ? holding.place : null;
  /** @param {Place | null} place */
  const setHeld = (place) => setHolding({ place, key });
  const [wanted, setFocus] = useState(/** @type {Place} */ ([scene.size - 1, 0]));
  const [settled, setSettled] = useState("");
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const { ahead, goAhead } = useAhead(`${step.branch} ${key}`);
  const pace = props.hurry ? HURRY : 1;
  const settle = () => {
    setSettled(key);
    if (scene.end && step.how === "on") play("end");
    props.onShown?.(scene);
  };
  const { stage, skip } = useCascade(dice, scene, key, step.how, pace * (props.speed ?? 250), settle);
  const running = stage !== null;
  const open = active && !running && !ahead;

  const size = scene.rows.length;
  /** The only square that Tab reaches. On a smaller board than before it may lie outside. @type {Place} */
  const focus = wanted[0] < size && wanted[1] < size ? wanted : [size - 1, 0];
  /** @param {Place} place */
  const waysFrom = (place) => scene.moves.filter((way) => same(way.path[0], place));
  /** Returns the ways from one square to others. @param {Place} place */
  const stepsFrom = (place) => waysFrom(place).filter((way) => way.path.length > 1);

  /** @param {Way} way */
  function make(way) {
    setHeld(null);
    goAhead(way);
    onMove?.(way.text);
  }

  const come = active && settled === key && scene.turn === premove;
  const onHold = (/** @type {Place} */ place) => setHeld(stepsFrom(place).length ? place : null);
  const wishes = useWish({
    scene,
    branch: step.branch,
    side: premove,
    come,
    single: dice,
    onMove: make,
    onHold,
  });
  const wishing = premove !== null && !scene.end && !running && (ahead !== null || scene.turn !== premove);

  /** @param {Place} place */
  function choose(place) {
    setFocus(place);
    if (running) return skip();
    if (onSquare) return onSquare(place);
    if (wishing) return wishes.choose(place);
    if (!open) return undefined;
    const way = held && stepsFrom(held).find((w) => same(w.path[1], place));
    if (way) return make(way);
    const ways = waysFrom(place);
    if (ways.length === 1 && ways[0].path.length === 1) return make(ways[0]);
    return setHeld(ways.length && !same(place, held) ? place : null);
  }

  /** @param {Place} from @param {Place | null} to */
  function drop(from, to) {
    if (wishing) wishes.drop(from, to);
    const way = !wishing && open && to && stepsFrom(from).find((w) => same(w.path[1], to));
    if (way) make(way);
    else if (!wishing) setHeld(to && same(from, to) ? from : null);
    return !!way;
  }

  const pointer = usePointer(grid, {
    size,
    flip,
    canLift: (place) =>
      !dice && (wishing ? scene.rows[place[0]][place[1]][1] === premove : open && stepsFrom(place).length > 0),
    isHeld: (place) => (wishing ? String(wishes.wish?.path) === String(place) : same(place, held)),
    onTap: choose,
    onLift: (place) => {
      setFocus(place);
      if (wishing) wishes.lift(place);
      else setHeld(place);
    },
    onDrop: drop,
    onPaint: onSquare ?? null,
    onDraw: onDraw ?? null,
  });

  /** @param {KeyboardEvent} event */
  function onKeyDown(event) {
    const turn = flip ? -1 : 1;
    /** @type {Record<string, Place>} */
    const steps = { ArrowUp: [-turn, 0], ArrowDown: [turn, 0], ArrowLeft: [0, -turn], ArrowRight: [0, turn] };
    const by = steps[event.key];
    if (event.key === "Escape") {
      setHeld(null);
      pointer.cancel();
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

  const { groups = false, hint, arrows = [], shapes = [] } = props;
  const { wish, dropped } = wishes;
  // The squares do not change while a cascade runs above them.
  const squares = useMemo(() => {
    const seen = {
      held: held && String(held),
      targets: setOf(held ? stepsFrom(held).map((way) => way.path[1]) : []),
      movable: setOf(open && !onSquare ? scene.moves.map((way) => way.path[0]) : []),
      last: setOf(ahead ?? scene.last?.path ?? []),
      hint: setOf(hint ?? []),
      wish: setOf(wish?.path ?? []),
      groups: groups ? groupNumbers(scene) : null,
    };
    return html`<${Squares} scene=${scene} flip=${flip} seen=${seen} focus=${focus} onChoose=${choose} />`;
  }, [scene, flip, held, open, ahead, hint, wish, groups, String(focus), running, active, premove, onMove, onSquare]);
  const drawn = pointer.drawing ? [...shapes, pointer.drawing] : shapes;
  const lines = held ? scene.lines.filter((line) => same(line.from, held)) : [];
  const rows = stage?.rows ?? (ahead ? withMove(scene.rows, ahead) : scene.rows);
  const layer = dice
    ? html`<${Dice}
        game=${scene.game}
        rows=${rows}
        flights=${stage?.flights ?? []}
        ms=${stage?.ms ?? 0}
        flip=${flip}
        lively=${step.how === "on"}
      />`
    : html`<${Men}
        scene=${scene}
        step=${step}
        ahead=${ahead}
        rows=${rows}
        flip=${flip}
        pace=${pace}
        onDone=${settle}
      />`;
  const live = active || wishing || !!onSquare || !!onDraw;
  const order = [...Array(size).keys()];
  if (flip) order.reverse();
  return html`<div class=${`board ${about(scene.game).pieces} ${labels ? "labelled" : ""}`} style=${{ "--size": size }}>
    ${labels && html`<${Labels} kind="ranks" texts=${order.map((row) => scene.rowLabels[row])} />`}
    <div
      class=${live ? "squares live" : "squares"}
      role="grid"
      aria-label=${props.name ?? text.board.name}
      aria-rowcount=${size}
      aria-colcount=${size}
      ref=${grid}
      onKeyDown=${onKeyDown}
      ...${pointer.events}
    >
      <div class="rows" role="rowgroup">${squares}</div>
      ${[...dropped.map((place) => ({ place, kind: "dropped" })), { place: pointer.over, kind: "over" }].map(
        ({ place, kind }) =>
          place && html`<i class=${`frame ${kind}`} style=${{ transform: transformTo(place, size, flip) }}></i>`,
      )}
      ${layer}
      <${Marks} size=${size} flip=${flip} lines=${lines} arrows=${arrows} shapes=${drawn} />
    </div>
    ${labels && html`<${Labels} kind="files" texts=${order.map((column) => scene.columnLabels[column])} />`}
    ${running && html`<button type="button" class="skip" onClick=${skip}>${text.board.skip}</button>`}
    <p class="unseen" role="status">${dropped.length ? text.board.dropped : wish?.ready ? text.board.wished : ""}</p>
  </div>`;
}

/** The coordinates beside the board. @param {{ kind: "ranks" | "files", texts: string[] }} props */
function Labels({ kind, texts }) {
  return html`<div class=${kind} aria-hidden="true">${texts.map((label) => html`<span>${label}</span>`)}</div>`;
}
