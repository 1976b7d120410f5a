import assert from "node:assert/strict";
import test from "node:test";

import { NOTHING_SHOWN, PAUSE, advanced, arrived, caughtUp, finished, reported, wait } from "../js/state/playback.js";
import { scene } from "./games.js";

/** Returns a game after these moves. */
const item = (moves, { own = false, end = null, name = moves, pause = PAUSE } = {}) => {
  const played = moves.split(" ").filter(Boolean);
  return { scene: scene({ played, ply: played.length, position: moves, end }), own, pause, value: name };
};
const begun = finished(arrived(NOTHING_SHOWN, item("")), 0);

test("a reply waits for the previous animation and a pause", () => {
  const own = arrived(begun, item("a", { own: true }));
  assert.equal(own.shown.value, "a", "the user's move is shown immediately");
  const answered = arrived(own, item("a b"));
  assert.equal(answered.shown.value, "a");
  assert.equal(wait(answered, 100), null, "the animation is running");
  const still = finished(answered, 100);
  assert.equal(wait(still, 100), PAUSE);
  assert.equal(wait(still, 100 + PAUSE), 0);
  assert.equal(advanced(answered), answered, "no change during the animation");
  const next = advanced(still);
  assert.deepEqual([next.shown.value, next.told.value, next.waiting.length], ["a b", "a b", 0]);
});

test("a late reply is shown without a pause", () => {
  const still = finished(arrived(begun, item("a", { own: true })), 100);
  assert.equal(wait(arrived(still, item("a b")), 5000), 0);
});

test("the second of two own moves waits for the first, without a pause", () => {
  const both = arrived(arrived(begun, item("a", { own: true })), item("a b", { own: true }));
  assert.equal(both.shown.value, "a");
  assert.equal(wait(finished(both, 100), 100), 0);
});

test("a result is described after the last animation", () => {
  const end = { winner: 0, text: "Black wins." };
  const won = arrived(begun, item("a", { own: true, end }));
  assert.deepEqual([won.shown.value, won.told.value], ["a", ""]);
  assert.equal(finished(won, 1).told.value, "a");
  // A reload shows a finished game; a resignation causes no animation.
  assert.equal(arrived(NOTHING_SHOWN, item("a", { end })).told.value, "a");
  assert.equal(arrived(begun, item("", { end, name: "resigned" })).told.value, "resigned");
});

test("undo, new games and jumps are shown immediately", () => {
  const waiting = arrived(arrived(begun, item("a", { own: true })), item("a b"));
  for (const next of ["", "a b c d", "x"]) {
    const after = arrived(waiting, item(next));
    assert.deepEqual([after.shown.value, after.waiting.length], [next, 0], next);
  }
});

test("changes without a move replace the waiting or the shown value", () => {
  const waiting = arrived(arrived(begun, item("a", { own: true })), item("a b"));
  assert.deepEqual(arrived(waiting, item("a b", { name: "paused" })).waiting.map(({ value }) => value), ["paused"]);
  assert.equal(arrived(begun, item("", { name: "paused" })).shown.value, "paused");
});

test("a long queue and a hidden page skip to the last position", () => {
  let playback = arrived(begun, item("a"));
  for (const moves of ["a b", "a b c", "a b c d"]) playback = arrived(playback, item(moves));
  assert.deepEqual(playback.waiting.map(({ value }) => value), ["a b c d"]);
  assert.equal(arrived(arrived(begun, item("a", { own: true })), item("a b"), true).shown.value, "a b");
  const waiting = arrived(arrived(begun, item("a", { own: true })), item("a b"));
  assert.equal(caughtUp(waiting).shown.value, "a b");
  assert.equal(caughtUp(begun), begun);
});

test("an early report about the first scene is kept", () => {
  const first = item("");
  const early = reported(NOTHING_SHOWN, first.scene, true, 5);
  assert.equal(early.shown, null);
  const shown = arrived(early, first);
  assert.deepEqual([shown.shown.value, shown.told.value, shown.moving], ["", "", false]);
  // The early report applies once, and only to its scene.
  assert.equal(arrived(shown, item("a", { own: true })).moving, true);
  assert.equal(arrived(early, item("x")).moving, true);
});

test("a paused cascade delays the next scenes", () => {
  const own = item("a", { own: true });
  const held = reported(arrived(begun, own), own.scene, false, 10);
  assert.deepEqual([held.moving, held.held], [true, true]);
  assert.equal(wait(arrived(held, item("a b")), 5000), null);
  const done = reported(held, own.scene, true, 20);
  assert.deepEqual([done.moving, done.held, done.since], [false, false, 20]);
  assert.equal(reported(done, own.scene, false, 30).held, false, "a replay delays nothing");
  assert.equal(reported(held, item("x").scene, true, 20), held);
});
