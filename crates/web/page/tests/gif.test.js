import assert from "node:assert/strict";
import test from "node:test";

import { animation, compressed, MOST_COLOURS, paletteOf } from "../js/boards/gif.js";

/** Decompresses the data of a frame. @param {number[]} bytes @returns {{ pixels: number[], next: number }} */
function decompressed(bytes, from = 0) {
  const least = bytes[from];
  const data = [];
  let at = from + 1;
  for (; bytes[at] > 0; at += 1 + bytes[at]) data.push(...bytes.slice(at + 1, at + 1 + bytes[at]));
  const [clear, end] = [1 << least, (1 << least) + 1];
  let [size, table, last, bit] = [least + 1, [], null, 0];
  const pixels = [];
  for (;;) {
    let code = 0;
    for (let i = 0; i < size; i++, bit++) code |= ((data[bit >> 3] >> (bit & 7)) & 1) << i;
    if (code === end) return { pixels, next: at + 1 };
    if (code === clear) {
      table = Array.from({ length: end + 1 }, (_, i) => [i]);
      [size, last] = [least + 1, null];
      continue;
    }
    const entry = table[code] ?? [...last, last[0]];
    pixels.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << size && size < 12) size++;
    last = entry;
  }
}

/** Decodes a file that `animation` has written. @param {number[]} bytes */
function decoded(bytes) {
  const word = (at) => bytes[at] | (bytes[at + 1] << 8);
  assert.equal(String.fromCharCode(...bytes.slice(0, 6)), "GIF89a");
  const [width, height] = [word(6), word(8)];
  const colours = 2 << (bytes[10] & 7);
  const table = Array.from({ length: colours }, (_, i) => bytes.slice(13 + 3 * i, 16 + 3 * i));
  let at = 13 + 3 * colours;
  const frames = [];
  let screen = new Array(width * height).fill(null);
  let control = { ms: 0, clear: -1 };
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21 && bytes[at + 1] === 0xf9) {
      control = { ms: 10 * word(at + 4), clear: bytes[at + 3] & 1 ? bytes[at + 6] : -1 };
      at += 8;
    } else if (bytes[at] === 0x21) {
      for (at += 2; bytes[at] > 0; at += 1 + bytes[at]);
      at += 1;
    } else {
      assert.equal(bytes[at], 0x2c);
      const [left, top, w] = [word(at + 1), word(at + 3), word(at + 5)];
      const { pixels, next } = decompressed(bytes, at + 10);
      assert.equal(pixels.length, w * word(at + 7));
      screen = [...screen];
      pixels.forEach((pixel, i) => {
        if (pixel !== control.clear) screen[(top + Math.floor(i / w)) * width + left + (i % w)] = table[pixel];
      });
      frames.push({ ...control, screen, w, left, top });
      at = next;
    }
  }
  assert.equal(at, bytes.length - 1);
  return { width, height, frames };
}

/** Returns the bytes of an animation. */
const bytesOf = (gif) => gif.end().flatMap((part) => [...part]);

test("compressed numbers can be decompressed, also after the dictionary is full", () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (const length of [1, 2, 63, 64, 65, 300, 5000, 60_000]) {
    for (const colours of [1, 2, 64]) {
      const pixels = Uint8Array.from({ length }, () => random(colours));
      assert.deepEqual(decompressed(compressed(pixels)).pixels, [...pixels], `${length} ${colours}`);
    }
  }
});

test("an animation has frames with durations and only the changed rectangles", () => {
  const [paper, ink] = [[240, 220, 180], [20, 20, 20]];
  const frame = (dark) => Uint8ClampedArray.from({ length: 4 * 12 * 8 }, (_, i) =>
    i % 4 === 3 ? 255 : (dark.includes(i >> 2) ? ink : paper)[i % 4]);
  const pictures = [frame([]), frame([15, 30]), frame([15, 30]), frame([30])];
  const gif = animation(12, 8, paletteOf(pictures));
  pictures.forEach((data, i) => gif.add(data, i === 3 ? 3000 : 800));
  const { width, height, frames } = decoded(bytesOf(gif));
  assert.deepEqual([width, height, frames.length], [12, 8, 4]);
  assert.deepEqual(frames.map(({ ms }) => ms), [800, 800, 800, 3000]);
  pictures.forEach((data, i) => {
    const wanted = Array.from({ length: 12 * 8 }, (_, k) => [...data.slice(4 * k, 4 * k + 3)]);
    assert.deepEqual(frames[i].screen, wanted, `frame ${i}`);
  });
  assert.deepEqual([frames[1].left, frames[1].top, frames[1].w], [3, 1, 4]);
  assert.equal(frames[2].w, 1, "nothing has changed");
});

test("a palette contains frequent colours unchanged, and no more colours than a file can have", () => {
  const many = Uint8ClampedArray.from({ length: 4 * 4000 }, (_, i) => (i % 4 === 3 ? 255 : (i * 31) % 256));
  const plain = Uint8ClampedArray.from({ length: 4 * 9000 }, (_, i) => [201, 159, 107, 255][i % 4]);
  const palette = paletteOf([many, plain]);
  assert.ok(palette.length <= MOST_COLOURS && palette.length > 20, `${palette.length}`);
  assert.deepEqual(palette[0], [201, 159, 107]);
  assert.deepEqual(paletteOf([plain]), [[201, 159, 107]]);
});
