import assert from "node:assert/strict";
import test from "node:test";

import {
  analysisLink,
  firstSide,
  canAct,
  hinted,
  isMine,
  nextHint,
  opponentName,
  ownSide,
  playerName,
  remembered,
  resultTitle,
  reviewLink,
  statusText,
} from "../js/state/scene.js";
import { scene, useTestGames } from "./games.js";

useTestGames();

const PERSON = { kind: "person" };
const ENGINE = { kind: "engine", level: "3" };

/** Returns a room with these seats. `changes` overrides its scene. */
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

test("the first side is derived from the turn and the number of moves", () => {
  assert.deepEqual([[0, 0], [1, 1], [0, 1], [1, 2]].map(([turn, ply]) => firstSide({ turn, ply })), [0, 0, 1, 1]);
});

test("the status names the side to move, or the reason for a pause", () => {
  assert.equal(statusText(room([PERSON, ENGINE]), true), "Your turn (Black)");
  assert.equal(statusText(room([PERSON, PERSON]), true), "Black to move");
  assert.equal(statusText(room([ENGINE, PERSON], {}, { thinking: true }), true), "Black is thinking …");
  assert.equal(statusText(room([ENGINE, ENGINE], {}, { paused: true }), true), "Paused");
  assert.equal(statusText(room([PERSON, ENGINE]), false), "Connection lost. Reconnecting …");
  const end = { winner: 1, text: "White wins." };
  assert.equal(statusText(room([PERSON, ENGINE], { end }), false), "White wins.");
});

test("a hint shows the piece, then the move, then the line", () => {
  const path = [[1, 0], [0, 1]];
  const here = scene({ moves: [{ text: "a1-b2", path }] });
  const thought = { lines: [{ value: { units: 0 }, moves: ["a1-b2", "b2-a1"] }], depth: 2, nodes: 9 };
  assert.deepEqual(hinted(thought, here, 0), { squares: [], arrows: [], text: "" });
  assert.deepEqual(hinted(thought, here, 1), { squares: [path[0]], arrows: [], text: "Hint: move this piece." });
  assert.deepEqual(hinted(thought, here, 2), { squares: path, arrows: [{ path, strength: 1 }], text: "Hint: a1-b2." });
  assert.equal(hinted(thought, here, 3).text, "Hint: a1-b2 b2-a1");
  assert.equal(hinted(null, here, 3).text, "");
});

test("the first hint shows the whole move if moves have one square", () => {
  const here = scene({ moves: [{ text: "1:1", path: [[0, 0]] }] });
  const thought = { lines: [{ value: { units: 0 }, moves: ["1:1"] }], depth: 2, nodes: 9 };
  assert.equal(hinted(thought, here, 1).text, "Hint: 1:1.");
});

test("a room is stored as a game that can be continued", () => {
  const kept = remembered(room([PERSON, ENGINE], { played: ["a1-b2"], limit: 60 }, { helped: true }));
  const game = { game: "lines", size: 8, start: "start b", moves: ["a1-b2"], limit: 60 };
  assert.deepEqual(kept, { game, seats: [PERSON, ENGINE], paused: false, clock: null, left: null, helped: true });
});

test("the clocks of a room are stored with their times", () => {
  const clock = { clock: { kind: "move", ms: 9_000 }, left: [9_000, 400], running: 1, at: 5 };
  const { clock: kept, left } = remembered({ ...room([PERSON, ENGINE]), clock });
  assert.deepEqual({ kept, left }, { kept: { kind: "move", ms: 9_000 }, left: [9_000, 400] });
});

test("at a shared board the status and the result are from the view of the user", () => {
  const end = { winner: 1, text: "White wins." };
  const at = (you, changes = {}) => ({ ...room([PERSON, PERSON], changes), table: { you } });
  assert.equal(statusText(at(0), true), "Your turn (Black)");
  assert.equal(statusText(at(1), true), statusText(at(null), true));
  assert.notEqual(resultTitle(at(1, { end })), resultTitle(at(0, { end })));
  assert.equal(resultTitle(at(null, { end })), resultTitle(room([PERSON, PERSON], { end })));
});

test("each hint shows more than the previous one", () => {
  const moves = [{ text: "a1-b2", path: [[7, 0], [6, 1]] }, { text: "1:1", path: [[7, 0]] }];
  const here = scene({ moves });
  const stages = (...line) => {
    const found = [];
    for (let at = 0; at !== null; at = nextHint({ lines: [{ moves: line }] }, here, at)) found.push(at);
    return found;
  };
  assert.deepEqual(stages("a1-b2", "b2-a1"), [0, 1, 2, 3]);
  assert.deepEqual(stages("a1-b2"), [0, 1, 2]);
  assert.deepEqual(stages("1:1", "2:2"), [0, 1, 3]);
  assert.deepEqual(stages("1:1"), [0, 1]);
  assert.equal(nextHint(null, here, 0), 1);
});

test("spectators and pages of a program that has ended cannot act", () => {
  const shared = (you) => ({ ...room([PERSON, PERSON]), table: { you } });
  const ended = { ...room([PERSON, ENGINE]), ended: true };
  assert.deepEqual([shared(1), shared(null), ended, room([PERSON, ENGINE])].map(canAct), [true, false, false, true]);
  assert.ok(!isMine(ended));
  assert.equal(statusText(ended, false), "The program has ended.");
});

test("a paused game on clocks shows the pause on the user's turn", () => {
  const paused = { ...room([PERSON, ENGINE]), paused: true };
  assert.equal(statusText(paused, true), "Your turn (Black)");
  assert.equal(statusText({ ...paused, clock: { left: [1, 1] } }, true), "Paused");
});

test("at a shared board each user moves one side", () => {
  const at = (you, turn) => isMine({ ...room([PERSON, PERSON], { turn }), table: { you } });
  assert.deepEqual([at(0, 0), at(0, 1), at(1, 1), at(null, 0)], [true, false, true, false]);
});

test("links to the analysis contain the game, and links to the review also the user's side", () => {
  const played = { played: ["a1-b2"], ply: 1 };
  assert.ok(analysisLink(scene(played)).startsWith("#/analyse?game=lines&size=8"));
  assert.ok(reviewLink(room([ENGINE, PERSON], played)).endsWith("moves=a1-b2&side=1"));
  assert.ok(reviewLink(room([PERSON, PERSON], played)).endsWith("moves=a1-b2"));
});

test("players have names, and a user with one side sits at the bottom", () => {
  const [mine, theirs, both] = [room([PERSON, ENGINE]), room([ENGINE, PERSON]), room([PERSON, PERSON])];
  assert.deepEqual([mine, theirs, both].map(ownSide), [0, 1, 0]);
  assert.deepEqual([0, 1].map((side) => playerName(mine, side)), ["You", "Otter · level 3"]);
  assert.deepEqual([0, 1].map((side) => playerName(both, side)), ["Black", "White"]);
  assert.deepEqual(["gentle1", "10", "42"].map(opponentName), ["Chick", "Dragon · level 10", "Level 42"]);
});

test("the result is from the view of the user if there is only one", () => {
  const end = (winner) => ({ end: { winner, text: "" } });
  assert.equal(resultTitle(room([ENGINE, PERSON], end(1))), "You win");
  assert.equal(resultTitle(room([PERSON, ENGINE], end(1))), "You lose");
  assert.equal(resultTitle(room([PERSON, PERSON], end(1))), "Game over");
  assert.equal(resultTitle(room([PERSON, ENGINE], end(null))), "Draw");
});
