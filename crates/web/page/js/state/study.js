// The analysed game: its setting and move tree, and the engine's results for the current position.

import { usualGame } from "./games.js";
import { fromLink } from "./share.js";
import * as Tree from "./tree.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./types.js").Thought} Thought */
/** @typedef {import("./types.js").PlainNode} PlainNode */

/**
 * An analysis. `link` is the link from which it was opened; a reload does not open the same link again.
 * @typedef {{ setting: Game, tree: Tree.Tree, link: string }} Study
 */

/** Returns a game without moves, of the default kind if `game` is missing. @param {Game} [game] @returns {Game} */
export const emptyGame = (game) => ({
  game: game?.game ?? usualGame().name,
  size: game?.size ?? usualGame().usualSize,
  start: null,
  moves: [],
});

/**
 * Returns the study of a game. It starts at the end of a line of moves, or at the beginning of a tree with variations.
 * @param {Game} game @param {PlainNode[] | null} [nodes] @param {string} [link] @returns {Study}
 */
export function studyOf(game, nodes = null, link = "") {
  const setting = { game: game.game, size: game.size, start: game.start };
  if (nodes) return { setting, tree: Tree.fromList(nodes), link };
  const tree = Tree.newTree();
  for (const move of game.moves ?? []) Tree.play(tree, move);
  return { setting, tree, link };
}

/** Restores the study from the browser's storage, if there is one. @param {any} kept @returns {Study | null} */
export function unpacked(kept) {
  if (typeof kept?.setting?.game !== "string") return null;
  return { setting: kept.setting, tree: Tree.fromList(kept.nodes ?? kept.tree, kept.at), link: kept.link ?? "" };
}

/** Returns a study for the browser's storage. @param {Study} study */
export const packed = ({ setting, tree, link }) => ({
  setting,
  nodes: Tree.toList(tree),
  at: Tree.indexOf(tree, tree.at),
  link,
});

/**
 * Returns the game of a link, unless the stored study has the same link.
 * @param {string} query @param {Study | null} kept @returns {Game | null}
 */
export function wanted(query, kept) {
  const linked = fromLink(query);
  return linked && kept?.link !== query ? linked : null;
}

/**
 * Returns the value of a position. A book or endgame tables may know it exactly.
 * @param {Thought | null | undefined} thought
 */
export function valueOf(thought) {
  const known = thought?.known;
  if (known && known.winner !== null) return known.winner === 0 ? { wins: known.plies } : { loses: known.plies };
  return known ? { units: 0 } : (thought?.lines[0]?.value ?? null);
}

/**
 * Returns the engine's best lines, or the known result as the only line.
 * @param {Thought | null | undefined} thought @param {number} count
 */
export function bestLines(thought, count) {
  const [known, value] = [thought?.known, valueOf(thought)];
  if (known?.best && value) return [{ value, moves: [known.best] }];
  return thought?.lines.slice(0, count) ?? [];
}

/**
 * Returns an arrow for the first move of each line, strongest for the best line.
 * @param {Thought | null} thought @param {Scene} scene @param {number} count
 */
export function arrowsOf(thought, scene, count) {
  return bestLines(thought, count).flatMap(({ moves: [best] }, i) => {
    const way = scene.moves.find((w) => w.text === best);
    return way ? [{ path: way.path, strength: 1 - i / 3 }] : [];
  });
}
