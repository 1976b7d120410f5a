// Moves, values and squares as text.

import { decimal, text } from "../text/index.js";
import { about } from "./games.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Value} Value */

/**
 * Returns the name of a square in the game's notation.
 * @param {Scene} scene @param {import("./types.js").Place} place
 */
export function squareName(scene, [row, column]) {
  const name = about(scene.game).squareName;
  return name.replace("{row}", scene.rowLabels[row]).replace("{column}", scene.columnLabels[column]);
}

/**
 * Returns the contents of a square, for a screen reader.
 * @param {Scene} scene @param {import("./types.js").Spot} spot
 */
export function contents(scene, [letters]) {
  return about(scene.game).contents.find(([known]) => known === letters)?.[1] ?? letters;
}

/** Returns the name of rules and a start; an empty text for the usual ones. @param {string} variant */
export const variantText = (variant) => text.common.variants[variant] ?? variant;

/**
 * Returns the name of a game with its board size if that is known, and with its rules and start if they are not the
 * usual ones.
 * @param {{ game: string, size?: number | null, variant?: string }} game
 */
export function gameText({ game, size, variant = "" }) {
  const { title } = about(game);
  const named = size ? text.common.gameOn(title, size) : title;
  return variant ? `${named}\u00a0· ${variantText(variant)}` : named;
}

/** Returns the last move as a sentence. @param {Scene} scene */
export function spoken(scene) {
  const side = scene.sides[scene.turn];
  if (!scene.last) return scene.end ? scene.end.text : text.words.newGame(side);
  const mover = scene.sides[1 - scene.turn];
  const [from, to] = scene.last.path.map((place) => squareName(scene, place));
  const moved = to ? text.words.moved(mover, from, to) : text.words.played(mover, from);
  return `${moved} ${scene.end ? scene.end.text : text.words.toMove(side)}`;
}

/** Formats a number with a typographic minus sign. @param {number} units @param {number} digits */
function signed(units, digits) {
  const size = decimal(Math.abs(units), digits);
  return !/[1-9]/.test(size) ? size : `${units > 0 ? "+" : "−"}${size}`;
}

/** Returns how many moves the winner makes in a win that takes this many plies. @param {number} plies */
export const winnersMoves = (plies) => Math.ceil(plies / 2);

/** @param {Value} value @param {[string, string]} sides */
export function valueText(value, sides) {
  if ("wins" in value) return text.words.winsIn(sides[0], winnersMoves(value.wins));
  if ("loses" in value) return text.words.winsIn(sides[1], winnersMoves(value.loses));
  return signed(value.units / 100, 2);
}

/** Formats a value in at most five characters. @param {Value} value */
export function shortValue(value) {
  if ("wins" in value) return `#${winnersMoves(value.wins)}`;
  if ("loses" in value) return `−#${winnersMoves(value.loses)}`;
  const units = value.units / 100;
  return signed(units, Math.abs(units) < 9.95 ? 1 : 0);
}

/** Returns the result of a game in place of a value. @param {import("./types.js").End} end */
export const shortResult = ({ winner }) => (winner === null ? "½" : winner === 0 ? "1–0" : "0–1");

/** Returns the first side's winning chance, between 0 and 1. @param {Value} value */
export function chance(value) {
  if ("wins" in value) return 1;
  if ("loses" in value) return 0;
  // An advantage of four pieces makes the odds ten to one.
  return 1 / (1 + Math.pow(10, -value.units / 400));
}

/** @param {number} n */
export function counted(n) {
  if (n >= 1e9) return `${decimal(n / 1e9, 1)} G`;
  if (n >= 1e6) return `${decimal(n / 1e6, 1)} M`;
  if (n >= 1e3) return `${decimal(n / 1e3, 0)} k`;
  return String(n);
}
