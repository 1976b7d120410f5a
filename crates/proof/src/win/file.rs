//! File format of a winning strategy: lines of text.
//!
//! The first line is `plyhouse-win 1 GAME WINNER IMAGES STEPS POSITION`. WINNER is `first` or `second`, by the order of
//! the sides in the game. IMAGES is the number of images of a board that count as the same position: 1, 2 or 8. STEPS
//! is the number of lines that follow. Each of them contains a position, the winner's move there and the rank,
//! separated by tabs. The position is the smallest of its images, byte by byte, and the lines are sorted by position.
//! The last line is `sha256 HASH`, the hash of all preceding lines.

use std::io::{self, Write};

use game::{Side, Symmetries};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::strategy::Strategy;
use crate::certificate::hex;

const MAGIC: &str = "plyhouse-win 1 ";
const SIDES: [&str; 2] = ["first", "second"];

/// Errors of reading or checking a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WinError {
    /// The first line is invalid.
    #[error("not a certificate: expected a first line `{MAGIC}GAME WINNER IMAGES STEPS POSITION`, found `{0}`")]
    Header(String),
    /// The number of lines differs from the number in the first line.
    #[error("the file does not have the {0} steps that its first line announces")]
    Length(usize),
    /// The file was changed or damaged.
    #[error("the hash does not match: the file was damaged")]
    Hash,
    /// The game is not the expected one, or does not have these symmetries.
    #[error("{0}")]
    Game(String),
    /// A step is invalid.
    #[error("step {number}: {reason}")]
    Step {
        /// Step number, counted from 1; 0 for the certified position.
        number: usize,
        /// Reason.
        reason: String,
    },
}

/// The contents of the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinHeader {
    /// Name of the game.
    pub game: String,
    /// Winning side.
    pub winner: Side,
    /// Symmetries under which boards count as the same.
    pub symmetries: Symmetries,
    /// Number of steps that follow.
    pub steps: usize,
    /// Text of the certified position.
    pub position: String,
}

/// A file whose hash and format are valid. Its claims are not checked yet.
pub struct WinFile<'a> {
    /// First line of the file.
    pub header: WinHeader,
    /// SHA-256 of the lines before the last one.
    pub hash: String,
    lines: Vec<&'a str>,
}

/// A step: the parts of a line.
pub(super) struct Step<'a> {
    pub(super) position: &'a str,
    pub(super) m: &'a str,
    pub(super) rank: u32,
}

/// Returns `true` if the bytes begin like a file of a winning strategy.
pub fn is_win_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC.as_bytes())
}

impl Strategy {
    /// Writes the strategy as a file and returns the hash.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<String> {
        let mut hash = Sha256::new();
        let mut put = |line: String| {
            hash.update(&line);
            out.write_all(line.as_bytes())
        };
        let header = WinHeader {
            game: self.game.clone(),
            winner: self.winner,
            symmetries: self.symmetries,
            steps: self.steps.len(),
            position: self.position.clone(),
        };
        put(header.line() + "\n")?;
        for (position, (m, rank)) in &self.steps {
            put(format!("{position}\t{m}\t{rank}\n"))?;
        }
        let hash = hex(&hash.finalize());
        writeln!(out, "sha256 {hash}")?;
        out.flush()?;
        Ok(hash)
    }
}

impl WinHeader {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix(MAGIC)?.splitn(5, ' ');
        let mut word = || words.next().filter(|word| !word.is_empty());
        let (game, side, images, steps, position) = (word()?, word()?, word()?, word()?, word()?);
        let header = Self {
            game: game.to_owned(),
            winner: Side::BOTH.into_iter().find(|winner| SIDES[winner.index()] == side)?,
            symmetries: Symmetries::with_images(images.parse().ok()?)?,
            steps: steps.parse().ok()?,
            position: position.to_owned(),
        };
        // Any other spelling is invalid, such as `+12` for 12: other checkers might read it differently.
        (header.line() == line).then_some(header)
    }

    /// Returns the line as text, without its newline.
    fn line(&self) -> String {
        let Self { game, winner, symmetries, steps, position } = self;
        format!("{MAGIC}{game} {} {} {steps} {position}", SIDES[winner.index()], symmetries.images())
    }
}

impl<'a> WinFile<'a> {
    /// Reads a file, and checks the first line, the hash and the number of steps.
    ///
    /// # Errors
    /// Returns an error if one of them is wrong.
    pub fn read(bytes: &'a [u8]) -> Result<Self, WinError> {
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        let header = WinHeader::read(&first).ok_or_else(|| WinError::Header(first.chars().take(80).collect()))?;
        // The last line has a fixed length.
        let cut = bytes.len().checked_sub("sha256 \n".len() + 64).ok_or(WinError::Length(header.steps))?;
        let (body, last) = bytes.split_at(cut);
        let hash = hex(&Sha256::digest(body));
        if last != format!("sha256 {hash}\n").as_bytes() {
            return Err(WinError::Hash);
        }
        let text = core::str::from_utf8(body).map_err(|_| WinError::Length(header.steps))?;
        let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').skip(1).collect();
        if lines.len() != header.steps || !text.ends_with('\n') {
            return Err(WinError::Length(header.steps));
        }
        Ok(Self { header, hash, lines })
    }

    /// Returns a step, counted from 0, or an error if the line is malformed.
    pub(super) fn step(&self, number: usize) -> Result<Step<'a>, WinError> {
        let line = self.lines[number];
        let mut parts = line.split('\t');
        // A rank has neither a sign nor leading zeros, and is not 0.
        let rank_of = |text: &str| text.parse().ok().filter(|_| !text.starts_with(['+', '0']));
        let parts = (parts.next(), parts.next(), parts.next().and_then(rank_of), parts.next());
        match parts {
            (Some(position), Some(m), Some(rank), None) => Ok(Step { position, m, rank }),
            _ => Err(WinError::Step {
                number: number + 1,
                reason: "expected a position, a move and a rank of at least 1, separated by tabs".to_owned(),
            }),
        }
    }

    /// Returns the number of the step of a position, counted from 0.
    pub(super) fn find(&self, position: &str) -> Option<usize> {
        let before = |line: &&str| line.split('\t').next().unwrap_or_default() < position;
        let number = self.lines.partition_point(before);
        let found = self.lines.get(number)?.split('\t').next()?;
        (found == position).then_some(number)
    }
}
