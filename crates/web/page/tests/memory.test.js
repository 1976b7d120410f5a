import assert from "node:assert/strict";
import test from "node:test";

import { keep, recall, settings } from "../js/state/memory.js";

/** Returns a mock of the browser's storage. */
function storage(items) {
  globalThis.localStorage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => items.set(key, text),
  };
}

test("stored values are recalled", () => {
  storage(new Map());
  keep("game", { moves: ["b1-b3"] });
  assert.deepEqual(recall("game", null), { moves: ["b1-b3"] });
  assert.equal(recall("other", "nothing"), "nothing");
});

test("missing storage and invalid values give the default", () => {
  storage(new Map([["plyhouse.game", "{"]]));
  assert.equal(recall("game", 1), 1);
  delete globalThis.localStorage;
  keep("game", 2);
  assert.equal(recall("game", 1), 1);
});

test("stored settings take precedence over defaults", () => {
  storage(new Map([["plyhouse.settings", '{"theme":"dark"}']]));
  const { theme, board, sound, premoves } = settings();
  assert.deepEqual({ theme, board, sound, premoves }, { theme: "dark", board: "wood", sound: null, premoves: true });
});
