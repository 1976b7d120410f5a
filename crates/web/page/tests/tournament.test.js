import assert from "node:assert/strict";
import test from "node:test";
import { eloText, faultsOf, heard, leftOn, spanText } from "../js/state/tournament.js";

const board = (key, plies) => ({ key, plies, left: [5_000, null], running: 0, end: null });
const keys = (known) => known.boards.map(({ key, plies, at }) => [key, plies, at]);

test("a message updates changed boards and the order of the boards", () => {
  const tournament = { played: 1 };
  let known = heard(null, { shown: true, tournament, boards: [board("a", 1), board("b", 2)], keys: ["a", "b"] }, 10);
  assert.deepEqual(keys(known), [["a", 1, 10], ["b", 2, 10]]);
  known = heard(known, { shown: true, tournament: null, boards: [board("b", 3)], keys: ["a", "b"] }, 20);
  assert.equal(known.tournament, tournament);
  assert.deepEqual(keys(known), [["a", 1, 10], ["b", 3, 20]]);
  known = heard(known, { shown: true, tournament: { played: 2 }, boards: [board("c", 0)], keys: ["c", "b"] }, 30);
  assert.deepEqual(keys(known), [["c", 0, 30], ["b", 3, 20]]);
  assert.equal(known.tournament.played, 2);
});

test("only the clock of the side to move runs", () => {
  const shown = { ...board("a", 1), left: [5_000, 3_000], at: 100 };
  assert.deepEqual([leftOn(shown, 0, 1_100), leftOn(shown, 1, 1_100)], [4_000, 3_000]);
  assert.equal(leftOn(shown, 0, 99_000), 0);
  assert.equal(leftOn({ ...shown, left: [null, null] }, 0, 1_100), null);
});

test("times, ratings and faults are formatted", () => {
  assert.deepEqual([6.6, 750, 3_909].map(spanText), ["0:07", "12:30", "1:05:09"]);
  assert.equal(eloText({ elo: null, error: null }), "–");
  assert.equal(eloText({ elo: -12.4, error: 30.2 }), "−12 ± 30");
  assert.equal(eloText({ elo: 0.2, error: null }), "0 ± ?");
  assert.equal(eloText({ elo: 12.6, error: 8 }), "+13 ± 8");
  assert.equal(faultsOf({ faults: { time: 2, crash: 1 } }), 3);
});
