// The rules of each game, with examples: a position, and moves to play through or to choose from.

/**
 * @typedef {{ title: string, text: string[], start?: string, moves?: string[], size?: number, try?: boolean }} Lesson
 * @type {Record<string, Lesson[]>}
 */
export const LESSONS = {
  loa: [
    {
      title: "The goal",
      text: [
        "Bring all your pieces together into one group. Pieces hang together along ranks, files and diagonals. Black (the dark discs) moves first.",
        "Here Black needs one move: the piece on g5 joins the others. Step through it.",
      ],
      start: "--------/--w-----/----b---/---bb-b-/----b---/-w----w-/--------/---w---- b",
      moves: ["g5-f6"],
    },
    {
      title: "How far a piece goes",
      text: [
        "A piece moves in a straight line, exactly as many squares as there are pieces, of both colours, on the whole line. This is the line of action.",
        "Hold a piece on the board below: its lines light up, and the number at the end of each says how many pieces stand on it.",
      ],
      try: true,
    },
    {
      title: "Jumping and capturing",
      text: [
        "A piece may pass over its own pieces, but not over those of the opponent. It may land on an opponent's piece and capture it, never on one of its own.",
        "Capturing is not always good: fewer pieces are easier to bring together, and that goes for your opponent, too.",
      ],
      start: "--------/--------/--b--w--/--------/--b-----/--------/--------/-w----b- b",
      try: true,
    },
    {
      title: "How a game ends",
      text: [
        "Whoever has all his pieces together wins; a single piece is together. If a move brings both sides together, the one who moved has won. Who cannot move has lost.",
        "On 6×6 the first player wins against every defence, beginning with b1-b3. Plyhouse has proven it.",
      ],
    },
  ],
  jump61: [
    {
      title: "The goal",
      text: [
        "Make every square yours. Red moves first. On your turn, add a spot to a square that is yours or neutral; a neutral square becomes yours.",
        "Every square begins neutral, with one spot.",
      ],
      size: 6,
      try: true,
    },
    {
      title: "Overfull squares",
      text: [
        "A square with more spots than it has neighbours (two in a corner, three on an edge, four inside) sends one spot to each neighbour, and these become yours. That may fill them too much in turn: a cascade.",
        "Play row 1, column 1 and watch.",
      ],
      start: "2r2r1-1-1-1-/3r1b1-1-1-1-/1-1b1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-",
      moves: ["1:1"],
    },
    {
      title: "How a game ends",
      text: [
        "The game ends as soon as all squares have one colour, even in the middle of a cascade.",
        "Full squares beside the opponent's are strong: whoever adds the last spot first takes everything around.",
      ],
    },
  ],
  checkers: [
    {
      title: "Men",
      text: [
        "Black moves first and goes up; White goes down. A man moves one cell diagonally forward onto an empty cell.",
        "Try it.",
      ],
      try: true,
    },
    {
      title: "Jumps",
      text: [
        "A piece jumps over an opponent's piece beside it onto the empty cell behind, and removes it. One jump a turn, and nobody has to jump. This is not the checkers of clubs, where jumps go on and are compulsory.",
      ],
      start: "......../......../......../..w...../...b..../......../......../........ b",
      moves: ["D5-B3"],
    },
    {
      title: "Towers",
      text: [
        "A man that reaches the far row becomes a tower, which moves and jumps backward, too.",
        "Whoever cannot move on his turn has lost.",
      ],
      start: "......../.b....../......../...w..../......../......../......../........ b",
      moves: ["B2-A1"],
    },
  ],
};
