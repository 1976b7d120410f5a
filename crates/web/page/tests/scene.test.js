import assert from "node:assert/strict";
import test from "node:test";

import { analysisLink, firstSide, hinted, remembered, statusText } from "../js/state/scene.js";
import { scene } from "./games.js";

const PERSON = { kind: "person" };
const ENGINE = { kind: "engine", level: 3 };

/** A room with these seats; `changes` of its scene win. */
const room = (seats, changes = {}, more = {}) => ({
  room: "name",
  revision: 1,
  scene: scene(changes),
  seats,
  paused: false,
  thinking: false,
  pace: 600,
  undone: [],
  terminal: false,
  ...more,
});

test("the side that began follows from the turn and the number of moves", () => {
  assert.deepEqual([[0, 0], [1, 1], [0, 1], [1, 2]].map(([turn, ply]) => firstSide({ turn, ply })), [0, 0, 1, 1]);
});

test("the status says who is to move and why nothing happens", () => {
  assert.equal(statusText(room([PERSON, ENGINE]), true), "Black to move: that is you.");
  assert.equal(statusText(room([PERSON, PERSON]), true), "Black to move.");
  assert.equal(statusText(room([ENGINE, PERSON], {}, { thinking: true }), true), "Black is thinking …");
  assert.equal(statusText(room([ENGINE, ENGINE], {}, { paused: true }), true), "Paused.");
  assert.equal(statusText(room([PERSON, ENGINE]), false), "The connection is lost; trying again …");
  const end = { winner: 1, text: "White wins." };
  assert.equal(statusText(room([PERSON, ENGINE], { end }), false), "White wins.");
});

test("a hint shows the piece, then the move, then the line", () => {
  const path = [[1, 0], [0, 1]];
  const here = scene({ moves: [{ text: "a1-b2", path }] });
  const thought = { lines: [{ value: { units: 0 }, moves: ["a1-b2", "b2-a1"] }], depth: 2, nodes: 9 };
  assert.deepEqual(hinted(thought, here, 0), { squares: [], arrows: [], text: "" });
  assert.deepEqual(hinted(thought, here, 1), { squares: [path[0]], arrows: [], text: "Hint: this piece." });
  assert.deepEqual(hinted(thought, here, 2), { squares: path, arrows: [{ path, strength: 1 }], text: "Hint: a1-b2." });
  assert.equal(hinted(thought, here, 3).text, "Hint: a1-b2 b2-a1");
  assert.equal(hinted(null, here, 3).text, "");
});

test("a hint of a game with one square a move shows it at once", () => {
  const here = scene({ moves: [{ text: "1:1", path: [[0, 0]] }] });
  const thought = { lines: [{ value: { units: 0 }, moves: ["1:1"] }], depth: 2, nodes: 9 };
  assert.equal(hinted(thought, here, 1).text, "Hint: 1:1.");
});

test("a room is remembered as a game to begin again", () => {
  const kept = remembered(room([PERSON, ENGINE], { played: ["a1-b2"], limit: 60 }));
  const game = { game: "lines", size: 8, start: "start b", moves: ["a1-b2"], limit: 60 };
  assert.deepEqual(kept, { game, seats: [PERSON, ENGINE], paused: false });
});

test("a finished game is reviewed", () => {
  assert.ok(!analysisLink(scene()).endsWith("review=1"));
  assert.ok(analysisLink(scene({ end: { winner: null, text: "A draw." } })).endsWith("&review=1"));
});
