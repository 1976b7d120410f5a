// A course's server in memory, for the tests of the page and for its development:
//
//   node tests/courseserver.js PORT [ADDRESS]
//
// ADDRESS is a running `plyhouse page`, from which games.json, lessons and positions are fetched. `/t/team`, `/t/staff`
// and `/t/visitor` sign in. A POST to `/mock` changes the state: phase, delay, fail, outcome, speed, late, teams,
// rehearsal.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

import { CHECKS, LEVELS, START, dice, movesOf, sceneOf, teamsOf } from "./coursedata.js";

const ROOT = new URL("../", import.meta.url);
const KINDS = { css: "text/css", js: "text/javascript", svg: "image/svg+xml", json: "application/json" };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const OWN = "A002";
const HOUR = 3_600_000;
const LIMIT = 20 * 2 ** 20;

/** The description of the only game, without its levels' strengths. */
const ABOUT = {
  name: "breakthrough",
  title: "Breakthrough",
  summary: "Bring one piece across the board.",
  sizes: [8],
  usualSize: 8,
  sides: ["White", "Black"],
  pieces: "pawns",
  counted: "pieces",
  squareName: "{column}{row}",
  contents: [[".", { code: "empty" }], ["w", { code: "White piece" }], ["b", { code: "Black piece" }]],
  brushes: ["Empty", "White", "Black"],
  turnIsFree: true,
  levels: LEVELS.map((key, i) => ({ key: String(key), elo: 400 + 200 * i, gentle: i < 2 })),
  rules: [],
  variants: [],
  builds: ["current"],
  fileFormat: null,
  lessons: 0,
  puzzles: 0,
  picture: START,
};

/** Returns the page as a course's server sends it (`course_file` in crates/web/src/files.rs). */
export function coursePage() {
  const sheets = readdirSync(new URL("css/", ROOT)).filter((name) => name.startsWith("course"));
  const links = sheets.map((name) => `<link rel="stylesheet" href="css/${name}" />`).join("");
  const page = readFileSync(new URL("index.html", ROOT), "utf8");
  return page.replace("<!-- links -->", links).replace("js/main.js", "js/course/main.js");
}

class Refusal extends Error {
  constructor(status, code, args = {}) {
    super(code);
    Object.assign(this, { status, body: { error: { code, text: `The server says ${code}.`, args } } });
  }
}

/** Returns the rating history of a team that ends with its rating. */
function historyOf(team, now) {
  if (team.elo === null) return [];
  const random = dice(team.elo);
  const points = Array.from({ length: 40 }, (_, i) => [
    new Date(now - (40 - i) * 3 * HOUR).toISOString(),
    Math.round(team.elo + (random() - 0.5) * (600 / (i + 3))),
  ]);
  return [...points, [new Date(now).toISOString(), team.elo]];
}

/** The state of the course, and its answers. */
export class Course {
  constructor(options = {}) {
    const now = Date.now();
    Object.assign(this, {
      phase: "open",
      delay: 0,
      fail: "",
      speed: 400,
      late: false,
      publicGames: true,
      count: 60,
      deadline: new Date(now + 26 * HOUR).toISOString(),
      left: 7,
      rehearsal: null,
      practice: [],
      frozen: {},
      out: {},
      announcements: [
        { id: 1, at: new Date(now - HOUR).toISOString(), text: "Office hours today at 14:00.\nBring your questions." },
      ],
      audit: [],
      posts: [],
      ...options,
    });
    this.began = now;
    this.teams = teamsOf(this.count);
    this.games = Array.from({ length: 130 }, (_, i) => this.game(i + 1));
    this.uploads = [];
    this.note("course", "start", "course", "the course begins");
    for (const [file, age] of [["v1.zip", 90], ["broken_illegal.py", 40], ["v2 final (1).zip", 20]]) {
      this.receive(OWN, file, 18_432, now - age * HOUR);
    }
  }

  note(actor, action, subject, detail) {
    const at = new Date().toISOString();
    this.audit.unshift({ id: this.audit.length + 1, at, actor, action, subject, detail });
  }

