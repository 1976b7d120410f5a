import assert from "node:assert/strict";
import test from "node:test";

import {
  advanced,
  begun,
  inTheAir,
  resumed,
  stageOf,
  stageTime,
  stepped,
  stopped,
  waveTime,
} from "../js/state/cascade.js";

test("long cascades speed up to a limit", () => {
  assert.equal(waveTime(250, 0), 250);
  assert.ok(waveTime(250, 5) < waveTime(250, 4));
  assert.equal(waveTime(250, 100), 100);
});

test("flying spots are on no square", () => {
  const rows = [[["3r", 0], ["1-", null]]];
  const flights = [[[0, 0], [0, 1]], [[0, 0], [1, 0]]];
  assert.deepEqual(inTheAir(rows, flights), [[["1r", 0], ["1-", null]]]);
});

/** Returns all stages from a run to its end, as texts: the wave, and a mark if spots fly. */
const course = (run, next) => {
  const stages = [];
  for (let at = run; at; at = next(at)) stages.push(`${at.wave}${at.flying ? "+" : ""}`);
  return stages.join(" ");
};

test("an automatic cascade shows every wave and pauses on the last one", () => {
  const run = begun(3, true);
  assert.equal(course(run, advanced), "0 0+ 1 1+ 2");
  assert.equal(stageTime(run, 600), 250, "the first flight begins soon");
  for (let at = run; at; at = advanced(at)) assert.ok(stageTime(at, 250) > 0);
});

test("a paused cascade lets its spots land, waits, and continues", () => {
  const flying = advanced(begun(3, true));
  const held = stopped(flying);
  assert.ok(stageTime(held, 250) > 0, "the spots in the air land");
  const landed = advanced(held);
  assert.deepEqual([landed.wave, landed.flying, stageTime(landed, 250)], [1, false, null]);
  assert.equal(stageTime(resumed(landed), 250) > 0, true);
  assert.equal(course(resumed(landed), advanced), "1 1+ 2");
});

test("each step shows one wave, and the last step ends the cascade", () => {
  const first = stepped(begun(3, false));
  assert.deepEqual([first.wave, first.flying, first.auto], [0, true, false]);
  // A step before the spots have landed shows the next wave at once.
  const second = stepped(first);
  assert.deepEqual([second.wave, second.flying], [1, true]);
  assert.equal(stepped(second), null);
  assert.equal(advanced(second), null, "the cascade ends with the last wave");
  assert.equal(stepped(advanced(begun(3, true))).auto, false, "a step pauses a running cascade");
});

test("with reduced motion no spots fly", () => {
  assert.equal(course(begun(4, false, true), stepped), "0 1 2");
  assert.equal(course(begun(3, true, true), advanced), "0 1 2");
});

test("a stage shows a frame or the flight to the next frame", () => {
  const frames = [[[["2r", 0], ["1-", null]]], [[["1r", 0], ["2r", 0]]]];
  const flights = [[], [[[0, 0], [0, 1]]]];
  const run = begun(2, true);
  assert.deepEqual(stageOf(run, { frames, flights }), { rows: frames[0], flights: [] });
  const flying = stageOf(advanced(run), { frames, flights });
  assert.deepEqual([flying.rows[0][0], flying.flights], [["1r", 0], flights[1]]);
});
