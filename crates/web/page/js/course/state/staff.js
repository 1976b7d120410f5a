// Actions of the staff, and the list of teams.

import { words } from "../text/index.js";

/** @typedef {import("../types.js").StaffTeam} StaffTeam */
/** @typedef {import("../types.js").AuditEntry} AuditEntry */
/**
 * @typedef {"acceptLate" | "freeze" | "unfreeze" | "withdraw" | "disqualify" | "reinstate" | "renewLink" | "rerunAll"
 *   | "rerunPair" | "announce" | "removeAnnouncement" | "close" | "startFinal" | "publish"} Action
 */
/**
 * The subject of an action: a team, one of its versions, another team, an announcement.
 * @typedef {{ team?: { id: string, name: string }, upload?: { id: number, number: number },
 *   other?: { id: string, name: string }, announcement?: number }} Subject
 */

/** The field that an action needs. @type {Partial<Record<Action, "reason" | "text">>} */
const FIELDS = { withdraw: "reason", disqualify: "reason", announce: "text" };
/** Actions whose effect others see at once, or that cannot be undone. @type {Action[]} */
const GRAVE = ["disqualify", "withdraw", "close", "startFinal", "publish", "renewLink", "rerunAll"];

/**
 * Returns the dialog of an action: its title, what it does, its field, and its request.
 * @param {Action} action @param {Subject} [subject]
 */
export function confirmation(action, subject = {}) {
  const { team, upload, other, announcement } = subject;
  const said = words.actions[action];
  const name = team?.name ?? "";
  const number = String(upload?.number ?? "");
  /** @param {string} typed */
  const request = (typed) => {
    const both = { team: team?.id };
    /** @type {Record<Action, [path: string, body: object]>} */
    const requests = {
      acceptLate: ["acceptLate", { upload: upload?.id }],
      freeze: ["freeze", { ...both, upload: upload?.id }],
      unfreeze: ["freeze", { ...both, upload: null }],
      withdraw: ["withdraw", { ...both, reason: typed }],
      disqualify: ["disqualify", { ...both, reason: typed }],
      reinstate: ["reinstate", both],
      renewLink: ["renewLink", both],
      rerunAll: ["rerun", { teams: "all" }],
      rerunPair: ["rerun", { teams: [team?.id, other?.id] }],
      announce: ["announce", { text: typed }],
      removeAnnouncement: ["removeAnnouncement", { id: announcement }],
      close: ["close", {}],
      startFinal: ["startFinal", {}],
      publish: ["publish", {}],
    };
    return requests[action];
  };
  return {
    title: said.title(name, number),
    what: said.what(name, number, other?.name ?? ""),
    button: said.button,
    field: FIELDS[action] ?? null,
    isGrave: GRAVE.includes(action),
    request,
  };
}

/** Returns the actions that a team's state allows. @param {StaffTeam} team @returns {Action[]} */
export function actionsFor(team) {
  const isOut = team.withdrawn !== null || team.disqualified !== null;
  /** @type {Action[]} */
  const always = ["rerunPair", "renewLink"];
  /** @type {Action[]} */
  const standing = isOut ? ["reinstate"] : ["withdraw", "disqualify"];
  return [...always, ...(team.frozen === null ? [] : /** @type {Action[]} */ (["unfreeze"])), ...standing];
}

/** Returns the course's actions in a phase. @param {import("../types.js").Phase} phase @returns {Action[]} */
export function courseActions(phase) {
  /** @type {Record<string, Action[]>} */
  const byPhase = { open: ["close", "rerunAll"], closing: ["startFinal"], done: ["publish"] };
  return ["announce", ...(byPhase[phase] ?? [])];
}

/**
 * @typedef {"all" | "none" | "waiting" | "refused" | "accepted" | "late" | "out"} Show
 * @typedef {"id" | "name" | "lastUpload" | "elo" | "faults"} Sort
 */
/** @type {Record<Show, (team: StaffTeam) => boolean>} */
const SHOWN = {
  all: () => true,
  none: (team) => team.uploads === 0,
  waiting: (team) => team.state === "waiting" || team.state === "checking",
  refused: (team) => team.state === "refused",
  accepted: (team) => team.playing !== null,
  late: (team) => team.late > 0,
  out: (team) => team.withdrawn !== null || team.disqualified !== null,
};

/**
 * Returns the teams that match a filter, in an order. Teams without a value come last.
 * @param {StaffTeam[]} teams @param {{ query: string, show: Show, sort: Sort }} wanted
 */
export function shownTeams(teams, { query, show, sort }) {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (/** @type {StaffTeam} */ { id, name, mail }) => {
    const whole = `${id} ${name} ${mail}`.toLowerCase();
    return parts.every((part) => whole.includes(part));
  };
  const found = teams.filter((team) => SHOWN[show](team) && matches(team));
  const byId = (/** @type {StaffTeam} */ a, /** @type {StaffTeam} */ b) =>
    a.id.localeCompare(b.id, undefined, { numeric: true });
  return found.sort((a, b) => {
    const [x, y] = [a[sort], b[sort]];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byId(a, b);
    // Names ascend; times and numbers descend.
    if (sort === "id" || sort === "name") {
      return a[sort].localeCompare(b[sort], undefined, { numeric: true }) || byId(a, b);
    }
    return (x < y ? 1 : x > y ? -1 : 0) || byId(a, b);
  });
}

/** Returns the numbers of teams by state. @param {StaffTeam[]} teams */
export const teamCounts = (teams) => ({
  all: teams.length,
  none: teams.filter(SHOWN.none).length,
  waiting: teams.filter(SHOWN.waiting).length,
  refused: teams.filter(SHOWN.refused).length,
  accepted: teams.filter(SHOWN.accepted).length,
  late: teams.filter(SHOWN.late).length,
  out: teams.filter(SHOWN.out).length,
});

/**
 * Returns the numbers of the lines that matches cover, for each file of one submission.
 * @param {import("../types.js").Match[]} matches @param {0 | 1} which @param {number} file
 */
export function matchedLines(matches, which, file) {
  /** @type {Map<number, number>} */
  const lines = new Map();
  matches.forEach(({ files, lines: ranges }, i) => {
    if (files[which] !== file) return;
    const [from, to] = ranges[which];
    for (let line = from; line <= to; line++) if (!lines.has(line)) lines.set(line, i);
  });
  return lines;
}

/** Returns the rules of grades, as columns. @param {import("../types.js").Grade[]} grades */
export const rulesOf = (grades) => [...new Set(grades.flatMap(({ marks }) => marks.map(({ rule }) => rule)))];
