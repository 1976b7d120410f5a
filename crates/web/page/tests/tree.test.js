import assert from "node:assert/strict";
import test from "node:test";

import * as Tree from "../js/state/tree.js";

const moves = (line) => line.map((node) => node.move).join(" ");

/** Returns a tree with a, followed by b or c. */
function branched() {
  const tree = Tree.newTree();
  Tree.play(tree, "a");
  Tree.play(tree, "b");
  Tree.step(tree, "back");
  Tree.play(tree, "c");
  return tree;
}

test("a known move follows its branch, and another move starts a new one", () => {
  const tree = branched();
  assert.equal(Tree.movesTo(tree.at).join(" "), "a c");
  Tree.step(tree, "back");
  Tree.play(tree, "b");
  assert.equal(tree.root.children[0].children.length, 2);
  assert.equal(moves(Tree.currentLine(tree)), "a b");
});

test("steps follow the main line and stop at both ends", () => {
  const tree = branched();
  for (const [where, expected] of [["first", ""], ["back", ""], ["next", "a"], ["last", "a b"], ["next", "a b"]]) {
    Tree.step(tree, where);
    assert.equal(Tree.movesTo(tree.at).join(" "), expected, where);
  }
});

test("a promoted branch becomes the main line", () => {
  const tree = branched();
  Tree.promote(tree.at);
  assert.equal(moves(Tree.mainLine(tree.root)), "a c");
});

test("removing the current branch selects its parent", () => {
  const tree = branched();
  Tree.play(tree, "d");
  Tree.remove(tree, tree.at.parent);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a");
  assert.equal(moves(Tree.currentLine(tree)), "a b");
});

test("the root cannot be removed, and the current node of another branch stays", () => {
  const tree = branched();
  Tree.remove(tree, tree.root.children[0].children[0]);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a c");
  Tree.remove(tree, tree.root);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a c");
});

test("a node is selected by its number", () => {
  const tree = branched();
  Tree.goTo(tree, tree.root.children[0].id);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a");
  Tree.goTo(tree, 99);
  assert.equal(Tree.movesTo(tree.at).join(" "), "a");
});

test("steps go to the variation above and below", () => {
  const tree = branched();
  Tree.step(tree, "below");
  assert.equal(tree.at.move, "c");
  Tree.step(tree, "above");
  assert.equal(tree.at.move, "b");
  Tree.step(tree, "first");
  Tree.step(tree, "above");
  assert.equal(tree.at, tree.root);
});

test("a tree is restored from its list, with notes and the current node", () => {
  const tree = branched();
  tree.root.comment = "begin";
  tree.at.mark = "?!";
  tree.at.other = [["N", ["x"]]];
  Tree.draw(tree, { path: [[0, 1]], colour: 1 });
  const list = JSON.parse(JSON.stringify(Tree.toList(tree)));
  assert.deepEqual(list, [
    { parent: 0, move: "", comment: "begin" },
    { parent: 0, move: "a" },
    { parent: 1, move: "b" },
    { parent: 1, move: "c", mark: "?!", shapes: [{ path: [[0, 1]], colour: 1 }], other: [["N", ["x"]]] },
  ]);
  const again = Tree.fromList(list, Tree.indexOf(tree, tree.at));
  assert.deepEqual(Tree.toList(again), list);
  assert.equal(Tree.movesTo(again.at).join(" "), "a c");
});

test("trees of earlier versions are restored", () => {
  const tree = Tree.fromList(["", ["a", ["b"], ["c"]]]);
  assert.deepEqual(Tree.toList(tree), Tree.toList(branched()));
  for (const kept of [null, [], {}, [{}]]) assert.equal(Tree.fromList(kept).root.children.length, 0);
});

test("variations with the same beginning are merged", () => {
  const tree = Tree.fromList([{}, { parent: 0, move: "a" }, { parent: 0, move: "a" }, { parent: 2, move: "b" }]);
  assert.equal(moves(Tree.mainLine(tree.root)), "a b");
});

test("a repeated shape is removed, and another colour replaces the shape", () => {
  const tree = Tree.newTree();
  const shape = (colour) => ({ path: [[0, 0], [1, 1]], colour });
  Tree.draw(tree, shape(0));
  Tree.draw(tree, shape(1));
  assert.deepEqual(tree.root.shapes, [shape(1)]);
  Tree.draw(tree, shape(1));
  assert.deepEqual(tree.root.shapes, []);
});

test("a long line is listed without recursion", () => {
  const tree = Tree.newTree();
  for (let i = 0; i < 20000; i += 1) Tree.play(tree, String(i));
  assert.equal(Tree.movesTo(Tree.fromList(Tree.toList(tree), 20000).at).length, 20000);
});
