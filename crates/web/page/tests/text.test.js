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
const SENTENCES = readFileSync(new URL("sentences.txt", import.meta.url), "utf8").split("\n").filter(Boolean);
/** Names that are the same in all languages, and a pattern without words. */
const SAME = ["Jump61", "Lines of Action", "Breakthrough", "Neutral", "{column}{row}"];
const ENGLISH = /\b(the|is|are|and|expected|found|piece|pieces|move|moves|to|row|column)\b/;

/** Returns the strings by their path. A function is replaced by its result for sample arguments. */
function flat(value, path = "") {
  if (typeof value === "string") return [[path, value]];
  // Functions that take a list have it as the first parameter.
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
    assert.deepEqual(strings.play.paces.map(([value]) => value), en.play.paces.map(([value]) => value));
  }
});

test("every sentence of the server is translated to its last word", () => {
  for (const [language, { phrases }] of Object.entries(LANGUAGES)) {
    const translated = translator(phrases);
    for (const sentence of SENTENCES) {
      const text = translated(sentence);
      if (!SAME.includes(sentence)) assert.notEqual(text, sentence, language);
      const words = text.replace(/`[^`]*`/g, "").replace(/\{\w+\}/g, "");
      assert.ok(!ENGLISH.test(words), `${language}: ${sentence}: ${text}`);
      assert.ok(!/\{\d\}/.test(text), `${language}: ${text}`);
    }
  }
});

test("both languages know the same sentences, and fill only places that are there", () => {
  const keys = Object.values(LANGUAGES).map(({ phrases }) => phrases.map(([english]) => english).sort());
  assert.deepEqual(keys[0], keys[1]);
  assert.equal(new Set(keys[0]).size, keys[0].length);
  for (const [english, translated] of [...german, ...chinese]) {
    for (const [place] of translated.matchAll(/\{\w+\}/g)) assert.ok(english.includes(place), translated);
  }
});

test("a sentence is taken apart at its fixed words", () => {
  const translated = translator([
    ["{0} wins: {1} has no legal move.", "{1} cannot move, so {0} wins."],
    ["illegal move {0}: {1}", "{0} no: {1}"],
    ["{0} is empty", "nothing on {0}"],
    ["Black", "Noir"],
  ]);
  assert.equal(translated("Black wins: White has no legal move."), "White cannot move, so Noir wins.");
  assert.equal(translated("illegal move a1-a2: a1 is empty"), "a1-a2 no: nothing on a1");
  assert.equal(translated("Nobody knows this."), "Nobody knows this.");
});

test("the page speaks the first language that it knows", () => {
  assert.equal(firstKnown(["", "fr-CA", "de-AT", "en"]), "de");
  assert.equal(firstKnown(["zh-Hans-CN"]), "zh");
  assert.equal(firstKnown(["en-GB", "de"]), "en");
  assert.equal(firstKnown(["fr"]), "en");
});