  playerOf({ id, name, agent }) {
    return { team: id, name, agent, version: 2 };
  }

  game(id) {
    const random = dice(id);
    const some = () => this.teams[Math.floor(random() * Math.min(20, this.count))];
    const [a, b] = id % 3 === 0 ? [this.teams[1], this.teams[2 + (id % 9)]] : [some(), some()];
    const isPractice = id % 11 === 0;
    const first = isPractice ? this.teams[1] : a;
    const level = { level: String(LEVELS[id % LEVELS.length]) };
    const second = isPractice ? level : this.playerOf(b === a ? this.teams[5] : b);
    const result = id % 17 === 5 ? "void" : id % 13 === 4 ? "draw" : id % 2 ? "first" : "second";
    return {
      id: String(id),
      kind: isPractice ? "practice" : "ladder",
      began: new Date(this.began - (131 - id) * 400_000).toISOString(),
      players: [this.playerOf(first), second],
      result,
      ending: id % 5 === 0 ? "illegal move" : "win",
      plies: movesOf(id).length,
      faults: id % 5 === 0 ? [0, 1] : [0, 0],
    };
  }

  receive(team, fileName, size, at = Date.now()) {
    const own = this.uploads.filter((upload) => upload.team === team);
    const late = this.phase !== "open";
    const kind = /illegal/.test(fileName) ? "illegal" : /rar/.test(fileName) ? "rar" : "good";
    const upload = { id: this.uploads.length + 101, team, number: own.length + 1, fileName, size, at, late, kind };
    this.uploads.push(upload);
    return upload;
  }

  /** Returns an upload with the steps of its check at this moment. */
  shown(upload) {
    const { id, number, fileName, size, at, late, kind, team } = upload;
    const whole = CHECKS[kind];
    const ended = Math.floor((Date.now() - at) / this.speed) - 2;
    const isOver = ended >= whole.length;
    const steps = whole.slice(0, Math.max(0, ended + 1)).map(([name, state, detail, remedy, position = null], i) =>
      i === ended && !isOver
        ? { name, state: "running", detail: "", remedy: "", position: null }
        : { name, state, detail, remedy, position },
    );
    const isBad = kind !== "good";
    const state = ended < 0 ? "waiting" : !isOver ? "checking" : isBad ? "refused" : "accepted";
    const moved = "the folder `submission/` was in the zip; its content was moved up";
    const notes = kind === "good" && isOver ? [moved] : [];
    const agent = state === "accepted" ? this.teams.find((each) => each.id === team) : null;
    return {
      id,
      number,
      fileName,
      size,
      received: new Date(at).toISOString(),
      late,
      state,
      place: state === "waiting" ? 3 : null,
      notes,
      steps,
      playing: this.playing(team) === id,
      agent: agent && { name: agent.agent, tagline: agent.tagline, url: agent.url },
    };
  }

  isAccepted = (upload) =>
    upload.kind === "good" && Date.now() - upload.at > (CHECKS.good.length + 2) * this.speed;

  playing(team) {
    const accepted = this.uploads.filter((upload) => upload.team === team && this.isAccepted(upload));
    const chosen = accepted.find(({ id }) => id === (this.frozen[team] ?? this.chosen));
    return (chosen ?? accepted.at(-1))?.id ?? null;
  }

  row(team, i) {
    const { id, name, agent, tagline, url, elo, error, games, won, drawn, lost, faults } = team;
    const common = { team: id, name, agent, tagline, url, elo, error, games, won, drawn, lost, faults };
    return { rank: i + 1, ...common, points: won + drawn / 2, version: 2, live: i % 4 === 0 && this.phase === "open" };
  }

  about(role) {
    const team = role === "team" ? OWN : null;
    return {
      name: "CS3243 – Introduction to AI",
      game: "breakthrough",
      size: 8,
      phase: this.phase,
      deadline: this.deadline,
      timeZone: "Asia/Singapore",
      now: new Date().toISOString(),
      rehearsal: this.rehearsal,
      teams: this.count,
      versions: 143,
      games: 12_345,
      role,
      team,
      uploadLimit: LIMIT,
      checkCommand: 'plyhouse arena check FILE --game breakthrough --size 8 --move-time 5 --opening 2 --dialect ugi',
      lateUploads: this.late,
      practice: { perHour: 10, levels: LEVELS, left: this.left },
      announcements: this.announcements,
      publicGames: this.publicGames,
    };
  }

