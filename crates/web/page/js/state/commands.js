// Answers questions that a user types into the field for moves, as in the blind mode of lichess.

import { text } from "../text/index.js";
import { clockText, leftNow } from "./clock.js";
import { contents, spoken, squareName } from "./words.js";

/** @typedef {import("./types.js").Room} Room */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Place} Place */

/**
 * The English words for each question, which are accepted in every language.
 * @type {[keyof typeof text.commands.words, string][]}
 */
const WORDS = [
  ["legal", "legal moves"],
  ["last", "last"],
  ["clock", "clock time"],
  ["board", "board"],
  ["pieces", "pieces"],
  ["scan", "scan"],
  ["help", "help ?"],
];

/**
 * Returns the answer to a question, or `null` if the text is not a question. It may then be a move.
 * @param {string} typed @param {Pick<Room, "scene" | "clock">} room @param {number} serverTime
 * @returns {string | null}
 */
export function answerTo(typed, { scene, clock }, serverTime) {
  const [word, what = ""] = typed.trim().toLowerCase().split(/\s+/);
  const words = text.commands;
  const found = word && WORDS.find(([name, english]) => `${english} ${words.words[name]}`.split(" ").includes(word));
  switch (found && found[0]) {
    case "legal":
      return legal(scene, what);
    case "last":
      return spoken(scene);
    case "clock":
      if (!clock) return words.noClock;
      return scene.sides.map((side, i) => `${side} ${clockText(leftNow(clock, i, serverTime))}`).join(", ");
    case "board":
      return scene.rows.map((_, row) => line(scene, row, "row")).join("\n");
    case "pieces":
      return grouped(scene, places(scene), (place) => squareName(scene, place)).join("\n");
    case "scan":
      return scan(scene, what);
    case "help":
      return words.helpText;
    default:
      return null;
  }
}

/** @param {Scene} scene @param {string} from */
function legal({ moves }, from) {
  const found = moves.map((way) => way.text).filter((move) => move.toLowerCase().startsWith(from));
  return found.length ? text.commands.legal(found.length, found.join(", ")) : text.commands.noMove;
}

/**
 * Describes the row with this label or, if no row has it, the column. `:3` always means a column.
 * @param {Scene} scene @param {string} what
 */
function scan(scene, what) {
  const label = what.replace(":", "");
  const at = (/** @type {string[]} */ labels) => labels.findIndex((one) => one.toLowerCase() === label);
  const [row, column] = [what.startsWith(":") ? -1 : at(scene.rowLabels), at(scene.columnLabels)];
  if (row >= 0) return line(scene, row, "row");
  return column >= 0 ? line(scene, column, "column") : text.commands.noLine;
}

/** Describes a row or a column. @param {Scene} scene @param {number} number @param {"row" | "column"} kind */
function line(scene, number, kind) {
  const [own, others] = kind === "row" ? [0, 1] : [1, 0];
  const labels = [scene.rowLabels, scene.columnLabels];
  const on = places(scene).filter((place) => place[own] === number);
  const found = grouped(scene, on, (place) => labels[others][place[others]]);
  return `${labels[own][number]}: ${found.join("; ") || text.commands.empty}`;
}

/** Returns the squares that belong to a side. @param {Scene} scene @returns {Place[]} */
const places = ({ rows }) =>
  rows.flatMap((spots, row) =>
    spots.flatMap((spot, column) => (spot[1] === null ? [] : [/** @type {Place} */ ([row, column])])),
  );

/**
 * Describes squares by their contents.
 * @param {Scene} scene @param {Place[]} on @param {(place: Place) => string} name
 */
function grouped(scene, on, name) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const place of on) {
    const what = contents(scene, scene.rows[place[0]][place[1]]);
    groups.set(what, [...(groups.get(what) ?? []), name(place)]);
  }
  return [...groups].map(([what, names]) => `${what} ${names.join(", ")}`);
}
