// Variations as a tree: every node is a move, the first child of a node is its main line.

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {string} move Empty at the root.
 * @property {Node | null} parent
 * @property {Node[]} children
 */

/** @typedef {{ root: Node, at: Node, nextId: number }} Tree */

/** @returns {Tree} */
export function newTree() {
  /** @type {Node} */
  const root = { id: 0, move: "", parent: null, children: [] };
  return { root, at: root, nextId: 1 };
}

/**
 * Plays a move from the current node: along a branch that is there, or a new one.
 * @param {Tree} tree @param {string} move
 */
export function play(tree, move) {
  const known = tree.at.children.find((child) => child.move === move);
  if (known) {
    tree.at = known;
    return known;
  }
  /** @type {Node} */
  const node = { id: tree.nextId++, move, parent: tree.at, children: [] };
  tree.at.children.push(node);
  tree.at = node;
  return node;
}

/** The moves from the root to a node. @param {Node} node */
export function movesTo(node) {
  const moves = [];
  for (let at = node; at.parent; at = at.parent) moves.unshift(at.move);
  return moves;
}

/** The main line from a node on, the node itself left out. @param {Node} node */
export function mainLine(node) {
  const line = [];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The nodes of the line that the current node is on, from the root to its end. @param {Tree} tree */
export function currentLine(tree) {
  const before = [];
  for (let at = tree.at; at.parent; at = at.parent) before.unshift(at);
  return [...before, ...mainLine(tree.at)];
}

/** @param {Tree} tree @param {number} id */
export function goTo(tree, id) {
  const found = find(tree.root, id);
  if (found) tree.at = found;
}

/** @param {Node} node @param {number} id @returns {Node | null} */
function find(node, id) {
  const open = [node];
  while (open.length) {
    const at = /** @type {Node} */ (open.pop());
    if (at.id === id) return at;
    open.push(...at.children);
  }
  return null;
}

/**
 * Steps back, to the next move, or to the beginning or end of the line.
 * @param {Tree} tree @param {"first" | "back" | "next" | "last"} where
 */
export function step(tree, where) {
  if (where === "first") tree.at = tree.root;
  if (where === "back" && tree.at.parent) tree.at = tree.at.parent;
  if (where === "next" && tree.at.children[0]) tree.at = tree.at.children[0];
  if (where === "last") tree.at = mainLine(tree.at).at(-1) ?? tree.at;
}

/** Makes the branch of a node the main line, as far up as it goes. @param {Node} node */
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

/** Removes a node with all that follows. @param {Tree} tree @param {Node} node */
export function remove(tree, node) {
  if (!node.parent) return;
  if (movesTo(tree.at).length >= movesTo(node).length && isBelow(tree.at, node)) tree.at = node.parent;
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** @param {Node} node @param {Node} above */
function isBelow(node, above) {
  for (let at = /** @type {Node | null} */ (node); at; at = at.parent) if (at === above) return true;
  return false;
}

/** The tree as nested lists, to be kept: `[move, ...children]`. @param {Node} node @returns {any[]} */
export function pack(node) {
  return [node.move, ...node.children.map(pack)];
}

/** @param {any} packed @returns {Tree} */
export function unpack(packed) {
  const tree = newTree();
  /** @param {any[]} list */
  const grow = (list) => {
    const here = tree.at;
    for (const child of list.slice(1)) {
      play(tree, String(child[0]));
      grow(child);
      tree.at = here;
    }
  };
  if (Array.isArray(packed)) grow(packed);
  return tree;
}
