import assert from "node:assert/strict";
import test from "node:test";

import { followed, gameUntil, keyOfGame, looked } from "../js/state/past.js";

/** @param {string} moves @param {string} [start] */
const scene = (moves, start = "s") => ({ game: "loa", size: 8, start, played: moves.split("").filter(Boolean) });
const at = (past) => past && [past.ply, past.fresh];

test("steps go through the game and back to the present", () => {
  const now = scene("abcd");
  let past = looked(null, now, "back");
  assert.deepEqual(at(past), [3, false]);
  past = looked(past, now, "back");
  assert.deepEqual(at(looked(past, now, "next")), [3, false]);
  assert.equal(looked(looked(past, now, "next"), now, "next"), null);
  past = looked(past, now, "first");
  assert.deepEqual(at(looked(past, now, "back")), [0, false]);
  assert.equal(looked(past, now, "last"), null);
  assert.deepEqual(at(looked(past, now, 2)), [2, false]);
  assert.equal(looked(past, now, 4), null);
  assert.equal(looked(null, now, "next"), null);
  assert.equal(looked(null, scene(""), "back"), null);
});

test("a new move marks the view and leaves the position", () => {
  const past = looked(null, scene("ab"), 1);
  const next = followed(past, scene("abc"));
  assert.deepEqual(at(next), [1, true]);
  assert.deepEqual(at(looked(next, scene("abc"), "back")), [0, true]);
  assert.equal(followed(past, scene("ab")), past);
});

test("the view ends when the game no longer contains the position", () => {
  const past = looked(null, scene("abcd"), 2);
  assert.deepEqual(at(followed(past, scene("abc"))), [2, false], "an undo that the position survives");
  assert.equal(followed(past, scene("ab")), null);
  assert.equal(followed(past, scene("axcd")), null);
  assert.equal(followed(past, scene("abcd", "another start")), null);
  assert.equal(followed(looked(null, scene("ab"), 0), scene("")), null, "a new game");
  assert.equal(followed(null, scene("ab")), null);
});

test("a position is identified by its game and all moves", () => {
  const keys = [scene("ab"), scene("ba"), scene("a"), scene("ab", "t")].map((one) => keyOfGame(gameUntil(one)));
  assert.equal(new Set(keys).size, 4);
  assert.equal(keyOfGame(gameUntil(scene("abc"), 2)), keys[0]);
});
