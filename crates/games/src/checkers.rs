//! The Melbourne checkers variant: what the registry knows of it.

use core::ops::RangeInclusive;

use checkers::Piece;
use game::{Position as _, Side};

use crate::{Entry, Example, GameId, Lesson, Pieces, Place};

/// The Melbourne checkers variant.
pub struct Checkers;

impl Entry for Checkers {
    type Position = checkers::Position;
    const ID: GameId = GameId::Checkers;
    const NAME: &'static str = "checkers";
    const TITLE: &'static str = "checkers";
    const SUMMARY: &'static str = "The Melbourne variant: one jump, towers.";
    const SIZES: RangeInclusive<usize> = 8..=8;
    const USUAL_SIZE: usize = 8;

    fn start_on(_: usize) -> checkers::Position {
        checkers::Position::start()
    }

    fn size(_: &checkers::Position) -> usize {
        8
    }

    const TAKES_OFF: bool = true;

    fn won_because(_: &checkers::Position) -> &'static str {
        "the other side has nothing left"
    }

    fn path(_: &checkers::Position, m: checkers::Move) -> Vec<Place> {
        [m.from(), m.to()].map(|cell| [cell.row().into(), cell.column().into()]).to_vec()
    }
    const PIECES: Pieces = Pieces::Men;
    const COUNTED: &'static str = "pieces";
    const SQUARE_NAME: &'static str = "{column}{row}";

    fn contents() -> Vec<(String, String)> {
        let pieces = PIECES.map(|piece| {
            let kind = if piece.tower { "tower" } else { "man" };
            (piece.letter().to_string(), format!("{} {kind}", checkers::Position::side_name(piece.side)))
        });
        [(".".to_owned(), "empty".to_owned())].into_iter().chain(pieces).collect()
    }

    const BRUSHES: &'static [&'static str] = &["Empty", "Black man", "White man", "Black tower", "White tower"];

    fn empty(_: usize) -> checkers::Position {
        checkers::Position::empty()
    }

    fn paint(p: &checkers::Position, [row, column]: Place, brush: usize) -> Option<checkers::Position> {
        let cell = checkers::Cell::new(u8::try_from(row).ok()?, u8::try_from(column).ok()?)?;
        let piece = match brush.checked_sub(1) {
            None => None,
            Some(number) => Some(*PIECES.get(number)?),
        };
        p.with(cell, piece).ok()
    }

    fn passed(p: &checkers::Position) -> Option<checkers::Position> {
        Some(p.passed())
    }

    const LESSONS: &'static [Lesson] = &LESSONS;
    const PUZZLES: &'static str = include_str!("../data/puzzles/checkers.txt");
}

/// In the order of the brushes, which begin with the empty one.
const PIECES: [Piece; 4] = [
    Piece { side: Side::First, tower: false },
    Piece { side: Side::Second, tower: false },
    Piece { side: Side::First, tower: true },
    Piece { side: Side::Second, tower: true },
];

const LESSONS: [Lesson; 3] = [
    Lesson {
        title: "Men",
        text: &[
            "Black moves first and goes up; White goes down. A man moves one cell diagonally forward onto an empty \
             cell.",
            "Try it.",
        ],
        example: Some(Example::USUAL),
    },
    Lesson {
        title: "Jumps",
        text: &[
            "A piece jumps over an opponent's piece beside it onto the empty cell behind, and removes it. A turn has \
             one jump, and no jump is compulsory. In this it differs from the checkers of clubs, where jumps go on and \
             are compulsory.",
        ],
        example: Some(Example::of(
            "......../......../......../..w...../...b..../......../......../........ b",
            &["D5-B3"],
        )),
    },
    Lesson {
        title: "Towers",
        text: &[
            "A man that reaches the far row becomes a tower, which moves and jumps backward, too.",
            "A side that cannot move on its turn loses.",
        ],
        example: Some(Example::of(
            "......../b......./......../..w...../......../......../......../........ b",
            &["A2-B1"],
        )),
    },
];
