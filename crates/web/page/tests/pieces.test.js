import assert from "node:assert/strict";
import test from "node:test";

import { ahead, arrange, isLater, pathBetween, relation } from "../js/state/pieces.js";
import { scene } from "./games.js";

/** Parses rows: `b` and `w` are pieces, capital letters are towers. */
const rows = (...lines) =>
  lines.map((line) => [...line].map((c) => [c, c === "." ? null : "bB".includes(c) ? 0 : 1]));

const start = rows("b.w", "...", "b..");
const first = arrange([], start, null).men;

test("a scene is the same, one move later, one move earlier, or another position", () => {
  const at = (...played) => scene({ played, ply: played.length, position: played.join() });
  assert.equal(relation(at("a"), at("a")), "same");
  assert.equal(relation(at("a"), at("a", "b")), "on");
  assert.equal(relation(at("a", "b"), at("a")), "back");
  assert.equal(relation(at("a"), at("c", "b")), "other", "another branch");
  assert.equal(relation(at("a"), at("b")), "other");
  assert.equal(relation(at(), at("a", "b")), "other");
  assert.equal(relation(at("a"), { ...at("a", "b"), start: "elsewhere" }), "other");
  const way = { text: "b", path: [[0, 0], [2, 2]] };
  assert.deepEqual(pathBetween(at("a"), { ...at("a", "b"), last: way }), way.path);
  assert.deepEqual(pathBetween({ ...at("a", "b"), last: way }, at("a")), [[2, 2], [0, 0]]);
  assert.equal(pathBetween(at(), at("a", "b")), null);
});

test("a later position of the same game is recognized", () => {
  const at = (...played) => scene({ played, ply: played.length, position: played.join() });
  for (const moves of [["a"], ["a", "b"], ["a", "b", "c"]]) assert.ok(isLater(at("a"), at(...moves)));
  for (const moves of [[], ["b"], ["c", "b"]]) assert.ok(!isLater(at("a"), at(...moves)));
  assert.ok(!isLater(at(), { ...at("a"), start: "elsewhere" }));
});

test("a moved piece keeps its number, and a captured piece is removed", () => {
  const after = arrange(first, rows("..b", "...", "b.."), [[0, 0], [0, 2]]);
  assert.deepEqual(after.men.map(({ id, place }) => [id, place]), [[0, [0, 2]], [2, [2, 0]]]);
  assert.deepEqual([...after.from], [[0, [0, 0]]]);
  assert.deepEqual(after.gone.map(({ id }) => id), [1]);
  const back = arrange(after.men, start, [[0, 2], [0, 0]]);
  assert.deepEqual([...back.from], [[0, [0, 2]]]);
  assert.equal(back.come.size, 1, "the captured piece returns");
});

test("a man that becomes a tower keeps its number", () => {
  const after = arrange(first, rows("B.w", "...", "b.."), null);
  assert.deepEqual(after.men.map(({ id, spot }) => [id, spot[0]]), [[0, "B"], [1, "w"], [2, "b"]]);
});

test("after several moves, pieces are matched to the nearest ones", () => {
  const after = arrange(first, rows("...", "b.w", "..b"), null);
  assert.equal(after.gone.length + after.come.size, 0);
  assert.deepEqual([...after.from].sort(), [[0, [0, 0]], [1, [0, 2]], [2, [2, 0]]]);
});

test("another position is not animated", () => {
  const full = rows("bbbb", "bbbb", "....", "....");
  const other = rows("....", "....", "wwww", "wwww");
  const after = arrange(arrange([], full, null).men, other, null);
  assert.deepEqual([after.from.size, after.gone.length, after.come.size], [0, 0, 0]);
});

test("a move is shown before the server answers, and only once", () => {
  const shown = ahead(start, [[0, 0], [0, 2]]);
  const after = arrange(first, shown, [[0, 0], [0, 2]]);
  assert.equal(after.from.size, 1);
  const answered = arrange(after.men, rows("..b", "...", "b.."), [[0, 0], [0, 2]]);
  assert.deepEqual([answered.from.size, answered.gone.length], [0, 0]);
  assert.deepEqual(answered.men, after.men);
});
