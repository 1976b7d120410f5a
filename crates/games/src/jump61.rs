//! Jump61: what the registry knows of it.

use core::ops::RangeInclusive;

use game::{Position as _, Side};
use jump61::Pile;

use crate::{Console, Entry, Example, GameId, Lesson, Pieces, Place};

/// Jump61.
pub struct Jump61;

impl Entry for Jump61 {
    type Position = jump61::Position;
    const ID: GameId = GameId::Jump61;
    const NAME: &'static str = "jump61";
    const TITLE: &'static str = "Jump61";
    const SUMMARY: &'static str = "Chain reactions take the board.";
    const SIZES: RangeInclusive<usize> = jump61::Position::SIZES;
    const USUAL_SIZE: usize = 6;

    fn start_on(size: usize) -> jump61::Position {
        jump61::Position::start(size).expect("invariant: the size is one of the game's")
    }

    fn size(p: &jump61::Position) -> usize {
        p.size()
    }

    const TAKES_OFF: bool = false;

    fn won_because(_: &jump61::Position) -> &'static str {
        "every square has its colour"
    }

    fn path(_: &jump61::Position, m: jump61::Move) -> Vec<Place> {
        vec![[m.0.row(), m.0.column()]]
    }

    fn frames(p: &jump61::Position, m: jump61::Move) -> Vec<jump61::Position> {
        p.waves(m)
    }
    const PIECES: Pieces = Pieces::Dice;
    const COUNTED: &'static str = "squares";
    const SQUARE_NAME: &'static str = "row {row}, column {column}";

    fn contents() -> Vec<(String, String)> {
        let mut contents = vec![("1-".to_owned(), "1 spot".to_owned())];
        for (side, letter) in Side::BOTH.into_iter().zip(['r', 'b']) {
            let name = jump61::Position::side_name(side);
            contents.extend((1..=MOST_SPOTS).map(|spots| {
                let plural = if spots == 1 { "" } else { "s" };
                (format!("{spots}{letter}"), format!("{spots} spot{plural}, {name}"))
            }));
        }
        contents
    }

    const BRUSHES: &'static [&'static str] = &["Neutral", "Red, one more spot", "Blue, one more spot"];

    fn empty(size: usize) -> jump61::Position {
        Self::start_on(size)
    }

    /// A square of the brush's colour gets one spot more; a full one begins with one again.
    fn paint(p: &jump61::Position, [row, column]: Place, brush: usize) -> Option<jump61::Position> {
        let (row, column) = (row.checked_add(1)?, column.checked_add(1)?);
        let square = p.square(row, column).ok()?;
        let side = match brush {
            0 => return p.with(square, None).ok(),
            1 => Side::First,
            2 => Side::Second,
            _ => return None,
        };
        let spots = match p.at(square) {
            Some(pile) if pile.side == side => pile.spots % p.neighbours(square) + 1,
            _ => 1,
        };
        p.with(square, Some(Pile { side, spots })).ok()
    }

    fn passed(_: &jump61::Position) -> Option<jump61::Position> {
        None
    }

    const LESSONS: &'static [Lesson] = &LESSONS;
    const PUZZLES: &'static str = include_str!("../data/puzzles/jump61.txt");

    const CONSOLE: Option<Console> = Some(Console { sizes: true, limit: false });
}

/// Position texts have one digit for the spots of a square.
const MOST_SPOTS: usize = 9;

const LESSONS: [Lesson; 3] = [
    Lesson {
        title: "The goal",
        text: &[
            "Make every square yours. Red moves first. On your turn, add a spot to a square that is yours or neutral; \
             a neutral square becomes yours.",
            "Every square begins neutral, with one spot.",
        ],
        example: Some(Example::USUAL),
    },
    Lesson {
        title: "Overfull squares",
        text: &[
            "A square with more spots than it has neighbours (two in a corner, three on an edge, four inside) sends \
             one spot to each neighbour, and these become yours. That may overfill them in turn: a cascade.",
            "Play row 1, column 1 and watch.",
        ],
        example: Some(Example::of(
            "2r2r1-1-1-1-/3r1b1-1-1-1-/1-1b1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-",
            &["1:1"],
        )),
    },
    Lesson {
        title: "How a game ends",
        text: &[
            "The game ends as soon as all squares have one colour, even in the middle of a cascade.",
            "Full squares beside the opponent's are strong: the side that adds the last spot first takes everything \
             around.",
        ],
        example: None,
    },
];
