// What is analysed: a setting and a tree of moves, and what the engine's values say about a game.

import { usualGame } from "./games.js";
import { fromLink } from "./share.js";
import * as Tree from "./tree.js";
import { chance } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./types.js").Thought} Thought */

/** @typedef {{ setting: Game, tree: Tree.Tree }} Study */

/** The usual game without a move. @returns {Game} */
export const emptyGame = () => ({ game: usualGame().name, size: usualGame().usualSize, start: null, moves: [] });

/** The study of a game. @param {Game} game @returns {Study} */
export function studyOf(game) {
  const tree = Tree.newTree();
  for (const move of game.moves ?? []) Tree.play(tree, move);
  return { setting: { game: game.game, size: game.size, start: game.start }, tree };
}

/**
 * The study that a link asks for, else the one that was kept, else an empty one.
 * @param {string} query @param {any} kept @returns {Study}
 */
export function firstStudy(query, kept) {
  const linked = fromLink(query);
  if (!linked && kept) return { setting: kept.setting, tree: Tree.unpack(kept.tree) };
  return studyOf(linked ?? emptyGame());
}

/** A study as the browser keeps it. @param {Study} study */
export const packed = ({ setting, tree }) => ({ setting, tree: Tree.pack(tree.root) });

/**
 * An arrow for the first move of each line, the best one strongest.
 * @param {Thought | null} thought @param {Scene} scene @param {number} wanted
 */
export function arrowsOf(thought, scene, wanted) {
  return (thought?.lines ?? []).slice(0, wanted).flatMap(({ moves: [best] }, i) => {
    const way = scene.moves.find((w) => w.text === best);
    return way ? [{ path: way.path, strength: 1 - i / 3 }] : [];
  });
}

/**
 * Marks for moves that gave chances away, by ply from 1: a fifth is a mistake, two fifths a blunder.
 * @param {(Value | null)[]} values @param {number} firstSide
 */
export function mistakes(values, firstSide) {
  /** @type {Record<number, string>} */
  const notes = {};
  for (let ply = 1; ply < values.length; ply += 1) {
    const [before, after] = [values[ply - 1], values[ply]];
    if (!before || !after) continue;
    const mover = (firstSide + ply - 1) % 2;
    const lost = (chance(before) - chance(after)) * (mover === 0 ? 1 : -1);
    if (lost >= 0.4) notes[ply] = "??";
    else if (lost >= 0.2) notes[ply] = "?";
  }
  return notes;
}

/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * How many mistakes each side made.
 * @param {Record<number, string>} notes @param {number} first @param {[string, string]} sides
 */
export function summary(notes, first, sides) {
  const counts = sides.map((name, side) => {
    const own = Object.entries(notes).filter(([ply]) => (first + Number(ply) - 1) % 2 === side);
    const blunders = own.filter(([, note]) => note === "??").length;
    return `${name}: ${counted(blunders, "blunder")}, ${counted(own.length - blunders, "mistake")}`;
  });
  return counts.join(" · ");
}
