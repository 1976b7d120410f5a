import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { dayNumber } from "../js/state/daily.js";
import {
  NO_PROGRESS,
  choose,
  daysInARow,
  gameOfTheDay,
  nameOf,
  puzzleOfTheDay,
  skillIn,
  solvedOfDay,
  themesOf,
  tried,
  wasTried,
  winIn,
} from "../js/state/puzzle.js";
import { en } from "../js/text/en.js";
import { useTestGames } from "./games.js";

/** @param {number} i */
const puzzle = (i, themes = ["win2"]) => ({
  start: `position ${i}`,
  task: ["win", 3],
  rating: 600 + 10 * i,
  themes,
  solution: ["a", "b", "c"],
});
const ALL = Array.from({ length: 100 }, (_, i) => puzzle(i, i % 10 === 0 ? ["win2", "race"] : ["win2"]));

test("only the winning side has a win", () => {
  assert.deepEqual([winIn({ wins: 3 }, 0), winIn({ wins: 3 }, 1)], [3, null]);
  assert.deepEqual([winIn({ loses: 5 }, 0), winIn({ loses: 5 }, 1)], [null, 5]);
  assert.deepEqual([winIn({ units: 900 }, 0), winIn(undefined, 0)], [null, null]);
});

test("puzzles have different names", () => {
  assert.equal(new Set(ALL.map(nameOf)).size, ALL.length);
});

test("the next puzzle is new, near the rating, and differs from the last", () => {
  for (let i = 0; i <= 10; i += 1) {
    const number = choose(ALL, {}, 1000, i / 10.001);
    assert.ok(Math.abs(ALL[number].rating - 1000) <= 120, String(number));
  }
  const near = ALL.map((_, i) => i).filter((i) => Math.abs(ALL[i].rating - 1000) <= 120);
  const done = Object.fromEntries(near.map((i) => [nameOf(ALL[i]), 1]));
  for (const dice of [0, 0.5, 0.999]) assert.ok(!near.includes(choose(ALL, done, 1000, dice)));
  assert.notEqual(choose(ALL.slice(0, 2), {}, 600, 0, { not: 0 }), 0);
});

test("after all puzzles were tried, missed ones are chosen, then any", () => {
  const allSolved = Object.fromEntries(ALL.map((one) => [nameOf(one), 1]));
  const oneMissed = { ...allSolved, [nameOf(ALL[70])]: 0 };
  assert.equal(choose(ALL, oneMissed, 600, 0.3), 70);
  assert.ok(choose(ALL, allSolved, 600, 0.3) < 20);
  assert.equal(choose([ALL[0]], allSolved, 600, 0, { not: 0 }), 0);
});

test("a chosen theme limits the puzzles", () => {
  for (const dice of [0, 0.4, 0.9]) {
    assert.equal(choose(ALL, {}, 1200, dice, { theme: "race" }) % 10, 0);
  }
  assert.deepEqual(themesOf(ALL), [
    ["win2", 100],
    ["race", 10],
  ]);
});

test("only the first attempt changes the rating, and a miss ends the streak", () => {
  const once = tried(NO_PROGRESS, "lines", ALL[50], 1, true);
  assert.deepEqual([once.streak, once.best, wasTried(once, "lines", ALL[50])], [1, 1, true]);
  assert.ok(skillIn(once, "lines").rating > 1000 && skillIn(once, "dots").rating === 1000);
  const twice = tried(once, "lines", ALL[50], 1, true);
  assert.deepEqual([twice.streak, twice.skills], [1, once.skills]);
  const missed = tried(twice, "lines", ALL[51], 0, true);
  assert.deepEqual([missed.streak, missed.best], [0, 1]);
  assert.ok(skillIn(missed, "lines").rating < skillIn(once, "lines").rating);
  // A later success marks the puzzle as solved without changing the rating.
  const later = tried(missed, "lines", ALL[51], 1, true);
  assert.equal(later.tried.lines[nameOf(ALL[51])], 1);
  assert.deepEqual(later.skills, missed.skills);
  assert.deepEqual(tried(NO_PROGRESS, "lines", ALL[50], 1, false).skills, {});
});

test("the puzzle of the day and its game change at midnight", () => {
  useTestGames();
  const morning = new Date(2026, 2, 1, 6, 0);
  const evening = new Date(2026, 2, 1, 22, 30);
  const tomorrow = new Date(2026, 2, 2, 6, 0);
  assert.equal(puzzleOfTheDay("lines", morning), puzzleOfTheDay("lines", evening));
  assert.notEqual(puzzleOfTheDay("lines", morning), puzzleOfTheDay("lines", tomorrow));
  assert.notEqual(gameOfTheDay(morning), gameOfTheDay(tomorrow));
  const numbers = new Set();
  for (let day = 0; day < 60; day += 1) numbers.add(puzzleOfTheDay("lines", new Date(2026, 0, 1 + day, 12)));
  assert.equal(numbers.size, 60);
});

test("consecutive days are counted, and a day without a puzzle resets the count", () => {
  const day = dayNumber(new Date(2026, 2, 1, 12));
  const one = solvedOfDay(NO_PROGRESS, day);
  const two = solvedOfDay(solvedOfDay(one, day), day + 1);
  assert.deepEqual([one.days, two.days, daysInARow(two, day + 2), daysInARow(two, day + 3)], [1, 2, 2, 0]);
  assert.equal(solvedOfDay(two, day + 4).days, 1);
});

test("every theme of every puzzle has a name", () => {
  const folder = new URL("../../../games/data/puzzles/", import.meta.url);
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(new URL(file, folder), "utf8").split("\n")) {
      if (!line || line.startsWith("#")) continue;
      for (const theme of line.split(";")[3].split(" ")) assert.ok(theme in en.puzzles.themes, `${file}: ${theme}`);
    }
  }
});
