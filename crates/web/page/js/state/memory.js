// Data stored in the browser: settings, names of rooms, games. The page also works without storage.

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
    // Storage is unavailable in private windows and on full disks.
  }
}

/** Returns this browser's secret, by which the server recognizes the owner of a seat. @returns {string} */
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
 * @property {string} language A code such as `de`; empty for the browser's language.
 * @property {"system" | "light" | "dark" | "contrast"} theme
 * @property {typeof BOARDS[number]} board
 * @property {typeof PIECES[number]} pieces
 * @property {typeof COLOURS[number]} colours Colours of the sides of Jump61.
 * @property {number} slide Milliseconds for a piece's move; 0 for no animation.
 * @property {number} speed Milliseconds for a wave of a cascade; 0 for no animation.
 * @property {boolean | null} sound Whether sounds are on; `null` follows the system setting for reduced motion.
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

/** Sets the attributes that the style sheets use. @param {Settings} settings */
export function applyTheme({ theme, board, pieces, colours }) {
  Object.assign(document.documentElement.dataset, { theme, board, pieces, colours });
}
