import assert from "node:assert/strict";
import test from "node:test";

import { arrowsOf, bestLines, emptyGame, packed } from "../js/state/study.js";
import { studyOf, unpacked, valueOf, wanted } from "../js/state/study.js";
import * as Tree from "../js/state/tree.js";
import { scene, useTestGames } from "./games.js";

useTestGames();

test("a stored study has its variations, notes and current move", () => {
  const study = studyOf({ game: "dots", moves: ["1:1", "2:2"] });
  Tree.step(study.tree, "back");
  Tree.play(study.tree, "3:3").comment = "hm";
  const again = unpacked(JSON.parse(JSON.stringify(packed(study))));
  assert.deepEqual(Tree.toList(again.tree), Tree.toList(study.tree));
  assert.deepEqual(Tree.movesTo(again.tree.at), ["1:1", "3:3"]);
  assert.equal(again.setting.game, "dots");
});

test("studies of earlier versions are restored, and invalid ones are ignored", () => {
  const old = unpacked({ setting: { game: "dots" }, tree: ["", ["1:1", ["2:2"], ["3:3"]]] });
  assert.equal(old.tree.root.children[0].children.length, 2);
  for (const kept of [null, 7, {}, { setting: {} }]) assert.equal(unpacked(kept), null);
});

test("a link is opened once, so that a reload keeps the variations", () => {
  assert.deepEqual(wanted("game=lines&moves=a1-b2", null)?.moves, ["a1-b2"]);
  const kept = studyOf({ game: "lines", moves: ["a1-b2"] }, null, "game=lines&moves=a1-b2");
  assert.equal(wanted("game=lines&moves=a1-b2", unpacked(packed(kept))), null);
  assert.equal(wanted("", kept), null);
  assert.deepEqual(emptyGame(), { game: "lines", size: 8, start: null, moves: [] });
});

test("a known result replaces the engine's lines", () => {
  const line = { value: { units: 50 }, moves: ["a1-b2"] };
  const thought = { lines: [line, line], depth: 1, nodes: 1 };
  assert.deepEqual([valueOf(thought), bestLines(thought, 1)], [{ units: 50 }, [line]]);
  const known = { winner: 1, plies: 6, best: "b1-b3", source: "book" };
  assert.deepEqual(valueOf({ ...thought, known }), { loses: 6 });
  assert.deepEqual(bestLines({ ...thought, known }, 3), [{ value: { loses: 6 }, moves: ["b1-b3"] }]);
  assert.deepEqual(valueOf({ ...thought, known: { ...known, winner: null } }), { units: 0 });
  assert.equal(valueOf(null), null);
});

test("each shown line has an arrow for its first move", () => {
  const path = [[1, 0], [0, 1]];
  const here = scene({ moves: [{ text: "a1-b2", path }] });
  const line = (move) => ({ value: { units: 0 }, moves: [move] });
  const thought = { lines: [line("other"), line("a1-b2"), line("a1-b2")], depth: 1, nodes: 1 };
  assert.deepEqual(arrowsOf(thought, here, 2), [{ path, strength: 1 - 1 / 3 }]);
  assert.deepEqual(arrowsOf(null, here, 2), []);
});