  standings(page) {
    const rows = this.teams.filter(({ id, games }) => games > 0 && !this.out[id]).map((team, i) => this.row(team, i));
    const pages = Math.max(1, Math.ceil(rows.length / 50));
    const kind = this.phase === "published" ? "final" : "ladder";
    const shown = rows.slice(50 * (page - 1), 50 * page);
    return { kind, page, pages, rows: shown, updated: new Date(this.began).toISOString() };
  }

  live() {
    if (this.phase === "done" || this.phase === "published" || this.phase === "closing") return { boards: [] };
    const boards = Array.from({ length: 6 }, (_, i) => {
      const whole = movesOf(900 + i);
      const plies = Math.floor((Date.now() / 1500 + 7 * i) % (whole.length + 4));
      const moves = whole.slice(0, plies);
      const isOver = plies >= whole.length;
      const winner = (whole.length - 1) % 2;
      const players = [this.playerOf(this.teams[i]), this.playerOf(this.teams[i + 6])];
      const end = isOver ? { winner, ending: "win" } : null;
      const scene = sceneOf({ moves });
      const left = [9_000 - 50 * plies, 7_500];
      const running = isOver ? null : plies % 2;
      const game = isOver ? String(i + 1) : null;
      return { key: `slot${i}`, players, scene, plies: moves.length, left, running, end, game };
    });
    return { boards };
  }

  wholeGame(id, role) {
    const game = this.games.find((each) => each.id === String(id));
    if (!game) throw new Refusal(404, "notFound");
    const team = role === "team" ? OWN : null;
    const sides = game.players.map((player) => role === "staff" || (player.team && player.team === team));
    const random = dice(id);
    const moves = movesOf(id).map((text, i) => {
      const seconds = Math.round(random() * 300) / 100;
      return sides[i % 2] ? { text, side: i % 2, seconds } : { text, side: i % 2 };
    });
    const ply = moves.length - 1;
    const detail = sides[1] ? "answered `e9-e10`\nexpected a legal move" : undefined;
    const faults = game.faults[1] ? [{ side: 1, kind: "illegal move", ply, detail }] : [];
    const said = "depth 6 value 12\n<img src=x onerror=alert(1)>\n".repeat(20);
    const record = { game: "breakthrough", size: 8, start: START, moves: moves.map(({ text }) => text) };
    return { ...game, record, moves, faults, stderr: sides.map((isOwn) => (isOwn ? said : null)) };
  }

  list(query) {
    const [team, kind, before] = ["team", "kind", "before"].map((name) => query.get(name));
    const isOf = ({ players }) => !team || players.some((player) => player.team === team);
    const found = this.games.filter(
      (game) => isOf(game) && (!kind || game.kind === kind) && (team || game.kind !== "practice"),
    );
    const rest = found.filter(({ id }) => !before || Number(id) < Number(before)).sort((a, b) => b.id - a.id);
    return { games: rest.slice(0, 50), more: rest.length > 50 };
  }

  team(id, role) {
    const i = this.teams.findIndex((team) => team.id === id);
    if (i < 0) throw new Refusal(404, "notFound");
    const team = this.teams[i];
    const isInsider = role === "staff" || (role === "team" && id === OWN);
    const all = this.uploads.filter((upload) => upload.team === id).map((upload) => this.shown(upload)).reverse();
    const versions = isInsider ? all : all.filter(({ playing }) => playing);
    const row = team.games > 0 && !this.out[id] ? this.row(team, i) : null;
    const history = historyOf(team, this.began);
    return { team: id, name: team.name, row, versions, frozen: id in this.frozen, history };
  }

