// Writes the messages and names of the server in the language of the page. All other data are independent of the
// language.

import { named, worded } from "../text/index.js";

/** @typedef {import("../state/games.js").About} About */
/** @typedef {import("../state/types.js").Scene} Scene */

/** @param {any} scene @returns {any} */
export function sceneInWords(scene) {
  const { sides, end } = scene;
  return { ...scene, sides: sides.map(named), end: end && { ...end, text: worded(end.message) } };
}

/** Translates a message. @param {any} message */
export function inWords(message) {
  if (message.is === "refused") return { ...message, text: worded(message.message) };
  return message.scene ? { ...message, scene: sceneInWords(message.scene) } : message;
}

/** Translates the description of a game. @param {any} about @returns {About} */
export const aboutInWords = (about) => ({
  ...about,
  title: worded({ code: `${about.name}.title`, text: about.title }),
  summary: worded({ code: `${about.name}.summary`, text: about.summary }),
  sides: about.sides.map(named),
  counted: named(about.counted),
  squareName: named(about.squareName),
  contents: about.contents.map((/** @type {[string, any]} */ [spot, spoken]) => [spot, worded(spoken)]),
  brushes: about.brushes.map(named),
});
