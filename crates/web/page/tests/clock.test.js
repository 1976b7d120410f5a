import assert from "node:assert/strict";
import test from "node:test";
import { ahead, clockText, leftNow, lowTime, untilNextText, warnsAt } from "../js/state/clock.js";

const view = (running) => {
  return { clock: { kind: "game", ms: 60_000, increment: 0 }, left: [30_000, 20_000], running, at: 500 };
};

test("a running clock counts down to zero", () => {
  assert.equal(leftNow(view(1), 1, 1_500), 19_000);
  assert.equal(leftNow(view(1), 0, 1_500), 30_000);
  assert.equal(leftNow(view(null), 1, 99_000), 20_000);
  assert.equal(leftNow(view(0), 0, 99_000), 0);
  assert.equal(leftNow(view(0), 0, 400), 30_000, "a message that is ahead of the estimated time");
});

test("the fastest message determines the difference of the clocks", () => {
  let difference = ahead(null, 1_000, 5_030);
  difference = ahead(difference, 2_000, 6_900);
  assert.equal(difference, 4_030);
  difference = ahead(difference, 3_000, 7_010);
  assert.equal(difference, 4_010);
});

test("clocks show tenths of the last ten seconds", () => {
  const texts = [0, 99, 100, 9_999, 10_000, 69_000, 3_599_999, 3_600_000, 36_061_000].map(clockText);
  assert.deepEqual(texts, ["0.0", "0.0", "0.1", "9.9", "0:10", "1:09", "59:59", "1:00:00", "10:01:01"]);
});

test("the time until the next text is exact", () => {
  for (const ms of [12_345, 10_000, 9_999, 501]) {
    assert.notEqual(clockText(ms), clockText(ms - untilNextText(ms)));
    assert.equal(clockText(ms), clockText(ms - untilNextText(ms) + 1));
  }
});

test("a clock warns once below a tenth of its time, or below ten seconds", () => {
  const clock = { kind: "game", ms: 60_000, increment: 2_000 };
  assert.deepEqual([lowTime(clock), lowTime({ ...clock, ms: 600_000 })], [6_000, 10_000]);
  assert.deepEqual([6_000, 5_999].map((left) => warnsAt(false, left, clock)), [false, true]);
  // The increment does not repeat the warning; a new game does.
  assert.deepEqual([7_000, 60_000].map((left) => warnsAt(true, left, clock)), [true, false]);
});