  advice() {
    const lost = [9, 12].map((game) => {
      const position = { game: "breakthrough", size: 8, start: START, moves: movesOf(game).slice(0, 14) };
      return { game: String(game), ply: 14, position, before: 0.42, after: 0.03 };
    });
    return {
      faults: [{ kind: "illegal move", count: 3, game: "15", ply: 20 }],
      slowest: [3, 6, 9].map((game, i) => ({ game: String(game), ply: 11 + i, seconds: 2.91 - i / 5 })),
      lost,
    };
  }

  staffTeams() {
    const teams = this.teams.map((team, i) => {
      const own = this.uploads.filter((upload) => upload.team === team.id);
      const last = own.at(-1);
      const hasVersion = team.games > 0;
      const reason = this.out[team.id];
      const earlier = new Date(this.began - i * HOUR).toISOString();
      return {
        id: team.id,
        name: team.name,
        mail: team.mail,
        link: i % 6 === 0 ? "made" : "used",
        uploads: own.length || (hasVersion ? 2 : 0),
        lastUpload: last ? this.shown(last).received : hasVersion ? earlier : null,
        state: last ? this.shown(last).state : hasVersion ? (i % 9 === 4 ? "refused" : "accepted") : null,
        playing: hasVersion ? 2 : null,
        elo: team.elo,
        games: team.games,
        faults: Object.values(team.faults).reduce((sum, count) => sum + count, 0),
        late: own.filter(({ late }) => late).length,
        frozen: team.id in this.frozen ? 2 : null,
        withdrawn: reason?.kind === "withdraw" ? reason.reason : null,
        disqualified: reason?.kind === "disqualify" ? reason.reason : null,
      };
    });
    const workers = { address: "postgres://ann@db.example.org/course", jobs: 8, offered: 5, trouble: null };
    return { teams, workers };
  }

  grades() {
    return this.teams.map((team, i) => ({
      id: team.id,
      name: team.name,
      version: team.games ? 2 : null,
      accepted: team.games > 0,
      why: team.games ? "" : i % 2 ? "no upload" : "version 1: moves first: illegal move",
      checks: team.games ? 8 : 0,
      faults: team.faults,
      rank: team.games ? i + 1 : null,
      points: team.won + team.drawn / 2,
      games: team.games,
      elo: team.elo,
      error: team.error,
      marks: [
        { rule: "accepted", marks: team.games ? 10 : 0 },
        { rule: "faults", marks: -Object.values(team.faults).length },
        { rule: "beats level 3", marks: i < 20 ? 5 : 0 },
      ],
      total: (team.games ? 10 : 0) - Object.values(team.faults).length + (i < 20 ? 5 : 0),
    }));
  }

  submission(i) {
    return { upload: 100 + i, team: this.teams[i].id, name: this.teams[i].name, version: 1 };
  }

  copies() {
    const of = (i) => this.submission(i);
    const pair = (a, b, share, identical = false) => ({ a: of(a), b: of(b), identical, share });
    return { groups: [[of(0), of(5), of(7)]], pairs: [pair(1, 4, 0.91), pair(3, 6, 0.47)] };
  }

  sideBySide(a, b) {
    const line = (i) =>
      i % 9 === 0 ? `def part_${i}(board, depth):` : `    value = max(value, search(board, depth - ${i}))  # <${i}>`;
    const files = (shift) => [
      { name: "agent.py", lines: Array.from({ length: 90 }, (_, i) => line(i + shift)) },
      { name: "src/tables.py", lines: ["TABLE = [", ...Array.from({ length: 12 }, (_, i) => `    ${i},`), "]"] },
    ];
    const matches = [
      { files: [0, 0], lines: [[10, 42], [8, 40]] },
      { files: [0, 0], lines: [[60, 75], [50, 65]] },
      { files: [1, 1], lines: [[1, 14], [1, 14]] },
    ];
    return { a: this.submission(a - 100), b: this.submission(b - 100), files: [files(0), files(2)], matches };
  }

