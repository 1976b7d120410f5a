//! The registry of all games: the only place where games are listed.
//!
//! Each game has a file here that implements [`Entry`]. Code that works with a game by its name calls [`dispatch`],
//! which runs one generic [`Visitor`] with the types of that game. The visitor is compiled for each game, as if it had
//! been written for that game alone.
//!
//! Not here: sockets, files, HTTP, SQL. Lessons and puzzles are data inside the program.
//!
//! ```
//! use games::{Entry, GameId, Visitor, dispatch};
//! use game::Position;
//!
//! struct CountFirstMoves;
//! impl Visitor for CountFirstMoves {
//!     type Output = u64;
//!     fn visit<E: Entry>(self) -> u64 {
//!         E::start(None).expect("the default size").count_moves()
//!     }
//! }
//!
//! let counts: Vec<u64> = GameId::ALL.into_iter().map(|game| dispatch(game, CountFirstMoves)).collect();
//! assert_eq!(counts, [36, 7, 36, 22]);
//! ```

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

use engine::Playable;
use game::{Finish, Position};
use proof::win::Prover;
use search::Stop;
use thiserror::Error;

mod about;
mod breakthrough;
mod checkers;
mod editor;
mod explore;
mod files;
mod jump61;
mod known;
mod lessons;
mod loa;
mod movetext;
mod openings;
mod play;
mod prove;
mod puzzles;
mod scene;
mod session;
mod settle;
mod text;
mod think;
mod tree;
mod win;
mod within;

pub use about::{About, Console, Pieces};
pub use editor::Edit;
pub use explore::{Crossroads, Visit};
pub use files::{GameFile, decode_file, read_file};
pub use known::{Fact, Known, Source};
pub use lessons::{Lesson, Step, Taught, TaughtStep};
pub use openings::OpeningError;
pub use play::{Repetitions, Setting, SettingError};
pub use prove::{Attempt, Budget, Proof, Reply};
pub use puzzles::{Line, Puzzle, PuzzleError, Task, read_puzzles, themes};
pub use scene::{Cause, End, MoveLine, Place, Scene, Spot, Way};
pub use session::Session;
pub use settle::Settled;
pub use text::{NoPosition, position};
pub use think::{Asked, Thought, Value, Variation};
pub use tree::{MARKS, Node, Shape, line, main_line};
pub use win::{NoQuestion, Stage, WinAnswer, WinQuestion, WinVerdict, check_win};
pub use within::{MOST_WITHIN, WithinAnswer, WithinProgress, WithinQuestion};

pub use self::breakthrough::Breakthrough;
pub use self::checkers::Checkers;
pub use self::jump61::Jump61;
pub use self::loa::Loa;

