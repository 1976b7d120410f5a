import assert from "node:assert/strict";
import test from "node:test";

import {
  eloText,
  faultText,
  mergedGames,
  namesOf,
  outcomeFor,
  ratingText,
  resultSentence,
  shortAddress,
  sideOf,
  webAddress,
} from "../js/course/state/games.js";
import { graphOf } from "../js/course/state/graph.js";
import { gameLink, liveLink, numberIn, pageLink, routeOf, teamLink } from "../js/course/state/route.js";
import {
  actionsFor,
  confirmation,
  courseActions,
  matchedLines,
  rulesOf,
  shownTeams,
  teamCounts,
} from "../js/course/state/staff.js";
import { dateText, pollDelay, secondsLeft, spanParts, spanText, untilNextSpan } from "../js/course/state/time.js";
import {
  checkNews,
  codeParts,
  detailParts,
  fileTrouble,
  isOpen,
  sendingAfter,
  sentPercent,
  shownOnce,
  sizeText,
  stateText,
  stepName,
} from "../js/course/state/upload.js";
import { en } from "../js/course/text/en.js";
import { errorText } from "../js/course/text/index.js";

test("addresses name a view, and links lead to it", () => {
  const view = (hash) => {
    const found = routeOf(hash);
    return found && [found.page, ...found.ids];
  };
  assert.deepEqual(view("#/course"), ["scoreboard"]);
  assert.deepEqual(view("#/course?page=2"), ["scoreboard"]);
  assert.deepEqual(view(teamLink("A/1 ü")), ["team", "A/1 ü"]);
  assert.deepEqual(view(liveLink("slot 1")), ["live", "slot 1"]);
  assert.deepEqual(view("#/course/staff/copies/1/2"), ["staff", "copies", "1", "2"]);
  assert.deepEqual(view("#/learn/loa"), ["learn", "loa"]);
  for (const hash of ["", "#/", "#/play", "#/course/team", "#/course/game", "#/course/nothing"]) {
    assert.equal(view(hash), null, hash);
  }
  assert.deepEqual(view("#/course/team/%zz"), ["team", "%zz"]);
  assert.equal(routeOf(gameLink(7, 12))?.query.get("ply"), "12");
  assert.equal(gameLink(7), "#/course/game/7");
  assert.deepEqual([pageLink(1), pageLink(3)], ["#/course", "#/course?page=3"]);
  assert.deepEqual([numberIn("4", 1), numberIn("-4", 1), numberIn("x", 1), numberIn(null, 1)], [4, 1, 1, 1]);
});

test("a countdown has two units and changes when its text changes", () => {
  assert.deepEqual(spanParts(2 * 86_400 + 3 * 3_600 + 59), [[2, "day"], [3, "hour"]]);
  assert.deepEqual(spanParts(86_400), [[1, "day"]]);
  assert.deepEqual(spanParts(61), [[1, "minute"], [1, "second"]]);
  assert.deepEqual([spanParts(0.9), spanParts(-5)], [[[0, "second"]], [[0, "second"]]]);
  assert.equal(spanText(90_061, "en"), "1 day 1 hour");
  assert.equal(spanText(7_260, "de"), "2 Stunden 1 Minute");
  for (const seconds of [12.5, 75, 3_725.25, 93_784]) {
    const later = seconds - untilNextSpan(seconds) / 1000;
    assert.notEqual(spanText(later, "en"), spanText(seconds, "en"), String(seconds));
    assert.equal(spanText(later + 0.1, "en"), spanText(seconds, "en"), String(seconds));
  }
});

test("the countdown of a rehearsal follows the course's fast clock", () => {
  const about = { now: "2026-11-30T09:00:00Z", deadline: "2026-11-30T10:00:00Z", rehearsal: null };
  assert.deepEqual([secondsLeft(about, 0), secondsLeft(about, 60_000)], [3_600, 3_540]);
  assert.equal(secondsLeft({ ...about, rehearsal: 60 }, 30_000), 1_800);
  // A minute of the course takes a second, and a second of the course is too short to be seen.
  assert.equal(untilNextSpan(3_630, 60), 520);
  assert.equal(untilNextSpan(12.5, 60), 200);
});

