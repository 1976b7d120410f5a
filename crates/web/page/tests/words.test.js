import assert from "node:assert/strict";
import test from "node:test";

import * as Words from "../js/state/words.js";
import { scene, useTestGames } from "./games.js";

useTestGames();

test("values are given from the view of the first side", () => {
  const sides = ["Black", "White"];
  assert.equal(Words.valueText({ units: -150 }, sides), "−1.50");
  assert.equal(Words.valueText({ wins: 7 }, sides), "Black wins in 4 moves");
  assert.equal(Words.valueText({ loses: 4 }, sides), "White wins in 2 moves");
  const short = [{ units: 120 }, { units: -1234 }, { units: -4 }, { wins: 7 }, { loses: 2 }].map(Words.shortValue);
  assert.deepEqual(short, ["+1.2", "−12", "0.0", "#4", "−#1"]);
  assert.deepEqual([0, 1, null].map((winner) => Words.shortResult({ winner })), ["1–0", "0–1", "½"]);
  assert.deepEqual([{ loses: 3 }, { units: 0 }, { wins: 1 }].map(Words.chance), [0, 0.5, 1]);
});

test("large numbers are abbreviated", () => {
  assert.deepEqual([999, 1500, 2500000, 3e9].map(Words.counted), ["999", "2 k", "2.5 M", "3.0 G"]);
});

test("a game under unusual rules or from another start is named with them", () => {
  assert.equal(Words.gameText(scene()), "Lines 8 × 8");
  assert.equal(Words.gameText(scene({ size: 4, variant: "mso" })), "Lines 4 × 4\u00a0· Olympiad rules");
  assert.equal(Words.gameText(scene({ variant: "scrambled-eggs" })), "Lines 8 × 8\u00a0· Scrambled Eggs");
  assert.equal(Words.gameText(scene({ variant: "unnamed" })), "Lines 8 × 8\u00a0· unnamed", "without a translation");
  assert.equal(Words.gameText({ game: "dots", size: null }), "Dots", "an archived game with a start of its own");
});

test("squares and their contents have the names of the game", () => {
  assert.equal(Words.squareName(scene(), [0, 1]), "b2");
  assert.equal(Words.squareName(scene({ game: "dots" }), [0, 1]), "row 2, column b");
  assert.equal(Words.contents(scene(), ["b", 0]), "Black piece");
  assert.equal(Words.contents(scene({ game: "dots" }), ["2r", 0]), "2 spots, Red");
});

test("the last move is spoken with the next turn or the result", () => {
  assert.equal(Words.spoken(scene()), "New game. Black to move.");
  const last = { text: "a1-b2", path: [[1, 0], [0, 1]] };
  assert.equal(Words.spoken(scene({ turn: 1, last })), "Black: a1 to b2. White to move.");
  const end = { winner: 0, text: "Black wins." };
  assert.equal(Words.spoken(scene({ turn: 1, last: { ...last, path: [[1, 0]] }, end })), "Black: a1. Black wins.");
});
