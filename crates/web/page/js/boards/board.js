// A board: a grid of real buttons, with the pieces above it, and lines and arrows above the pieces. The code has no
// rules: the legal moves are in the scene.

import { html, useEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { ahead as withMove, isLater, pathBetween, relation } from "../state/pieces.js";
import { text } from "../text/index.js";
import { CascadeBar, useCascade } from "./cascade.js";
import { Dice } from "./dice.js";
import { EndMarks, Marks } from "./marks.js";
import { Men, transformTo } from "./men.js";
import { usePointer } from "./pointer.js";
import { Refused, useRefusal } from "./refusal.js";
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
 * @property {(scene: Scene, done: boolean) => void} [onShown] Called with `true` when the animation to this scene has
 *   ended, and with `false` when the user has paused it.
 * @property {boolean} [hurry] Whether animations are shortened because more scenes are waiting.
 * @property {Place[]} [hint] Squares to point at.
 * @property {{ path: Place[], strength: number }[]} [arrows]
 * @property {Shape[]} [shapes] Shapes drawn by the user.
 * @property {(shape: Shape) => void} [onDraw] Called when the user has drawn an arrow or a circle.
 * @property {boolean} [groups] Whether groups are tinted.
 * @property {boolean} [labels]
 * @property {number} [speed] Milliseconds for each wave of a cascade; 0 for no animation.
 * @property {(place: Place) => void} [onSquare] Called on a click or a stroke over squares, in place of moves, as in an
 *   editor.
 * @property {(from: Place, to: Place | null) => void} [onCarry] Called in an editor when a piece has been dragged to a
 *   square or off the board.
 * @property {(place: Place) => void} [onErase] Called in an editor on a right click, and on Delete.
 * @property {number | null} [own] The user's side, if it is only one.
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
  onCarry: "function?",
  onErase: "function?",
  own: "number?",
  name: "string?",
};

/** Maximum time that the board shows a move without the server's confirmation, in milliseconds. */
const PATIENCE = 3000;
/** Duration of a shortened animation, as a fraction of the normal one. */
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

/**
 * Plays the sound of a result when the board has shown the last move, or when a side has resigned.
 * @param {Scene} scene @param {string} key @param {boolean} settled Whether the animation has ended.
 * @param {string} how @param {number | null} own
 */
function useEndSound({ end }, key, settled, how, own) {
  const heard = useRef({ key, over: end !== null });
  useEffect(() => {
    if (!settled) return;
    const before = heard.current;
    heard.current = { key, over: end !== null };
    const isNew = before.key === key ? !before.over : how === "on";
    if (!end || !isNew) return;
    play(end.winner === null ? "draw" : own === null || own === end.winner ? "win" : "loss");
  }, [key, settled, end !== null]);
}