  /** Performs an action of the staff. */
  act(action, body) {
    const team = body.team ?? "";
    this.note("staff", action, team || String(body.upload ?? ""), JSON.stringify(body));
    if (action === "announce") {
      this.announcements.unshift({ id: Date.now(), at: new Date().toISOString(), text: body.text });
    } else if (action === "removeAnnouncement") {
      this.announcements = this.announcements.filter(({ id }) => id !== body.id);
    } else if (action === "close") this.phase = "closing";
    else if (action === "startFinal") this.phase = "final";
    else if (action === "publish") this.phase = "published";
    else if (action === "withdraw" || action === "disqualify") this.out[team] = { kind: action, reason: body.reason };
    else if (action === "reinstate") delete this.out[team];
    else if (action === "freeze" && body.upload !== null) this.frozen[team] = body.upload;
    else if (action === "freeze") delete this.frozen[team];
    else if (action === "acceptLate") this.uploads.find(({ id }) => id === body.upload).late = false;
    else if (action === "renewLink") return { link: `http://127.0.0.1/t/NEW-${team}` };
    else if (action !== "rerun") throw new Refusal(404, "notFound");
    return {};
  }
}

const need = (role, wanted) => {
  if (role !== wanted) throw new Refusal(403, wanted === "team" ? "notTeam" : "notStaff");
};

/** Answers a GET below `/course/`. */
function read(course, path, query, role) {
  const [first, second, third, fourth] = path.split("/").map(decodeURIComponent);
  if (path === "about") return course.about(role);
  if (path === "standings") return course.standings(Number(query.get("page") ?? 1));
  if (path === "live") return course.live();
  if (path === "games") return course.list(query);
  if (first === "games") return course.wholeGame(Number(second), role);
  if (first === "teams") return course.team(second, role);
  if (["uploads", "advice", "practice"].includes(path)) need(role, "team");
  if (path === "practice") return course.practice;
  if (path === "advice") return course.advice();
  if (path === "uploads") {
    const { name, versions, frozen } = course.team(OWN, role);
    const reason = course.out[OWN];
    const kind = reason?.kind === "withdraw" ? "withdrawn" : "disqualified";
    return { name, uploads: versions, frozen, out: reason ? { kind, reason: reason.reason } : null };
  }
  if (first !== "staff") throw new Refusal(404, "notFound");
  need(role, "staff");
  if (second === "teams") return course.staffTeams();
  if (second === "audit") {
    const before = Number(query.get("before") ?? Infinity);
    const entries = course.audit.filter(({ id }) => id < before);
    return { entries: entries.slice(0, 50), more: entries.length > 50 };
  }
  if (second === "grades.json") return course.grades();
  if (second === "copies" && fourth) return course.sideBySide(Number(third), Number(fourth));
  if (second === "copies") return course.copies();
  throw new Refusal(404, "notFound");
}

/** Answers a POST below `/course/`. */
function write(course, path, body, role, headers) {
  const [first, second, third] = path.split("/");
  course.posts.push([path, role]);
  if (path === "leave") return [200, {}, { "Set-Cookie": "role=; Path=/; Max-Age=0" }];
  if (first === "staff") {
    need(role, "staff");
    return [200, course.act(second, JSON.parse(body))];
  }
  need(role, "team");
  if (path === "practice") {
    if (course.left === 0) throw new Refusal(429, "tooManyGames", { next: "2026-11-30T10:00:00Z" });
    course.left -= 1;
    const { level } = JSON.parse(body);
    const game = 500 + course.practice.length;
    course.practice.unshift({ game, level, asked: new Date().toISOString(), state: "waiting", detail: "" });
    return [202, { game }];
  }
  if (first === "uploads" && third === "play") {
    course.chosen = Number(second);
    return [200, {}];
  }
  if (course.phase !== "open" && !course.late) throw new Refusal(409, "late");
  if (body.length > LIMIT) throw new Refusal(413, "tooLarge", { limit: String(LIMIT) });
  if (course.outcome) throw new Refusal(429, course.outcome, { limit: 10, next: "2026-11-30T10:00:00Z" });
  const { id, number } = course.receive(OWN, decodeURIComponent(headers["x-file-name"]), body.length);
  return [202, { upload: id, number }];
}

