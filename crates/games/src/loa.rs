//! Lines of Action: what the registry knows of it.

use core::ops::RangeInclusive;

use game::{Outcome, Position as _, Record, Side};
use protocol::sgf;

use crate::{Console, Entry, Example, GameFile, GameId, Lesson, MoveLine, Pieces, Place};

/// Lines of Action.
pub struct Loa;

impl Entry for Loa {
    type Position = loa::Position;
    const ID: GameId = GameId::Loa;
    const NAME: &'static str = "loa";
    const TITLE: &'static str = "Lines of Action";
    const SUMMARY: &'static str = "Bring all your pieces together.";
    const SIZES: RangeInclusive<usize> = loa::Position::SIZES;
    const USUAL_SIZE: usize = 8;

    fn start_on(size: usize) -> loa::Position {
        loa::Position::start(size).expect("invariant: the size is one of the game's")
    }

    fn size(p: &loa::Position) -> usize {
        p.size()
    }

    const TAKES_OFF: bool = true;

    fn won_because(_: &loa::Position) -> &'static str {
        "all its pieces are connected"
    }

    fn path(p: &loa::Position, m: loa::Move) -> Vec<Place> {
        vec![place(p, m.from), place(p, m.to)]
    }

    fn lines(p: &loa::Position) -> Vec<MoveLine> {
        let mut lines = Vec::new();
        for from in p.pieces(p.side_to_move()) {
            for direction in &loa::Direction::ALL[..4] {
                let to = |direction| loa::Direction::between(from, direction);
                let along = p.movable().into_iter().filter(|m| m.from == from).map(|m| m.to);
                let same = |d: loa::Direction| d as usize % 4 == *direction as usize;
                let along = along.filter(|&square| to(square).is_some_and(|(d, _)| same(d)));
                let on_line = |square: &loa::Square| *square == from || to(*square).is_some_and(|(d, _)| same(d));
                let squares: Vec<loa::Square> = p.board().into_iter().filter(on_line).collect();
                lines.push(MoveLine {
                    from: place(p, from),
                    squares: squares.iter().map(|&square| place(p, square)).collect(),
                    count: p.line_count(from, *direction),
                    to: along.map(|square| place(p, square)).collect(),
                });
            }
        }
        lines
    }

    fn groups(p: &loa::Position) -> Vec<Vec<Place>> {
        let mut groups = Vec::new();
        for side in Side::BOTH {
            let mut left = p.pieces(side);
            while let Some(seed) = left.first() {
                let group = loa::group_of(seed, left);
                left &= !group;
                groups.push(group.into_iter().map(|square| place(p, square)).collect());
            }
        }
        groups
    }

    const PIECES: Pieces = Pieces::Discs;
    const COUNTED: &'static str = "pieces";
    const SQUARE_NAME: &'static str = "{column}{row}";

    fn contents() -> Vec<(String, String)> {
        let contents = [(".", "empty"), ("b", "Black piece"), ("w", "White piece")];
        contents.map(|(text, spoken)| (text.to_owned(), spoken.to_owned())).to_vec()
    }

    const BRUSHES: &'static [&'static str] = &["Empty", "Black", "White"];

    fn empty(size: usize) -> loa::Position {
        loa::Position::empty(size).expect("invariant: the size is one of the game's")
    }

    fn paint(p: &loa::Position, [row, column]: Place, brush: usize) -> Option<loa::Position> {
        let rank = u8::try_from(p.size().checked_sub(row.checked_add(1)?)?).ok()?;
        let square = loa::Square::new(u8::try_from(column).ok()?, rank)?;
        let content = [None, Some(Side::First), Some(Side::Second)];
        p.with(square, *content.get(brush)?).ok()
    }

    fn passed(p: &loa::Position) -> Option<loa::Position> {
        Some(p.passed())
    }

    const LESSONS: &'static [Lesson] = &LESSONS;
    const PUZZLES: &'static str = include_str!("../data/puzzles/loa.txt");

    const FILE_FORMAT: Option<&'static str> = Some("SGF");

    fn read_file(text: &str) -> Option<Result<GameFile, String>> {
        if !text.starts_with('(') {
            return None;
        }
        let games = match sgf::read(text) {
            Ok(games) => games,
            Err(error) => return Some(Err(error.to_string())),
        };
        let first = games.into_iter().next().ok_or_else(|| "the file has no game".to_owned());
        Some(first.map(|game| {
            let size = game.position().size();
            GameFile { game: Self::ID, size, start: game.start, moves: game.moves }
        }))
    }

    fn write_file(record: &Record<loa::Position>) -> Option<String> {
        let result = match record.finish().map(|finish| finish.outcome) {
            Some(Outcome::Win(Side::First)) => "B+",
            Some(Outcome::Win(Side::Second)) => "W+",
            Some(Outcome::Draw) => "0",
            None => "",
        };
        let start = &record.steps()[0].position;
        let game = sgf::Game {
            start: (*start != Self::start_on(8)).then(|| start.to_string()),
            moves: record.moves().map(|m| m.to_string()).collect(),
            result: result.to_owned(),
            ..sgf::Game::default()
        };
        Some(game.to_string())
    }

    const CONSOLE: Option<Console> = Some(Console { sizes: false, limit: true });
}

/// Ranks count from the bottom, rows from the top.
fn place(p: &loa::Position, square: loa::Square) -> Place {
    [p.size() - 1 - usize::from(square.rank()), usize::from(square.file())]
}

const LESSONS: [Lesson; 4] = [
    Lesson {
        title: "The goal",
        text: &[
            "Bring all your pieces together into one group. Pieces are connected along ranks, files and diagonals. \
             Black (the dark discs) moves first.",
            "Here Black needs one move: the piece on g5 joins the others. Step through it.",
        ],
        example: Some(Example::of(
            "--------/--w-----/----b---/---bb-b-/----b---/-w----w-/--------/---w---- b",
            &["g5-f6"],
        )),
    },
    Lesson {
        title: "How far a piece goes",
        text: &[
            "A piece moves in a straight line, exactly as many squares as there are pieces, of both colours, on the \
             whole line. This is the line of action.",
            "Pick up a piece on the board: its lines light up, and the number at the end of each line says how many \
             pieces stand on it.",
        ],
        example: Some(Example::USUAL),
    },
    Lesson {
        title: "Jumping and capturing",
        text: &[
            "A piece may jump over its own pieces, but not over those of the opponent. It may land on an opponent's \
             piece and capture it, never on one of its own.",
            "Capturing is not always good: fewer pieces are easier to bring together, and that helps your opponent, \
             too.",
        ],
        example: Some(Example::free("--------/--------/--b--w--/--------/--b-----/--------/--------/-w----b- b")),
    },
    Lesson {
        title: "How a game ends",
        text: &[
            "The side whose pieces are all connected wins; a single piece counts as connected. If a move connects both \
             sides, the side that moved wins. A side that cannot move loses.",
            "On 6×6 the first player wins against every defence, beginning with b1-b3. Plyhouse has proven it.",
        ],
        example: None,
    },
];
