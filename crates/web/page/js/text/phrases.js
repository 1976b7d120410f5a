// Messages of the server in the user's language.

/**
 * A message from the server: an English text, and the code and arguments for writing it in other languages. A message
 * without a text is a name; its code is also its English text.
 * @typedef {{ code: string, args?: Record<string, string | Message>, text?: string }} Message
 */

/**
 * The texts of a language by code, with placeholders: `{winner} gewinnt.` A text that depends on a number has a form
 * for each plural category of the argument `count`.
 * @typedef {Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>} Phrases
 */

/**
 * Returns a translator for a language. A message without a translation stays in English.
 * @param {Phrases} phrases @param {string} language
 */
export function translator(phrases, language) {
  const plural = new Intl.PluralRules(language);

  /** @param {string | Message} part @returns {string} */
  function worded(part) {
    if (typeof part === "string") return part;
    const { code, args = {}, text = code } = part;
    const forms = Object.hasOwn(phrases, code) ? phrases[code] : undefined;
    const form = typeof forms === "object" ? (forms[plural.select(Number(args.count))] ?? forms.other) : forms;
    return form?.replace(/\{(\w+)\}/g, (place, name) => (name in args ? worded(args[name]) : place)) ?? text;
  }
  return worded;
}