const bodyOf = (request) =>
  new Promise((resolve, reject) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => resolve(Buffer.concat(parts)));
    request.on("error", reject);
  });

/** Returns a file of the page, or a document of the games. */
async function document(path, upstream) {
  if (path === "/") return ["text/html; charset=utf-8", coursePage()];
  if (path === "/version") return [KINDS.json, JSON.stringify({ program: "plyhouse", course: true })];
  if (path === "/games.json" && !upstream) return [KINDS.json, JSON.stringify([ABOUT])];
  if (path.startsWith("/games") && upstream) return [KINDS.json, await (await fetch(upstream + path)).text()];
  const kind = KINDS[path.split(".").at(-1)];
  if (!kind || path.includes("..")) throw new Refusal(404, "notFound");
  try {
    return [`${kind}; charset=utf-8`, readFileSync(new URL(`.${path}`, ROOT))];
  } catch {
    throw new Refusal(404, "notFound");
  }
}

/** Answers a question about a position. */
async function answerTo(question, upstream) {
  if (upstream) {
    const options = { method: "POST", headers: { Origin: upstream }, body: question };
    return (await fetch(`${upstream}/ask`, options)).json();
  }
  const { id, game } = JSON.parse(question);
  return { is: "scene", id, scene: sceneOf(game) };
}

/** Starts the server. */
export async function startCourse({ port = 0, upstream = "", ...options } = {}) {
  const course = new Course(options);
  /** @param {import("node:http").IncomingMessage} request */
  async function handle(request, response) {
    const { pathname, searchParams } = new URL(request.url, "http://course");
    const role = /role=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "visitor";
    const send = (status, body, headers = {}) => {
      response.writeHead(status, { "Content-Security-Policy": POLICY, ...headers });
      response.end(body);
    };
    const json = (status, value, headers = {}) =>
      send(status, JSON.stringify(value), { "Content-Type": KINDS.json, "Cache-Control": "no-cache", ...headers });
    if (pathname.startsWith("/t/")) {
      const [, , name] = pathname.split("/");
      const place = { team: "/#/course/mine", staff: "/#/course/staff" }[name] ?? "/#/course";
      return send(303, "", { Location: place, "Set-Cookie": `role=${name}; Path=/; HttpOnly; SameSite=Strict` });
    }
    if (pathname === "/mock") {
      Object.assign(course, JSON.parse(String(await bodyOf(request))));
      return json(200, {});
    }
    const path = pathname.replace(/^\/course\//, "");
    const isCourse = path !== pathname;
    if (isCourse && course.delay) await new Promise((resolve) => setTimeout(resolve, course.delay));
    const isLost = isCourse && course.fail && (course.fail === "all" || path.startsWith(course.fail));
    if (isLost) return request.socket.destroy();
    if (request.method === "POST") {
      const body = await bodyOf(request);
      if (pathname === "/ask") return json(200, await answerTo(String(body), upstream));
      return json(...write(course, path, path === "uploads" ? body : String(body || "{}"), role, request.headers));
    }
    if (!isCourse) {
      const [kind, content] = await document(pathname, upstream);
      return send(200, content, { "Content-Type": kind, "Cache-Control": "no-cache" });
    }
    if (path === "staff/grades.csv") return send(200, "id,total\r\n", { "Content-Type": "text/csv" });
    if (path.endsWith("/file")) return send(200, "PK", { "Content-Type": "application/octet-stream" });
    const value = read(course, path, searchParams, role);
    // The time alone does not make an answer new.
    const tag = `"${createHash("sha1").update(JSON.stringify({ ...value, now: 0 })).digest("hex")}"`;
    if (request.headers["if-none-match"] === tag) return send(304, "", { ETag: tag });
    return json(200, value, { ETag: tag });
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((reason) => {
      const { status = 500, body = { error: { code: "500", text: String(reason) } } } = reason;
      response.writeHead(status, { "Content-Type": KINDS.json });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { course, url: `http://127.0.0.1:${server.address().port}`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port = "0", upstream = ""] = process.argv.slice(2);
  const { url } = await startCourse({ port: Number(port), upstream });
  console.log(url);
}
