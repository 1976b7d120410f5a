import assert from "node:assert/strict";
import test from "node:test";

import { fromFile, fromLink, toLink, publicLink } from "../js/state/share.js";

test("a link contains a whole game", () => {
  const game = { game: "lines", size: 6, start: "-bb-/w--w b", moves: ["b1-b3", "a2-c2"] };
  assert.deepEqual(fromLink(toLink(game)), game);
});

test("missing parts of a link have defaults", () => {
  assert.equal(toLink({ game: "lines" }), "game=lines");
  assert.deepEqual(fromLink("game=lines"), { game: "lines", size: null, start: null, moves: [] });
  assert.equal(fromLink("size=6&moves=b1-b3"), null);
});

test("a link for other devices exists only if they can open it", () => {
  const at = (address) => new URL(address);
  for (const own of ["http://127.0.0.1:6174/", "http://localhost:9/", "http://[::1]:80/", "http://a.localhost/"]) {
    assert.equal(publicLink(at(own), null, "game=loa"), null);
    const shared = publicLink(at(own), "http://192.168.1.7:6174/?token=abc", "game=loa&moves=b1-b3");
    assert.equal(shared, "http://192.168.1.7:6174/?token=abc&here#/analyse?game=loa&moves=b1-b3");
  }
  const site = publicLink(at("https://example.org/games/plyhouse/?x#/play"), null, "game=loa");
  assert.equal(site, "https://example.org/games/plyhouse/#/analyse?game=loa");
});

test("files are decoded as UTF-8, Latin-1 or the named character set", () => {
  const file = (/** @type {string} */ text, latin1 = false) =>
    fromFile(Uint8Array.from(Buffer.from(text, latin1 ? "latin1" : "utf8")).buffer);
  for (const charset of ["CA[ISO-8859-1]", "CA[latin1]", "PB[x]CA [ Latin-1 ]", ""]) {
    const text = `(;GM[9]${charset}PW[Jörg];B[b1-b3])`;
    assert.equal(file(text, true), text);
  }
  for (const text of ["(;GM[9]CA[UTF-8]PW[Jörg])", "1. b1–b3 {é}", "(;GM[9]C[see CA[latin1\\]]PW[Jörg])"]) {
    assert.equal(file(text), text);
    assert.equal(file(`\ufeff${text}`), text, "without a byte-order mark");
  }
  for (const charset of ["GB2312", "gb18030"]) {
    const bytes = [...Buffer.from(`(;GM[9]CA[${charset}]PW[`), 0xd6, 0xd0, ...Buffer.from("])")];
    assert.equal(fromFile(Uint8Array.from(bytes).buffer), `(;GM[9]CA[${charset}]PW[中])`);
  }
  assert.throws(() => file("(;GM[9]CharSet[Klingon];B[b1-b3])"), /Klingon/);
});