test("dates are in the zone of the course, and an unknown zone does no harm", () => {
  const time = "2026-11-30T10:00:00Z";
  assert.match(dateText(time, "en-GB", "Asia/Singapore"), /30 Nov 2026, 18:00 /);
  assert.match(dateText(time, "en-GB", "Mars/Olympus"), /2026/);
  assert.equal(dateText("soon", "en"), "soon");
});

test("polling is fast while something runs, and backs off after failures", () => {
  const delay = (now) => pollDelay({ busy: false, hidden: false, failures: 0, ...now });
  assert.equal(delay({ busy: true }), 2_000);
  assert.ok(delay({}) > 2_000 && delay({ busy: true, hidden: true }) > delay({}));
  const delays = [1, 2, 3, 4, 5, 6, 20].map((failures) => delay({ busy: true, failures }));
  assert.deepEqual(delays, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  const spread = [0, 1].map((random) => pollDelay({ busy: true, hidden: false, failures: 1 }, random));
  assert.deepEqual(spread, [1_500, 2_500]);
});

const A = { team: "A", name: "Alpha", agent: "a", version: 1 };
const B = { team: "B", name: "Beta", agent: "b", version: 2 };

test("results are told from a team's view, or from nobody's", () => {
  const outcome = (result, team) => outcomeFor({ players: [A, B], result }, team);
  assert.deepEqual(
    ["first", "second", "draw", "void"].map((result) => outcome(result, "A")),
    ["won", "lost", "drawn", "void"],
  );
  assert.equal(outcome("second", "B"), "won");
  assert.deepEqual([outcome("first", "C"), outcome("first", null)], [null, null]);
  assert.equal(sideOf([{ level: "3" }, B], "B"), 1);
  assert.deepEqual(namesOf([A, { level: "5" }]), ["Alpha", "Fox · level 5"]);
  assert.equal(resultSentence({ players: [A, B], result: "second" }), "Beta beat Alpha");
  assert.equal(resultSentence({ players: [A, B], result: "void" }), "Alpha against Beta: does not count");
});

test("only addresses of the web are linked", () => {
  assert.equal(webAddress("https://example.org/~a"), "https://example.org/~a");
  const scripts = ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "file:///etc"];
  for (const url of [...scripts, "notes.txt", "", null]) assert.equal(webAddress(url), null, String(url));
  for (const url of ["http://lab.example.org:9000/", "https://LAB.example.org", "http://me@lab.example.org/t/1"]) {
    assert.equal(webAddress(url, "lab.example.org"), null, url);
  }
  assert.notEqual(webAddress("http://lab.example.org.example.net/", "lab.example.org"), null);
  assert.equal(shortAddress("https://www.example.org/team/"), "example.org/team");
});

test("faults, ratings and pages of games are put in order", () => {
  const faults = faultText({ time: 1, "illegal move": 3, crash: 0 });
  assert.equal(faults, "illegal move\u00a0×\u00a03, on time\u00a0×\u00a01");
  assert.equal(ratingText({ elo: 1512.4, error: 39.6 }), "1512 ± 40");
  assert.equal(ratingText({ elo: -12, error: null }), "−12 ± ?");
  assert.deepEqual([ratingText({ elo: null, error: null }), eloText(null), eloText(-379.4)], ["–", "–", "−379"]);
  const games = (...ids) => ids.map((id) => ({ id: String(id) }));
  const merged = mergedGames(games("f0", 9, 4, 3), games("f11", "f2", 10, 9));
  assert.deepEqual(merged, games("f11", "f2", "f0", 10, 9, 4, 3));
});

