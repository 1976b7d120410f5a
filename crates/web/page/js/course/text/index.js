// The strings of the course's views in the language of the page.

import { language } from "../../text/index.js";

/** @typedef {typeof import("./en.js").en} Words */

/** @type {Record<import("../../text/index.js").Language, () => Promise<Words>>} */
const FILES = {
  en: async () => (await import("./en.js")).en,
  de: async () => (await import("./de.js")).de,
  zh: async () => (await import("./zh.js")).zh,
};

/** All strings. */
export const words = await FILES[language]();

/**
 * Returns an error of the server in the language of the page. Unknown errors stay English.
 * @param {{ code: string, text?: string, args?: Record<string, string | number> }} error
 */
export function errorText({ code, text, args = {} }) {
  const known = Object.hasOwn(words.errors, code) ? words.errors[code] : undefined;
  return known?.replace(/\{(\w+)\}/g, (place, name) => String(args[name] ?? place)) ?? text ?? code;
}
