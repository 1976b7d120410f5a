import assert from "node:assert/strict";
import test from "node:test";

import {
  budgetOf,
  clockOf,
  newGameOf,
  offeredVariants,
  playedAgain,
  rematch,
  rulesIn,
  setupFrom,
  setupOf,
  timeOf,
  watchedGame,
  withGame,
} from "../js/state/setup.js";
import { analysisLink, remembered, reviewLink } from "../js/state/scene.js";
import { fromLink } from "../js/state/share.js";
import { scene, useTestGames } from "./games.js";

useTestGames();

const PERSON = { kind: "person" };

test("stored choices are restored if they still exist", () => {
  const fresh = setupFrom(null);
  assert.deepEqual([fresh.game, fresh.size, fresh.against], ["lines", 8, "engine"]);
  assert.deepEqual(fresh.levels, ["gentle2", "gentle2"]);
  const old = setupFrom({ game: "gone", size: 99, against: "x", levels: [3, "11"], side: "lot", clock: "300+3" });
  assert.deepEqual([old.game, old.size, old.against, old.levels], ["lines", 8, "engine", ["3", "gentle2"]]);
  assert.deepEqual([old.side, old.clock], ["lot", "300+3"]);
  assert.deepEqual([withGame(old, "dots").size, withGame(old, "dots").side], [6, "lot"]);
});

test("a setup is converted to a game", () => {
  const setup = { ...setupFrom(null), levels: ["3", "3"], time: "10000 n", limit: "60", clock: "30" };
  const engine = { kind: "engine", level: "3", seconds: null, nodes: 10000, build: "current" };
  assert.deepEqual(newGameOf({ ...setup, side: 1 }, 0), {
    game: { game: "lines", size: 8, limit: 60 },
    seats: [engine, PERSON],
    clock: { kind: "move", ms: 30_000 },
  });
  assert.deepEqual(newGameOf({ ...setup, side: "lot" }, 0).seats[0], PERSON);
  assert.deepEqual(newGameOf({ ...setup, side: "lot" }, 1).seats[1], PERSON);
  assert.deepEqual(newGameOf({ ...setup, against: "friend" }, 0).seats, [PERSON, PERSON]);
  const watched = newGameOf({ ...setup, against: "watch", levels: ["1", "3"] }, 0);
  assert.deepEqual(watched.seats.map((seat) => seat.level), ["1", "3"]);
  assert.deepEqual([watched.paused, watched.clock], [undefined, undefined], "the game starts automatically");
  assert.equal(newGameOf(setupFrom({ side: 0, build: "random" }), 0).seats[1].build, "random");
  for (const build of ["gone", "first"]) assert.equal(setupFrom({ build }).build, "current");
});

test("a variant is the start of the game", () => {
  const setup = setupFrom({ variant: "mso" });
  assert.equal(newGameOf(setup, 0).game.start, "mso");
  assert.equal(newGameOf(setupFrom(null), 0).game.start, undefined);
  assert.deepEqual([setupFrom({ variant: "gone" }).variant, withGame(setup, "dots").variant], ["", ""]);
  assert.deepEqual(offeredVariants("lines").map(([name]) => name), [
    "",
    "mso",
    "scrambled-eggs",
    "scrambled-eggs mso",
  ], "`unnamed` has no label");
  assert.equal(offeredVariants("dots").length, 1);
});

test("the editor offers rules without starts", () => {
  assert.deepEqual(offeredVariants("lines", false).map(([name]) => name), ["", "mso"]);
  assert.equal(offeredVariants("dots", false).length, 1);
  const rules = ["", "mso", "scrambled-eggs", "scrambled-eggs mso"].map((variant) => rulesIn("lines", variant));
  assert.deepEqual(rules, ["", "mso", "", "mso"]);
});

test("every game has a game to watch between two strong levels", () => {
  for (const name of ["lines", "dots"]) {
    const { game, seats, paused } = watchedGame(name);
    assert.deepEqual([game.game, paused, seats.map(({ kind }) => kind)], [name, undefined, ["engine", "engine"]]);
    assert.deepEqual(seats.map(({ level }) => level), ["3", "1"]);
  }
});

test("thinking times and clocks are parsed", () => {
  assert.deepEqual(budgetOf("0.2"), { seconds: 0.2, nodes: null });
  assert.deepEqual(budgetOf(""), { seconds: null, nodes: null });
  assert.equal(timeOf({ kind: "engine", level: "1", nodes: 5 }), "5 n");
  assert.deepEqual([clockOf(""), clockOf("300+3")], [null, { kind: "game", ms: 300_000, increment: 3_000 }]);
});

test("the next game has the settings of the last one, and a rematch swaps the sides", () => {
  const engine = { kind: "engine", level: "2", seconds: 1, nodes: null };
  const room = { scene: scene({ game: "dots", size: 6 }), seats: [engine, PERSON] };
  const next = setupOf(room, setupFrom(null));
  const { game, against, side, levels, time } = next;
  assert.deepEqual([game, against, side, levels, time], ["dots", "engine", 1, ["2", "2"], "1"]);
  assert.equal(setupOf(room, { ...setupFrom(null), side: "lot" }).side, "lot");
  assert.deepEqual(rematch(room).seats, [PERSON, engine]);
});

test("the next game has the rules of the last one", () => {
  const seats = [PERSON, PERSON];
  const last = setupFrom({ variant: "mso" });
  assert.equal(setupOf({ scene: scene({ variant: "mso" }), seats }, setupFrom(null)).variant, "mso");
  assert.equal(setupOf({ scene: scene(), seats }, last).variant, "", "not those of the last dialog");
  const room = { scene: scene({ variant: "mso", start: "start b mso", played: ["a1-b2", "b2-a1"] }), seats };
  const kept = [rematch(room), playedAgain(room, 2), remembered(room)].map(({ game }) => game.start);
  assert.deepEqual(kept, Array(3).fill("start b mso"));
  for (const link of [analysisLink(room.scene), reviewLink(room)]) {
    assert.equal(fromLink(link.split("?")[1])?.start, "start b mso", link);
  }
});
