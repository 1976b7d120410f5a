import assert from "node:assert/strict";
import test from "node:test";

import { after, finished, goOn, isFinished, isRight, placeIn } from "../js/state/course.js";

const step = (find = null) => ({ key: "s", text: "", start: null, moves: [], find, then: [] });
const LESSONS = [
  { key: "one", title: "One", steps: [step(["a"]), step([])] },
  { key: "two", title: "Two", steps: [step()] },
];

test("a course continues at the first unfinished step", () => {
  assert.deepEqual(goOn(LESSONS, {}), { lesson: 0, step: 0 });
  const one = finished(LESSONS, {}, { lesson: 0, step: 0 });
  assert.deepEqual(goOn(LESSONS, one), { lesson: 0, step: 1 });
  const both = finished(LESSONS, one, { lesson: 0, step: 1 });
  assert.deepEqual([isFinished(LESSONS[0], both), goOn(LESSONS, both)], [true, { lesson: 1, step: 0 }]);
  const all = finished(LESSONS, both, { lesson: 1, step: 0 });
  assert.deepEqual(goOn(LESSONS, all), { lesson: 0, step: 0 });
  // Repeating a step does not reduce the progress.
  assert.deepEqual(finished(LESSONS, all, { lesson: 0, step: 0 }), all);
});

test("the last step of a lesson leads to the next lesson", () => {
  assert.deepEqual(after(LESSONS, { lesson: 0, step: 0 }), { lesson: 0, step: 1 });
  assert.deepEqual(after(LESSONS, { lesson: 0, step: 1 }), { lesson: 1, step: 0 });
  assert.equal(after(LESSONS, { lesson: 1, step: 0 }), null);
  assert.deepEqual(placeIn(LESSONS, 0, { one: 2 }), { lesson: 0, step: 0 });
});

test("a step accepts the listed moves, every move, or none", () => {
  assert.deepEqual([isRight(step(["a"]), "a"), isRight(step(["a"]), "b")], [true, false]);
  assert.deepEqual([isRight(step([]), "b"), isRight(step(), "b")], [true, false]);
});
