// Moves, values and games in words.

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Value} Value */

/** @type {Record<string, { name: string, title: string, sizes: number[], usual: number, text: string }>} */
export const GAMES = {
  loa: { name: "loa", title: "Lines of Action", sizes: [4, 5, 6, 7, 8], usual: 8, text: "Bring all your pieces together." },
  jump61: { name: "jump61", title: "Jump61", sizes: [2, 3, 4, 5, 6, 7, 8, 9, 10], usual: 6, text: "Chain reactions take the board." },
  checkers: { name: "checkers", title: "Checkers", sizes: [8], usual: 8, text: "The Melbourne variant: one jump, towers." },
};

/** @param {Scene} scene @param {import("./types.js").Place} place */
export function squareName(scene, [row, column]) {
  const [rank, file] = [scene.rowLabels[row], scene.columnLabels[column]];
  return scene.game === "jump61" ? `row ${rank}, column ${file}` : `${file}${rank}`;
}

/** What is on a square, for somebody who does not see it. @param {Scene} scene @param {import("./types.js").Spot} spot */
export function contents(scene, [text, side]) {
  if (scene.game === "jump61") {
    const count = parseInt(text, 10);
    return `${count} ${count === 1 ? "spot" : "spots"}${side === null ? "" : ", " + scene.sides[side]}`;
  }
  if (side === null) return "empty";
  const piece = scene.game === "checkers" ? (text === text.toUpperCase() ? "tower" : "man") : "piece";
  return `${scene.sides[side]} ${piece}`;
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
