// Sentences of the server in the user's language. The server writes English. A language has a list of pairs: the
// English sentence and its translation, both with places to fill: `{0} wins: {1} has no legal move.`

/** @typedef {readonly (readonly [english: string, translated: string])[]} Phrases */

/** What stands at the place with a number. */
const PLACE = /\{(\d)\}/g;

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** An expression that takes a sentence apart; the places of `english` are numbered in order. @param {string} english */
const taker = (english) =>
  new RegExp(`^${english.split(/\{\d\}/).map(escaped).join("([^]*?)")}$`);

/**
 * A translator. A sentence that it does not know stays as it is. What fills a place is translated, too.
 * @param {Phrases} phrases
 */
export function translator(phrases) {
  const whole = new Map(phrases.filter(([english]) => !english.includes("{0}")));
  // The more of a sentence is fixed, the better it fits; what stands before a colon is taken off first.
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
