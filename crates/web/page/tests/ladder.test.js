import assert from "node:assert/strict";
import test from "node:test";

import { nextGame, nextRung, partsOf, scoreOf } from "../js/state/ladder.js";
import { useTestGames } from "./games.js";

useTestGames();

const rung = (/** @type {string} */ level, wins = 0, losses = 0, draws = 0) => ({
  level,
  wins,
  draws,
  losses,
  last: [],
  beaten: false,
});

test("results show wins and losses, and draws if there are any", () => {
  assert.equal(scoreOf(rung("1")), "not played yet");
  assert.equal(scoreOf(rung("1", 1, 2)), "you are 1–2");
  assert.equal(scoreOf(rung("1", 2, 0, 1)), "you are 2–0, 1 draw");
});

test("the next opponent has a name unless all are beaten", () => {
  const rungs = [rung("gentle1", 2), rung("gentle2")];
  assert.equal(nextRung({ rungs, next: 1, rating: null })?.name, "Lamb");
  assert.equal(nextRung({ rungs, next: null, rating: null }), undefined);
});

test("a game of the ladder has no limits, and the user's side alternates", () => {
  const game = nextGame("lines", rung("gentle1"));
  assert.deepEqual(game.game, { game: "lines", size: 8, limit: null });
  assert.deepEqual(game.seats[0], { kind: "person" });
  const { seats } = nextGame("lines", rung("gentle1", 1));
  assert.deepEqual(seats[1], { kind: "person" });
  assert.equal(seats[0].kind === "engine" && seats[0].level, "gentle1");
  assert.deepEqual(game.clock, undefined);
});

test("a file is split between lines into parts with line numbers", () => {
  assert.deepEqual(partsOf("", 100), [{ line: 1, text: "", fits: true }]);
  const lines = ["aaaa", "bbbb", "c".repeat(50), "dddd", "ää"];
  assert.deepEqual(partsOf(lines.join("\n"), 14), [
    { line: 1, text: "aaaa\nbbbb", fits: true },
    { line: 3, text: "c".repeat(50), fits: false },
    { line: 4, text: "dddd\nää", fits: true },
  ]);
  // Quotation marks take two bytes in a message.
  assert.equal(partsOf('""\n""', 8).length, 2);
});
