// The strings of the page in the user's language. Components read `text.view.name` when they render.

import { settings } from "../state/memory.js";
import { translator } from "./phrases.js";

/** @typedef {typeof import("./en.js").en} Text */
/** @typedef {"en" | "de" | "zh"} Language */

/** The languages of the page, each with its own name. @type {[Language, string][]} */
export const LANGUAGES = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["zh", "中文"],
];

/**
 * The files of the languages. Only the current language is fetched.
 * @type {Record<Language, () => Promise<[Text, import("./phrases.js").Phrases]>>}
 */
const FILES = {
  en: async () => [(await import("./en.js")).en, {}],
  de: async () => [(await import("./de.js")).de, (await import("./phrases/de.js")).phrases],
  zh: async () => [(await import("./zh.js")).zh, (await import("./phrases/zh.js")).phrases],
};

/**
 * Returns the first preferred language that the page supports, or English.
 * @param {readonly string[]} wanted Codes such as `de-AT`, in order of preference. @returns {Language}
 */
export function firstKnown(wanted) {
  for (const code of wanted) {
    const found = LANGUAGES.find(([name]) => name === code.toLowerCase().split("-")[0]);
    if (found) return found[0];
  }
  return "en";
}

/** Tests without a browser use English. */
const wanted = typeof document === "undefined" ? [] : [settings().language, ...navigator.languages];

/** The language of the page, fixed until the page is reloaded. */
export const language = firstKnown(wanted);

/** The code for dates and numbers: the language with the browser's region, such as `en-GB`. */
export const locale = wanted.find((code) => code.toLowerCase().split("-")[0] === language) ?? language;

/** @type {Intl.NumberFormat[]} */
const formats = [];

/** Formats a number with the decimal separator of the language. @param {number} value @param {number} digits */
export function decimal(value, digits) {
  formats[digits] ??= new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  return formats[digits].format(value);
}

const [strings, phrases] = await FILES[language]();

/** All strings. */
export const text = strings;

/** Translates a message from the server into the language of the page. */
export const worded = translator(phrases, language);

/** Translates a name or another fixed text from the server into the language of the page. @param {string} name */
export const named = (name) => worded({ code: name });