/// Makes [`GameId`] and [`dispatch`] from the list of games.
macro_rules! games {
    ($($(#[$doc:meta])* $game:ident,)*) => {
        /// A game by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum GameId {
            $($(#[$doc])* $game,)*
        }

        impl GameId {
            /// Every game. A page shows the first one if no other is asked for.
            pub const ALL: [Self; [$(Self::$game),*].len()] = [$(Self::$game),*];
        }

        /// Runs a visitor with the types of a game.
        pub fn dispatch<T: Visitor>(game: GameId, visitor: T) -> T::Output {
            match game {
                $(GameId::$game => visitor.visit::<$game>(),)*
            }
        }
    };
}

// The list of games.
games! {
    /// Lines of Action.
    Loa,
    /// The Melbourne checkers variant.
    Checkers,
    /// Jump61.
    Jump61,
    /// Breakthrough.
    Breakthrough,
}

impl GameId {
    /// The name that commands and files use: `loa`.
    pub fn name(self) -> &'static str {
        struct Name;
        impl Visitor for Name {
            type Output = &'static str;
            fn visit<E: Entry>(self) -> &'static str {
                E::NAME
            }
        }
        dispatch(self, Name)
    }

    /// The name that users read, as in the middle of a sentence: `Lines of Action`, `checkers`.
    pub fn title(self) -> &'static str {
        struct Title;
        impl Visitor for Title {
            type Output = &'static str;
            fn visit<E: Entry>(self) -> &'static str {
                E::TITLE
            }
        }
        dispatch(self, Title)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{0}`: expected {list}", list = names())]
pub struct UnknownGame(String);

/// The names of all games for an error message: "`a`, `b` or `c`".
fn names() -> String {
    let names = GameId::ALL.map(|game| format!("`{game}`"));
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.concat(),
    }
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL.into_iter().find(|game| game.name() == text);
        found.ok_or_else(|| UnknownGame(game::text::excerpt(text)))
    }
}

/// A board size that a game is not played on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("board size {size}: {game} is played on {}", sizes(expected))]
pub struct SizeError {
    game: GameId,
    size: usize,
    expected: RangeInclusive<usize>,
}

fn sizes(range: &RangeInclusive<usize>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { format!("{most} squares a side") } else { format!("{least} to {most} squares a side") }
}

/// Everything that the registry knows of one game.
///
/// The page, the arena and the commands take what they say about a game from here. `ARCHITECTURE.md` says how a game is
/// added.
pub trait Entry: 'static {
    /// Its positions.
    type Position: Playable;
    /// Its positions in the slow second implementation of the rules.
    type Model: reference::Model;
    /// Which game it is.
    const ID: GameId;
    /// The name that commands and files use, in lower case.
    const NAME: &'static str;
    /// The name that users read, as in the middle of a sentence: "checkers".
    const TITLE: &'static str;
    /// The game in a few words.
    const SUMMARY: &'static str;
    /// Board sizes that the game is played on, in squares a side.
    const SIZES: RangeInclusive<usize>;
    /// The size that is used if none is given.
    const USUAL_SIZE: usize;

    /// The start position on a board of one of [`SIZES`](Self::SIZES).
    ///
    /// # Panics
    /// If the game is not played on this size.
    fn start_on(size: usize) -> Self::Position;

    /// The start position; of the game's usual size if none is given.
    ///
    /// # Errors
    /// If the game is not played on this size.
    fn start(size: Option<usize>) -> Result<Self::Position, SizeError> {
        let size = size.unwrap_or(Self::USUAL_SIZE);
        if !Self::SIZES.contains(&size) {
            return Err(SizeError { game: Self::ID, size, expected: Self::SIZES });
        }
        Ok(Self::start_on(size))
    }

    /// Squares a side.
    fn size(p: &Self::Position) -> usize;

    /// The size on which OpenSpiel plays the game by rules of its own, which are those of [`Repetitions::OpenSpiel`].
    const OPENSPIEL_SIZE: Option<usize> = None;

    /// Whether moves take pieces off the board.
    const TAKES_OFF: bool;

    /// Why a side that has won on this board has won, as in "all its pieces are connected". The usual reason if no side
    /// has won.
    fn won_because(p: &Self::Position) -> &'static str;

    /// The squares that a move touches, as rows and columns of the diagram: from and to, or one.
    fn path(p: &Self::Position, m: <Self::Position as Position>::Move) -> Vec<Place>;

    /// The steps of a move: the positions that follow the one before the move, up to the one after it. Empty if there
    /// is nothing to show between those two.
    fn frames(p: &Self::Position, m: <Self::Position as Position>::Move) -> Vec<Self::Position> {
        let _ = (p, m);
        Vec::new()
    }

    /// What goes from square to square between a frame and the next one.
    fn flights(frame: &Self::Position) -> Vec<[Place; 2]> {
        let _ = frame;
        Vec::new()
    }

    /// For each piece of the side to move, the lines along which it can move, in games where the distance depends on
    /// the line.
    fn lines(p: &Self::Position) -> Vec<MoveLine> {
        let _ = p;
        Vec::new()
    }

    /// The groups of connected pieces, in games that are about connection.
    fn groups(p: &Self::Position) -> Vec<Vec<Place>> {
        let _ = p;
        Vec::new()
    }

    /// How the page draws what stands on a square.
    const PIECES: Pieces;
    /// What the page counts for each side: "pieces" or "squares".
    const COUNTED: &'static str;
    /// How a square is named: a text in which `{row}` and `{column}` stand for the labels of the diagram.
    const SQUARE_NAME: &'static str;

    /// Every text that a square of the diagram can have, and what a screen reader says for it: "White tower".
    fn contents() -> Vec<(String, String)>;

    /// What the editor can put on a square, as users read it. The first one empties the square.
    const BRUSHES: &'static [&'static str];

    /// A board of one of [`SIZES`](Self::SIZES) with nothing on it, the first side to move.
    fn empty(size: usize) -> Self::Position;

    /// The position after one square was painted; `None` if the square does not exist or the piece cannot stand there.
    fn paint(p: &Self::Position, place: Place, brush: usize) -> Option<Self::Position>;

    /// The same board with the other side to move; `None` if the side to move follows from the board.
    fn passed(p: &Self::Position) -> Option<Self::Position>;

    /// The result of perfect play from a position that is not decided, if it is known without a search.
    fn known(
        p: &Self::Position,
        policy: &<Self::Position as Playable>::Policy,
    ) -> Option<Fact<<Self::Position as Position>::Move>> {
        known::in_tables(p, policy)
    }

    /// Where [`known`](Self::known) ends in won positions, a search this many plies deep goes on; 0 where it does not.
    fn short_wins() -> u32 {
        0
    }

    /// A search that solves this undecided position better than a proof-number search, if the game has one.
    fn exact(p: &Self::Position, stop: &Stop, budget: Budget) -> Option<Box<dyn Prover<Self::Position>>> {
        let _ = (p, stop, budget);
        None
    }

    /// A position from a game on the usual board, in which both sides still have chances: the game's picture.
    const PICTURE: &'static str;

    /// What the page teaches about the game.
    const LESSONS: &'static [Lesson];
    /// The words of the lessons: a language and its file, English first.
    const LESSON_WORDS: &'static [(&'static str, &'static str)];
    /// Positions in which something is to be found, in the format of [`read_puzzles`].
    const PUZZLES: &'static str;

    /// The theme of a puzzle that is won, before the number of moves: "connect" for "connect in three".
    const WIN_THEME: &'static str = "win";

    /// What a line of play that solves a puzzle is about, in names that the page has words for.
    fn themes(line: &Line<'_, Self::Position>) -> Vec<&'static str> {
        let _ = line;
        Vec::new()
    }

    /// The name of the game's own file format, if it has one.
    const FILE_FORMAT: Option<&'static str> = None;

    /// Reads the games of a file in the game's own format, at least one entry, with an error in the place of each invalid
    /// game; `None` if the text does not begin like such a file.
    fn read_files(text: &str) -> Option<Vec<Result<GameFile, String>>> {
        let _ = text;
        None
    }

    /// Writes a game in the game's own format; `None` if there is no such format. The nodes are checked; `finish` is
    /// that of the main line.
    fn write_file(start: &Self::Position, nodes: &[Node], finish: Option<Finish>) -> Option<String> {
        let _ = (start, nodes, finish);
        None
    }

    /// What a page may ask the game's own text program to do; `None` if that program cannot show a page.
    const CONSOLE: Option<Console> = None;
}

/// Something that is done in the same way for every game.
pub trait Visitor {
    /// Its result.
    type Output;

    /// Runs it.
    fn visit<E: Entry>(self) -> Self::Output;
}
