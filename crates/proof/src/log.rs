//! The log of a long proof: what was tried and what came of it, a line of JSON each, never changed, only added to.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use game::{Position as _, Side};
use loa::{Move, Position};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fold::LARGEST;
use crate::numbers::Numbers;
use crate::search::Finding;

/// Counts the changes of the search that make it find other proofs, so that a log says which one it is of.
pub const SEARCH_VERSION: u32 = 1;

/// What is to be proven: that Black wins after these moves from the start position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The game, always `loa`.
    pub game: String,
    /// Squares a side.
    pub size: usize,
    /// Where it begins; at the start position if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there, in the house's notation.
    pub moves: Vec<String>,
    /// [`SEARCH_VERSION`].
    pub search: u32,
}

/// A job that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Position text.
    pub position: String,
    /// Expansions that it was given.
    pub budget: u64,
    /// Size of its table.
    pub mib: usize,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Expansions that it took.
    pub expansions: u64,
    /// Processor time does not matter for what is found; this is for those who read.
    pub ms: u64,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Outcome {
    /// Black wins.
    Won {
        /// Within so many plies.
        plies: u16,
    },
    /// He cannot force a win.
    Refuted,
    /// The budget did not suffice.
    Open {
        /// Proof number.
        proof: u32,
        /// Disproof number.
        disproof: u32,
        /// The moves, the most promising first.
        order: Vec<String>,
    },
}

impl Outcome {
    /// Of what a search has found.
    pub fn of(finding: &Finding) -> Self {
        match finding.numbers {
            Numbers { proof: 0, plies, .. } => Self::Won { plies },
            Numbers { disproof: 0, .. } => Self::Refuted,
            Numbers { proof, disproof, .. } => {
                Self::Open { proof, disproof, order: finding.order.iter().map(Move::to_string).collect() }
            }
        }
    }

    /// Its numbers.
    pub fn numbers(&self) -> Numbers {
        match *self {
            Self::Won { plies } => Numbers::won(plies),
            Self::Refuted => Numbers::REFUTED,
            Self::Open { proof, disproof, .. } => Numbers::open(proof.max(1), disproof.max(1)),
        }
    }
}

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what it should be.
    #[error("line {line}: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// It is the log of another question.
    #[error("the log is about {found}, not {asked}; give another file")]
    Other {
        /// What the log is about.
        found: String,
        /// What was asked.
        asked: String,
    },
    /// The question makes no sense.
    #[error("{0}")]
    Question(String),
}

impl Question {
    /// Whether Black wins after these moves from the start position of a size.
    ///
    /// # Errors
    /// If the size is not 4 to 6, a move is not legal, or the game is over after them.
    pub fn new(size: usize, moves: &[String]) -> Result<Self, LogError> {
        let question = Self { game: "loa".into(), size, position: None, moves: moves.to_vec(), search: SEARCH_VERSION };
        question.root()?;
        Ok(question)
    }

    /// Whether Black wins after these moves from a position in its text form.
    ///
    /// # Errors
    /// If the position is none or too large, a move is not legal, or the game is over.
    pub fn about(position: &str, moves: &[String]) -> Result<Self, LogError> {
        let size = position.find('/').unwrap_or(0);
        let (game, moves) = ("loa".to_owned(), moves.to_vec());
        let question = Self { game, size, position: Some(position.to_owned()), moves, search: SEARCH_VERSION };
        question.root()?;
        Ok(question)
    }

    /// The position that it begins with.
    ///
    /// # Errors
    /// If there is none.
    pub fn start(&self) -> Result<Position, LogError> {
        let bad = |reason: String| LogError::Question(reason);
        if self.game != "loa" || !(4..=LARGEST).contains(&self.size) {
            return Err(bad(format!("{} of size {}: expected loa of size 4 to {LARGEST}", self.game, self.size)));
        }
        match &self.position {
            None => Position::start(self.size).map_err(|error| bad(error.to_string())),
            Some(text) => {
                let p: Position = text.parse().map_err(|error: game::PositionError| bad(error.to_string()))?;
                let over = p.outcome().is_some() || p.size() != self.size;
                if over {
                    Err(bad(format!("`{text}`: expected an undecided position of size {}", self.size)))
                } else {
                    Ok(p)
                }
            }
        }
    }

    /// The position that the question is about.
    ///
    /// # Errors
    /// If there is none.
    pub fn root(&self) -> Result<Position, LogError> {
        let mut p = self.start()?;
        for text in &self.moves {
            let m = p.parse_move(text).map_err(|error| LogError::Question(error.to_string()))?;
            p.play(m);
            if p.outcome().is_some() {
                return Err(LogError::Question(format!("the game is over after {text}")));
            }
        }
        Ok(p)
    }

    /// The position that a certificate is about: the root, or the one before it if Black's one move leads to it, since a win
    /// after his move is a win before it.
    ///
    /// # Errors
    /// If there is none.
    pub fn certified(&self) -> Result<Position, LogError> {
        let start = self.start()?;
        if self.moves.len() == 1 && start.side_to_move() == Side::First { Ok(start) } else { self.root() }
    }
}

impl core::fmt::Display for Question {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Lines of Action {0}x{0}", self.size)?;
        match (&self.position, self.moves.as_slice()) {
            (None, []) => write!(f, " from the start"),
            (Some(position), []) => write!(f, " from {position}"),
            (None, moves) => write!(f, " after {}", moves.join(" ")),
            (Some(position), moves) => write!(f, " from {position} after {}", moves.join(" ")),
        }
    }
}

/// A log that is open for more.
pub struct Log {
    question: Question,
    file: Option<File>,
}

impl Log {
    /// A log that is kept nowhere.
    pub fn nowhere(question: Question) -> Self {
        Self { question, file: None }
    }

    /// Opens the log of this question, or begins it, and reads the jobs that are in it. A last line that was cut off is removed.
    ///
    /// # Errors
    /// If it cannot be read or written, or is about something else.
    pub fn open(path: &Path, question: Question) -> Result<(Self, Vec<Job>), LogError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let (found, jobs, length) = read(&mut BufReader::new(&file))?;
        match found {
            None => {
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                writeln!(file, "{}", json(&question))?;
            }
            Some(found) if found != question => {
                return Err(LogError::Other { found: found.to_string(), asked: question.to_string() });
            }
            Some(_) => {
                file.set_len(length)?;
                file.seek(SeekFrom::End(0))?;
            }
        }
        Ok((Self { question, file: Some(file) }, jobs))
    }

    /// What it is about.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Adds a job.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, job: &Job) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(format!("{}\n", json(job)).as_bytes())?;
        file.sync_data()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: plain data has a JSON form")
}

/// Reads a log: what it is about, its jobs, and the length of its whole lines in bytes.
///
/// # Errors
/// If a whole line cannot be understood.
pub fn read(input: &mut impl BufRead) -> Result<(Option<Question>, Vec<Job>, u64), LogError> {
    let (mut question, mut jobs, mut length, mut text) = (None, Vec::new(), 0, String::new());
    for line in 1.. {
        text.clear();
        let read = input.read_line(&mut text)?;
        if !text.ends_with('\n') {
            break;
        }
        length += read as u64;
        let bad = |error: serde_json::Error| LogError::Line { line, reason: error.to_string() };
        match question {
            None => question = Some(serde_json::from_str(&text).map_err(bad)?),
            Some(_) => jobs.push(serde_json::from_str(&text).map_err(bad)?),
        }
    }
    Ok((question, jobs, length))
}
