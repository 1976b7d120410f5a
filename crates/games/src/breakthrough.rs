//! Breakthrough in the registry.

use core::ops::RangeInclusive;

use breakthrough::{Move, Position, Square};
use game::{Message, Side};
use proof::BreakthroughSearch;
use proof::win::Prover;
use search::Stop;

use crate::about::Pieces;
use crate::definition::Game;
use crate::highlight::Highlight;
use crate::lessons::{Lesson, Step};
use crate::prove::Budget;
use crate::puzzles::Line;
use crate::quantity::{self, Quantity};
use crate::scene::Place;

impl Game for Position {
    type Model = reference::breakthrough::Breakthrough;
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

    /// Returns the far row as a wave from the piece that has reached it.
    fn highlight(p: &Position, winner: Side, last: Option<Place>) -> Option<Highlight> {
        let size = p.size();
        let far = if winner == Side::First { 0 } else { size - 1 };
        let reached = p.pieces(winner).into_iter().map(|square| place(p, square)).find(|[row, _]| *row == far)?;
        let row = (0..size).map(|column| [far, column]).collect();
        Some(Highlight::wave(row, last.filter(|[row, _]| *row == far).or(Some(reached))))
    }

    fn quantities(p: &Position) -> Vec<Quantity> {
        quantity::breakthrough::breakthrough(p)
    }

    const PIECES: Pieces = Pieces::Pawns;
    const COUNTED: &'static str = "pieces";
    const SQUARE_NAME: &'static str = "{column}{row}";

    fn contents() -> Vec<(String, Message)> {
        let contents = [(".", "empty"), ("w", "White piece"), ("b", "Black piece")];
        contents.map(|(text, spoken)| (text.to_owned(), Message::name(spoken))).to_vec()
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

    fn exact(p: &Position, stop: &Stop, budget: Budget) -> Option<Box<dyn Prover<Position>>> {
        let search = || BreakthroughSearch::new(stop.clone(), budget.table_mib, budget.nodes);
        BreakthroughSearch::takes(p).then(|| Box::new(search()) as _)
    }

    const PICTURE: &'static str = "bbbbbbbb/bb-bb-bb/--b--b--/--------/---w----/--w-----/ww-w-www/wwwwwwww w";

    const LESSONS: &'static [Lesson] = &LESSONS;
    const LESSON_WORDS: &'static [(&'static str, &'static str)] = &[
        ("en", include_str!("../data/lessons/en/breakthrough.json")),
        ("de", include_str!("../data/lessons/de/breakthrough.json")),
        ("zh", include_str!("../data/lessons/zh/breakthrough.json")),
    ];
    const PUZZLES: &'static str = include_str!("../data/puzzles/breakthrough.txt");
    const OPENING_GAMES: &'static str = include_str!("../data/openings/breakthrough.txt");

    fn themes(line: &Line<'_, Position>) -> Vec<&'static str> {
        let (gives, takes) = (line.defender_captures(), line.solver_captures());
        let themes = [
            (gives, "break-through"),
            (!gives && !takes, "race"),
            (line.captures(0), "capture"),
            (!line.captures(0), "quiet"),
        ];
        themes.into_iter().filter_map(|(is, name)| is.then_some(name)).collect()
    }
}

/// Returns the place of a square. Ranks count from the bottom, rows from the top.
fn place(p: &Position, square: Square) -> Place {
    [p.size() - 1 - usize::from(square.rank()), usize::from(square.file())]
}

const LESSONS: [Lesson; 5] = [
    Lesson { key: "moves", steps: &[Step::next("forward", &[])] },
    Lesson {
        key: "goal",
        steps: &[
            Step::find("take", "------/b--bb-/-w----/------/w--w--/--w--- w", &["b4xa5"]).then(&["d5-d4"]),
            Step::next("arrive", &["a5-a6", "a5-b6"]),
        ],
    },
    Lesson {
        key: "captures",
        steps: &[
            Step::find("diagonal", "bb--bb/-b-b--/--w-b-/----w-/w-w---/ww--ww w", &["c4xb5", "c4xd5"]),
            Step::find("blocked", "bb--bb/-b-b--/--w-b-/----w-/w-w---/ww--ww w", &["e3-d4", "e3-f4"]),
        ],
    },
    Lesson {
        key: "plans",
        steps: &[
            Step::find("guard", "------/-b----/------/w-----/-b----/w-w--- w", &["a1xb2", "c1xb2"]),
            Step::find("race", "----b-/------/-----b/w-----/------/-w---- w", &["a3-a4"]).then(&["f4-f3"]),
            Step::next("run", &["a4-a5"]).then(&["f3-f2"]),
            Step::next("home", &["a5-a6", "a5-b6"]),
        ],
    },
    Lesson { key: "end", steps: &[Step::read("more")] },
];
