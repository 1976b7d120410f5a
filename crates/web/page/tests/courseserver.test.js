// The requests of the course's views, against the server of the tests.

import assert from "node:assert/strict";
import test from "node:test";

import { Course, coursePage, startCourse } from "./courseserver.js";
import { movesOf, sceneOf } from "./coursedata.js";

/** Runs a test with a server on which the page's `fetch` works. */
async function withCourse(options, work) {
  const server = await startCourse(options);
  const real = globalThis.fetch;
  const sent = [];
  let cookie = "";
  globalThis.fetch = (path, init = {}) => {
    const at = /^http/.test(path) ? path : `${server.url}/${path}`;
    sent.push([String(path), init.headers ?? {}]);
    return real(at, { ...init, headers: { ...init.headers, cookie } });
  };
  try {
    await work({ ...server, sent, signIn: (role) => (cookie = `role=${role}`) });
  } finally {
    globalThis.fetch = real;
    await server.close();
  }
}

test("an unchanged answer is neither sent nor made again", async () => {
  const { fetched } = await import("../js/course/transport.js");
  await withCourse({}, async ({ sent }) => {
    const first = await fetched("standings?page=1");
    assert.equal(first.rows.length, 50);
    assert.equal(await fetched("standings?page=1"), first);
    assert.ok(sent.at(-1)[1]["If-None-Match"]);
    assert.equal((await fetched("standings?page=2")).rows.length, 8);
  });
});

test("errors have the words of the page, and a lost connection has the status 0", async () => {
  const { fetched, post } = await import("../js/course/transport.js");
  await withCourse({ left: 0 }, async ({ course, signIn }) => {
    await assert.rejects(fetched("uploads"), { status: 403, message: "Open your personal link first." });
    await assert.rejects(fetched("games/9999"), { status: 404, message: "This does not exist." });
    signIn("team");
    await assert.rejects(fetched("staff/teams"), { status: 403 });
    await assert.rejects(post("practice", { level: "1" }), {
      message: /^No practice games are left\. The next one is possible at \D*\d{1,2}\D.* 2026/,
    });
    course.fail = "all";
    await assert.rejects(fetched("about"), { status: 0 });
    course.fail = "";
    assert.equal((await fetched("about")).role, "team");
  });
});

test("the staff's actions change what everybody sees", async () => {
  const { fetched, post } = await import("../js/course/transport.js");
  await withCourse({ count: 12 }, async ({ signIn }) => {
    signIn("staff");
    await post("staff/disqualify", { team: "A001", reason: "copied" });
    assert.ok((await fetched("standings?page=1")).rows.every((row) => row.team !== "A001"));
    assert.equal((await fetched("staff/teams")).teams[0].disqualified, "copied");
    await post("staff/close");
    assert.equal((await fetched("about")).phase, "closing");
    assert.match((await post("staff/renewLink", { team: "A002" })).link, /\/t\//);
    assert.equal((await fetched("staff/audit")).entries[0].action, "renewLink");
  });
});

test("the check of an upload goes through its steps", () => {
  const course = new Course({ speed: 1000 });
  const states = (age, name) => {
    const upload = { ...course.receive("A002", name, 10), at: Date.now() - age };
    const { state, steps } = course.shown(upload);
    return [state, steps.at(-1)?.state];
  };
  assert.deepEqual(states(0, "a.zip"), ["waiting", undefined]);
  assert.deepEqual(states(3_100, "a.zip"), ["checking", "running"]);
  assert.deepEqual(states(60_000, "a.zip"), ["accepted", "passed"]);
  assert.deepEqual(states(60_000, "illegal.py"), ["refused", "failed"]);
});

test("the games of the tests are legal, and the page names the scripts and sheets of the course", () => {
  const moves = movesOf(15);
  moves.forEach((move, ply) => {
    const legal = sceneOf({ moves: moves.slice(0, ply) }).moves.map(({ text }) => text);
    assert.ok(legal.includes(move.replace("x", "-")), `${ply}: ${move}`);
  });
  const page = coursePage();
  assert.match(page, /src="js\/course\/main\.js"/);
  for (const sheet of ["course", "coursestaff", "coursework"]) assert.ok(page.includes(`css/${sheet}.css`), sheet);
});
