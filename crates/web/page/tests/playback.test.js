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

test("an answer waits for the movement before it, and a moment more", () => {
  const own = arrived(begun, item("a", { own: true }));
  assert.equal(own.shown.value, "a", "one's own move is shown at once");
  const answered = arrived(own, item("a b"));
  assert.equal(answered.shown.value, "a");
  assert.equal(wait(answered, 100), null, "the movement runs");
  const still = finished(answered, 100);
  assert.equal(wait(still, 100), PAUSE);
  assert.equal(wait(still, 100 + PAUSE), 0);
  assert.equal(advanced(answered), answered, "not while it moves");
  const next = advanced(still);
  assert.deepEqual([next.shown.value, next.told.value, next.waiting.length], ["a b", "a b", 0]);
});

test("an answer that took long does not wait again", () => {
  const still = finished(arrived(begun, item("a", { own: true })), 100);
  assert.equal(wait(arrived(still, item("a b")), 5000), 0);
});

test("of two own moves the second waits for the first, without a pause", () => {
  const both = arrived(arrived(begun, item("a", { own: true })), item("a b", { own: true }));
  assert.equal(both.shown.value, "a");
  assert.equal(wait(finished(both, 100), 100), 0);
});

test("a result is told after the last movement", () => {
  const end = { winner: 0, text: "Black wins." };
  const won = arrived(begun, item("a", { own: true, end }));
  assert.deepEqual([won.shown.value, won.told.value], ["a", ""]);
  assert.equal(finished(won, 1).told.value, "a");
  // A reload shows a finished game; a resignation causes no animation.
  assert.equal(arrived(NOTHING_SHOWN, item("a", { end })).told.value, "a");
  assert.equal(arrived(begun, item("", { end, name: "resigned" })).told.value, "resigned");
});

test("undo, new games and jumps skip the queue", () => {
  const waiting = arrived(arrived(begun, item("a", { own: true })), item("a b"));
  for (const next of ["", "a b c d", "x"]) {
    const after = arrived(waiting, item(next));
    assert.deepEqual([after.shown.value, after.waiting.length], [next, 0], next);
  }
});

test("other changes of what waits or is shown replace it", () => {
  const waiting = arrived(arrived(begun, item("a", { own: true })), item("a b"));
  assert.deepEqual(arrived(waiting, item("a b", { name: "paused" })).waiting.map(({ value }) => value), ["paused"]);
  assert.equal(arrived(begun, item("", { name: "paused" })).shown.value, "paused");
});

test("whoever comes late or looks away catches up", () => {
  let playback = arrived(begun, item("a"));
  for (const moves of ["a b", "a b c", "a b c d"]) playback = arrived(playback, item(moves));
  assert.deepEqual(playback.waiting.map(({ value }) => value), ["a b c d"]);
  assert.equal(arrived(arrived(begun, item("a", { own: true })), item("a b"), true).shown.value, "a b");
  const waiting = arrived(arrived(begun, item("a", { own: true })), item("a b"));
  assert.equal(caughtUp(waiting).shown.value, "a b");
  assert.equal(caughtUp(begun), begun);
});

test("a board that has drawn the first scene before it is received is still", () => {
  const first = item("");
  const early = reported(NOTHING_SHOWN, first.scene, true, 5);
  assert.equal(early.shown, null);
  const shown = arrived(early, first);
  assert.deepEqual([shown.shown.value, shown.told.value, shown.moving], ["", "", false]);
  // The report counts once, and only for its scene.
  assert.equal(arrived(shown, item("a", { own: true })).moving, true);
  assert.equal(arrived(early, item("x")).moving, true);
});

test("a cascade that the user has stopped holds the next scenes back", () => {
  const own = item("a", { own: true });
  const held = reported(arrived(begun, own), own.scene, false, 10);
  assert.deepEqual([held.moving, held.held], [true, true]);
  assert.equal(wait(arrived(held, item("a b")), 5000), null);
  const done = reported(held, own.scene, true, 20);
  assert.deepEqual([done.moving, done.held, done.since], [false, false, 20]);
  assert.equal(reported(done, own.scene, false, 30).held, false, "a replay holds nothing back");
  assert.equal(reported(held, item("x").scene, true, 20), held);
});
