//! Lines of Action in the registry.

use core::ops::RangeInclusive;
use std::sync::LazyLock;

use game::{Explain as _, Finish, Message, Outcome, Position as _, Side};
use proof::Distances;
use protocol::sgf;

use crate::about::{Console, Pieces};
use crate::definition::Game;
use crate::files::{GameFile, LeftOut};
use crate::highlight::Highlight;
use crate::known::{Fact, Source};
use crate::lessons::{Lesson, Step};
use crate::play::Repetitions;
use crate::puzzles::Line;
use crate::quantity::{self, Quantity};
use crate::registry::GameId;
use crate::rule_set::RuleSet;
use crate::scene::{MoveLine, Place};
use crate::tree::{Node, Shape};

impl Game for loa::Position {
    type Model = reference::loa::Loa;
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

    const RULE_SETS: &'static [RuleSet] = &RULE_SETS;
    const STARTS: &'static [&'static str] = &["scrambled-eggs"];

    fn under(self, set: Option<&RuleSet>) -> loa::Position {
        let Some(set) = set else { return self };
        self.with_rules(if set.on_board { loa::Rules::Olympiad } else { loa::Rules::Courses })
    }

    fn rule_set(p: &loa::Position) -> Option<&'static RuleSet> {
        Self::RULE_SETS.iter().find(|set| set.on_board && p.rules() == loa::Rules::Olympiad)
    }

    /// Returns the start of Scrambled Eggs, the only one of [`STARTS`](Self::STARTS).
    fn named_start(_: &str, size: usize) -> loa::Position {
        loa::Position::scrambled_eggs(size).expect("invariant: the size is one of the game's")
    }

    const TAKES_OFF: bool = true;

    fn won_because(_: &loa::Position) -> &'static str {
        "all its pieces are connected"
    }

    fn path(p: &loa::Position, m: loa::Move) -> Vec<Place> {
        // A pass has one square, so that a click on it plays the pass.
        let mut path = vec![place(p, m.from), place(p, m.to)];
        path.dedup();
        path
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

    /// Returns the winner's group with the connections between its pieces.
    fn highlight(p: &loa::Position, winner: Side, last: Option<Place>) -> Option<Highlight> {
        let pieces = p.pieces(winner).into_iter().map(|square| place(p, square)).collect();
        Some(Highlight::group(pieces, last))
    }

    fn quantities(p: &loa::Position) -> Vec<Quantity> {
        quantity::loa::loa(p)
    }

    const PIECES: Pieces = Pieces::Discs;
    const COUNTED: &'static str = "pieces";
    const SQUARE_NAME: &'static str = "{column}{row}";

    fn contents() -> Vec<(String, Message)> {
        let contents = [(".", "empty"), ("b", "Black piece"), ("w", "White piece")];
        contents.map(|(text, spoken)| (text.to_owned(), Message::name(spoken))).to_vec()
    }

    const BRUSHES: &'static [&'static str] = &["Empty", "Black", "White"];

    fn empty(size: usize) -> loa::Position {
        loa::Position::empty(size).expect("invariant: the size is one of the game's")
    }

    fn paint(p: &loa::Position, at: Place, brush: usize) -> Option<loa::Position> {
        let content = [None, Some(Side::First), Some(Side::Second)];
        p.with(square(p, at)?, *content.get(brush)?).ok()
    }

    fn passed(p: &loa::Position) -> Option<loa::Position> {
        Some(p.passed())
    }

    /// Returns Black's win from the 6×6 book.
    fn known(p: &loa::Position, _: &loa::player::LoaPolicy) -> Option<Fact<loa::Move>> {
        static BOOK: LazyLock<Distances> = LazyLock::new(|| Distances::of(&proof::shipped()));
        if p.size() != 6 || p.rules() != loa::Rules::Courses {
            return None;
        }
        let (best, plies) = BOOK.get(p)?;
        Some(Fact { winner: Some(Side::First), plies, best, source: Source::Book })
    }

    fn short_wins() -> u32 {
        proof::shipped().depth()
    }

    const PICTURE: &'static str = "--b-bb--/w------w/w-b-w--w/w--bw--w/w-bb---w/w-------/----b--w/-b-b-b-- b";

    const LESSONS: &'static [Lesson] = &LESSONS;
    const LESSON_WORDS: &'static [(&'static str, &'static str)] = &[
        ("en", include_str!("../data/lessons/en/loa.json")),
        ("de", include_str!("../data/lessons/de/loa.json")),
        ("zh", include_str!("../data/lessons/zh/loa.json")),
    ];
    const PUZZLES: &'static str = include_str!("../data/puzzles/loa.txt");
    const OPENING_GAMES: &'static str = include_str!("../data/openings/loa.txt");

    const WIN_THEME: &'static str = "connect";

    fn themes(line: &Line<'_, loa::Position>) -> Vec<&'static str> {
        let first = if line.captures(0) { "capture" } else { "quiet" };
        let gives = line.defender_captures().then_some("sacrifice");
        core::iter::once(first).chain(gives).collect()
    }

    const FILE_FORMAT: Option<&'static str> = Some("SGF");

    fn read_files(text: &str) -> Option<Vec<Result<GameFile, Message>>> {
        if !text.starts_with('(') {
            return None;
        }
        let file = |mut game: sgf::Game| {
            let start = game.position();
            let left_out = game.left_out.take().map(|sgf::LeftOut { count, first, in_main_line }| LeftOut {
                count,
                first: first.message(),
                in_main_line,
            });
            let nodes = game.nodes.into_iter().map(|node| from_sgf(&start, node)).collect();
            GameFile { game: GameId::of::<Self>(), size: start.size(), start: game.start, nodes, left_out }
        };
        let games = sgf::read_legal(text).into_iter();
        Some(games.map(|game| game.map(file).map_err(|error| error.message())).collect())
    }

    fn write_file(start: &loa::Position, nodes: &[Node], finish: Option<Finish>) -> Option<String> {
        let result = match finish.map(|finish| finish.outcome) {
            Some(Outcome::Win(Side::First)) => "B+",
            Some(Outcome::Win(Side::Second)) => "W+",
            Some(Outcome::Draw) => "0",
            None => "",
        };
        let game = sgf::Game {
            start: (*start != Self::start_on(8)).then(|| start.to_string()),
            nodes: nodes.iter().map(|node| to_sgf(start, node)).collect(),
            result: result.to_owned(),
            ..sgf::Game::default()
        };
        Some(game.to_string())
    }

    const CONSOLE: Option<Console> = Some(Console { sizes: false, limit: true });
}

