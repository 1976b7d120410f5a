// All style sheets have the same breakpoints.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const FOLDER = new URL("../css/", import.meta.url);

/** Conditions on the window's size in media queries. The last one applies only to rows of small boards. */
const LAYOUTS = [
  "(orientation: portrait) and (max-width: 1100px)",
  "(orientation: portrait) and (max-width: 560px)",
  "(orientation: portrait) and (min-width: 561px) and (max-width: 1100px)",
  "(orientation: landscape) and (max-height: 560px)",
  "(orientation: landscape) and (min-height: 561px)",
  "(orientation: landscape) and (max-height: 560px) and (max-width: 700px)",
  "(max-width: 1500px)",
  "(max-height: 700px)",
];

test("all style sheets have the same breakpoints", () => {
  for (const file of readdirSync(FOLDER)) {
    const style = readFileSync(new URL(file, FOLDER), "utf8");
    for (const [, query] of style.matchAll(/@media ([^{]+?) \{/g)) {
      for (const part of query.split(/,\s*/)) {
        if (/width|height|orientation/.test(part)) assert.ok(LAYOUTS.includes(part), `${file}: ${part}`);
      }
    }
  }
});

test("no style sheet is longer than 500 lines", () => {
  for (const file of readdirSync(FOLDER)) {
    const { length } = readFileSync(new URL(file, FOLDER), "utf8").split("\n");
    assert.ok(length <= 501, `${file}: ${length - 1} lines`);
  }
});

test("the page links every style sheet", () => {
  const page = readFileSync(new URL("../index.html", import.meta.url), "utf8");
  // A course's server adds the sheets of its own views.
  const common = readdirSync(FOLDER).filter((file) => !file.startsWith("course"));
  for (const file of common) assert.ok(page.includes(`href="css/${file}"`), file);
});
