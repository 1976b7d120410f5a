import assert from "node:assert/strict";
import test from "node:test";

import { fromLink, toLink } from "../js/state/share.js";

test("a link holds a whole game", () => {
  const game = { game: "lines", size: 6, start: "-bb-/w--w b", moves: ["b1-b3", "a2-c2"] };
  assert.deepEqual(fromLink(toLink(game)), game);
});

test("what a link leaves out is the usual", () => {
  assert.equal(toLink({ game: "lines" }), "game=lines");
  assert.deepEqual(fromLink("game=lines"), { game: "lines", size: null, start: null, moves: [] });
  assert.equal(fromLink("size=6&moves=b1-b3"), null);
});
