import assert from "node:assert/strict";
import test from "node:test";

import { NO_SCORE, firstOpen, scored, taskText, winIn } from "../js/state/puzzle.js";

test("a win counts for the side that has it", () => {
  assert.deepEqual([winIn({ wins: 3 }, 0), winIn({ wins: 3 }, 1)], [3, null]);
  assert.deepEqual([winIn({ loses: 5 }, 0), winIn({ loses: 5 }, 1)], [null, 5]);
  assert.deepEqual([winIn({ units: 900 }, 0), winIn(undefined, 0)], [null, null]);
});

test("solved puzzles count once and a miss ends the streak", () => {
  const once = scored(scored(NO_SCORE, "lines", 4, true), "lines", 4, true);
  assert.deepEqual(once, { solved: { lines: [4] }, streak: 2, best: 2 });
  assert.deepEqual(scored(once, "dots", 0, false), { solved: { lines: [4], dots: [] }, streak: 0, best: 2 });
});

test("the first open puzzle comes next, and the first of all when all are solved", () => {
  const all = [["a", 3], ["b", 3], ["c", 5]];
  assert.deepEqual([firstOpen(all, []), firstOpen(all, [0, 2]), firstOpen(all, [0, 1, 2])], [0, 1, 0]);
  assert.deepEqual([taskText("Black", 1), taskText("Red", 5)], ["Black wins in 1 move", "Red wins in 3 moves"]);
});
