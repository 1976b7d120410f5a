// The games of the tests: one names squares like `a1`, the other like `row 1, column 1`.

import { setGames } from "../js/state/games.js";

const LEVELS = ["gentle1", "gentle2", "1", "2", "3"].map((key, i) => ({
  key,
  elo: 100 * i,
  gentle: key.startsWith("gentle"),
}));

const common = {
  summary: "",
  puzzles: 97,
  lessons: 5,
  pieces: "discs",
  counted: "pieces",
  brushes: ["Empty"],
  turnIsFree: true,
  picture: "",
  levels: LEVELS,
  rules: [],
  variants: [],
  builds: ["current", "first", "random"],
};

/** Registers the games, as the page does before the first render. */
export function useTestGames() {
  setGames([
    {
      ...common,
      name: "lines",
      rules: ["mso", "unnamed"],
      variants: ["mso", "unnamed", "scrambled-eggs", "scrambled-eggs mso"],
      title: "Lines",
      sizes: [4, 8],
      usualSize: 8,
      sides: ["Black", "White"],
      squareName: "{column}{row}",
      contents: [
        [".", "empty"],
        ["b", "Black piece"],
      ],
      fileFormat: "SGF",
    },
    {
      ...common,
      name: "dots",
      title: "Dots",
      sizes: [6],
      usualSize: 6,
      sides: ["Red", "Blue"],
      squareName: "row {row}, column {column}",
      contents: [["2r", "2 spots, Red"]],
      fileFormat: null,
    },
  ]);
}

/** Returns a scene with the fields that the tests need, overridden by `changes`. */
export const scene = (changes = {}) => ({
  game: "lines",
  size: 8,
  sides: ["Black", "White"],
  start: "start b",
  variant: "",
  position: "now b",
  turn: 0,
  ply: 0,
  limit: null,
  played: [],
  rows: [],
  rowLabels: ["2", "1"],
  columnLabels: ["a", "b"],
  moves: [],
  last: null,
  frames: [],
  flights: [],
  end: null,
  pieces: [12, 12],
  lost: [0, 0],
  lines: [],
  groups: [],
  ...changes,
});
