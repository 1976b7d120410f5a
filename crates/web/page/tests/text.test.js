import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { de } from "../js/text/de.js";
import { en } from "../js/text/en.js";
import { firstKnown } from "../js/text/index.js";
import { translator } from "../js/text/phrases.js";
import { phrases as german } from "../js/text/phrases/de.js";
import { phrases as chinese } from "../js/text/phrases/zh.js";
import { zh } from "../js/text/zh.js";

const LANGUAGES = { de: { strings: de, phrases: german }, zh: { strings: zh, phrases: chinese } };
/** Codes whose text is the same in English and in some other language. */
const SAME = ["Jump61", "jump61", "jump61.title", "Lines of Action", "loa.title", "Breakthrough", "Neutral"];
SAME.push("breakthrough.title", "game.no_build");
const ENGLISH = /\b(the|is|are|and|expected|found|piece|pieces|move|moves|to|row|column)\b/;
/** The messages of the server, as its own tests collect them. */
const MESSAGES = JSON.parse(readFileSync(new URL("messages.json", import.meta.url), "utf8"));
/** @param {string} text */
const places = (text) => new Set([...text.matchAll(/\{\w+\}/g)].map(([place]) => place));

/** Returns the strings by their path. A function is replaced by its result for sample arguments. */
function flat(value, path = "") {
  if (typeof value === "string") return [[path, value]];
  // A function with a list among its parameters takes the list first.
  if (typeof value === "function") return [[path, String(value(path === ".server.against" ? ["A", "B"] : 2, 3, 4))]];
  return Object.entries(value).flatMap(([key, part]) => flat(part, `${path}.${key}`));
}

test("every language has every string", () => {
  const ours = flat(en);
  for (const [language, { strings }] of Object.entries(LANGUAGES)) {
    const theirs = flat(strings);
    assert.deepEqual(theirs.map(([path]) => path).sort(), ours.map(([path]) => path).sort(), language);
    const empty = new Set(ours.filter(([, text]) => text === "").map(([path]) => path));
    for (const [path, text] of theirs) assert.equal(text === "", empty.has(path), `${language}: ${path}`);
    for (const [path, text] of theirs) assert.ok(!/undefined|NaN|\[object/.test(text), `${language}: ${path}: ${text}`);
    // The values of choices are the same in all languages.
    assert.deepEqual(strings.newGame.clocks.map(([value]) => value), en.newGame.clocks.map(([value]) => value));
    assert.deepEqual(strings.newGame.limits.map(([value]) => value), en.newGame.limits.map(([value]) => value));
    assert.deepEqual(
      strings.newGame.thinkingTimes.map(([value]) => value),
      en.newGame.thinkingTimes.map(([value]) => value),
    );
    // Only tournaments have these rules: on the board they are the usual ones.
    const isOffered = (/** @type {string} */ name) => !name.endsWith("openspiel");
    assert.deepEqual(Object.keys(strings.common.variants).filter(isOffered), Object.keys(strings.newGame.variants));
    assert.deepEqual(strings.play.paces.map(([value]) => value), en.play.paces.map(([value]) => value));
  }
});

test("every language has every message of the server, with its arguments and plurals", () => {
  const known = [...Object.keys(MESSAGES.texts), ...MESSAGES.names].sort();
  for (const [language, { phrases }] of Object.entries(LANGUAGES)) {
    // Names that consist of symbols or placeholders are the same in every language.
    const wanted = known.filter((code) => code in phrases || /[a-z]/.test(code.replace(/`[^`]*`|\{\w+\}/g, "")));
    assert.deepEqual(Object.keys(phrases).sort(), wanted, language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [code, forms] of Object.entries(phrases)) {
      const english = MESSAGES.texts[code] ?? code;
      for (const text of typeof forms === "object" ? Object.values(forms) : [forms]) {
        // Only English texts have the plural ending `{s}`, and `{number}` for small numbers as words.
        const wanted = places(english.replaceAll("{s}", "").replaceAll("{number}", "{count}"));
        assert.deepEqual([...places(text)].sort(), [...wanted].sort(), `${language}: ${code}: ${text}`);
        if (!SAME.includes(code)) assert.notEqual(text, english, language);
        const words = text.replace(/`[^`]*`/g, "").replace(/\{\w+\}/g, "");
        assert.ok(!ENGLISH.test(words), `${language}: ${code}: ${text}`);
      }
      if (typeof forms === "object") assert.deepEqual(Object.keys(forms).sort(), pluralCategories.sort(), code);
    }
  }
});

test("a message is translated by its code and arguments", () => {
  const name = (text) => ({ code: text, text });
  const worded = translator(
    {
      "end.stuck": "{loser} cannot move, so {winner} wins.",
      Black: "Noir",
      count: { one: "{count} move by {side}", other: "{count} moves by {side}" },
    },
    "en",
  );
  const stuck = { code: "end.stuck", args: { winner: name("Black"), loser: name("White") }, text: "" };
  assert.equal(worded(stuck), "White cannot move, so Noir wins.");
  const count = (n) => ({ code: "count", args: { count: String(n), side: "{loser}" }, text: "" });
  assert.equal(worded(count(1)), "1 move by {loser}");
  assert.equal(worded(count(2)), "2 moves by {loser}");
  assert.equal(worded({ code: "new.message", text: "As the server wrote it." }), "As the server wrote it.");
  assert.equal(worded(name("toString")), "toString");
});

test("the page uses the first preferred language that it supports", () => {
  assert.equal(firstKnown(["", "fr-CA", "de-AT", "en"]), "de");
  assert.equal(firstKnown(["zh-Hans-CN"]), "zh");
  assert.equal(firstKnown(["en-GB", "de"]), "en");
  assert.equal(firstKnown(["fr"]), "en");
});
