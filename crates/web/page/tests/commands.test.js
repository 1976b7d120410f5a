import assert from "node:assert/strict";
import test from "node:test";

import { answerTo } from "../js/state/commands.js";
import { de } from "../js/text/de.js";
import { en } from "../js/text/en.js";
import { zh } from "../js/text/zh.js";
import { scene, useTestGames } from "./games.js";

useTestGames();

const moves = ["b1-b3", "b1-d1", "d1-d3"].map((text) => ({ text, path: [] }));
const room = (more = {}, clock = null) => ({ scene: scene({ moves, ...more }), clock });
const answer = (typed, of = room()) => answerTo(typed, of, 5000);

test("a move is not taken for a question", () => {
  for (const typed of ["b1-b3", "b1h1", "1:1", "3 4", "", "  ", "foo", "legally"]) {
    assert.equal(answer(typed), null, typed);
  }
});

test("the answer to 'legal' lists all legal moves or those of a square", () => {
  assert.equal(answer(" Legal "), "3 legal moves: b1-b3, b1-d1, d1-d3");
  assert.equal(answer("legal D1"), "1 legal move: d1-d3");
  assert.equal(answer("moves a1"), "No legal move.");
  assert.equal(answer("legal", room({ moves: [] })), "No legal move.");
});

test("'last' and 'clock' have answers", () => {
  assert.equal(answer("last"), "New game. Black to move.");
  assert.equal(answer("clock"), "This game has no clock.");
  const clock = { clock: { kind: "game", ms: 60_000, increment: 0 }, left: [60_000, 30_000], running: 1, at: 3000 };
  assert.equal(answer("clock", room({}, clock)), "Black 1:00, White 0:28");
});

test("the board is described by row, by column and by piece", () => {
  const rows = [
    [["b", 0], [".", null]],
    [["b", 0], ["b", 0]],
  ];
  const own = room({ rows, rowLabels: ["2", "1"], columnLabels: ["a", "b"] });
  assert.equal(answer("board", own), "2: Black piece a\n1: Black piece a, b");
  assert.equal(answer("pieces", own), "Black piece a2, a1, b1");
  assert.equal(answer("scan 1", own), "1: Black piece a, b");
  assert.equal(answer("scan B", own), "b: Black piece 1");
  assert.equal(answer("scan", own), en.commands.noLine);
  assert.equal(answer("scan 9", own), en.commands.noLine);
  const numbered = room({ rows, rowLabels: ["1", "2"], columnLabels: ["1", "2"] });
  assert.equal(answer("scan 1", numbered), "1: Black piece 1");
  assert.equal(answer("scan :1", numbered), "1: Black piece 1, 2");
  const empty = room({ rows: [[[".", null]]], rowLabels: ["1"], columnLabels: ["a"] });
  assert.equal(answer("board", empty), "1: empty");
});

test("help lists every question, and each language has its own words", () => {
  assert.equal(answer("?"), en.commands.helpText);
  const names = Object.keys(en.commands.words);
  for (const name of names.filter((name) => name !== "help")) assert.match(en.commands.helpText, new RegExp(name));
  for (const { commands } of [de, zh]) {
    const words = names.flatMap((name) => commands.words[name].split(" "));
    assert.ok(words.every(Boolean) && new Set(words).size === words.length, words.join());
  }
});
