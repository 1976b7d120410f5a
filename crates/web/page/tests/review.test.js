import assert from "node:assert/strict";
import test from "node:test";

import {
  accuracyOf,
  judgedMoves,
  keepsValue,
  kindOf,
  lessonsOf,
  lossOf,
  reportOf,
  turningPoint,
  valueOfEnd,
} from "../js/state/review.js";

test("the loss of winning chance determines the kind of a move", () => {
  assert.deepEqual([0, 0.049, 0.05, 0.1, 0.15, 1].map(kindOf), [
    "good",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "blunder",
  ]);
  // Going from even to one piece behind loses 14 points of winning chance: a mistake. The other side loses nothing.
  assert.ok(Math.abs(lossOf({ units: 0 }, { units: -100 }, 0) - 0.14) < 0.001);
  assert.equal(lossOf({ units: 0 }, { units: -100 }, 1), 0);
  assert.equal(lossOf({ loses: 5 }, { units: 0 }, 1), 0.5);
});

test("each move is assessed for its side, and positions without a value are skipped", () => {
  const moves = judgedMoves([{ units: 0 }, { units: -200 }, { units: 0 }, null, { units: 0 }], 0);
  assert.deepEqual(
    moves.map(({ ply, side, kind }) => [ply, side, kind]),
    [
      [1, 0, "blunder"],
      [2, 1, "blunder"],
    ],
  );
  assert.equal(judgedMoves([{ units: 0 }, { units: -200 }], 1)[0].kind, "good");
});

test("a report skips moves in lost positions", () => {
  const values = [{ units: 0 }, { units: -50 }, { units: -50 }, { loses: 3 }, { loses: 2 }, { loses: 1 }];
  const moves = judgedMoves(values, 0);
  const black = reportOf(moves, 0);
  assert.deepEqual([black.inaccuracy, black.mistake, black.blunder], [1, 0, 1]);
  assert.ok(black.accuracy && black.accuracy < 60, "the last move, in a lost position, is not counted");
  assert.deepEqual(reportOf(moves, 1), { accuracy: 100, inaccuracy: 0, mistake: 0, blunder: 0 });
  assert.equal(reportOf([], 0).accuracy, null);
  assert.ok(accuracyOf(0) > 99.9 && accuracyOf(1) === 0);
});

test("lessons are the user's mistakes and blunders", () => {
  const moves = judgedMoves([{ units: 0 }, { units: -40 }, { units: 300 }, { units: 100 }], 0);
  assert.deepEqual(lessonsOf(moves, 0).map((move) => move.ply), [3]);
  assert.deepEqual(lessonsOf(moves, 1).map((move) => move.ply), [2]);
  assert.equal(turningPoint(moves, 1)?.ply, 2);
  const two = [0.2, 0.5, 0.5].map((loss, i) => ({ ply: 2 * i + 1, side: 0, before: 0.6, loss, kind: "blunder" }));
  assert.equal(turningPoint(two, 0)?.ply, 3, "the first of the largest");
  assert.equal(turningPoint(two, 1), undefined);
});

test("a move is accepted if it keeps the value", () => {
  assert.ok(keepsValue({ wins: 5 }, { wins: 9 }, 0));
  assert.ok(keepsValue({ units: 100 }, { units: 80 }, 0));
  assert.ok(!keepsValue({ units: 100 }, { units: 20 }, 0));
  assert.ok(keepsValue({ units: -100 }, { loses: 3 }, 1));
  assert.ok(!keepsValue({ wins: 5 }, { units: 100 }, 0));
});

test("a finished game has the value of its result", () => {
  assert.deepEqual([0, 1, null].map((winner) => valueOfEnd({ winner, text: "" })), [
    { wins: 0 },
    { loses: 0 },
    { units: 0 },
  ]);
});
