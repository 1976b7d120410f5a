// Sentences of the server in the user's language. The server writes English. A language has a list of pairs: the
// English sentence and its translation, both with placeholders: `{0} wins: {1} has no legal move.`

/** @typedef {readonly (readonly [english: string, translated: string])[]} Phrases */

/** A numbered placeholder. */
const PLACE = /\{(\d)\}/g;

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Returns a pattern that captures the values of a sentence's placeholders. Those of `english` are numbered in order.
 * @param {string} english
 */
const taker = (english) =>
  new RegExp(`^${english.split(/\{\d\}/).map(escaped).join("([^]*?)")}$`);

/**
 * Returns a translator. Unknown sentences are unchanged. The values of placeholders are translated, too.
 * @param {Phrases} phrases
 */
export function translator(phrases) {
  const whole = new Map(phrases.filter(([english]) => !english.includes("{0}")));
  // Phrases with a fixed beginning come first, then those with more fixed text.
  const fixed = (/** @type {string} */ english) =>
    english.replace(PLACE, "").length + (english.startsWith("{0}") ? 0 : 1000);
  const parts = phrases
    .filter(([english]) => english.includes("{0}"))
    .sort(([a], [b]) => fixed(b) - fixed(a))
    .map(([english, translated]) => ({ taker: taker(english), translated }));

  /** @param {string} sentence @returns {string} */
  function translated(sentence) {
    const known = whole.get(sentence);
    if (known !== undefined) return known;
    for (const part of parts) {
      const found = sentence.match(part.taker);
      if (found) return part.translated.replace(PLACE, (_, number) => translated(found[Number(number) + 1] ?? ""));
    }
    return sentence;
  }
  return translated;
}
