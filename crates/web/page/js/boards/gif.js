// An encoder of animated GIF files. All frames share one palette. Only the changed rectangle of each frame is stored.

/** Maximum number of colours in a palette. The next number, `SAME`, stands for unchanged pixels. */
export const MOST_COLOURS = 63;
/** Number of bits for a colour. */
const BITS = 6;
/** Number that stands for an unchanged pixel. */
const SAME = MOST_COLOURS;
/** Number of frequent colours, such as those of the squares, that a palette contains unchanged. */
const EXACT = 24;
/** Maximum number of codes in a dictionary. */
const MOST_CODES = 4096;

/** @typedef {[number, number, number]} Rgb */

/** @param {number} n */
const word = (n) => [n & 255, n >> 8];

/**
 * Compresses colour numbers as GIF requires: LZW with codes of growing length, in blocks of at most 255 bytes.
 * @param {Uint8Array} pixels @returns {number[]}
 */
export function compressed(pixels) {
  const [clear, end] = [1 << BITS, (1 << BITS) + 1];
  /** The code of each known sequence, indexed by the code of its prefix and its last number; 0 if unknown. */
  const known = new Uint16Array(MOST_CODES << BITS);
  /** @type {number[]} */
  const bytes = [];
  let [bits, count, size, next] = [0, 0, BITS + 1, end + 1];
  /** @param {number} code */
  const put = (code) => {
    bits |= code << count;
    for (count += size; count >= 8; count -= 8, bits >>>= 8) bytes.push(bits & 255);
  };
  put(clear);
  let code = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const longer = (code << BITS) | pixels[i];
    if (known[longer]) {
      code = known[longer];
      continue;
    }
    put(code);
    if (next < MOST_CODES) {
      if (next === 1 << size) size++;
      known[longer] = next++;
    } else {
      put(clear);
      known.fill(0);
      [size, next] = [BITS + 1, end + 1];
    }
    code = pixels[i];
  }
  put(code);
  if (next === 1 << size && size < 12) size++;
  put(end);
  if (count > 0) bytes.push(bits & 255);
  const blocks = [BITS];
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

/** Returns each colour as one number. @param {Uint8ClampedArray} data Pixels with four bytes each. */
function keysOf(data) {
  const keys = new Uint32Array(data.length / 4);
  for (let i = 0, k = 0; i < keys.length; i++, k += 4) keys[i] = (data[k] << 16) | (data[k + 1] << 8) | data[k + 2];
  return keys;
}

/**
 * Returns a palette for pictures: the most frequent colours unchanged, and averages of the others.
 * @param {Iterable<Uint8ClampedArray>} pictures Pixels with four bytes each. @returns {Rgb[]}
 */
export function paletteOf(pictures) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const data of pictures) {
    const keys = keysOf(data);
    // Neighbours often have the same colour.
    for (let i = 0, from = 0; i < keys.length; i++) {
      if (keys[i] === keys[i + 1]) continue;
      counts.set(keys[i], i + 1 - from + (counts.get(keys[i]) ?? 0));
      from = i + 1;
    }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  /** @param {number} key @returns {Rgb} */
  const rgb = (key) => [key >> 16, (key >> 8) & 255, key & 255];
  const exact = sorted.slice(0, EXACT).map(([key]) => rgb(key));
  return [...exact, ...averages(sorted.slice(EXACT).map(([key, count]) => [...rgb(key), count]), MOST_COLOURS - EXACT)];
}

/**
 * Returns at most `most` averages of colours by median cut, which repeatedly divides the box with the longest side.
 * @param {number[][]} colours Each with its frequency as the fourth number. @param {number} most @returns {Rgb[]}
 */
