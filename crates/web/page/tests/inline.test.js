import assert from "node:assert/strict";
import test from "node:test";

import { inRows, numberOf } from "../js/state/inline.js";
import * as Tree from "../js/state/tree.js";

/** Returns the items as text: a gap is `_`, a variation is in brackets. */
const written = (items) =>
  items
    .map((item) => {
      if (item.kind === "number") return item.text;
      if (item.kind === "move") return item.node.move;
      if (item.kind === "comment") return `{${item.node.comment}}`;
      return item.kind === "gap" ? "_" : `(${written(item.items)})`;
    })
    .join(" ");

/** Returns a tree of lines from the start. */
function treeOf(...lines) {
  const tree = Tree.newTree();
  for (const line of lines) {
    tree.at = tree.root;
    for (const move of line.split(" ")) Tree.play(tree, move);
  }
  return tree;
}

test("a move number covers a move of each side", () => {
  assert.deepEqual([1, 2, 3, 4].map((ply) => numberOf(ply, 0)), ["1.", "1…", "2.", "2…"]);
  assert.deepEqual([1, 2, 3].map((ply) => numberOf(ply, 1)), ["1…", "2.", "2…"]);
});

test("the main line is in rows, also if the second side moves first", () => {
  const { root } = treeOf("a b c");
  assert.equal(written(inRows(root, 0)), "1. a b 2. c");
  assert.equal(written(inRows(root, 1)), "1. _ a 2. b c");
});

test("a variation follows the move that it replaces, with the same numbers", () => {
  const { root } = treeOf("a b c d", "a x y z", "q");
  assert.equal(written(inRows(root, 0)), "1. a _ (1. q) 1. _ b (1… x 2. y z) 2. c d");
});

test("nested variations have nested brackets", () => {
  const { root } = treeOf("a b", "a x y z", "a x w", "a x y v");
  assert.equal(written(inRows(root, 0)), "1. a b (1… x 2. y (2. w) 2… z (2… v))");
});

test("a comment interrupts a row", () => {
  const tree = treeOf("a b", "a x y");
  tree.root.comment = "start";
  tree.root.children[0].comment = "solid";
  tree.root.children[0].children[1].comment = "hm";
  assert.equal(written(inRows(tree.root, 0)), "{start} 1. a _ {solid} 1. _ b (1… x {hm} 2. y)");
});
