import assert from "node:assert/strict";
import test from "node:test";

import * as Tree from "../js/state/tree.js";

const moves = (line) => line.map((node) => node.move).join(" ");

/** a, then b or c. */
function branched() {
  const tree = Tree.newTree();
  Tree.play(tree, "a");
  Tree.play(tree, "b");
  Tree.step(tree, "back");
  Tree.play(tree, "c");
  return tree;
}

test("a move that is known is followed, another one is a branch", () => {
  const tree = branched();
  assert.equal(Tree.movesTo(tree.at).join(" "), "a c");
  Tree.step(tree, "back");
  Tree.play(tree, "b");
  assert.equal(tree.root.children[0].children.length, 2);
  assert.equal(moves(Tree.currentLine(tree)), "a b");
});

test("steps go along the main line and stop at both ends", () => {
  const tree = branched();
  for (const [where, expected] of [["first", ""], ["back", ""], ["next", "a"], ["last", "a b"], ["next", "a b"]]) {
    Tree.step(tree, where);
    assert.equal(Tree.movesTo(tree.at).join(" "), expected, where);
  }
});

test("a promoted branch is the main line", () => {
  const tree = branched();
  Tree.promote(tree.at);
  assert.equal(moves(Tree.mainLine(tree.root)), "a c");
});

test("a removed branch takes the current node with it", () => {
  const tree = branched();
  Tree.play(tree, "d");
  Tree.remove(tree, tree.at.parent);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a");
  assert.equal(moves(Tree.currentLine(tree)), "a b");
});

test("the root and nodes elsewhere stay when something is removed", () => {
  const tree = branched();
  Tree.remove(tree, tree.root.children[0].children[0]);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a c");
  Tree.remove(tree, tree.root);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a c");
});

test("a node is found by its number", () => {
  const tree = branched();
  Tree.goTo(tree, tree.root.children[0].id);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a");
  Tree.goTo(tree, 99);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a");
});

test("a packed tree is unpacked as it was", () => {
  const list = Tree.pack(branched().root);
  assert.deepEqual(list, ["", ["a", ["b"], ["c"]]]);
  assert.deepEqual(Tree.pack(Tree.unpack(list).root), list);
  assert.deepEqual(Tree.pack(Tree.unpack(null).root), [""]);
});
