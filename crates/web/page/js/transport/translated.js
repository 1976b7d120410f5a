// Translates the texts of the server into the language of the page. All other data are independent of the language.

import { translated } from "../text/index.js";

/** @typedef {import("../state/games.js").About} About */
/** @typedef {import("../state/types.js").Scene} Scene */

/** @template {Scene} T @param {T} scene @returns {T} */
export function sceneInWords(scene) {
  const { sides, end } = scene;
  return { ...scene, sides: sides.map(translated), end: end && { ...end, text: translated(end.text) } };
}

/** Translates a message. @param {any} message */
export function inWords(message) {
  if (message.is === "refused") return { ...message, text: translated(message.text) };
  return message.scene ? { ...message, scene: sceneInWords(message.scene) } : message;
}

/** Translates the description of a game. @param {About} about @returns {About} */
export const aboutInWords = (about) => ({
  ...about,
  title: translated(about.title),
  summary: translated(about.summary),
  sides: [translated(about.sides[0]), translated(about.sides[1])],
  counted: translated(about.counted),
  squareName: translated(about.squareName),
  contents: about.contents.map(([spot, spoken]) => [spot, translated(spoken)]),
  brushes: about.brushes.map(translated),
});
