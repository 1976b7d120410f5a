// A board drawn on a canvas, for files: squares, coordinates, the last move and the pieces, in the colours of the page.

import { about } from "../state/games.js";
import { PIPS } from "./pieces.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Spot} Spot */
/**
 * A square: its corner in pixels, its colour, and its contents.
 * @typedef {{ x: number, y: number, dark: boolean, last: boolean, spot: Spot }} Cell
 */
/**
 * The layout of a picture, in pixels. `cells` are in the order in which they are drawn, `labels` are centred.
 * @typedef {{ width: number, side: number, left: number, cells: Cell[],
 *   labels: { text: string, x: number, y: number }[] }} Layout
 */
/**
 * The colours of a board. `discs` and `dice` are [body, edge] of each side; `neutral` is a die of neither side.
 * @typedef {ReturnType<typeof coloursOf>} Colours
 */

/** Width of the coordinates, as a fraction of the picture. */
const MARGIN = 0.045;

/**
 * Returns the layout of a square picture that is at most `most` pixels wide. All squares have the same width in whole
 * pixels.
 * @param {Pick<Scene, "size" | "rows" | "rowLabels" | "columnLabels" | "last">} scene
 * @param {number} most @param {boolean} flip
 * @returns {Layout}
 */
export function layoutOf({ size, rows, rowLabels, columnLabels, last }, most, flip) {
  const side = Math.floor((most * (1 - MARGIN)) / size);
  const left = most - side * size;
  const marked = new Set(last?.path.map(String));
  const order = [...Array(size).keys()];
  if (flip) order.reverse();
  const cells = order.flatMap((row, i) =>
    order.map((column, k) => ({
      x: left + side * k,
      y: side * i,
      dark: (row + column) % 2 === 1,
      last: marked.has(`${row},${column}`),
      spot: rows[row][column],
    })),
  );
  const labels = order.flatMap((at, i) => [
    { text: rowLabels[at], x: left / 2, y: side * (i + 0.5) },
    { text: columnLabels[at], x: left + side * (i + 0.5), y: side * size + left / 2 },
  ]);
  return { width: most, side, left, cells, labels };
}

/** Returns the colours and the look of the pieces of the page. @param {string} game */
export function coloursOf(game) {
  const probe = document.createElement("i");
  probe.className = `board ${about(game).pieces}`;
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  /** @param {string} value */
  const colour = (value) => {
    probe.style.color = value;
    return style.color;
  };
  const [variable, number] = [
    (/** @type {string} */ name) => colour(`var(--${name})`),
    (/** @type {string} */ name) => parseFloat(style.getPropertyValue(`--${name}`)) || 0,
  ];
  const dice = about(game).pieces === "dice";
  const grounds = dice
    ? Array(2).fill("color-mix(in srgb, var(--dark-square) 60%, var(--card))")
    : ["var(--light-square)", "var(--dark-square)"];
  const found = {
    paper: variable("paper"),
    ink: variable("soft"),
    squares: grounds.map(colour),
    last: grounds.map((ground) => colour(`color-mix(in srgb, var(--last) 62%, ${ground})`)),
    discs: [
      [variable("disc0"), variable("disc0-ring"), variable("disc0-ring")],
      [variable("disc1"), variable("edge"), variable("disc1-ring")],
    ],
    dice: ["red", "blue"].map((name) => [variable(name), variable(`${name}-deep`)]),
    neutral: [variable("neutral"), "rgb(0 0 0 / 18%)"],
    pip: variable("pip"),
    shade: number("shade"),
    ring: number("ring"),
    groove: number("groove"),
    volume: number("volume"),
    gloss: number("gloss"),
    round: number("die-round"),
    pipRound: number("pips1"),
    rim: number("rim1"),
  };
  probe.remove();
  return found;
}

/** @typedef {CanvasRenderingContext2D} Pen */

