//! Opening books: positions near the start of a game with the best moves that a long search has found.
//!
//! A book is plain text. Lines that begin with `#` describe how it was made. Any other line has a position, the depth
//! of its search in plies, and the best moves with their values for the side to move in hundredths of a piece:
//!
//! ```text
//! ----/---b/----/-w-- b;11;d3-c3 14,d3-d4 12
//! ```
//!
//! Positions that are symmetric to each other share one line, with the smallest of their texts ([`game::fold`]).

use core::fmt::{self, Display};
use core::str::FromStr;
use std::collections::HashMap;
use std::sync::LazyLock;

use game::text::excerpt;
use thiserror::Error;

/// A line of a book: a position and its best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// Smallest of the position's images.
    pub position: String,
    /// Depth of the search, in plies.
    pub depth: u32,
    /// Best moves with their values, best first.
    pub moves: Vec<(String, i32)>,
}

/// The error for an invalid line of an opening book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct BookError {
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl FromStr for BookLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{}`: expected a position, a depth and moves with values, joined by `;`", excerpt(text));
        let parts: Vec<&str> = text.split(';').collect();
        let [position, depth, moves] = parts[..] else { return Err(wrong()) };
        let read = |text: &str| Some((text.split_once(' ')?.0.to_owned(), text.split_once(' ')?.1.parse().ok()?));
        let moves: Option<Vec<(String, i32)>> = moves.split(',').map(read).collect();
        let depth = depth.parse().map_err(|_| wrong())?;
        Ok(Self { position: position.to_owned(), depth, moves: moves.ok_or_else(wrong)? })
    }
}

impl Display for BookLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.moves.iter().map(|(m, value)| format!("{m} {value}")).collect();
        write!(f, "{};{};{}", self.position, self.depth, moves.join(","))
    }
}

/// An opening book of a game.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Entries, by the smallest image of the position.
    pub(crate) entries: HashMap<String, Entry>,
}

/// A built-in book, which is parsed on first use.
pub type LazyBook = LazyLock<Book>;

/// The playable moves of a position.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) depth: u32,
    /// For each move, the smallest image of the position after the move, and the move's value.
    pub(crate) good: Vec<(String, i32)>,
}

impl Book {
    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }
}
