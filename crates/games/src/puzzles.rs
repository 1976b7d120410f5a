//! Puzzles: positions with one task, a rating, themes and a solution.
//!
//! A file has one puzzle on each line, the easiest first: position, task, rating, themes and solution, separated by
//! semicolons. Lines that begin with `#` are comments. `plyhouse puzzles` generates such files.
//!
//! ```text
//! ------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 3;1240;connect2 capture;c1-c3 e3-e4 b3-d3
//! ```

use core::fmt;
use core::str::FromStr;

use game::{Position, Tone};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::definition::Game;

/// A position with a task for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzle {
    /// Position text.
    pub start: String,
    /// Task of the side to move.
    pub task: Task,
    /// Difficulty, on the scale of the players' ratings.
    pub rating: u32,
    /// Themes, by names that the page can translate.
    pub themes: Vec<String>,
    /// Best play. The first move is the solution.
    pub solution: Vec<String>,
}

/// The task of the side to move in a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Find a win. The shortest win takes this many plies.
    Win(u32),
    /// Find the only move that does not lose. Every other move loses within this many plies, counting the move itself.
    Save(u32),
}

/// Serializes as `["win", 3]`.
impl Serialize for Task {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parts().serialize(serializer)
    }
}

impl Task {
    fn parts(self) -> (&'static str, u32) {
        match self {
            Self::Win(plies) => ("win", plies),
            Self::Save(plies) => ("save", plies),
        }
    }
}

/// Formats the task as in a file.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, plies) = self.parts();
        write!(f, "{name} {plies}")
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (themes, solution) = (self.themes.join(" "), self.solution.join(" "));
        write!(f, "{};{};{};{themes};{solution}", self.start, self.task, self.rating)
    }
}

/// A line that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected `position;win N;rating;themes;moves`, found `{0}`")]
pub struct PuzzleError(String);

impl PuzzleError {
    /// Returns the error for a puzzle whose position or moves are invalid.
    pub fn of(puzzle: &Puzzle) -> Self {
        Self(game::text::excerpt(&puzzle.to_string()))
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(line: &str) -> Result<Self, PuzzleError> {
        read(line).ok_or_else(|| PuzzleError(game::text::excerpt(line)))
    }
}

fn read(line: &str) -> Option<Puzzle> {
    let mut fields = line.split(';');
    let mut field = || fields.next();
    let start = field()?.to_owned();
    let (name, plies) = field()?.split_once(' ')?;
    let plies = plies.parse().ok()?;
    let task = match name {
        "win" => Task::Win(plies),
        "save" => Task::Save(plies),
        _ => return None,
    };
    let rating = field()?.parse().ok()?;
    let mut words = || Some(field()?.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect());
    let (themes, solution): (Vec<String>, Vec<String>) = (words()?, words()?);
    (!solution.is_empty() && field().is_none()).then_some(Puzzle { start, task, rating, themes, solution })
}

/// Reads a file of puzzles.
///
/// # Errors
/// If a line is not a puzzle. The error quotes the first invalid line.
pub fn read_puzzles(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let lines = game::text::without_mark(text).lines();
    lines.filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(str::parse).collect()
}

/// A line of play. Its methods work for every game, because they only count the pieces of each side.
pub struct Line<'a, P: Position> {
    /// Positions, beginning with the one before the first move.
    pub positions: &'a [P],
    /// Moves between the positions.
    pub moves: &'a [P::Move],
}

impl<P: Position> Line<'_, P> {
    /// Returns `true` if the move with this index, from 0, captures something.
    pub fn captures(&self, ply: usize) -> bool {
        let (Some(before), Some(after)) = (self.positions.get(ply), self.positions.get(ply + 1)) else { return false };
        let theirs = if before.side_to_move() == game::Side::First { Tone::Second } else { Tone::First };
        let count = |p: &P| p.diagram(None).cells.iter().flatten().filter(|(_, tone, _)| *tone == theirs).count();
        count(after) < count(before)
    }

    /// Returns `true` if a move of the side that moves first captures something.
    pub fn solver_captures(&self) -> bool {
        (0..self.moves.len()).step_by(2).any(|ply| self.captures(ply))
    }

    /// Returns `true` if a move of the other side captures something.
    pub fn defender_captures(&self) -> bool {
        (1..self.moves.len()).step_by(2).any(|ply| self.captures(ply))
    }
}

/// Returns the themes of a puzzle, the task first, by names that the page can translate.
pub fn themes<P: Game>(task: Task, line: &Line<'_, P>) -> Vec<String> {
    let first = match task {
        Task::Win(plies) => format!("{}{}", P::WIN_THEME, plies.div_ceil(2).min(4)),
        Task::Save(_) => "save".to_owned(),
    };
    core::iter::once(first).chain(P::themes(line).into_iter().map(str::to_owned)).collect()
}
