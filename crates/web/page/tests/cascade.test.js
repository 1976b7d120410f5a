import assert from "node:assert/strict";
import test from "node:test";

import { inTheAir, waveTime } from "../js/state/cascade.js";

test("long cascades gain speed, up to a bound", () => {
  assert.equal(waveTime(250, 0), 250);
  assert.ok(waveTime(250, 5) < waveTime(250, 4));
  assert.equal(waveTime(250, 100), 100);
});

test("while spots fly they are on no square", () => {
  const rows = [[["3r", 0], ["1-", null]]];
  const flights = [[[0, 0], [0, 1]], [[0, 0], [1, 0]]];
  assert.deepEqual(inTheAir(rows, flights), [[["1r", 0], ["1-", null]]]);
});
