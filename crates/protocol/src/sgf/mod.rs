//! Lines of Action in the Smart Game Format, FF\[4\] GM\[9\] (<https://www.red-bean.com/sgf/loa.html>), with
//! variations, comments, and marks.
//!
//! ```
//! use protocol::sgf::{Game, read};
//!
//! let games = read("(;FF[4]GM[9]SZ[8]PB[Ann]PW[Bob];B[b1-b3]TE[1]C[Solid.](;W[a2:c2++])(;W[h2-f2]))")?;
//! assert_eq!(games[0].players, ["Ann", "Bob"]);
//! assert_eq!(games[0].main_line(), ["b1-b3", "a2-c2"]);
//! assert_eq!((games[0].nodes[3].parent, games[0].nodes[3].text.as_str()), (1, "h2-f2"));
//! assert_eq!(read(&games[0].to_string())?, games);
//! # Ok::<(), protocol::sgf::SgfError>(())
//! ```

mod charset;
mod form;
mod read;
mod write;

use game::{Explain, Message, message};
use loa::{Position, Square};
use thiserror::Error;

pub use charset::decode;
pub use form::Spot;
pub use read::{read, read_each, read_legal};

/// Text that an error quotes as found at the end of the file.
const END: &str = "the end";

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names of Black and White.
    pub players: [String; 2],
    /// Name of the event.
    pub event: String,
    /// Date, as in `2026-11-21`.
    pub date: String,
    /// Result: `B+`, `W+`, `0` for a draw, or a form such as `B+Time`.
    pub result: String,
    /// Comment on the game.
    pub comment: String,
    /// Position text of the start; unset for the usual start on 8×8.
    pub start: Option<String>,
    /// One node for the start, which comes first, and one for each move. A parent precedes its children, and the first
    /// child of a node continues the main line. In a parsed tree each variation is complete before the next one begins.
    pub nodes: Vec<Node>,
    /// Moves of the file that are not in the tree.
    pub left_out: Option<LeftOut>,
}

/// The moves of a game that were not read, because they are illegal or follow an illegal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of these moves.
    pub count: usize,
    /// Error of the first of these moves.
    pub first: SgfError,
    /// `true` if the main line is cut.
    pub in_main_line: bool,
}

/// A move in a tree of variations, with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Index of the parent node. The start has no parent and has the value 0.
    pub parent: usize,
    /// The move in Plyhouse notation, legal after its parent. Empty at the start.
    pub text: String,
    /// Comment, without blanks at its ends.
    pub comment: String,
    /// Assessment of the move.
    pub mark: Option<Mark>,
    /// Circles and arrows on the board.
    pub shapes: Vec<Shape>,
    /// Names and values of all other properties.
    pub other: Vec<(String, Vec<String>)>,
}

/// An assessment of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `!`, in files `TE[1]`.
    Good,
    /// `!!`, in files `TE[2]`.
    VeryGood,
    /// `!?`, in files `IT[]`.
    Interesting,
    /// `?!`, in files `DO[]`.
    Doubtful,
    /// `?`, in files `BM[1]`.
    Bad,
    /// `??`, in files `BM[2]`.
    VeryBad,
}

impl Mark {
    /// All marks, each with its glyph.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Good, "!"),
        (Self::VeryGood, "!!"),
        (Self::Interesting, "!?"),
        (Self::Doubtful, "?!"),
        (Self::Bad, "?"),
        (Self::VeryBad, "??"),
    ];

    /// Returns the glyph of the mark.
    pub fn glyph(self) -> &'static str {
        Self::ALL.iter().find(|(mark, _)| *mark == self).map_or("", |(_, glyph)| glyph)
    }

    /// Returns the mark with this glyph.
    pub fn of_glyph(glyph: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == glyph).map(|&(mark, _)| mark)
    }
}

/// An annotation drawn on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A circle around a square.
    Circle(Square),
    /// An arrow.
    Arrow(Square, Square),
}

/// An error in an SGF file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum SgfError {
    /// The syntax is invalid.
    Form {
        /// Place of the error.
        at: Spot,
        /// The text found there.
        found: String,
        /// Expected text.
        expected: &'static str,
    },
    /// The file contains another game.
    OtherGame {
        /// Place of the error.
        at: Spot,
        /// Number of that game.
        found: String,
    },
    /// The file's character set is unknown, or the file has invalid bytes.
    Charset {
        /// Name of the character set.
        found: String,
        /// `true` if the name is known and the bytes are invalid.
        is_invalid: bool,
    },
    /// A property has an invalid value.
    Value {
        /// Place of the error.
        at: Spot,
        /// Name of the property.
        name: String,
        /// Value of the property.
        value: String,
        /// Reason why the value is invalid.
        why: Box<Message>,
    },
}

impl Explain for SgfError {
    fn message(&self) -> Message {
        match self {
            Self::Form { found, .. } if found == END => message!("sgf.end", "The file ends too early."),
            Self::Form { at: Spot { line, column }, found, expected } => message!(
                "sgf.form",
                "SGF, line {line}, column {column}: {found} found, expected {expected}",
                line,
                column,
                found,
                expected = Message::name(expected)
            ),
            Self::OtherGame { at: Spot { line, column }, found } => message!(
                "sgf.other_game",
                "SGF, line {line}, column {column}: GM[{found}] found, expected GM[9], Lines of Action",
                line,
                column,
                found
            ),
            Self::Charset { found, is_invalid: true } => {
                message!("sgf.not_utf8", "SGF: CA[{found}], but the file has bytes that are not UTF-8", found)
            }
            Self::Charset { found, is_invalid: false } => {
                message!("sgf.charset", "SGF: CA[{found}] found, expected UTF-8 or ISO-8859-1 (Latin-1)", found)
            }
            Self::Value { at: Spot { line, column }, name, value, why } => message!(
                "sgf.value",
                "SGF, line {line}, column {column}: {name}[{value}]: {why}",
                line,
                column,
                name,
                value,
                why = &**why
            ),
        }
    }
}

/// The default is the usual start on 8×8, without a move.
impl Default for Game {
    fn default() -> Self {
        Self {
            players: Default::default(),
            event: String::new(),
            date: String::new(),
            result: String::new(),
            comment: String::new(),
            start: None,
            nodes: vec![Node::default()],
            left_out: None,
        }
    }
}

impl Game {
    /// Returns the position before the first move.
    ///
    /// # Panics
    /// If `start` is not a valid position text.
    pub fn position(&self) -> Position {
        match &self.start {
            None => Position::start(8).expect("invariant: the game is played on 8x8"),
            Some(text) => text.parse().expect("a position text"),
        }
    }

    /// Returns the moves of the main line.
    pub fn main_line(&self) -> Vec<&str> {
        let (mut at, mut moves) = (0, Vec::new());
        for (i, node) in self.nodes.iter().enumerate().skip(1) {
            // The first child precedes all others.
            if node.parent == at {
                at = i;
                moves.push(node.text.as_str());
            }
        }
        moves
    }
}

/// Returns the nodes of a game without variations.
pub fn line<T: Into<String>>(moves: impl IntoIterator<Item = T>) -> Vec<Node> {
    let moves = moves.into_iter().enumerate();
    let moves = moves.map(|(parent, text)| Node { parent, text: text.into(), ..Node::default() });
    core::iter::once(Node::default()).chain(moves).collect()
}

#[cfg(test)]
mod tests;
