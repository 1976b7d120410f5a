// Uploads: the transfer of a file, and the steps of its check.

import { words } from "../text/index.js";

/** @typedef {import("../types.js").Upload} Upload */
/** @typedef {import("../types.js").Step} Step */
/**
 * The transfer of a file. `sent` and `size` are in bytes.
 * @typedef {{ phase: "idle" }
 *   | { phase: "sending", name: string, size: number, sent: number }
 *   | { phase: "received", name: string, number: number }
 *   | { phase: "failed", name: string, error: string, again: boolean }
 *   | { phase: "cancelled", name: string }} Sending
 */
/**
 * @typedef {{ is: "begin", name: string, size: number } | { is: "progress", sent: number }
 *   | { is: "received", number: number } | { is: "failed", error: string, again: boolean } | { is: "cancelled" }
 *   | { is: "closed" }} SendingEvent
 */

/**
 * Returns the state of a transfer after an event. Events of a transfer that has ended are ignored.
 * @param {Sending} now @param {SendingEvent} event @returns {Sending}
 */
export function sendingAfter(now, event) {
  if (event.is === "begin") return { phase: "sending", name: event.name, size: event.size, sent: 0 };
  if (event.is === "closed") return now.phase === "sending" ? now : { phase: "idle" };
  if (now.phase !== "sending") return now;
  const { name } = now;
  if (event.is === "progress") return { ...now, sent: Math.max(now.sent, Math.min(event.sent, now.size)) };
  if (event.is === "received") return { phase: "received", name, number: event.number };
  if (event.is === "cancelled") return { phase: "cancelled", name };
  return { phase: "failed", name, error: event.error, again: event.again };
}

/** Returns the share of a file that has been sent, in percent. @param {{ size: number, sent: number }} sending */
export const sentPercent = ({ size, sent }) => (size > 0 ? Math.floor((100 * sent) / size) : 0);

/**
 * Returns why the chosen files cannot be sent, or an empty string.
 * @param {{ name: string, size: number, isFolder?: boolean }[]} files @param {number} limit In bytes.
 * @param {string} locale
 */
export function fileTrouble(files, limit, locale) {
  const said = words.upload;
  if (files.length !== 1) return said.oneFile(files.length);
  const [{ name, size, isFolder = false }] = files;
  if (isFolder) return said.folder(name);
  if (size === 0) return said.empty(name);
  return size > limit ? said.tooLarge(name, sizeText(size, locale), sizeText(limit, locale)) : "";
}

/**
 * Formats a size: 900 byte, 12 kB, 3.4 MB. As in the course file, a megabyte has 1024 kilobytes of 1024 bytes.
 * @param {number} bytes @param {string} locale
 */
export function sizeText(bytes, locale) {
  /** @type {[number, string][]} */
  const units = [[2 ** 20, "megabyte"], [2 ** 10, "kilobyte"]];
  const [size, unit] = units.find(([least]) => bytes >= least) ?? [1, "byte"];
  const maximumFractionDigits = unit === "megabyte" && bytes < 10 * 2 ** 20 ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits }).format(bytes / size);
}

/** Returns `true` if the check of an upload is not over. @param {Pick<Upload, "state">} upload */
export const isOpen = ({ state }) => state === "waiting" || state === "checking";

/** Returns the name of a step in the language of the page. @param {string} name */
export const stepName = (name) => (Object.hasOwn(words.steps, name) ? words.steps[name] : name);

/** Returns a step and its result as a sentence. @param {Step} step */
export function stepSentence({ name, state, detail }) {
  const said = `${stepName(name)}: ${words.stepStates[state] ?? state}.`;
  return state === "failed" && detail ? `${said} ${detail.split("\n")[0]}` : said;
}

/**
 * Returns what has changed in the check of an upload, for a screen reader: steps that have ended, then the result.
 * Returns an empty string if nothing has changed, or if another upload is the latest one now.
 * @param {Upload | null} before @param {Upload | null} after
 */
export function checkNews(before, after) {
  if (!before || !after || before.id !== after.id) return "";
  const states = new Map(before.steps.map((step, i) => [`${i} ${step.name}`, step.state]));
  const ended = after.steps.filter(
    (step, i) => step.state !== "running" && states.get(`${i} ${step.name}`) !== step.state,
  );
  const isDecided = before.state !== after.state && !isOpen(after);
  const result = isDecided ? words.upload.results[after.state](after.number) : "";
  return [...ended.map(stepSentence), result].filter(Boolean).join(" ");
}

/**
 * Splits the details of a step into sentences and a drawing or a quoted output, which begins in the second line. The
 * lines of a step with a warning are sentences.
 * @param {string} detail @param {string} [state] State of the step.
 */
export function detailParts(detail, state = "failed") {
  const [first, ...rest] = detail.replace(/\s+$/, "").split("\n");
  while (rest.length && rest[0].trim() === "") rest.shift();
  const isSaid = state === "warned";
  return { said: [first, ...(isSaid ? rest : [])].filter(Boolean), quoted: isSaid ? "" : rest.join("\n") };
}

/**
 * Returns the notes and the steps of an upload, each text once. If a step has failed, the steps have all texts, and no
 * note is returned. Otherwise corrections are in the notes, and warnings in the steps.
 * @param {Pick<Upload, "notes" | "steps">} upload
 */
export function shownOnce({ notes, steps }) {
  if (notes.length === 0 || steps.some(({ state }) => state === "failed")) return { notes: [], steps };
  const warned = steps.filter(({ name, state }) => state === "warned" && name !== "unpack");
  const isOfStep = (/** @type {string} */ note) =>
    warned.some(({ name, detail }) => note.startsWith(`${name}: ${detail}`));
  const corrected = (/** @type {Step} */ step) => (step.name === "unpack" ? { ...step, detail: "" } : step);
  return { notes: notes.filter((note) => !isOfStep(note)), steps: steps.map(corrected) };
}

/**
 * Splits a text of the server at its backticks.
 * @param {string} said
 */
export function codeParts(said) {
  const parts = said.split(/(?<!`)(`[^`]+`)(?!`)/).filter(Boolean);
  return parts.map((part) => {
    const isCode = /^`[^`]+`$/.test(part);
    return { isCode, said: isCode ? part.slice(1, -1) : part };
  });
}

/** Returns the state of an upload in words. @param {Pick<Upload, "state" | "place">} upload */
export function stateText({ state, place }) {
  const said = words.upload.states;
  return state === "waiting" && place !== null && place > 1 ? words.upload.waitingAt(place) : said[state];
}
