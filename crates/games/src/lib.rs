//! The one place where all games of the house are named.
//!
//! Whoever works with "a game" by its name asks for it with [`dispatch`], which calls the same generic [`Task`] with the types
//! of the game: the code that runs is as if it had been written for that game alone.
//!
//! Not here: sockets, files, HTTP, SQL.
//!
//! ```
//! use games::{Entry, GameId, Task, dispatch};
//! use game::Position;
//!
//! struct CountFirstMoves;
//! impl Task for CountFirstMoves {
//!     type Output = u64;
//!     fn run<E: Entry>(self) -> u64 {
//!         E::start(None).expect("the default size").count_moves()
//!     }
//! }
//!
//! let counts: Vec<u64> = GameId::ALL.into_iter().map(|game| dispatch(game, CountFirstMoves)).collect();
//! assert_eq!(counts, [36, 7, 36]);
//! ```

use core::fmt;
use core::str::FromStr;

use engine::{PlayerOptions, Profile};
use game::Position;
use search::{Engine, Limits, Settings};
use thiserror::Error;

mod play;
mod scene;
mod think;

pub use play::{Setting, SettingError};
pub use scene::{End, Line, Place, Scene, Spot, Way};
pub use think::{Asked, Thought, Value, Variation};

/// A game by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameId {
    /// Lines of Action, `loa`.
    Loa,
    /// The Melbourne checkers variant, `checkers`.
    Checkers,
    /// Jump61, `jump61`.
    Jump61,
}

impl GameId {
    /// Every game.
    pub const ALL: [Self; 3] = [Self::Loa, Self::Checkers, Self::Jump61];
}

impl GameId {
    /// The name that commands and files use: `loa`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loa => "loa",
            Self::Checkers => "checkers",
            Self::Jump61 => "jump61",
        }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl GameId {
    /// The game's name in sentences, such as `Lines of Action`.
    pub fn title(self) -> &'static str {
        struct Title;
        impl Task for Title {
            type Output = &'static str;
            fn run<E: Entry>(self) -> &'static str {
                E::TITLE
            }
        }
        dispatch(self, Title)
    }
}

/// No game of the house.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{0}`: expected `loa`, `checkers` or `jump61`")]
pub struct UnknownGame(String);

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL.into_iter().find(|game| game.to_string() == text);
        found.ok_or_else(|| UnknownGame(game::text::excerpt(text)))
    }
}

/// A board size that a game is not played on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("board size {size}: {game} is played on {expected}")]
pub struct SizeError {
    game: GameId,
    size: usize,
    expected: &'static str,
}

/// A player and its limits for each move.
pub type Built<P> = (Box<dyn Engine<P>>, Limits);

/// What the house knows of one game.
pub trait Entry {
    /// Its positions.
    type Position: Position;
    /// Its name.
    const ID: GameId;
    /// Its name in sentences.
    const TITLE: &'static str;

    /// The start position; of the game's usual size if none is given.
    ///
    /// # Errors
    /// If the game is not played on this size.
    fn start(size: Option<usize>) -> Result<Self::Position, SizeError>;

    /// Squares a side.
    fn size(p: &Self::Position) -> usize;

    /// How its player is set.
    fn profile(size: usize) -> Profile;

    /// Its engine.
    fn player(settings: Settings) -> Box<dyn Engine<Self::Position>>;

    /// A player put together by options, and its limits for each move; `None` if the game has no such build.
    fn build(options: &PlayerOptions, size: usize) -> Option<Built<Self::Position>>;

    /// Whether moves take pieces off the board.
    const TAKES_OFF: bool;

    /// What has happened to a side that the board says has won: "all its pieces …".
    const WON_BECAUSE: &'static str;

    /// The squares that a move touches, as rows and columns of the diagram: from and to, or one.
    fn path(p: &Self::Position, m: <Self::Position as Position>::Move) -> Vec<Place>;

    /// The positions on the way to the one after this move, that one the last; none where there is nothing to see between.
    fn frames(p: &Self::Position, m: <Self::Position as Position>::Move) -> Vec<Self::Position> {
        let _ = (p, m);
        Vec::new()
    }

    /// For each piece of the side to move the lines along which it can move, where how far depends on the line.
    fn lines(p: &Self::Position) -> Vec<Line> {
        let _ = p;
        Vec::new()
    }

    /// The groups of pieces that hang together, where the game is about that.
    fn groups(p: &Self::Position) -> Vec<Vec<Place>> {
        let _ = p;
        Vec::new()
    }
}

/// Something to do with a game, whichever it is.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<E: Entry>(self) -> Self::Output;
}

/// Runs a task with the types of a game.
pub fn dispatch<T: Task>(game: GameId, task: T) -> T::Output {
    match game {
        GameId::Loa => task.run::<Loa>(),
        GameId::Checkers => task.run::<Checkers>(),
        GameId::Jump61 => task.run::<Jump61>(),
    }
}

/// Lines of Action.
pub struct Loa;

impl Entry for Loa {
    type Position = loa::Position;
    const ID: GameId = GameId::Loa;
    const TITLE: &'static str = "Lines of Action";

