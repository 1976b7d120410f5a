//! Jump61 in the registry.

use core::ops::RangeInclusive;

use game::{Message, Position as _, Side, message, plural};
use jump61::Pile;
use proof::ExactSearch;
use proof::win::Prover;
use search::Stop;

use crate::about::{Console, Pieces};
use crate::definition::Game;
use crate::highlight::Highlight;
use crate::lessons::{Lesson, Step};
use crate::prove::Budget;
use crate::puzzles::Line;
use crate::quantity::{self, Quantity};
use crate::scene::Place;

impl Game for jump61::Position {
    type Model = reference::jump61::Jump61;
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

    /// Returns a flight from each overfull square to each of its neighbours.
    fn flights(frame: &jump61::Position) -> Vec<[Place; 2]> {
        let size = frame.size();
        let flights = frame.overfull().into_iter().flat_map(|square| {
            let (row, column) = (square.row(), square.column());
            let to =
                [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
            to.into_iter().filter(move |&(r, c)| r < size && c < size).map(move |(r, c)| [[row, column], [r, c]])
        });
        flights.collect()
    }
    /// Returns the whole board as a wave from the square of the last move.
    fn highlight(p: &jump61::Position, _: Side, last: Option<Place>) -> Option<Highlight> {
        let size = p.size();
        let squares = (0..size * size).map(|index| [index / size, index % size]).collect();
        Some(Highlight::wave(squares, last))
    }

    fn quantities(p: &jump61::Position) -> Vec<Quantity> {
        quantity::jump61::jump61(p)
    }

    const PIECES: Pieces = Pieces::Dice;
    const COUNTED: &'static str = "squares";
    const SQUARE_NAME: &'static str = "row {row}, column {column}";

    fn contents() -> Vec<(String, Message)> {
        let mut contents = vec![("1-".to_owned(), Message::name("1 spot"))];
        for (side, letter) in Side::BOTH.into_iter().zip(['r', 'b']) {
            let side = Message::name(jump61::Position::side_name(side));
            contents.extend((1..=MOST_SPOTS).map(|count| {
                let text = format!("{count}{letter}");
                (text, message!("dice.pile", "{count} spot{s}, {side}", count, side = &side; s = plural(count)))
            }));
        }
        contents
    }

    const BRUSHES: &'static [&'static str] = &["Neutral", "Red, one more spot", "Blue, one more spot"];

    fn empty(size: usize) -> jump61::Position {
        Self::start_on(size)
    }

    /// Adds one spot if the square has the brush's colour and is not full. Otherwise, sets one spot of that colour.
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

    fn exact(p: &jump61::Position, stop: &Stop, budget: Budget) -> Option<Box<dyn Prover<jump61::Position>>> {
        let search = || ExactSearch::new(stop.clone(), budget.table_mib, budget.nodes);
        ExactSearch::takes(p).then(|| Box::new(search()) as _)
    }

    const PICTURE: &'static str = "2r3r2b1-1-1-/3r4r3b2b1-1-/1-3r4b3b1-1-/1-1-2r2b1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-";

    const LESSONS: &'static [Lesson] = &LESSONS;
    const LESSON_WORDS: &'static [(&'static str, &'static str)] = &[
        ("en", include_str!("../data/lessons/en/jump61.json")),
        ("de", include_str!("../data/lessons/de/jump61.json")),
        ("zh", include_str!("../data/lessons/zh/jump61.json")),
    ];
    const PUZZLES: &'static str = include_str!("../data/puzzles/jump61.txt");
    const OPENING_GAMES: &'static str = include_str!("../data/openings/jump61.txt");

    fn themes(line: &Line<'_, jump61::Position>) -> Vec<&'static str> {
        let (Some(first), Some(&m)) = (line.positions.first(), line.moves.first()) else { return Vec::new() };
        let waves = first.waves(m).len();
        let topples = if waves > MOST_SPARK_WAVES {
            "cascade"
        } else if waves > 1 {
            "spark"
        } else {
            "quiet"
        };
        let corner = first.corners_and_edges()[0].has(m.0).then_some("corner");
        core::iter::once(topples).chain(corner).collect()
    }

    const CONSOLE: Option<Console> = Some(Console { sizes: true, limit: false });
}

/// Maximum number of spots on a square: position texts have one digit for each square.
const MOST_SPOTS: usize = 9;

/// Maximum number of waves of the theme `spark`. Moves with more waves have the theme `cascade`.
const MOST_SPARK_WAVES: usize = 4;

const LESSONS: [Lesson; 4] = [
    Lesson {
        key: "spots",
        steps: &[
            Step::next("add", &[]),
            Step::find(
                "own",
                "1-1-1-1-1-1-/1-2r1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-2b1-/1-1-1-1-1-1-",
                &["2:2"],
            ),
        ],
    },
    Lesson {
        key: "topple",
        steps: &[
            Step::find(
                "edge",
                "1-1-3r2b1-1-/1-1-2b1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-",
                &["1:3"],
            ),
            Step::find(
                "cascade",
                "2r2r1-1-1-1-/3r1b1-1-1-1-/1-1b1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-",
                &["1:1"],
            ),
        ],
    },
    Lesson {
        key: "strike",
        steps: &[Step::find(
            "first",
            "2r3b1-1-1-1-/1-1b1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-2r1-/1-1-1-1-1-1r",
            &["1:1"],
        )],
    },
    Lesson {
        key: "end",
        steps: &[Step::find("all", "2b3b1-2r/3b4r4b1-/3b3b3r1-/1r3r3b1-", &["2:2"]), Step::read("sizes")],
    },
];
