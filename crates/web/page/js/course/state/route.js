// Addresses of the course's views.

/**
 * @typedef {"scoreboard" | "live" | "team" | "game" | "mine" | "staff" | "learn"} Page
 * @typedef {{ page: Page, ids: string[], query: URLSearchParams }} Route
 */

/** @type {Page[]} */
const PAGES = ["live", "team", "game", "mine", "staff"];

/** Decodes a part of an address. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Parses the part of the address after `#`. Returns `null` for an address without a view; the scoreboard replaces it.
 * @param {string} hash @returns {Route | null}
 */
export function routeOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [root, name, ...ids] = path.split("/").filter(Boolean).map(decoded);
  const values = new URLSearchParams(query);
  if (root === "learn") return { page: "learn", ids: name ? [name] : [], query: values };
  if (root !== "course") return null;
  if (name === undefined) return { page: "scoreboard", ids, query: values };
  const page = PAGES.find((each) => each === name);
  if (!page || (["team", "game"].includes(page) && !ids[0])) return null;
  return { page, ids, query: values };
}

/** Returns the address of a page of the standings. @param {number} page */
export const pageLink = (page) => (page > 1 ? `#/course?page=${page}` : "#/course");

/** Returns the address of a team's page. @param {string} id */
export const teamLink = (id) => `#/course/team/${encodeURIComponent(id)}`;

/** Returns the address of a game, at a position. @param {string} id @param {number | null} [ply] */
export const gameLink = (id, ply = null) =>
  `#/course/game/${encodeURIComponent(id)}${ply === null ? "" : `?ply=${ply}`}`;

/** Returns the address of a live board. @param {string} key */
export const liveLink = (key) => `#/course/live/${encodeURIComponent(key)}`;

/**
 * Returns the number of the wanted page or ply, or a default.
 * @param {string | null} value @param {number} otherwise
 */
export function numberIn(value, otherwise) {
  const number = value ? Number(value) : NaN;
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}
