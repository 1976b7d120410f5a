import assert from "node:assert/strict";
import test from "node:test";

import { isInProgress, putAside, takeBack } from "../js/state/aside.js";
import { dayNumber, ofDay } from "../js/state/daily.js";
import { scene } from "./games.js";

const [PERSON, ENGINE] = [{ kind: "person" }, { kind: "engine", level: "3" }];

test("a game is in progress once a user has made a move", () => {
  const room = (seats, played, changes = {}) => ({
    scene: scene({ played, ply: played.length, turn: played.length % 2, ...changes }),
    seats,
    terminal: false,
  });
  assert.ok(!isInProgress(room([PERSON, ENGINE], [])));
  assert.ok(isInProgress(room([PERSON, ENGINE], ["a"])));
  assert.ok(!isInProgress(room([ENGINE, PERSON], ["a"])), "only the engine has moved");
  assert.ok(isInProgress(room([ENGINE, PERSON], ["a", "b"])));
  assert.ok(!isInProgress(room([ENGINE, ENGINE], ["a", "b"])));
  assert.ok(!isInProgress(room([PERSON, PERSON], ["a"], { end: { winner: 0, text: "" } })));
});

test("saved games can be taken back, and old ones are dropped", () => {
  const game = { game: { game: "lines" }, seats: [PERSON, ENGINE] };
  let games = [];
  for (let when = 1; when <= 20; when += 1) games = putAside(games, game, when);
  assert.deepEqual([games.length, games[0].when], [12, 20]);
  assert.deepEqual(takeBack(games, 20)[0].when, 19);
});

test("every puzzle is a puzzle of the day", () => {
  for (const count of [1, 2, 46, 60]) {
    assert.equal(new Set(Array.from({ length: count }, (_, day) => ofDay(day, count))).size, count);
  }
  assert.equal(dayNumber(new Date(2026, 4, 2, 0, 1)), dayNumber(new Date(2026, 4, 2, 23, 59)));
  assert.equal(dayNumber(new Date(2026, 4, 3)), dayNumber(new Date(2026, 4, 2)) + 1);
});
