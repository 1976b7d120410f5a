import assert from "node:assert/strict";
import test from "node:test";

import { arrowsOf, firstStudy, mistakes, packed, studyOf, summary } from "../js/state/study.js";
import { movesTo } from "../js/state/tree.js";
import { scene, useTestGames } from "./games.js";

useTestGames();

test("a study begins with a link, else with what was kept, else with the usual game", () => {
  const kept = JSON.parse(JSON.stringify(packed(studyOf({ game: "dots", moves: ["1:1"] }))));
  const linked = firstStudy("game=lines&moves=a1-b2", kept);
  assert.deepEqual([linked.setting.game, movesTo(linked.tree.at)], ["lines", ["a1-b2"]]);
  const again = firstStudy("", kept);
  assert.deepEqual([again.setting.game, again.tree.root.children[0].move], ["dots", "1:1"]);
  assert.deepEqual(firstStudy("", null).setting, { game: "lines", size: 8, start: null });
});

test("a fifth of the chances is a mistake, two fifths are a blunder", () => {
  const notes = mistakes([{ units: 0 }, { units: 0 }, { wins: 5 }, { units: 100 }], 0);
  assert.deepEqual(notes, { 2: "??", 3: "?" });
  assert.deepEqual(mistakes([{ units: 0 }, null, { wins: 5 }], 0), {}, "what is not judged is no mistake");
  assert.equal(summary(notes, 0, ["Black", "White"]), "Black: 0 blunders, 1 mistake · White: 1 blunder, 0 mistakes");
  assert.equal(summary(notes, 1, ["Black", "White"]), "Black: 1 blunder, 0 mistakes · White: 0 blunders, 1 mistake");
});

test("each wanted line has an arrow for its first move", () => {
  const path = [[1, 0], [0, 1]];
  const here = scene({ moves: [{ text: "a1-b2", path }] });
  const line = (move) => ({ value: { units: 0 }, moves: [move] });
  const thought = { lines: [line("other"), line("a1-b2"), line("a1-b2")], depth: 1, nodes: 1 };
  assert.deepEqual(arrowsOf(thought, here, 2), [{ path, strength: 1 - 1 / 3 }]);
  assert.deepEqual(arrowsOf(null, here, 2), []);
});
