import assert from "node:assert/strict";
import test from "node:test";

import { layoutOf } from "../js/boards/sheet.js";

/** A board of 3 by 3 with a piece in a corner. */
const board = {
  size: 3,
  rows: [
    [["b", 0], [".", null], [".", null]],
    [[".", null], [".", null], [".", null]],
    [[".", null], [".", null], ["w", 1]],
  ],
  rowLabels: ["3", "2", "1"],
  columnLabels: ["a", "b", "c"],
  last: { text: "c1-a3", path: [[2, 2], [0, 0]] },
};

test("squares have a width in whole pixels and fill the picture beside the coordinates", () => {
  for (const most of [480, 481, 1080]) {
    const { width, side, left, cells } = layoutOf(board, most, false);
    assert.deepEqual([width, Number.isInteger(side), 3 * side + left], [most, true, most]);
    assert.ok(left >= 0.04 * most && left < 0.06 * most, `${left}`);
    assert.equal(cells.length, 9);
    const [first, last] = [cells[0], cells[8]];
    assert.deepEqual([first.x, first.y, first.dark, first.last, first.spot], [left, 0, false, true, ["b", 0]]);
    assert.deepEqual([last.x + side, last.y + side], [most, 3 * side]);
    assert.equal(cells[1].dark && !cells[1].last, true);
  }
});

test("a turned board has turned pieces, coordinates and marks", () => {
  const { cells, labels, side, left } = layoutOf(board, 480, true);
  assert.deepEqual(cells[0].spot, ["w", 1]);
  assert.deepEqual(cells[8].spot, ["b", 0]);
  assert.ok(cells[0].last && cells[8].last);
  assert.deepEqual(labels[0], { text: "1", x: left / 2, y: side / 2 });
  assert.deepEqual(labels[1], { text: "c", x: left + side / 2, y: 3 * side + left / 2 });
});
