// What is analysed: a setting and a tree of moves, and what the engine says about the position on the board.

import { usualGame } from "./games.js";
import { fromLink } from "./share.js";
import * as Tree from "./tree.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./types.js").Thought} Thought */
/** @typedef {import("./types.js").PlainNode} PlainNode */

/**
 * The link says where the study came from, so that a reload does not open the link once more.
 * @typedef {{ setting: Game, tree: Tree.Tree, link: string }} Study
 */

/** A game without a move; the usual one unless another is asked for. @param {Game} [game] @returns {Game} */
export const emptyGame = (game) => ({
  game: game?.game ?? usualGame().name,
  size: game?.size ?? usualGame().usualSize,
  start: null,
  moves: [],
});

/**
 * The study of a game: at its end if it is a line of moves, at its beginning if it has variations.
 * @param {Game} game @param {PlainNode[] | null} [nodes] @param {string} [link] @returns {Study}
 */
export function studyOf(game, nodes = null, link = "") {
  const setting = { game: game.game, size: game.size, start: game.start };
  if (nodes) return { setting, tree: Tree.fromList(nodes), link };
  const tree = Tree.newTree();
  for (const move of game.moves ?? []) Tree.play(tree, move);
  return { setting, tree, link };
}

/** The study that the browser has kept, if there is one. @param {any} kept @returns {Study | null} */
export function unpacked(kept) {
  if (typeof kept?.setting?.game !== "string") return null;
  return { setting: kept.setting, tree: Tree.fromList(kept.nodes ?? kept.tree, kept.at), link: kept.link ?? "" };
}

/** A study as the browser keeps it. @param {Study} study */
export const packed = ({ setting, tree, link }) => ({
  setting,
  nodes: Tree.toList(tree),
  at: Tree.indexOf(tree, tree.at),
  link,
});

/**
 * What a link asks for that the kept study is not already. @param {string} query @param {Study | null} kept
 * @returns {Game | null}
 */
export function wanted(query, kept) {
  const linked = fromLink(query);
  return linked && kept?.link !== query ? linked : null;
}

/** The value of a position, which a book or tables may know for certain. @param {Thought | null | undefined} thought */
export function valueOf(thought) {
  const known = thought?.known;
  if (known && known.winner !== null) return known.winner === 0 ? { wins: known.plies } : { loses: known.plies };
  return known ? { units: 0 } : (thought?.lines[0]?.value ?? null);
}

/**
 * The engine's best lines. What is known for certain is the only one.
 * @param {Thought | null | undefined} thought @param {number} count
 */
export function bestLines(thought, count) {
  const [known, value] = [thought?.known, valueOf(thought)];
  if (known?.best && value) return [{ value, moves: [known.best] }];
  return thought?.lines.slice(0, count) ?? [];
}

/**
 * An arrow for the first move of each line, the best one strongest.
 * @param {Thought | null} thought @param {Scene} scene @param {number} count
 */
export function arrowsOf(thought, scene, count) {
  return bestLines(thought, count).flatMap(({ moves: [best] }, i) => {
    const way = scene.moves.find((w) => w.text === best);
    return way ? [{ path: way.path, strength: 1 - i / 3 }] : [];
  });
}
