// The user's choices before a game, and the game that they describe.

import { text } from "../text/index.js";
import { about, usualGame } from "./games.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Room} Room */
/** @typedef {import("./types.js").Clock} Clock */
/** @typedef {import("./types.js").NewGame} NewGame */

/**
 * @typedef {object} Setup
 * @property {string} game
 * @property {number} size
 * @property {"engine" | "friend" | "watch"} against Opponent; `watch` has engines on both sides.
 * @property {[string, string]} levels Levels of the engines at the two sides. Against one engine they are equal.
 * @property {0 | 1 | "lot"} side Side of the user.
 * @property {string} time Thinking time of the engine: seconds, or positions as `10000 n`, or empty.
 * @property {string} build Name of the engine.
 * @property {string} limit Number of moves after which the game is a draw, or empty.
 * @property {string} variant Rules and start by name, such as `mso`, or empty for the usual ones.
 * @property {string} clock `300+3` for a game, `30` for a move, or empty.
 */

/**
 * Returns the last choices, as far as this version supports them.
 * @param {any} kept @returns {Setup}
 */
export function setupFrom(kept) {
  const { name, sizes, usualSize, levels, variants } = about(kept?.game ?? usualGame().name);
  /** @param {unknown} level */
  const known = (level) => levels.find((info) => info.key === String(level))?.key ?? usualLevel(levels);
  return {
    game: name,
    size: sizes.includes(kept?.size) ? kept.size : usualSize,
    against: ["engine", "friend", "watch"].includes(kept?.against) ? kept.against : "engine",
    levels: [known(kept?.levels?.[0]), known(kept?.levels?.[1])],
    side: [0, 1, "lot"].includes(kept?.side) ? kept.side : 0,
    time: String(kept?.time ?? ""),
    build: offeredBuilds(name).find((build) => build === kept?.build) ?? "current",
    limit: String(kept?.limit ?? ""),
    variant: variants.find((variant) => variant === kept?.variant) ?? "",
    clock: String(kept?.clock ?? ""),
  };
}

/** Returns the engines that the page offers for a game. @param {string} game */
export const offeredBuilds = (game) => about(game).builds.filter((build) => build in text.newGame.engines);

/**
 * Returns the rules and starts that the page offers for a game, with their labels. The usual ones come first.
 * @param {string} game @param {boolean} [starts] Whether starts are offered, too. @returns {[string, string][]}
 */
export function offeredVariants(game, starts = true) {
  const { usualRules, variants } = text.newGame;
  const named = about(game)[starts ? "variants" : "rules"].filter((name) => name in variants);
  return [["", usualRules], ...named.map((name) => /** @type {[string, string]} */ ([name, variants[name]]))];
}

/**
 * Returns the rules that a variant names, or an empty text for the usual ones.
 * @param {string} game @param {string} variant
 */
export const rulesIn = (game, variant) => variant.split(" ").find((name) => about(game).rules.includes(name)) ?? "";

/**
 * Returns the default level for new users: a gentle one, but not the weakest.
 * @param {import("./games.js").Strength[]} levels
 */
const usualLevel = (levels) => (levels.filter((info) => info.gentle)[1] ?? levels[0]).key;

/** Returns the choices with another game. @param {Setup} setup @param {string} game @returns {Setup} */
export const withGame = (setup, game) => setupFrom({ ...setup, game, size: about(game).usualSize });

/** Converts an engine's thinking time from the format of a setup to that of a seat. @param {string} time */
export function budgetOf(time) {
  const [number, inNodes] = [parseFloat(time) || null, time.endsWith("n")];
  return { seconds: inNodes ? null : number, nodes: inNodes ? number : null };
}

/** Converts an engine's thinking time from the format of a seat to that of a setup. @param {Seat} seat */
export function timeOf(seat) {
  if (seat.kind !== "engine") return "";
  return seat.nodes ? `${seat.nodes} n` : String(seat.seconds ?? "");
}

/** @param {string} clock Times in seconds. @returns {Clock | null} */
export function clockOf(clock) {
  const [ms, increment] = clock.split("+").map((seconds) => 1000 * Number(seconds));
  if (!ms) return null;
  return increment === undefined ? { kind: "move", ms } : { kind: "game", ms, increment };
}

/**
 * Returns the chosen game.
 * @param {Setup} setup @param {number} lot 0 or 1: the side of a user who has left it to chance. @returns {NewGame}
 */
export function newGameOf(setup, lot) {
  const { game, size, limit, variant, against, levels, side, time, build, clock } = setup;
  /** @type {Seat} */
  const person = { kind: "person" };
  /** @param {string} level @returns {Seat} */
  const engine = (level) => ({ kind: "engine", level, ...budgetOf(time), build });
  const own = side === "lot" ? lot : side;
  /** @param {number} at */
  const seat = (at) => (against === "friend" || (against === "engine" && at === own) ? person : engine(levels[at]));
  const chosen = clockOf(clock);
  return {
    game: { game, size, limit: Number(limit) || null, ...(variant ? { start: variant } : {}) },
    seats: [seat(0), seat(1)],
    ...(chosen && against !== "watch" ? { clock: chosen } : {}),
  };
}

/** Returns a game between two strong levels of the engine. @param {string} game @returns {NewGame} */
export function watchedGame(game) {
  const strong = about(game).levels.slice(-3).map(({ key }) => key);
  const levels = [strong[strong.length - 1], strong[0]];
  return newGameOf(setupFrom({ game, against: "watch", levels, limit: "200" }), 0);
}

/** Returns the address that starts a game. @param {NewGame} game */
export const beginLink = (game) => `#/play?new=${encodeURIComponent(JSON.stringify(game))}`;

/**
 * Returns the setup of the current game, as the default for the next one.
 * @param {Room} room @param {Setup} last @returns {Setup}
 */
export function setupOf({ scene, seats }, last) {
  const engine = seats.find((seat) => seat.kind === "engine");
  const persons = seats.filter((seat) => seat.kind === "person").length;
  /** @param {Seat} seat @param {string} otherwise */
  const level = (seat, otherwise) => (seat.kind === "engine" ? seat.level : otherwise);
  const usual = engine ? level(engine, last.levels[0]) : last.levels[0];
  const own = seats[0].kind === "person" ? 0 : 1;
  return setupFrom({
    ...last,
    game: scene.game,
    size: scene.size,
    variant: scene.variant,
    against: ["watch", "engine", "friend"][persons],
    levels: [level(seats[0], usual), level(seats[1], usual)],
    side: persons === 1 && last.side !== "lot" ? own : last.side,
    time: engine ? timeOf(engine) : last.time,
    build: engine?.kind === "engine" ? engine.build : last.build,
  });
}

/** Returns the game before a move, with the same players. @param {Room} room @param {number} ply @returns {NewGame} */
export function playedAgain({ scene, seats, clock }, ply) {
  const { game, size, start, limit, played } = scene;
  return {
    game: { game, size, start, limit, moves: played.slice(0, ply - 1) },
    seats,
    ...(clock ? { clock: clock.clock } : {}),
  };
}

/** Returns the same game with the sides swapped. @param {Room} room @returns {NewGame} */
export function rematch({ scene, seats, clock, table }) {
  return {
    game: { game: scene.game, size: scene.size, start: scene.start, limit: scene.limit },
    seats: [seats[1], seats[0]],
    ...(clock ? { clock: clock.clock } : {}),
    ...(table ? { swap: true } : {}),
  };
}
