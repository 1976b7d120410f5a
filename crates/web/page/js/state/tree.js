// A variation tree: each node is a move, and the first child of a node continues its main line.

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").PlainNode} PlainNode */

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {string} move Empty at the root.
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {string} comment
 * @property {string} mark Annotation of the move: `!`, `?!`.
 * @property {Shape[]} shapes Shapes drawn on the board by the user.
 * @property {[string, string[]][]} other Other properties of a file, kept for writing.
 */

/** @typedef {{ root: Node, at: Node, nextId: number }} Tree */

/** @param {number} id @param {string} move @param {Node | null} parent @returns {Node} */
const newNode = (id, move, parent) => ({
  id,
  move,
  parent,
  children: [],
  comment: "",
  mark: "",
  shapes: [],
  other: [],
});

/** @returns {Tree} */
export function newTree() {
  const root = newNode(0, "", null);
  return { root, at: root, nextId: 1 };
}

/**
 * Plays a move from the current node, along an existing branch or a new one.
 * @param {Tree} tree @param {string} move
 */
export function play(tree, move) {
  tree.at = childOf(tree, tree.at, move);
  return tree.at;
}

/**
 * Returns the child of a node with this move, and creates it if necessary.
 * @param {Tree} tree @param {Node} node @param {string} move
 */
function childOf(tree, node, move) {
  const known = node.children.find((child) => child.move === move);
  if (known) return known;
  const child = newNode(tree.nextId++, move, node);
  node.children.push(child);
  return child;
}

/** Returns the moves from the root to a node. @param {Node} node */
export function movesTo(node) {
  const moves = [];
  for (let at = node; at.parent; at = at.parent) moves.unshift(at.move);
  return moves;
}

/** Returns the main line after a node. @param {Node} node */
export function mainLine(node) {
  const line = [];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** Returns the nodes of the current node's line, from the root to its end. @param {Tree} tree */
export function currentLine(tree) {
  const before = [];
  for (let at = tree.at; at.parent; at = at.parent) before.unshift(at);
  return [...before, ...mainLine(tree.at)];
}

/** Returns `true` if a node is on the main line of its tree. @param {Node} node */
export function isMain(node) {
  for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
  return true;
}

/** @param {Tree} tree @param {number} id */
export function goTo(tree, id) {
  const open = [tree.root];
  while (open.length) {
    const at = /** @type {Node} */ (open.pop());
    if (at.id === id) tree.at = at;
    open.push(...at.children);
  }
}

/** A direction of navigation in a tree. @typedef {"first" | "back" | "next" | "last" | "above" | "below"} Where */

/**
 * Goes to the previous or next move, to the beginning or end of the line, or to the variation above or below.
 * @param {Tree} tree @param {Where} where
 */
export function step(tree, where) {
  const { at } = tree;
  if (where === "first") tree.at = tree.root;
  if (where === "back" && at.parent) tree.at = at.parent;
  if (where === "next" && at.children[0]) tree.at = at.children[0];
  if (where === "last") tree.at = mainLine(at).at(-1) ?? at;
  if (where === "above" || where === "below") {
    const siblings = at.parent?.children ?? [];
    tree.at = siblings[siblings.indexOf(at) + (where === "below" ? 1 : -1)] ?? at;
  }
}

/** Makes the branch of a node the main line, up to the root. @param {Node} node */
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

/** Removes a node and its descendants. @param {Tree} tree @param {Node} node */
export function remove(tree, node) {
  if (!node.parent) return;
  if (isBelow(tree.at, node)) tree.at = node.parent;
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** @param {Node} node @param {Node} above */
function isBelow(node, above) {
  for (let at = /** @type {Node | null} */ (node); at; at = at.parent) if (at === above) return true;
  return false;
}

/**
 * Draws a shape at the current node, or removes it if it exists in the same colour.
 * @param {Tree} tree @param {Shape} shape
 */
export function draw(tree, shape) {
  const place = String(shape.path);
  const [known] = tree.at.shapes.filter((other) => String(other.path) === place);
  const rest = tree.at.shapes.filter((other) => other !== known);
  tree.at.shapes = known && known.colour === shape.colour ? rest : [...rest, shape];
}

/**
 * Returns the tree as a list of nodes, for the server and the browser's storage. Each variation is listed to its end.
 * @param {Tree} tree @returns {PlainNode[]}
 */
export function toList(tree) {
  /** @type {PlainNode[]} */
  const list = [];
  /** @type {{ node: Node, parent: number }[]} */
  const open = [{ node: tree.root, parent: 0 }];
  while (open.length) {
    const { node, parent } = /** @type {{ node: Node, parent: number }} */ (open.pop());
    const here = list.length;
    const { move, comment, mark, shapes, other } = node;
    /** @type {PlainNode} */
    const plain = { parent, move };
    if (comment) plain.comment = comment;
    if (mark) plain.mark = mark;
    if (shapes.length) plain.shapes = shapes;
    if (other.length) plain.other = other;
    list.push(plain);
    for (const child of [...node.children].reverse()) open.push({ node: child, parent: here });
  }
  return list;
}

/** Returns the index of a node in the list of its tree. @param {Tree} tree @param {Node} node */
export function indexOf(tree, node) {
  let count = 0;
  const open = [tree.root];
  while (open.length) {
    const at = /** @type {Node} */ (open.pop());
    if (at === node) return count;
    count += 1;
    open.push(...[...at.children].reverse());
  }
  return 0;
}

/**
 * Builds a tree from a list of nodes, or from nested lists `[move, ...children]`, the format of earlier versions.
 * @param {any} kept @param {number} [at] Index of the current node in the list. @returns {Tree}
 */
export function fromList(kept, at = 0) {
  const tree = newTree();
  if (!Array.isArray(kept)) return tree;
  const list = Array.isArray(kept[0]) || typeof kept[0] === "string" ? flat(kept) : kept;
  const nodes = [tree.root];
  for (const [i, plain] of list.entries()) {
    const parent = nodes[plain.parent] ?? tree.root;
    const node = i === 0 ? tree.root : childOf(tree, parent, String(plain.move));
    node.comment ||= String(plain.comment ?? "");
    node.mark ||= String(plain.mark ?? "");
    if (Array.isArray(plain.shapes)) node.shapes = plain.shapes;
    if (Array.isArray(plain.other)) node.other = plain.other;
    nodes[i] = node;
  }
  tree.at = nodes[at] ?? tree.root;
  return tree;
}

/** @param {any[]} nested @returns {PlainNode[]} */
function flat(nested) {
  /** @type {PlainNode[]} */
  const list = [];
  const open = [{ node: nested, parent: 0 }];
  while (open.length) {
    const { node, parent } = /** @type {{ node: any[], parent: number }} */ (open.pop());
    list.push({ parent, move: String(node[0] ?? "") });
    const here = list.length - 1;
    for (const child of node.slice(1).reverse()) if (Array.isArray(child)) open.push({ node: child, parent: here });
  }
  return list;
}
