// Variations as a tree: every node is a move, the first child of a node is its main line.

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").PlainNode} PlainNode */

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {string} move Empty at the root.
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {string} comment
 * @property {string} mark What the move is worth, as players write it: `!`, `?!`.
 * @property {Shape[]} shapes Drawn on the board by the user.
 * @property {[string, string[]][]} other What a file said besides, to be written back.
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
 * Plays a move from the current node: along a branch that is there, or a new one.
 * @param {Tree} tree @param {string} move
 */
export function play(tree, move) {
  tree.at = childOf(tree, tree.at, move);
  return tree.at;
}

/**
 * The child of a node with this move, which is made if there is none.
 * @param {Tree} tree @param {Node} node @param {string} move
 */
function childOf(tree, node, move) {
  const known = node.children.find((child) => child.move === move);
  if (known) return known;
  const child = newNode(tree.nextId++, move, node);
  node.children.push(child);
  return child;
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

/** Whether a node is on the main line of its tree. @param {Node} node */
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

/** Where to go in a tree. @typedef {"first" | "back" | "next" | "last" | "above" | "below"} Where */

/**
 * Steps back, to the next move, to the beginning or end of the line, or to the variation above or below.
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
  if (isBelow(tree.at, node)) tree.at = node.parent;
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** @param {Node} node @param {Node} above */
function isBelow(node, above) {
  for (let at = /** @type {Node | null} */ (node); at; at = at.parent) if (at === above) return true;
  return false;
}

/**
 * Draws a shape at the current node, or takes it away if it is there in the same colour.
 * @param {Tree} tree @param {Shape} shape
 */
export function draw(tree, shape) {
  const place = String(shape.path);
  const [known] = tree.at.shapes.filter((other) => String(other.path) === place);
  const rest = tree.at.shapes.filter((other) => other !== known);
  tree.at.shapes = known && known.colour === shape.colour ? rest : [...rest, shape];
}

/**
 * The tree as a list of nodes, as the server and the browser's storage take it. Each variation is listed up to its end.
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

/** Where a node is in the list of its tree. @param {Tree} tree @param {Node} node */
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
 * The tree of a list of nodes, or of the nested lists `[move, ...children]` that earlier versions kept.
 * @param {any} kept @param {number} [at] The current node, by its place in the list. @returns {Tree}
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
