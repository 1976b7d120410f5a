// Moves, values and squares in words.

import { about } from "./games.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Value} Value */

/**
 * The name of a square, as the game's players say it.
 * @param {Scene} scene @param {import("./types.js").Place} place
 */
export function squareName(scene, [row, column]) {
  const name = about(scene.game).squareName;
  return name.replace("{row}", scene.rowLabels[row]).replace("{column}", scene.columnLabels[column]);
}

/** What is on a square, for a screen reader. @param {Scene} scene @param {import("./types.js").Spot} spot */
export function contents(scene, [text]) {
  return about(scene.game).contents.find(([known]) => known === text)?.[1] ?? text;
}

/** The last move in a sentence. @param {Scene} scene */
export function spoken(scene) {
  if (!scene.last) return `New game. ${scene.sides[scene.turn]} to move.`;
  const mover = scene.sides[1 - scene.turn];
  const [from, to] = scene.last.path;
  const move = to ? `${squareName(scene, from)} to ${squareName(scene, to)}` : squareName(scene, from);
  const then = scene.end ? scene.end.text : `${scene.sides[scene.turn]} to move.`;
  return `${mover}: ${move}. ${then}`;
}

/** @param {Value} value @param {[string, string]} sides */
export function valueText(value, sides) {
  if ("wins" in value) return `${sides[0]} wins in ${value.wins}`;
  if ("loses" in value) return `${sides[1]} wins in ${value.loses}`;
  const units = value.units / 100;
  return `${units > 0 ? "+" : ""}${units.toFixed(2)}`;
}

/** The same, for narrow places. @param {Value} value */
export function shortValue(value) {
  if ("wins" in value) return `#${value.wins}`;
  if ("loses" in value) return `−#${value.loses}`;
  const units = value.units / 100;
  return `${units > 0 ? "+" : ""}${units.toFixed(1)}`;
}

/** The first side's chance, between 0 and 1. @param {Value} value */
export function chance(value) {
  if ("wins" in value) return 1;
  if ("loses" in value) return 0;
  // Four pieces' worth make the odds ten to one.
  return 1 / (1 + Math.pow(10, -value.units / 400));
}

/** @param {number} n */
export function counted(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  if (n >= 1e3) return `${(n / 1e3).toFixed(0)} k`;
  return String(n);
}
