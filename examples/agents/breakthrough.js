#!/usr/bin/env node
// Plays random moves in Breakthrough (8x8), as a minimal UGI engine for tournaments of the arena.
"use strict";

const START = "w".repeat(16) + "-".repeat(32) + "b".repeat(16);
let board = [...START];
let side = "w";

/** All moves as pairs of squares: 0 is a1, 8 is a2. */
function legal() {
  const step = side === "w" ? 8 : -8;
  const moves = [];
  board.forEach((man, start) => {
    const ahead = start + step;
    if (man !== side || ahead < 0 || ahead >= 64) return;
    for (const turn of [-1, 0, 1]) {
      const column = (start % 8) + turn;
      if (column < 0 || column > 7) continue;
      const there = board[ahead + turn];
      // Straight ahead only to an empty square; diagonally also to capture.
      if (there === "-" || (turn !== 0 && there !== side)) moves.push([start, ahead + turn]);
    }
  });
  return moves;
}

const square = (number) => "abcdefgh"[number % 8] + (Math.floor(number / 8) + 1);
const number = (text) => "abcdefgh".indexOf(text[0]) + 8 * (Number(text[1]) - 1);

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === "ugi") console.log("ugiok");
  if (words[0] === "isready") console.log("readyok");
  if (words[0] === "position" && words[1] === "startpos") {
    board = [...START];
    side = "w";
    for (const word of words.slice(3)) {
      // `a2-a3`, or `b4xa3` for a capture.
      const [start, end] = [number(word), number(word.slice(3))];
      [board[start], board[end]] = ["-", board[start]];
      side = side === "w" ? "b" : "w";
    }
  }
  if (words[0] === "go") {
    const moves = legal();
    console.log(`bestmove ${moves[Math.floor(Math.random() * moves.length)].map(square).join("-")}`);
  }
  if (words[0] === "quit") process.exit(0);
});