test("a rating history is a staircase between round labels", () => {
  const at = (hour, elo) => [`2026-11-01T0${hour}:00:00Z`, elo];
  const graph = graphOf([at(0, 1500), at(2, 1540), at(4, 1520)], 400, 100);
  assert.equal(graph.line, "M0 100H200V0H400V50");
  assert.deepEqual(graph.labels.map(({ elo }) => elo), [1500, 1510, 1520, 1530, 1540]);
  assert.deepEqual([graph.low, graph.high, graph.last], [1500, 1540, 50]);
  // A constant rating is a line in the middle.
  const flat = graphOf([at(0, 1500), at(4, 1500)], 400, 100);
  assert.equal(flat.line, "M0 50H400V50");
  assert.equal(graphOf([at(0, 1500)], 400, 100), null);
  assert.equal(graphOf([["never", 1500], at(1, 1500)], 400, 100), null);
  for (const spread of [3, 90, 777, 5_000]) {
    const wide = graphOf([at(0, 1000), at(1, 1000 + spread)], 400, 100);
    assert.ok(wide.labels.length >= 2 && wide.labels.length <= 7, `${spread}: ${wide.labels.length} labels`);
    assert.ok(wide.labels.every(({ y }) => y >= 0 && y <= 100));
  }
});

test("a transfer goes through its phases, and ignores late events", () => {
  const begin = { is: "begin", name: "a.zip", size: 1000 };
  let now = sendingAfter({ phase: "idle" }, begin);
  now = sendingAfter(now, { is: "progress", sent: 400 });
  now = sendingAfter(now, { is: "progress", sent: 300 });
  assert.equal(sentPercent(now), 40);
  // The body has a head in some browsers, so more bytes are sent than the file has.
  assert.equal(sentPercent(sendingAfter(now, { is: "progress", sent: 1200 })), 100);
  assert.equal(sendingAfter(now, { is: "closed" }), now);
  const failed = sendingAfter(now, { is: "failed", error: "lost", again: true });
  assert.deepEqual(failed, { phase: "failed", name: "a.zip", error: "lost", again: true });
  assert.equal(sendingAfter(failed, { is: "progress", sent: 500 }), failed);
  assert.equal(sendingAfter(failed, begin).phase, "sending");
  assert.deepEqual(sendingAfter(now, { is: "cancelled" }), { phase: "cancelled", name: "a.zip" });
  const received = sendingAfter(now, { is: "received", number: 3 });
  assert.deepEqual(received, { phase: "received", name: "a.zip", number: 3 });
  assert.deepEqual(sendingAfter(received, { is: "closed" }), { phase: "idle" });
});

test("files that cannot be sent are refused before the transfer", () => {
  const trouble = (...files) => fileTrouble(files, 20 * 2 ** 20, "en");
  assert.equal(trouble({ name: "a.zip", size: 20 * 2 ** 20 }), "");
  assert.match(trouble({ name: "a.zip", size: 20 * 2 ** 20 + 1 }), /a\.zip has 20 MB; at most 20 MB/);
  assert.match(trouble({ name: "a.zip", size: 0 }), /empty/);
  assert.match(trouble({ name: "src", size: 4096, isFolder: true }), /folder/);
  assert.match(trouble({ name: "a", size: 1 }, { name: "b", size: 1 }), /one file/);
  assert.match(trouble(), /not a file/);
  const sizes = [900, 12_345, 3_500_000, 20 * 2 ** 20].map((size) => sizeText(size, "en"));
  assert.deepEqual(sizes, ["900 byte", "12 kB", "3.3 MB", "20 MB"]);
});

const step = (name, state, detail = "") => ({ name, state, detail, remedy: "" });
const upload = (state, steps, id = 1) => ({ id, number: 4, state, steps, place: null });

test("a screen reader hears each step that has ended, and the result, once", () => {
  const running = upload("checking", [step("unpack", "passed"), step("build", "running")]);
  const failed = upload("refused", [step("unpack", "passed"), step("build", "failed", "make: no rule\nline 2")]);
  assert.equal(checkNews(running, running), "");
  assert.equal(checkNews(running, failed), "Build: failed. make: no rule Version 4 was refused.");
  assert.equal(checkNews(failed, failed), "");
  assert.equal(checkNews(null, running), "");
  assert.equal(checkNews(failed, upload("checking", [step("unpack", "passed")], 2)), "");
  assert.equal(checkNews(upload("waiting", []), running), "Unpack: passed.");
});

