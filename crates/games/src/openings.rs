//! Opening files: position texts, move lists, and games in a game's own file format.

use std::collections::BTreeSet;

use game::Record;
use game::text::without_mark;
use thiserror::Error;

use crate::any::AnyRecord;
use crate::definition::Game;
use crate::files::{LeftOut, read_files};
use crate::movetext::split;
use crate::play::{Setting, SettingError};
use crate::tree::main_line;

/// Maximum number of openings in a file.
const MOST: usize = 100_000;

/// Errors in a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// An opening is invalid.
    #[error("{place}: {error}")]
    At {
        /// `line 3`, or `game 3` of a file in a game's own format.
        place: String,
        /// The error.
        error: SettingError,
    },
    /// The file is invalid, or is a file of another game.
    #[error("{0}")]
    Form(String),
    /// The file has no opening.
    #[error("no opening found, expected a position text or moves in each line")]
    Empty,
    /// The file has too many openings.
    #[error("{0} openings found, expected at most {MOST}")]
    TooMany(usize),
}

impl Setting {
    /// Reads a file of openings, one per line: moves from the usual start, a position text, or a position text followed
    /// by the word `moves` and moves. Move numbers, results, empty lines and lines that begin with `#` are skipped. In
    /// a file in the game's own format, the main line of each game is an opening. Each opening is cut off after `plies`
    /// moves.
    ///
    /// Returns each opening as a line of such a file. If several openings lead to the same position, only the first of
    /// them is kept.
    ///
    /// # Errors
    /// If an opening is not legal or ends the game, or if the file has no opening or too many. The error contains the
    /// number of the line or game.
    pub fn openings(self, text: &str, plies: Option<usize>) -> Result<Vec<String>, OpeningError> {
        let (mut seen, mut lines) = (BTreeSet::new(), Vec::new());
        let mut add = |place: String, start: Option<&str>, moves: &[&str]| {
            let moves = &moves[..moves.len().min(plies.unwrap_or(usize::MAX))];
            let opened = self.record(start, moves).and_then(|mut game| Ok((game.write_opening(self.size)?, game)));
            let (line, game) = opened.map_err(|error| OpeningError::At { place, error })?;
            if seen.insert(game.position()) {
                lines.push(line);
            }
            Ok(())
        };
        let text = without_mark(text);
        if let Some(files) = read_files(text) {
            for (number, file) in (1..).zip(files) {
                let file = file.map_err(|error| OpeningError::Form(error.text))?;
                if let Some(LeftOut { first, in_main_line: true, .. }) = file.left_out {
                    return Err(OpeningError::Form(first.text));
                }
                if file.game != self.game {
                    let (found, expected) = (file.game.title(), self.game.title());
                    return Err(OpeningError::Form(format!("a file of {found} found, expected {expected}")));
                }
                add(format!("game {number}"), file.start.as_deref(), &main_line(&file.nodes))?;
            }
        } else {
            let lines = (1..).zip(text.lines().map(str::trim));
            for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
                let Written { start, moves } = written(line);
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                add(format!("line {number}"), start, &moves)?;
            }
        }
        match lines.len() {
            0 => Err(OpeningError::Empty),
            1..=MOST => Ok(lines),
            found => Err(OpeningError::TooMany(found)),
        }
    }

    /// Returns the game after an opening, given as a line that [`openings`](Self::openings) returned.
    ///
    /// # Errors
    /// If the opening is not legal or ends the game.
    pub fn opened(self, line: &str) -> Result<Box<dyn AnyRecord>, SettingError> {
        let Written { start, moves } = written(line);
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let mut game = self.record(start, &moves)?;
        game.write_opening(self.size)?;
        Ok(game)
    }
}

/// The parts of an opening's line.
struct Written<'a> {
    start: Option<&'a str>,
    moves: Vec<String>,
}

fn written(line: &str) -> Written<'_> {
    let moves = |text: &str| text.split_whitespace().filter_map(split).map(|(text, _)| text).collect();
    // Every position text has slashes between its rows, and no move contains one.
    let is_position = line.split_whitespace().next().is_some_and(|word| word.contains('/') && split(word).is_some());
    match line.split_once(" moves ") {
        Some((start, rest)) if is_position => Written { start: Some(start.trim()), moves: moves(rest) },
        _ if is_position => Written { start: Some(line), moves: Vec::new() },
        _ => Written { start: None, moves: moves(line) },
    }
}

/// Writes a game as a line of a file of openings; see [`AnyRecord::write_opening`].
pub(crate) fn write<P: Game>(record: &mut Record<P>, size: Option<usize>) -> Result<String, SettingError> {
    let (start, usual) = (record.start_position().clone(), P::start(size)?);
    let (found, expected) = (P::size(&start), P::size(&usual));
    if found != expected {
        return Err(SettingError::OtherBoard { found, expected });
    }
    if record.finish().is_some() || record.judge().is_some() {
        return Err(SettingError::Decided);
    }
    let moves: Vec<String> = record.moves().map(|m| m.to_string()).collect();
    Ok(match (start == usual, moves.is_empty()) {
        (true, false) => moves.join(" "),
        (false, false) => format!("{start} moves {}", moves.join(" ")),
        (_, true) => start.to_string(),
    })
}
