// Translates the server's messages and names into the language of the page. All other data do not depend on the
// language.

import { named, worded } from "../text/index.js";

/** @typedef {import("../state/games.js").About} About */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Cause} Cause */
/** @typedef {import("../text/phrases.js").Message} Message */
/**
 * The end of a game as the server sends it.
 * @typedef {{ winner: number | null, cause: Cause, message: Message }} SentEnd
 */
/** @typedef {Omit<Scene, "end"> & { end: SentEnd | null }} SentScene */
/** @typedef {Omit<About, "contents"> & { contents: [spot: string, spoken: Message][] }} SentAbout */

/** @param {SentScene} scene @returns {Scene} */
export function sceneInWords(scene) {
  const { sides, end } = scene;
  return { ...scene, sides: [named(sides[0]), named(sides[1])], end: end && { ...end, text: worded(end.message) } };
}

/** Translates a message. @param {any} message */
export function inWords(message) {
  if (message.is === "refused") return { ...message, text: worded(message.message) };
  if (message.reason) return { ...message, reason: worded(message.reason) };
  if (message.is === "imported") return { ...message, error: message.error ? worded(message.error) : "" };
  if (message.leftOut) return { ...message, leftOut: worded(message.leftOut) };
  return message.scene ? { ...message, scene: sceneInWords(message.scene) } : message;
}

/** Translates the description of a game. @param {SentAbout} about @returns {About} */
export const aboutInWords = (about) => ({
  ...about,
  title: worded({ code: `${about.name}.title`, text: about.title }),
  summary: worded({ code: `${about.name}.summary`, text: about.summary }),
  sides: [named(about.sides[0]), named(about.sides[1])],
  counted: named(about.counted),
  squareName: named(about.squareName),
  contents: about.contents.map(([spot, spoken]) => [spot, worded(spoken)]),
  brushes: about.brushes.map(named),
});