test("steps and states have words", () => {
  assert.equal(stepName("answers `identify`"), "Answer “identify”");
  assert.equal(stepName("a new step"), "a new step");
  assert.equal(stepName("toString"), "toString");
  assert.equal(stateText({ state: "waiting", place: 3 }), "Waiting for its check: number 3 in the queue");
  assert.equal(stateText({ state: "waiting", place: 1 }), "Waiting for its check");
  assert.deepEqual(["waiting", "checking", "accepted", "refused"].map((state) => isOpen({ state })), [
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(detailParts("illegal move a2-a4\n\n 1 . X\n 2 O .\n"), {
    said: ["illegal move a2-a4"],
    quoted: " 1 . X\n 2 O .",
  });
  assert.deepEqual(detailParts("one line"), { said: ["one line"], quoted: "" });
  assert.deepEqual(detailParts("one; done\ntwo; done", "warned"), { said: ["one; done", "two; done"], quoted: "" });
  assert.deepEqual(detailParts(""), { said: [], quoted: "" });
});

test("a correction is shown once, and a warning in its step", () => {
  const moved = "all files are in the folder `a`; moved up";
  const slow = step("moves first", "warned", "b2-b3, 4.00 s for the first move");
  const unpack = step("unpack", "warned", `${moved}\nline ends in \`a.sh\`; converted`);
  const taken = "another team's agent is called `Ann`";
  const notes = [moved, "line ends in `a.sh`; converted", `moves first: ${slow.detail}. Load first.`, taken];
  assert.deepEqual(shownOnce({ notes, steps: [unpack, slow] }), {
    notes: [moved, "line ends in `a.sh`; converted", taken],
    steps: [{ ...unpack, detail: "" }, slow],
  });
  const failed = [unpack, step("starts", "failed", "late")];
  assert.deepEqual(shownOnce({ notes: ["starts: late"], steps: failed }), { notes: [], steps: failed });
  assert.deepEqual(shownOnce({ notes: [], steps: [unpack] }), { notes: [], steps: [unpack] });
});

test("the parts of a text between backticks are code", () => {
  assert.deepEqual(codeParts("run `a b` or ``, not `"), [
    { isCode: false, said: "run " },
    { isCode: true, said: "a b" },
    { isCode: false, said: " or ``, not `" },
  ]);
});

test("errors of the server are translated with their arguments", () => {
  const error = { code: "tooManyUploads", text: "English", args: { limit: 10, next: "noon" } };
  assert.equal(errorText(error), "At most 10 uploads in an hour are allowed. The next one is possible at noon.");
  assert.equal(errorText({ code: "strange", text: "As the server wrote it." }), "As the server wrote it.");
  assert.equal(errorText({ code: "toString" }), "toString");
});

const team = (id, changes = {}) => ({
  id,
  name: `Group ${id}`,
  mail: `${id}@example.edu`,
  link: "used",
  uploads: 1,
  lastUpload: null,
  state: "accepted",
  playing: 1,
  elo: 1500,
  games: 10,
  faults: 0,
  late: 0,
  frozen: null,
  withdrawn: null,
  disqualified: null,
  ...changes,
});

test("every action says what it does, and sends the request of the contract", () => {
  const subject = { team: { id: "A1", name: "Alpha" }, upload: { id: 9, number: 2 }, other: { id: "B", name: "Beta" } };
  const expected = {
    acceptLate: ["acceptLate", { upload: 9 }],
    freeze: ["freeze", { team: "A1", upload: 9 }],
    unfreeze: ["freeze", { team: "A1", upload: null }],
    withdraw: ["withdraw", { team: "A1", reason: "typed" }],
    disqualify: ["disqualify", { team: "A1", reason: "typed" }],
    reinstate: ["reinstate", { team: "A1" }],
    renewLink: ["renewLink", { team: "A1" }],
    rerunAll: ["rerun", { teams: "all" }],
    rerunPair: ["rerun", { teams: ["A1", "B"] }],
    announce: ["announce", { text: "typed" }],
    removeAnnouncement: ["removeAnnouncement", { id: undefined }],
    close: ["close", {}],
    startFinal: ["startFinal", {}],
    publish: ["publish", {}],
  };
  assert.deepEqual(Object.keys(expected).sort(), Object.keys(en.actions).sort());
  for (const [action, request] of Object.entries(expected)) {
    const asked = confirmation(action, subject);
    assert.deepEqual(asked.request("typed"), request, action);
    assert.ok(asked.title && asked.what.endsWith(".") && asked.button, action);
  }
  assert.match(confirmation("disqualify", subject).title, /Alpha/);
  assert.match(confirmation("rerunPair", subject).what, /Alpha against Beta/);
  assert.deepEqual(["announce", "withdraw", "close"].map((action) => confirmation(action).field), [
    "text",
    "reason",
    null,
  ]);
});

test("a team's state and the phase decide which actions are offered", () => {
  assert.deepEqual(actionsFor(team("A")), ["rerunPair", "renewLink", "withdraw", "disqualify"]);
  const frozen = actionsFor(team("A", { frozen: 2, withdrawn: "ill" }));
  assert.deepEqual(frozen, ["rerunPair", "renewLink", "unfreeze", "reinstate"]);
  assert.deepEqual(courseActions("open"), ["announce", "close", "rerunAll"]);
  assert.deepEqual(courseActions("closing"), ["announce", "startFinal"]);
  assert.deepEqual(courseActions("done"), ["announce", "publish"]);
  assert.deepEqual(courseActions("published"), ["announce"]);
});

test("teams are filtered by words and state, and sorted with missing values last", () => {
  const teams = [
    team("A10", { elo: null, playing: null, state: "refused", lastUpload: "2026-11-02T00:00:00Z" }),
    team("A2", { elo: 1400, lastUpload: "2026-11-03T00:00:00Z" }),
    team("A1", { elo: 1600, disqualified: "copied", late: 1 }),
    team("B1", { uploads: 0, state: null, playing: null, elo: null, name: "Zeta" }),
  ];
  const ids = (wanted) =>
    shownTeams(teams, { query: "", show: "all", sort: "id", ...wanted }).map(({ id }) => id);
  assert.deepEqual(ids({}), ["A1", "A2", "A10", "B1"]);
  assert.deepEqual(ids({ sort: "elo" }), ["A1", "A2", "A10", "B1"]);
  assert.deepEqual(ids({ sort: "lastUpload" }), ["A2", "A10", "A1", "B1"]);
  assert.deepEqual(ids({ query: "zeta b1@" }), ["B1"]);
  assert.deepEqual(ids({ query: "GROUP a1" }), ["A1", "A10"]);
  assert.deepEqual(ids({ show: "refused" }), ["A10"]);
  assert.deepEqual(teamCounts(teams), { all: 4, none: 1, waiting: 0, refused: 1, accepted: 2, late: 1, out: 1 });
});

test("common lines belong to the first match that has them", () => {
  const matches = [
    { files: [0, 1], lines: [[2, 3], [5, 6]] },
    { files: [0, 0], lines: [[3, 4], [1, 1]] },
  ];
  assert.deepEqual([...matchedLines(matches, 0, 0)], [[2, 0], [3, 0], [4, 1]]);
  assert.deepEqual([...matchedLines(matches, 1, 0)], [[1, 1]]);
  assert.deepEqual([...matchedLines(matches, 1, 1)], [[5, 0], [6, 0]]);
  const marks = (...rules) => ({ marks: rules.map((rule) => ({ rule, marks: 1 })) });
  assert.deepEqual(rulesOf([marks("accepted"), marks("accepted", "rank")]), ["accepted", "rank"]);
});
