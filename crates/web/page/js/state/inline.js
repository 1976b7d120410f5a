// The notation of a variation tree: the main line move by move, variations in brackets after the move that they
// replace. Each number covers one move by each side.

/** @typedef {import("./tree.js").Node} Node */

/**
 * An item of the notation. `gap` fills the column of a side without a move.
 * @typedef {{ kind: "number", text: string } | { kind: "move", node: Node, ply: number } | { kind: "gap" }
 *   | { kind: "comment", node: Node } | { kind: "variation", node: Node, items: Item[] }} Item
 */

/** Returns the number before a move. @param {number} ply From 1. @param {number} firstSide The first side to move. */
export function numberOf(ply, firstSide) {
  const index = ply - 1 + firstSide;
  return `${Math.floor(index / 2) + 1}${index % 2 === 0 ? "." : "…"}`;
}

/** @param {number} ply @param {number} firstSide */
const isSecond = (ply, firstSide) => (ply - 1 + firstSide) % 2 === 1;

/** Returns the main line as rows of two columns. @param {Node} root @param {number} firstSide @returns {Item[]} */
export function inRows(root, firstSide) {
  /** @type {Item[]} */
  const items = root.comment ? [{ kind: "comment", node: root }] : [];
  let begun = false;
  let ply = 1;
  for (let at = root; at.children.length; at = at.children[0], ply += 1) {
    const [main, ...others] = at.children;
    const second = isSecond(ply, firstSide);
    if (!second || !begun) items.push({ kind: "number", text: numberOf(ply, firstSide).replace("…", ".") });
    if (second && !begun) items.push({ kind: "gap" });
    items.push({ kind: "move", node: main, ply });
    const interrupted = main.comment !== "" || others.length > 0;
    if (interrupted && !second) items.push({ kind: "gap" });
    if (main.comment) items.push({ kind: "comment", node: main });
    for (const node of others) items.push({ kind: "variation", node, items: inBrackets(node, ply, firstSide) });
    begun = !second && !interrupted;
  }
  return items;
}

/**
 * Returns a variation from its first move.
 * @param {Node} first @param {number} from @param {number} firstSide @returns {Item[]}
 */
function inBrackets(first, from, firstSide) {
  /** @type {Item[]} */
  const items = [];
  let numbered = true;
  let ply = from;
  /** @type {Node | undefined} */
  let at = first;
  while (at) {
    /** @type {Node[]} */
    const others = at === first ? [] : (at.parent?.children.slice(1) ?? []);
    if (numbered || !isSecond(ply, firstSide)) items.push({ kind: "number", text: numberOf(ply, firstSide) });
    items.push({ kind: "move", node: at, ply });
    if (at.comment) items.push({ kind: "comment", node: at });
    for (const node of others) items.push({ kind: "variation", node, items: inBrackets(node, ply, firstSide) });
    numbered = at.comment !== "" || others.length > 0;
    at = at.children[0];
    ply += 1;
  }
  return items;
}
