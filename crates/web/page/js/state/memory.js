// What the browser keeps: settings, names of rooms, games. Nothing breaks where it keeps nothing.

/** @param {string} key @param {any} otherwise */
export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(`plyhouse.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {any} value */
export function keep(key, value) {
  try {
    localStorage.setItem(`plyhouse.${key}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks.
  }
}

/** A secret of this browser, by which it keeps its seat at a board that several devices share. @returns {string} */
export function clientSecret() {
  const kept = recall("client", null);
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  keep("client", secret);
  return secret;
}

/**
 * @typedef {object} Settings
 * @property {string} language A code such as `de`; empty for the browser's.
 * @property {"system" | "light" | "dark" | "contrast"} theme
 * @property {typeof BOARDS[number]} board
 * @property {typeof PIECES[number]} pieces
 * @property {typeof COLOURS[number]} colours Of the sides of Jump61.
 * @property {number} slide Milliseconds for the movement of a piece; 0 for none.
 * @property {number} speed Milliseconds for a wave of a cascade; 0 for none.
 * @property {boolean | null} sound As the system's wish for less motion says, if the user has not chosen.
 * @property {number} volume From 0 to 100.
 * @property {boolean} labels
 * @property {boolean} groups
 * @property {boolean} premoves
 */

export const BOARDS = /** @type {const} */ (["wood", "maple", "green", "blue", "slate"]);
export const PIECES = /** @type {const} */ (["turned", "flat", "stone"]);
export const COLOURS = /** @type {const} */ (["classic", "soft", "safe"]);

/** @type {Settings} */
const USUAL = {
  language: "",
  theme: "system",
  board: "wood",
  pieces: "turned",
  colours: "classic",
  slide: 200,
  speed: 250,
  sound: null,
  volume: 60,
  labels: true,
  groups: false,
  premoves: true,
};

/** @returns {Settings} */
export function settings() {
  return { ...USUAL, ...recall("settings", {}) };
}

/** What the style sheets go by. @param {Settings} settings */
export function applyTheme({ theme, board, pieces, colours }) {
  Object.assign(document.documentElement.dataset, { theme, board, pieces, colours });
}
