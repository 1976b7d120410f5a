import assert from "node:assert/strict";
import test from "node:test";

import { pendingRequests } from "../js/state/pending.js";

/** Returns requests over a mock connection that can be opened and closed and records the sent requests. */
function connection() {
  const state = { open: true, sent: [], said: [] };
  const requests = pendingRequests((question) => {
    if (state.open) state.sent.push(question.id);
    return state.open;
  });
  const add = (id, { wanted = () => true, many = false } = {}) =>
    requests.add({
      question: { id },
      wanted,
      resolve: (answer) => state.said.push(answer.text),
      fail: many ? null : () => state.said.push(`failed ${id}`),
    });
  return { state, requests, add };
}

test("unanswered requests are sent again in order", () => {
  const { state, requests, add } = connection();
  add(1);
  add(2);
  requests.answer({ id: 1, text: "one" });
  state.open = false;
  add(3);
  assert.deepEqual(state.sent, [1, 2]);
  state.open = true;
  requests.again();
  assert.deepEqual(state.sent, [1, 2, 2, 3]);
  requests.answer({ id: 3, text: "three" });
  requests.answer({ id: 2, text: "two" });
  requests.answer({ id: 2, text: "a second time" });
  requests.again();
  assert.deepEqual([state.sent.length, state.said], [4, ["one", "three", "two"]]);
});

test("requests whose answer is no longer needed are dropped", () => {
  const { state, requests, add } = connection();
  state.open = false;
  let at = 1;
  for (const id of [1, 2, 3]) {
    at = id;
    add(id, { wanted: () => at === id });
  }
  state.open = true;
  requests.again();
  assert.deepEqual(state.sent, [3]);
});

test("an analysis is sent again until it is stopped", () => {
  const { state, requests, add } = connection();
  add(1, { many: true });
  requests.answer({ id: 1, text: "depth 1" });
  for (let i = 0; i < 5; i += 1) requests.again();
  requests.answer({ id: 1, text: "depth 2" });
  assert.ok(requests.take(1) && !requests.take(1));
  requests.again();
  requests.answer({ id: 1, text: "too late" });
  assert.deepEqual([state.sent.length, state.said], [6, ["depth 1", "depth 2"]]);
});

test("a request fails after three attempts or at the end of the program", () => {
  const { state, requests, add } = connection();
  add(1);
  for (let i = 0; i < 5; i += 1) requests.again();
  assert.deepEqual([state.sent, state.said], [[1, 1, 1], ["failed 1"]]);
  add(2);
  add(3, { many: true });
  requests.end();
  assert.deepEqual(state.said, ["failed 1", "failed 2"]);
});
