//! The Melbourne checkers variant in the registry.

use core::ops::RangeInclusive;

use checkers::Piece;
use game::{Message, Position as _, Side};

use crate::about::Pieces;
use crate::definition::Game;
use crate::lessons::{Lesson, Step};
use crate::puzzles::Line;
use crate::quantity::{self, Quantity};
use crate::scene::Place;

impl Game for checkers::Position {
    type Model = reference::checkers::Checkers;
    const NAME: &'static str = "checkers";
    const TITLE: &'static str = "checkers";
    const SUMMARY: &'static str = "Diagonal moves, never forced to jump.";
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
    fn quantities(p: &checkers::Position) -> Vec<Quantity> {
        quantity::checkers::checkers(p)
    }

    const PIECES: Pieces = Pieces::Men;
    const COUNTED: &'static str = "pieces";
    const SQUARE_NAME: &'static str = "{column}{row}";

    fn contents() -> Vec<(String, Message)> {
        let pieces = PIECES.map(|piece| {
            let spoken = match (piece.side, piece.tower) {
                (Side::First, false) => "Black man",
                (Side::Second, false) => "White man",
                (Side::First, true) => "Black tower",
                (Side::Second, true) => "White tower",
            };
            (piece.letter().to_string(), Message::name(spoken))
        });
        [(".".to_owned(), Message::name("empty"))].into_iter().chain(pieces).collect()
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

    const PICTURE: &'static str = ".w.w.w.w/w...w.w./.w.w...w/..b.w.../.....b../b.b...b./.b.b.W.b/b.B...b. b";

    const LESSONS: &'static [Lesson] = &LESSONS;
    const LESSON_WORDS: &'static [(&'static str, &'static str)] = &[
        ("en", include_str!("../data/lessons/en/checkers.json")),
        ("de", include_str!("../data/lessons/de/checkers.json")),
        ("zh", include_str!("../data/lessons/zh/checkers.json")),
    ];
    const PUZZLES: &'static str = include_str!("../data/puzzles/checkers.txt");
    const OPENING_GAMES: &'static str = include_str!("../data/openings/checkers.txt");

    fn themes(line: &Line<'_, checkers::Position>) -> Vec<&'static str> {
        let (Some(first), Some(last)) = (line.positions.first(), line.positions.last()) else { return Vec::new() };
        let side = first.side_to_move();
        let choice = first.movable().into_iter().any(checkers::Move::is_jump);
        let towers = |p: &checkers::Position| p.count(side).1;
        let trapped = last.outcome().is_some() && !last.pieces(!side).is_empty();
        let themes = [
            (choice, "capture-or-not"),
            (towers(last) > towers(first), "tower"),
            (trapped, "trap"),
            (line.defender_captures(), "sacrifice"),
        ];
        themes.into_iter().filter_map(|(is, name)| is.then_some(name)).collect()
    }
}

/// Pieces in the order of the brushes, without the first brush, which empties a square.
const PIECES: [Piece; 4] = [
    Piece { side: Side::First, tower: false },
    Piece { side: Side::Second, tower: false },
    Piece { side: Side::First, tower: true },
    Piece { side: Side::Second, tower: true },
];

const LESSONS: [Lesson; 4] = [
    Lesson { key: "men", steps: &[Step::next("step", &[])] },
    Lesson {
        key: "jumps",
        steps: &[
            Step::find("take", "......../......../......../..w...../...b..../......../.w....../........ b", &["D5-B3"]),
            Step::find(
                "choice",
                "......../w......./......../..w...../...b..../......../.....b../........ b",
                &["D5-E4", "F7-E6", "F7-G6"],
            ),
        ],
    },
    Lesson {
        key: "towers",
        steps: &[
            Step::find(
                "crown",
                "......../b......./......../..w...../......../......../.....b../........ b",
                &["A2-B1"],
            )
            .then(&["C4-D5"]),
            Step::next("back", &["B1-A2", "B1-C2"]),
            Step::find("jump", "......../..B...../...w..../......../......../......../.w....../........ b", &["C2-E4"]),
        ],
    },
    Lesson {
        key: "end",
        steps: &[
            Step::find(
                "stuck",
                "......../......../......../......../......../......../.....B.w/........ b",
                &["F7-G8"],
            ),
            Step::read("more"),
        ],
    },
];
