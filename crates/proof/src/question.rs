//! Statements to be proven.

use game::{Position as _, Side};
use loa::{Position, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::code::LARGEST;
use crate::search::{Choices, SEARCH_VERSION};
use crate::wins::Wins;

/// A statement to be proven: that Black wins after these moves from the first position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Name of the game, always `loa`.
    pub game: String,
    /// Board size, in squares per side.
    pub size: usize,
    /// First position; the start position if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves from the first position, in Plyhouse notation.
    pub moves: Vec<String>,
    /// Definition of a win.
    #[serde(default, skip_serializing_if = "Wins::is_all")]
    pub wins: Wins,
    /// Version of the search, at most [`SEARCH_VERSION`].
    pub search: u32,
}

/// The error of an invalid question, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct QuestionError(pub(crate) String);

impl Question {
    /// Creates the question of whether Black wins after these moves from the start position of a board size.
    ///
    /// # Errors
    /// Returns an error if the size is not 4 to 6, a move is not legal, or the game is over after the moves.
    pub fn new(size: usize, moves: &[String]) -> Result<Self, QuestionError> {
        Self::read(size, None, moves)
    }

    /// Creates the question of whether Black wins after these moves from a position in its text form.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or too large, a move is not legal, or the game is over.
    pub fn about(position: &str, moves: &[String]) -> Result<Self, QuestionError> {
        let p: Position = position.parse().map_err(rejected)?;
        Self::read(p.size(), Some(p.to_string()), moves)
    }

    /// Parses the moves in any common notation.
    fn read(size: usize, position: Option<String>, moves: &[String]) -> Result<Self, QuestionError> {
        let (game, wins) = ("loa".to_owned(), Wins::All);
        let mut question = Self { game, size, position, moves: Vec::new(), wins, search: SEARCH_VERSION };
        let mut p = question.start()?;
        for text in moves {
            let m = p.read_move(text).map_err(rejected)?;
            p.play(m);
            question.moves.push(m.to_string());
        }
        question.root()?;
        Ok(question)
    }

    /// Exchanges the colours: returns the question about Black that is equivalent to "does White win?". If the last
    /// move is White's, it remains a move of the question, so that the certificate covers the position before it.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn exchanged(&self) -> Result<Self, QuestionError> {
        let mut p = self.start()?;
        let root = self.root()?;
        let last = self.moves.last().filter(|_| root.side_to_move() == Side::First);
        let before = &self.moves[..self.moves.len() - usize::from(last.is_some())];
        for text in before {
            p.play(p.parse_move(text).map_err(rejected)?);
        }
        let about = Self::about(&exchanged(&p).to_string(), &last.into_iter().cloned().collect::<Vec<_>>())?;
        Ok(Self { wins: self.wins, search: self.search, ..about })
    }

    /// Returns the same question with another definition of a win.
    #[must_use]
    pub fn counting(self, wins: Wins) -> Self {
        Self { wins, ..self }
    }

    /// Returns the options of the search.
    ///
    /// # Errors
    /// Returns an error if the version of the search does not exist.
    pub fn choices(&self) -> Result<Choices, QuestionError> {
        let unknown =
            || QuestionError(format!("version {} of the search, expected 1 to {SEARCH_VERSION}", self.search));
        Ok(Choices { wins: self.wins, ..Choices::of_version(self.search).ok_or_else(unknown)? })
    }

    /// Returns the first position.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn start(&self) -> Result<Position, QuestionError> {
        if self.game != "loa" || !(4..=LARGEST).contains(&self.size) {
            let reason = format!("{} of size {}: expected loa of size 4 to {LARGEST}", self.game, self.size);
            return Err(QuestionError(reason));
        }
        let Some(text) = &self.position else {
            return Position::start(self.size).map_err(rejected);
        };
        let p: Position = text.parse().map_err(rejected)?;
        if p.rules() != Rules::Courses {
            return Err(QuestionError(format!("`{text}`: expected a position by the rules of the courses")));
        }
        if p.outcome().is_some() || p.size() != self.size {
            return Err(QuestionError(format!("`{text}`: expected an undecided position of size {}", self.size)));
        }
        Ok(p)
    }

    /// Returns the position after the moves.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn root(&self) -> Result<Position, QuestionError> {
        let mut p = self.start()?;
        for text in &self.moves {
            let m = p.parse_move(text).map_err(rejected)?;
            p.play(m);
            if p.outcome().is_some() {
                return Err(QuestionError(format!("the game is over after {text}")));
            }
        }
        Ok(p)
    }

    /// Returns the position that a certificate covers. If the question has a single move, and Black plays it, this is
    /// the position before the move, because a win after Black's move is also a win before it. Otherwise, it is the
    /// root.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn certified(&self) -> Result<Position, QuestionError> {
        let start = self.start()?;
        if self.moves.len() == 1 && start.side_to_move() == Side::First { Ok(start) } else { self.root() }
    }
}

/// Converts an error in a position or a move to an error of the question.
fn rejected(error: impl core::fmt::Display) -> QuestionError {
    QuestionError(error.to_string())
}

/// Returns a position with the colours exchanged.
pub(crate) fn exchanged(p: &Position) -> Position {
    let exchange = |c: char| match c {
        'b' => 'w',
        'w' => 'b',
        other => other,
    };
    let text: String = p.to_string().chars().map(exchange).collect();
    text.parse().expect("invariant: colours are symmetric")
}

impl core::fmt::Display for Question {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Lines of Action {0}x{0}", self.size)?;
        match (&self.position, self.moves.as_slice()) {
            (None, []) => write!(f, " from the start"),
            (Some(position), []) => write!(f, " from {position}"),
            (None, moves) => write!(f, " after {}", moves.join(" ")),
            (Some(position), moves) => write!(f, " from {position} after {}", moves.join(" ")),
        }?;
        if self.wins.is_all() { Ok(()) } else { write!(f, ", connecting Black alone") }
    }
}