function averages(colours, most) {
  /** @param {number[][]} box */
  const measured = (box) => {
    const lengths = [0, 1, 2].map((k) => {
      const values = box.map((colour) => colour[k]);
      return values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255);
    });
    const length = Math.max(...lengths);
    return { box, axis: lengths.indexOf(length), length };
  };
  const boxes = colours.length > 0 ? [measured(colours)] : [];
  while (boxes.length < most) {
    boxes.sort((a, b) => b.length - a.length);
    if (!boxes[0]?.length) break;
    const { box, axis } = /** @type {ReturnType<typeof measured>} */ (boxes.shift());
    box.sort((a, b) => a[axis] - b[axis]);
    const half = box.length >> 1;
    boxes.push(measured(box.slice(0, half)), measured(box.slice(half)));
  }
  return boxes.map(({ box }) => {
    const all = box.reduce((sum, colour) => sum + colour[3], 0);
    const mean = (/** @type {number} */ k) => Math.round(box.reduce((sum, c) => sum + c[k] * c[3], 0) / all);
    return [mean(0), mean(1), mean(2)];
  });
}

/**
 * Starts an animated picture, which repeats forever. Each call of `add` appends a frame.
 * @param {number} width @param {number} height @param {Rgb[]} palette
 */
export function animation(width, height, palette) {
  const table = Array.from({ length: 1 << BITS }, (_, i) => palette[i] ?? [0, 0, 0]).flat();
  const loop = [0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((c) => c.charCodeAt(0)), 3, 1, 0, 0, 0];
  const head = [..."GIF89a"].map((c) => c.charCodeAt(0));
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [
    new Uint8Array([...head, ...word(width), ...word(height), 0xf0 | (BITS - 1), 0, 0, ...table, ...loop]),
  ];
  /** @type {Map<number, number>} */
  const nearest = new Map();
  /** Colours of the last frame, and their numbers. @type {{ keys: Uint32Array, numbers: Uint8Array } | null} */
  let before = null;

  /** Returns the number of the most similar colour of the palette. @param {number} key */
  function look(key) {
    const [r, g, b] = [key >> 16, (key >> 8) & 255, key & 255];
    let [best, least] = [0, Infinity];
    palette.forEach((colour, i) => {
      const far = (colour[0] - r) ** 2 + 2 * (colour[1] - g) ** 2 + (colour[2] - b) ** 2;
      if (far < least) [best, least] = [i, far];
    });
    nearest.set(key, best);
    return best;
  }

  /** Returns the rectangle around the changed pixels. @param {Uint8Array} now */
  function changed(now) {
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        if (before && now[i] === before.numbers[i]) continue;
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < top) top = y;
        bottom = y;
      }
    }
    return left > right ? { left: 0, top: 0, w: 1, h: 1 } : { left, top, w: right - left + 1, h: bottom - top + 1 };
  }

  return {
    /** @param {Uint8ClampedArray} data Pixels with four bytes each. @param {number} ms Duration of the frame. */
    add(data, ms) {
      const keys = keysOf(data);
      const now = new Uint8Array(keys.length);
      for (let i = 0; i < keys.length; i++) {
        if (before && keys[i] === before.keys[i]) now[i] = before.numbers[i];
        else now[i] = i > 0 && keys[i] === keys[i - 1] ? now[i - 1] : (nearest.get(keys[i]) ?? look(keys[i]));
      }
      const { left, top, w, h } = changed(now);
      const part = new Uint8Array(w * h);
      for (let y = 0, i = 0; y < h; y++) {
        for (let at = (top + y) * width + left, x = 0; x < w; x++, at++, i++) {
          part[i] = before && now[at] === before.numbers[at] ? SAME : now[at];
        }
      }
      before = { keys, numbers: now };
      const control = [0x21, 0xf9, 4, 5, ...word(Math.round(ms / 10)), SAME, 0];
      const place = [0x2c, ...word(left), ...word(top), ...word(w), ...word(h), 0];
      parts.push(new Uint8Array([...control, ...place]), new Uint8Array(compressed(part)));
    },
    /** Returns the parts of the file. */
    end: () => [...parts, new Uint8Array([0x3b])],
  };
}