/** @param {BoardProps} props */
export function Board(props) {
  expect("Board", props, PROPS);
  const { scene, flip = false, active = false, onMove, premove = null, labels = true } = props;
  const { onSquare, onCarry, onErase, onDraw } = props;
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
  /** @param {boolean} [done] */
  const settle = (done = true) => {
    if (done) setSettled(key);
    props.onShown?.(scene, done);
  };
  const cascade = useCascade(dice, scene, key, step.how, pace * (props.speed ?? 250), settle);
  const { stage } = cascade;
  const running = stage !== null;
  useEndSound(scene, key, settled === key, step.how, props.own ?? null);
  const open = active && !running && !ahead;

  const size = scene.rows.length;
  /** The only square that Tab reaches: the last one, or the corner if the board is now smaller. @type {Place} */
  const focus = wanted[0] < size && wanted[1] < size ? wanted : [size - 1, 0];
  /** @param {Place} place */
  const waysFrom = (place) => scene.moves.filter((way) => same(way.path[0], place));
  /** Returns the legal moves from a square to other squares. @param {Place} place */
  const stepsFrom = (place) => waysFrom(place).filter((way) => way.path.length > 1);

  /** @param {Way} way */
  function make(way) {
    setHeld(null);
    goAhead(way);
    onMove?.(way.text);
  }

  const { refusal, explain, forget } = useRefusal(scene, key);
  /**
   * Shows why a piece cannot move to a square. Without `from`, shows why the piece on the square cannot move.
   * @param {Place | null} from @param {Place} to
   */
  function object(from, to) {
    const owner = scene.rows[to[0]][to[1]][1];
    if (from && owner !== scene.turn) explain([from, to]);
    else if (owner !== null) explain([to]);
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
    forget();
    if (running) return cascade.tap();
    if (onSquare) return onSquare(place);
    if (wishing) return wishes.choose(place);
    if (!open) return undefined;
    const way = held && stepsFrom(held).find((w) => same(w.path[1], place));
    if (way) return make(way);
    const ways = waysFrom(place);
    if (ways.length === 1 && ways[0].path.length === 1) return make(ways[0]);
    if (!ways.length) object(held, place);
    return setHeld(ways.length && !same(place, held) ? place : null);
  }

  /** @param {Place} from @param {Place | null} to @param {boolean} [cancelled] */
  function drop(from, to, cancelled = false) {
    if (onCarry) {
      setHeld(null);
      if (!cancelled && !same(from, to)) onCarry(from, to);
      // The server decides: the piece moves to the target with the new position, or back to its square.
      return false;
    }
    if (wishing) wishes.drop(from, to);
    const way = !wishing && open && to && stepsFrom(from).find((w) => same(w.path[1], to));
    if (way) make(way);
    else if (!wishing) setHeld(to && same(from, to) ? from : null);
    if (!way && !wishing && open && to && !same(from, to)) explain([from, to]);
    return !!way;
  }

  const pointer = usePointer(grid, {
    size,
    flip,
    canLift: (place) => {
      const owner = scene.rows[place[0]][place[1]][1];
      if (dice || onCarry) return !dice && owner !== null;
      return wishing ? owner === premove : open && stepsFrom(place).length > 0;
    },
    isHeld: (place) => !!onCarry || (wishing ? String(wishes.wish?.path) === String(place) : same(place, held)),
    onTap: choose,
    onLift: (place) => {
      setFocus(place);
      forget();
      if (wishing) wishes.lift(place);
      else setHeld(place);
    },
    onDrop: drop,
    onStray: (place) => {
      if (open && !wishing && !onSquare && !waysFrom(place).length) object(null, place);
    },
    onPaint: onSquare ?? null,
    onErase: onErase ?? null,
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
      forget();
      pointer.cancel();
    }
    if (onErase && (event.key === "Delete" || event.key === "Backspace")) {
      // The focused square, even if the click that focused it has not been drawn yet.
      const at = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
      onErase(at ? /** @type {Place} */ (at.split(",").map(Number)) : focus);
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
        wave=${cascade.run?.wave ?? 0}
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
  const over = scene.end && settled === key && !running;
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
      ${over && html`<${EndMarks} scene=${scene} flip=${flip} fresh=${step.how === "on"} />`}
      <${Marks} size=${size} flip=${flip} lines=${lines} arrows=${arrows} shapes=${drawn} />
      ${refusal && html`<${Refused} refused=${refusal} size=${size} flip=${flip} />`}
    </div>
    ${labels && html`<${Labels} kind="files" texts=${order.map((column) => scene.columnLabels[column])} />`}
    ${(running || cascade.replayable) && html`<${CascadeBar} run=${cascade.run} controls=${cascade.controls} />`}
    <p class="unseen refused" role="status">
      ${refusal?.text ?? (dropped.length ? text.board.dropped : wish?.ready ? text.board.wished : "")}
    </p>
  </div>`;
}

/** The coordinates beside the board. @param {{ kind: "ranks" | "files", texts: string[] }} props */
function Labels({ kind, texts }) {
  return html`<div class=${kind} aria-hidden="true">${texts.map((label) => html`<span>${label}</span>`)}</div>`;
}
