// The strings of the course's views.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { de } from "../js/course/text/de.js";
import { en } from "../js/course/text/en.js";
import { zh } from "../js/course/text/zh.js";

const LANGUAGES = { de, zh };
const ENGLISH = /\b(the|is|are|and|expected|move|moves|to|of|against)\b/;
const FOLDER = new URL("../js/course/", import.meta.url);

/** Returns the strings by their path. A function is replaced by its results for one and for several. */
function flat(value, path = "") {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    return [[`${path} 1`, String(value(1, 1, 1))], [`${path} 2`, String(value(2, 3, 4))]];
  }
  return Object.entries(value).flatMap(([key, part]) => flat(part, `${path}.${key}`));
}

test("every language has every string of the course", () => {
  const ours = flat(en);
  for (const [language, strings] of Object.entries(LANGUAGES)) {
    const theirs = flat(strings);
    assert.deepEqual(theirs.map(([path]) => path).sort(), ours.map(([path]) => path).sort(), language);
    for (const [path, text] of theirs) {
      assert.ok(text.trim() && !/undefined|NaN|\[object/.test(text), `${language}: ${path}: ${text}`);
      assert.ok(!ENGLISH.test(text.replace(/`[^`]*`|\{\w+\}/g, "")), `${language}: ${path}: ${text}`);
    }
  }
});

test("every language uses the arguments of its strings and errors", () => {
  const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
  for (const [language, strings] of Object.entries(LANGUAGES)) {
    for (const [code, text] of Object.entries(strings.errors)) {
      assert.deepEqual(places(text), places(en.errors[code]), `${language}: ${code}`);
    }
    for (const key of ["name", "beat", "drawn", "void"]) {
      const said = strings.games[key]("«1»", "«2»", "«3»");
      assert.ok(said.includes("«1»") && said.includes("«2»"), `${language}: ${key}: ${said}`);
    }
    for (const [action, { title, what }] of Object.entries(strings.actions)) {
      for (const part of [title, what]) {
        const said = part("«1»", "«2»", "«3»");
        const english = en.actions[action][part === title ? "title" : "what"]("«1»", "«2»", "«3»");
        const named = (text) => [1, 2, 3].filter((i) => text.includes(`«${i}»`));
        assert.deepEqual(named(said), named(english), `${language}: ${action}: ${said}`);
      }
    }
  }
});

test("every error of the course's server has words", () => {
  const rust = new URL("../../../course/src/", import.meta.url);
  const files = readdirSync(rust, { recursive: true }).filter((name) => /^(http|service)\/.*\.rs$/.test(name));
  const source = files.map((name) => readFileSync(new URL(name, rust), "utf8")).join("\n");
  const messages = [...source.matchAll(/message!\(\s*"(\w+)",\s*"([^"]*)"/g)];
  assert.ok(messages.length > 15);
  for (const [, code, text] of messages) {
    assert.ok(code in en.errors, code);
    const given = new Set([...text.matchAll(/\{\w+\}/g)].map(([place]) => place));
    for (const [place] of en.errors[code].matchAll(/\{\w+\}/g)) assert.ok(given.has(place), `${code}: ${place}`);
  }
});

test("the views use every string", () => {
  const scripts = readdirSync(FOLDER, { recursive: true }).filter(
    (name) => name.endsWith(".js") && !name.startsWith("text"),
  );
  const all = scripts.map((name) => readFileSync(new URL(name, FOLDER), "utf8")).join("\n");
  const unused = [];
  for (const [group, part] of Object.entries(en)) {
    if (["steps", "stepStates", "errors", "actions", "phases"].includes(group)) continue;
    const keys = typeof part === "object" ? Object.keys(part) : [group];
    // Keys of this group are chosen by data.
    unused.push(...keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(all)).map((key) => `${group}.${key}`));
  }
  assert.deepEqual(unused, []);
});
