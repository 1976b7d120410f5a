// The content of the course of the tests: teams, versions, games of Breakthrough, checks.

const SIZE = 8;
export const START = "bbbbbbbb/bbbbbbbb/--------/--------/--------/--------/wwwwwwww/wwwwwwww w";
const LETTERS = "abcdefgh";
export const LEVELS = ["gentle1", "gentle2", 1, 2, 3, 4];

/** Returns pseudo-random numbers below 1, the same ones in every run. */
export function dice(seed) {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** Returns the rows and the side to move of a position. */
function parsed(position) {
  const [board, turn] = position.split(" ");
  return { rows: board.split("/").map((row) => [...row]), turn: turn === "w" ? 0 : 1 };
}

const written = (rows, turn) => `${rows.map((row) => row.join("")).join("/")} ${turn === 0 ? "w" : "b"}`;
const nameOf = ([row, column]) => `${LETTERS[column]}${SIZE - row}`;
const placeOf = (name) => [SIZE - Number(name[1]), LETTERS.indexOf(name[0])];

/** Returns the legal moves of Breakthrough. */
function movesIn(rows, turn) {
  const [own, forward] = turn === 0 ? ["w", -1] : ["b", 1];
  const moves = [];
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      if (rows[row][column] !== own) continue;
      for (const side of [-1, 0, 1]) {
        const target = rows[row + forward]?.[column + side];
        const isFree = target === "-" || (side !== 0 && target !== undefined && target !== own);
        if (isFree) moves.push({ from: [row, column], to: [row + forward, column + side] });
      }
    }
  }
  return moves;
}

/** Plays a move. */
function played(rows, turn, { from, to }) {
  const next = rows.map((row) => [...row]);
  next[from[0]][from[1]] = "-";
  next[to[0]][to[1]] = turn === 0 ? "w" : "b";
  return next;
}

/** Returns the scene after the moves of a game. */
export function sceneOf({ start = START, moves = [] }) {
  let { rows, turn } = parsed(start ?? START);
  let last = null;
  for (const text of moves) {
    const [from, to] = text.split(/[-x]/).map(placeOf);
    rows = played(rows, turn, { from, to });
    turn = 1 - turn;
    last = { text, path: [from, to] };
  }
  const count = (piece) => rows.flat().filter((each) => each === piece).length;
  const spot = (piece) => (piece === "-" ? [".", null] : [piece, piece === "w" ? 0 : 1]);
  return {
    game: "breakthrough",
    size: SIZE,
    sides: ["White", "Black"],
    start: start ?? START,
    position: written(rows, turn),
    turn,
    ply: moves.length,
    limit: null,
    played: moves,
    rows: rows.map((row) => row.map(spot)),
    rowLabels: ["8", "7", "6", "5", "4", "3", "2", "1"],
    columnLabels: [...LETTERS],
    moves: movesIn(rows, turn).map(({ from, to }) => ({ text: `${nameOf(from)}-${nameOf(to)}`, path: [from, to] })),
    last,
    frames: [],
    flights: [],
    end: null,
    pieces: [count("w"), count("b")],
    lost: [0, 0],
    lines: [],
    groups: [],
  };
}

/** Returns the moves of a whole game, the same ones for a seed. */
export function movesOf(seed) {
  const random = dice(seed);
  let { rows, turn } = parsed(START);
  const moves = [];
  while (moves.length < 120) {
    const legal = movesIn(rows, turn);
    if (legal.length === 0) break;
    const goal = turn === 0 ? 0 : SIZE - 1;
    // Pieces that are far ahead move more often, so that games end.
    const weight = ({ to }) => 1 + (turn === 0 ? SIZE - to[0] : to[0]) ** 2;
    let rest = random() * legal.reduce((sum, move) => sum + weight(move), 0);
    const move = legal.find((each) => (rest -= weight(each)) <= 0) ?? legal[0];
    const isCapture = rows[move.to[0]][move.to[1]] !== "-";
    moves.push(`${nameOf(move.from)}${isCapture ? "x" : "-"}${nameOf(move.to)}`);
    rows = played(rows, turn, move);
    if (move.to[0] === goal) break;
    turn = 1 - turn;
  }
  return moves;
}

/** Names as students choose them. */
const NAMES = [
  "Team Kappa",
  "Die Zugzwänger",
  "深蓝小队",
  "<b>Bold & Co</b>",
  "A team with a name that is as long as the roster allows, and then some",
  "Pawn Stars 🚀",
  "O'Neill",
  "Les Échecs",
];
const AGENTS = ["Quicksilver", "Minimax Mary", "阿尔法", "<script>alert(1)</script>", "αβ-Pruner", "Gambit"];
const TAGLINES = ["Never looks back.", null, "Sees twelve plies, believes three.", "", "一步一步来"];
const URLS = ["https://example.org/~kappa/agent/", null, "javascript:alert(1)", "http://team.example/", "notes.txt"];

/** Returns teams with their standings, the strongest first. */
export function teamsOf(count) {
  const random = dice(7);
  return Array.from({ length: count }, (_, i) => {
    const games = i < count - 2 ? 20 + Math.floor(random() * 40) : 0;
    const won = Math.floor(games * Math.max(0.1, 0.85 - i / count));
    const drawn = games > 0 ? Math.floor(random() * 3) : 0;
    return {
      id: `A${String(i + 1).padStart(3, "0")}`,
      name: NAMES[i] ?? `Group ${i + 1}`,
      mail: `a${i + 1}@example.edu`,
      agent: AGENTS[i] ?? `Agent ${i + 1}`,
      tagline: TAGLINES[i] ?? null,
      url: URLS[i] ?? null,
      elo: games ? Math.round(1900 - i * 18 + random() * 30) : null,
      error: games ? Math.round(30 + random() * 60) : null,
      games,
      won,
      drawn,
      lost: games - won - drawn,
      faults: i % 5 === 3 ? { "illegal move": 3, time: 1 } : i % 7 === 1 ? { crash: 1 } : {},
    };
  });
}

/** Results of a check by the name of the file: each step with its result. */
export const CHECKS = {
  good: [
    ["unpack", "passed", "7 files, 18 kB", ""],
    ["build", "passed", "make: 1.4 s", ""],
    ["program", "passed", "./agent", ""],
    ["answers `identify`", "passed", "name=Quicksilver", ""],
    ["starts", "warned", "the first move took 3.4 s of 3 s, the others at most 0.8 s", "Load tables before `ready`."],
    ["moves first", "passed", "0.4 s", ""],
    ["moves second", "passed", "0.5 s", ""],
    ["plays a game against itself", "passed", "62 moves, at most 0.9 s each", ""],
  ],
  illegal: [
    ["unpack", "passed", "1 file", ""],
    ["build", "passed", "nothing to build", ""],
    ["starts", "passed", "0.2 s", ""],
    [
      "moves first",
      "failed",
      "illegal move a2-a4: a piece moves one square\n   a b c d e f g h\n8  b b b b b b b b\n7  b b b b b b b b\n" +
        "6  . . . . . . . .\n5  . . . . . . . .\n4  . . . . . . . .\n3  . . . . . . . .\n2  w w w w w w w w\n" +
        "1  w w w w w w w w",
      "Print one of the legal moves, for example `a2-a3`.\n`plyhouse arena check` shows the same position.",
      { game: "breakthrough", size: 8, start: START, moves: [] },
    ],
  ],
  rar: [
    ["unpack", "failed", "agent.zip is a RAR archive", "Make a zip: right click on the folder, then Compress."],
  ],
};
