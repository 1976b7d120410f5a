//! Breakthrough: what the registry knows of it.

use core::ops::RangeInclusive;

use breakthrough::{Move, Position, Square};
use game::Side;

use crate::{Entry, Example, GameId, Lesson, Pieces, Place};

/// Breakthrough.
pub struct Breakthrough;

impl Entry for Breakthrough {
    type Position = Position;
    const ID: GameId = GameId::Breakthrough;
    const NAME: &'static str = "breakthrough";
    const TITLE: &'static str = "Breakthrough";
    const SUMMARY: &'static str = "Bring one piece across the board.";
    const SIZES: RangeInclusive<usize> = Position::SIZES;
    const USUAL_SIZE: usize = 8;

    fn start_on(size: usize) -> Position {
        Position::start(size).expect("invariant: the size is one of the game's")
    }

    fn size(p: &Position) -> usize {
        p.size()
    }

    const TAKES_OFF: bool = true;

    fn won_because(p: &Position) -> &'static str {
        if Side::BOTH.into_iter().any(|side| p.pieces(side).is_empty()) {
            "the other side has no piece left"
        } else {
            "a piece is on the far rank"
        }
    }

    fn path(p: &Position, m: Move) -> Vec<Place> {
        [m.from(), m.to()].map(|square| place(p, square)).to_vec()
    }

    const PIECES: Pieces = Pieces::Pawns;
    const COUNTED: &'static str = "pieces";
    const SQUARE_NAME: &'static str = "{column}{row}";

    fn contents() -> Vec<(String, String)> {
        let contents = [(".", "empty"), ("w", "White piece"), ("b", "Black piece")];
        contents.map(|(text, spoken)| (text.to_owned(), spoken.to_owned())).to_vec()
    }

    const BRUSHES: &'static [&'static str] = &["Empty", "White", "Black"];

    fn empty(size: usize) -> Position {
        Position::empty(size).expect("invariant: the size is one of the game's")
    }

    fn paint(p: &Position, [row, column]: Place, brush: usize) -> Option<Position> {
        let rank = u8::try_from(p.size().checked_sub(row.checked_add(1)?)?).ok()?;
        let square = Square::new(u8::try_from(column).ok()?, rank)?;
        let content = [None, Some(Side::First), Some(Side::Second)];
        p.with(square, *content.get(brush)?).ok()
    }

    fn passed(p: &Position) -> Option<Position> {
        Some(p.passed())
    }

    const LESSONS: &'static [Lesson] = &LESSONS;
    const PUZZLES: &'static str = include_str!("../data/puzzles/breakthrough.txt");
}

/// Ranks count from the bottom, rows from the top.
fn place(p: &Position, square: Square) -> Place {
    [p.size() - 1 - usize::from(square.rank()), usize::from(square.file())]
}

const LESSONS: [Lesson; 5] = [
    Lesson {
        title: "The goal",
        text: &[
            "Bring one of your pieces to the far rank. White (the light pawns) moves first and goes up the board, Black \
             goes down.",
            "Here White breaks through on the left. Step through it.",
        ],
        example: Some(Example::of("------/b--bb-/-w----/------/w--w--/--w--- w", &["b4xa5", "d5-d4", "a5-b6"])),
    },
    Lesson {
        title: "How a piece moves",
        text: &[
            "A piece moves one square forward, straight or diagonally, onto an empty square. It never moves sideways or \
             back, so every move is final.",
            "Pick up a piece on the board: the squares where it can go light up.",
        ],
        example: Some(Example::USUAL),
    },
    Lesson {
        title: "Capturing",
        text: &[
            "A piece captures by moving diagonally forward onto an opponent's piece. It never captures straight ahead: \
             two pieces that face each other block each other. You need not capture.",
            "On this board White can capture on b5 or d5, and the piece on e3 is blocked straight ahead.",
        ],
        example: Some(Example::free("bb--bb/-b-b--/--w-b-/----w-/w-w---/ww--ww w")),
    },
    Lesson {
        title: "Guards and runners",
        text: &[
            "Guard your pieces: a piece that is taken should be taken back. Pieces on the home rank guard the squares from \
             which the opponent would win, so move them late.",
            "A piece that no opponent's piece can catch wins if it is the first to arrive. Count the moves of both: here \
             each side needs three, and White moves first.",
        ],
        example: Some(Example::of(
            "----b-/------/-----b/w-----/------/-w---- w",
            &["a3-a4", "f4-f3", "a4-a5", "f3-f2", "a5-a6"],
        )),
    },
    Lesson {
        title: "How a game ends",
        text: &[
            "The side with a piece on its far rank wins, and so does a side that has captured every piece of the opponent. \
             There is no draw, and there is always a move.",
            "On 4×4 the second player wins against every defence, in 14 moves of both sides. Plyhouse has searched it to \
             its end.",
        ],
        example: None,
    },
];