/// The rule sets. A table in the README lists who uses which.
const RULE_SETS: [RuleSet; 4] = [
    RuleSet {
        name: "cs61b",
        summary: "a move that connects both sides wins, a side without a move loses",
        ..RuleSet::USUAL
    },
    RuleSet { name: "nus", summary: "the same rules as cs61b", ..RuleSet::USUAL },
    RuleSet {
        name: "mso",
        summary: "a simultaneous connection draws, a side without a move passes, a third repetition draws",
        repetitions: Some(Repetitions::Times(3)),
        on_board: true,
        ..RuleSet::USUAL
    },
    // <https://github.com/google-deepmind/open_spiel/blob/master/open_spiel/games/lines_of_action/lines_of_action.cc>,
    // `DoApplyAction`, as of version 2.0.2.
    RuleSet {
        name: "openspiel",
        summary: "cs61b, but a repeated board draws, and so do 1000 moves, even if the last move wins; 8×8 only",
        repetitions: Some(Repetitions::OpenSpiel),
        size: Some(8),
        move_limit: Some(1000),
        ..RuleSet::USUAL
    },
];

/// Returns the place of a square. Ranks count from the bottom, rows from the top.
fn place(p: &loa::Position, square: loa::Square) -> Place {
    [p.size() - 1 - usize::from(square.rank()), usize::from(square.file())]
}

/// Returns the square at a place, if the board has one.
fn square(p: &loa::Position, [row, column]: Place) -> Option<loa::Square> {
    let rank = u8::try_from(p.size().checked_sub(row.checked_add(1)?)?).ok()?;
    loa::Square::new(u8::try_from(column).ok().filter(|_| column < p.size())?, rank)
}

fn from_sgf(start: &loa::Position, node: sgf::Node) -> Node {
    let path = |shape: sgf::Shape| match shape {
        sgf::Shape::Circle(square) => vec![place(start, square)],
        sgf::Shape::Arrow(from, to) => vec![place(start, from), place(start, to)],
    };
    let shapes = node.shapes.into_iter().map(|shape| Shape { path: path(shape), colour: 0 }).collect();
    let mark = node.mark.map_or("", sgf::Mark::glyph).to_owned();
    Node { parent: node.parent, text: node.text, comment: node.comment, mark, shapes, other: node.other }
}

fn to_sgf(start: &loa::Position, node: &Node) -> sgf::Node {
    let shape = |shape: &Shape| match shape.path[..] {
        [at] => square(start, at).map(sgf::Shape::Circle),
        [from, to] => Some(sgf::Shape::Arrow(square(start, from)?, square(start, to)?)),
        _ => None,
    };
    sgf::Node {
        parent: node.parent,
        text: node.text.clone(),
        comment: node.comment.trim().to_owned(),
        mark: sgf::Mark::of_glyph(&node.mark),
        shapes: node.shapes.iter().filter_map(shape).collect(),
        other: node.other.clone(),
    }
}

const LESSONS: [Lesson; 4] = [
    Lesson {
        key: "goal",
        steps: &[Step::find(
            "join",
            "--------/--w-----/---b----/---bb---/--------/-w----w-/------b-/---w---- b",
            &["g2-e4"],
        )],
    },
    Lesson {
        key: "distance",
        steps: &[
            Step::next("file", &["b1-b3"]).then(&["h7-f7"]),
            Step::next("rank", &["c1-h1"]).then(&["h4-f4"]),
            Step::next("diagonal", &["d1-f3"]),
        ],
    },
    Lesson {
        key: "capture",
        steps: &[
            Step::find("jump", "--------/--w-----/--------/--------/--b-bw--/--------/-----w--/b-----b- b", &["c4-f4"]),
            Step::find(
                "blocked",
                "--------/--------/-----b--/--------/-b-w-w--/--------/--------/---w--b- b",
                &["b4-a3", "b4-a5", "b4-b3", "b4-b5", "b4-c3", "b4-c5"],
            ),
        ],
    },
    Lesson {
        key: "end",
        steps: &[
            Step::find("both", "--------/--------/---ww---/--------/--------/--------/--b-bbw-/-------- b", &["c2-g2"]),
            Step::read("more"),
        ],
    },
];