    fn start(size: Option<usize>) -> Result<loa::Position, SizeError> {
        let size = size.unwrap_or(8);
        loa::Position::start(size).map_err(|_| SizeError { game: Self::ID, size, expected: "4 to 8 squares a side" })
    }

    fn size(p: &loa::Position) -> usize {
        p.size()
    }

    fn profile(_: usize) -> Profile {
        engine::loa::profile()
    }

    fn player(settings: Settings) -> Box<dyn Engine<loa::Position>> {
        Box::new(engine::loa::player(settings))
    }

    fn build(options: &PlayerOptions, size: usize) -> Option<Built<loa::Position>> {
        let profile = Self::profile(size);
        Some((engine::loa::build(options.build, options.apply(&profile)), options.limits(&profile)))
    }

    const TAKES_OFF: bool = true;
    const WON_BECAUSE: &'static str = "all its pieces hang together";

    fn path(p: &loa::Position, m: loa::Move) -> Vec<Place> {
        vec![place(p, m.from), place(p, m.to)]
    }

    fn lines(p: &loa::Position) -> Vec<Line> {
        let mut lines = Vec::new();
        for from in p.pieces(p.side_to_move()) {
            for direction in &loa::Direction::ALL[..4] {
                let to = |direction| loa::Direction::between(from, direction);
                let along = p.movable().into_iter().filter(|m| m.from == from).map(|m| m.to);
                let same = |d: loa::Direction| d as usize % 4 == *direction as usize;
                let along = along.filter(|&square| to(square).is_some_and(|(d, _)| same(d)));
                let on_line = |square: &loa::Square| *square == from || to(*square).is_some_and(|(d, _)| same(d));
                let squares: Vec<loa::Square> = p.board().into_iter().filter(on_line).collect();
                lines.push(Line {
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
        for side in game::Side::BOTH {
            let mut left = p.pieces(side);
            while let Some(seed) = left.first() {
                let group = loa::group_of(seed, left);
                left &= !group;
                groups.push(group.into_iter().map(|square| place(p, square)).collect());
            }
        }
        groups
    }
}

/// Ranks count from the bottom, rows from the top.
fn place(p: &loa::Position, square: loa::Square) -> Place {
    [p.size() - 1 - usize::from(square.rank()), usize::from(square.file())]
}

/// The Melbourne checkers variant.
pub struct Checkers;

impl Entry for Checkers {
    type Position = checkers::Position;
    const ID: GameId = GameId::Checkers;
    const TITLE: &'static str = "checkers";

    fn start(size: Option<usize>) -> Result<checkers::Position, SizeError> {
        match size {
            None | Some(8) => Ok(checkers::Position::start()),
            Some(size) => Err(SizeError { game: Self::ID, size, expected: "8 cells a side" }),
        }
    }

    fn size(_: &checkers::Position) -> usize {
        8
    }

    fn profile(_: usize) -> Profile {
        engine::checkers::profile()
    }

    fn player(settings: Settings) -> Box<dyn Engine<checkers::Position>> {
        Box::new(engine::checkers::player(settings, true))
    }

    fn build(options: &PlayerOptions, size: usize) -> Option<Built<checkers::Position>> {
        let profile = Self::profile(size);
        let (settings, endgames) = (options.apply(&profile), options.uses_endgames());
        Some((engine::checkers::build(options.build, settings, endgames)?, options.limits(&profile)))
    }

    const TAKES_OFF: bool = true;
    const WON_BECAUSE: &'static str = "the other side has nothing left";

    fn path(_: &checkers::Position, m: checkers::Move) -> Vec<Place> {
        [m.from(), m.to()].map(|cell| [cell.row().into(), cell.column().into()]).to_vec()
    }
}

/// Jump61.
pub struct Jump61;

impl Entry for Jump61 {
    type Position = jump61::Position;
    const ID: GameId = GameId::Jump61;
    const TITLE: &'static str = "Jump61";

    fn start(size: Option<usize>) -> Result<jump61::Position, SizeError> {
        let size = size.unwrap_or(6);
        let expected = "2 to 10 squares a side";
        jump61::Position::start(size).map_err(|_| SizeError { game: Self::ID, size, expected })
    }

    fn size(p: &jump61::Position) -> usize {
        p.size()
    }

    fn profile(size: usize) -> Profile {
        engine::jump61::profile(size)
    }

    fn player(settings: Settings) -> Box<dyn Engine<jump61::Position>> {
        Box::new(engine::jump61::player(settings))
    }

    fn build(options: &PlayerOptions, size: usize) -> Option<Built<jump61::Position>> {
        let profile = Self::profile(size);
        Some((engine::jump61::build(options.build, options.apply(&profile))?, options.limits(&profile)))
    }

    const TAKES_OFF: bool = false;
    const WON_BECAUSE: &'static str = "every square has its colour";

    fn path(_: &jump61::Position, m: jump61::Move) -> Vec<Place> {
        vec![[m.0.row(), m.0.column()]]
    }

    fn frames(p: &jump61::Position, m: jump61::Move) -> Vec<jump61::Position> {
        p.waves(m)
    }
}
