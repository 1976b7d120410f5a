import assert from "node:assert/strict";
import test from "node:test";

import { chosen, fulfilled, wished } from "../js/state/premove.js";

const rows = [
  [["b", 0], [".", null]],
  [["w", 1], ["b", 0]],
];

test("a piece and a square make a premove", () => {
  const held = chosen(null, [0, 0], rows, 0, false);
  assert.deepEqual(held, { path: [[0, 0]], ready: false });
  assert.deepEqual(chosen(held, [1, 0], rows, 0, false), { path: [[0, 0], [1, 0]], ready: true });
  assert.equal(chosen(held, [0, 0], rows, 0, false), null, "put down");
  assert.deepEqual(chosen(held, [1, 1], rows, 0, false), { path: [[1, 1]], ready: false }, "another piece");
  assert.equal(chosen(null, [1, 0], rows, 0, false), null, "a piece of the other side");
});

test("a click elsewhere cancels a premove", () => {
  const wish = wished([0, 0], [1, 0]);
  assert.equal(chosen(wish, [0, 1], rows, 0, false), null);
  assert.deepEqual(chosen(wish, [1, 1], rows, 0, false), { path: [[1, 1]], ready: false });
  assert.equal(wished([0, 0], [0, 0]), null);
});

test("one square makes a premove if moves have one square", () => {
  const wish = chosen(null, [0, 1], rows, 0, true);
  assert.deepEqual(wish, { path: [[0, 1]], ready: true });
  assert.equal(chosen(wish, [0, 1], rows, 0, true), null);
  assert.deepEqual(chosen(wish, [0, 0], rows, 0, true), { path: [[0, 0]], ready: true });
  assert.equal(chosen(null, [1, 0], rows, 0, true), null);
});

test("a premove matches the legal move with the same squares", () => {
  const moves = [{ text: "a", path: [[0, 0], [0, 1]] }, { text: "b", path: [[0, 0], [1, 0]] }];
  assert.equal(fulfilled(wished([0, 0], [1, 0]), moves)?.text, "b");
  assert.equal(fulfilled(wished([0, 0], [1, 1]), moves), undefined);
});