/** Fills a shape with an opacity. @param {Pen} pen @param {Path2D} shape @param {string | CanvasGradient} fill */
function fill(pen, shape, fill, opacity = 1) {
  if (opacity <= 0) return;
  pen.globalAlpha = opacity;
  pen.fillStyle = fill;
  pen.fill(shape);
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {Path2D} shape @param {string} colour @param {number} width */
function outline(pen, shape, colour, width, opacity = 1) {
  if (opacity <= 0 || width <= 0) return;
  pen.globalAlpha = opacity;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke(shape);
  pen.globalAlpha = 1;
}

/** @param {CanvasGradient} gradient @param {[number, string][]} stops */
function stopped(gradient, stops) {
  for (const [at, colour] of stops) gradient.addColorStop(at, colour);
  return gradient;
}

/** @param {number} x @param {number} y @param {number} r */
function circle(x, y, r) {
  const path = new Path2D();
  path.arc(x, y, r, 0, 2 * Math.PI);
  return path;
}

/** @param {number} x @param {number} y @param {number} side @param {number} round */
function square(x, y, side, round) {
  const path = new Path2D();
  path.roundRect(x, y, side, side, Math.min(round, side / 2));
  return path;
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} r */
const glossAt = (pen, x, y, r) =>
  stopped(pen.createRadialGradient(x - 0.28 * r, y - 0.48 * r, 0, x - 0.28 * r, y - 0.48 * r, 0.84 * r), [
    [0, "rgb(255 255 255 / 85%)"],
    [1, "rgb(255 255 255 / 0%)"],
  ]);

/** @param {Pen} pen @param {Colours} colours @param {number} side The side that has the dark pieces is 0. */
function disc(pen, colours, side, y = 50) {
  const [body, edge, ring] = colours.discs[side];
  const whole = circle(50, y, 38);
  fill(pen, circle(50, y + 4, 38), "#000", colours.shade);
  fill(pen, whole, body);
  outline(pen, whole, edge, 1.5);
  outline(pen, circle(50, y, 28), ring, 2.2, colours.ring);
  outline(pen, circle(50, y, 19), ring, 2.2, colours.groove);
  const [x0, y0] = [12 + 0.4 * 76, y - 38 + 0.3 * 76];
  const shadow = stopped(pen.createRadialGradient(x0, y0, 0, x0, y0, 57), [
    [0.55, "rgb(0 0 0 / 0%)"],
    [1, "rgb(0 0 0 / 55%)"],
  ]);
  fill(pen, whole, shadow, colours.volume * (side === 1 ? 0.5 : 1));
  fill(pen, whole, glossAt(pen, 50, y, 38), colours.gloss * (side === 0 ? 0.6 : 1));
}

/** @param {Pen} pen @param {Colours} colours @param {Spot} spot */
function man(pen, colours, [text, side]) {
  if (side === null) return;
  if (text !== text.toUpperCase()) return disc(pen, colours, side);
  disc(pen, colours, side, 58);
  disc(pen, colours, side, 42);
  fill(pen, new Path2D("M34 52 L31 34 L41 42 L50 30 L59 42 L69 34 L66 52 Z"), side === 0 ? "#e8c35a" : "#8f6410");
}

/** @param {Pen} pen @param {Colours} colours @param {number} side */
function pawn(pen, colours, side) {
  const [body, edge] = colours.discs[1 - side];
  const shape = "M50 13a15 15 0 0 1 11 25h5v7h-7q2 18 13 26h4v13H24V71h4q11-8 13-26h-7v-7h5a15 15 0 0 1 11-25z";
  const shadow = new Path2D();
  shadow.addPath(new Path2D(shape), { e: 0, f: 4 });
  fill(pen, shadow, "#000", colours.shade);
  fill(pen, new Path2D(shape), body);
  outline(pen, new Path2D(shape), edge, 1.5);
  const column = stopped(pen.createLinearGradient(24, 0, 76, 0), [
    [0.3, "rgb(255 255 255 / 25%)"],
    [0.5, "rgb(255 255 255 / 0%)"],
    [0.55, "rgb(0 0 0 / 0%)"],
    [0.8, "rgb(0 0 0 / 30%)"],
  ]);
  fill(pen, new Path2D(shape), column, colours.volume * (side === 0 ? 0.5 : 1));
  fill(pen, circle(46, 24, 7), glossAt(pen, 46, 24, 7), colours.gloss * (side === 1 ? 0.6 : 1));
}

/** @param {Pen} pen @param {Colours} colours @param {Spot} spot */
function die(pen, colours, [text, side]) {
  const [body, edge] = side === null ? colours.neutral : colours.dice[side];
  const { round } = colours;
  fill(pen, square(9, 12, 82, round), "#000", colours.shade);
  fill(pen, square(9, 8, 82, round), body);
  outline(pen, square(9, 8, 82, round), edge, 1.5);
  const sheen = stopped(pen.createLinearGradient(0, 8, 0, 90), [
    [0, "rgb(255 255 255 / 40%)"],
    [0.4, "rgb(255 255 255 / 0%)"],
    [0.6, "rgb(0 0 0 / 0%)"],
    [1, "rgb(0 0 0 / 24%)"],
  ]);
  fill(pen, square(9, 8, 82, round), sheen, colours.volume);
  if (side === 1) outline(pen, square(15, 14, 70, round - 4), colours.pip, colours.rim);
  for (const [x, y] of PIPS[Math.min(parseInt(text, 10), 8)] ?? []) {
    const dot = square(x - 8.5, y - 9.5, 17, side === 1 ? colours.pipRound : 9);
    fill(pen, dot, side === null ? "#70685a" : colours.pip);
  }
}

/**
 * Draws a position on a canvas, which gets the size of the picture.
 * @param {HTMLCanvasElement} canvas @param {Scene} scene @param {Colours} colours @param {number} most
 * @param {boolean} flip
 */
export function draw(canvas, scene, colours, most, flip) {
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return null;
  const { width, side, cells, labels } = layoutOf(scene, most, flip);
  if (canvas.width !== width || canvas.height !== width) canvas.width = canvas.height = width;
  pen.resetTransform();
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, width, width);
  pen.fillStyle = colours.ink;
  pen.font = `${Math.round(0.024 * width)}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const { text, x, y } of labels) pen.fillText(text, x, y);
  const { pieces } = about(scene.game);
  for (const { x, y, dark, last, spot } of cells) {
    pen.fillStyle = (last ? colours.last : colours.squares)[dark ? 1 : 0];
    pen.fillRect(x, y, side, side);
    pen.setTransform(side / 100, 0, 0, side / 100, x, y);
    if (pieces === "dice") die(pen, colours, spot);
    else if (pieces === "men") man(pen, colours, spot);
    else if (spot[1] !== null) (pieces === "pawns" ? pawn : disc)(pen, colours, spot[1]);
    pen.resetTransform();
  }
  return pen;
}
