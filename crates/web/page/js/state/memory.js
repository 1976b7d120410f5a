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

/**
 * @typedef {{ theme: "system" | "light" | "dark" | "contrast", speed: number, labels: boolean, groups: boolean }}
 *   Settings
 */

/** @returns {Settings} */
export function settings() {
  return { theme: "system", speed: 250, labels: true, groups: false, ...recall("settings", {}) };
}

/** @param {Settings} settings */
export function applyTheme(settings) {
  document.documentElement.dataset.theme = settings.theme;
}
