import assert from "node:assert/strict";
import test from "node:test";

import { NEW_SKILL, expected, isProvisional, rated } from "../js/state/skill.js";

test("solving raises the rating, missing lowers it, and a known rating changes less", () => {
  const up = rated(NEW_SKILL, 1000, 1);
  const down = rated(NEW_SKILL, 1000, 0);
  assert.ok(up.rating > 1100 && up.rating < 1250, String(up.rating));
  assert.equal(down.rating, 940);
  assert.equal(Math.round(rated(NEW_SKILL, 1000, 0.5).rating), 1000);
  const known = { rating: 1000, deviation: 60, count: 50 };
  assert.ok(rated(known, 1000, 1).rating - 1000 < 15);
  assert.ok(rated(known, 1600, 1).rating > rated(known, 800, 1).rating);
});

test("the rating converges to the strength of the player", () => {
  let skill = { ...NEW_SKILL };
  // The player solves every puzzle below 1400 and none above.
  for (let i = 0; i < 60; i += 1) {
    const puzzle = skill.rating + ((i * 97) % 240) - 120;
    skill = rated(skill, puzzle, puzzle < 1400 ? 1 : 0);
  }
  assert.ok(Math.abs(skill.rating - 1400) < 60, String(skill.rating));
  assert.equal(skill.count, 60);
  assert.ok(!isProvisional(skill) && isProvisional(NEW_SKILL));
  assert.ok(expected(skill, 1400) > 0.4 && expected(skill, 1400) < 0.6);
});

test("the first misses cost little, and giving up without a try costs less", () => {
  for (const puzzle of [400, 700, 1000, 1600]) {
    const missed = 1000 - rated(NEW_SKILL, puzzle, 0).rating;
    const seen = 1000 - rated(NEW_SKILL, puzzle, 0, true).rating;
    assert.ok(missed > 0 && missed <= 60 && seen > 0 && seen <= 30, `${puzzle}: ${missed}, ${seen}`);
  }
  // The rating of a weak player still converges.
  let skill = { ...NEW_SKILL };
  for (let i = 0; i < 60; i += 1) {
    const puzzle = skill.rating + ((i * 97) % 240) - 120;
    skill = rated(skill, puzzle, puzzle < 600 ? 1 : 0);
  }
  assert.ok(Math.abs(skill.rating - 600) < 60, String(skill.rating));
});

test("ratings have a minimum", () => {
  let skill = { ...NEW_SKILL };
  for (let i = 0; i < 200; i += 1) skill = rated(skill, 300, 0);
  assert.ok(skill.rating >= 100);
});
