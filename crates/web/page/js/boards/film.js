// A game as an animated picture.

import { animation, paletteOf } from "./gif.js";
import { coloursOf, draw } from "./sheet.js";

/** @typedef {import("../state/types.js").Scene} Scene */

/** Width of the picture, in pixels. */
const WIDTH = 480;
/** Duration of a frame and of the last one, in milliseconds. */
const [MOVE, LAST] = [800, 3000];

/** Resolves after the browser has handled its events. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Draws the positions of a game one after the other, with pauses in which the page handles events. Returns `null` if
 * `onFrame` stopped the drawing.
 * @param {Scene[]} scenes @param {boolean} flip
 * @param {(done: number) => boolean} onFrame Called with the number of drawn frames; returns `false` to stop.
 * @returns {Promise<Blob | null>}
 */
export async function film(scenes, flip, onFrame) {
  const canvas = document.createElement("canvas");
  const colours = coloursOf(scenes[0].game);
  /** @param {Scene} scene */
  const pixels = (scene) => {
    const pen = draw(canvas, scene, colours, WIDTH, flip);
    if (!pen) throw new Error();
    return pen.getImageData(0, 0, WIDTH, WIDTH).data;
  };
  const samples = [scenes[0], scenes[scenes.length >> 1], scenes[scenes.length - 1]];
  const gif = animation(WIDTH, WIDTH, paletteOf(samples.map(pixels)));
  for (const [i, scene] of scenes.entries()) {
    gif.add(pixels(scene), i + 1 < scenes.length ? MOVE : LAST);
    await pause();
    if (!onFrame(i + 1)) return null;
  }
  return new Blob(gif.end(), { type: "image/gif" });
}
