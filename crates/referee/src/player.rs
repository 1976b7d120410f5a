use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use game::{Outcome, Side, TextGame};
use protocol::TimeLeft;
use thiserror::Error;

/// Somebody who plays: a program that is spoken to, or an engine of the house.
///
/// What a player does wrong is data: a [`Fault`] is recorded, it is no error of ours.
pub trait Player: Send {
    /// Gets ready for a game in which it has one side, within the start-up time. `seed` varies its play, if it can be varied.
    ///
    /// # Errors
    /// If it does not start.
    fn begin(&mut self, game: &dyn TextGame, side: Side, seed: u64, within: Duration) -> Result<(), Fault>;

    /// Its move in a game in which it is to move.
    fn choose(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Turn;

    /// The game is over, or goes on without it. Everything that the player has started is ended.
    fn end(&mut self, game: &dyn TextGame) -> Farewell;

    /// Whether it is told the whole position before each move, so that somebody else's move can stand in for one of its own.
    fn can_be_replaced(&self) -> bool;
}

/// What came of asking for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The move as the player wrote it, turned into the notation of the house where that could be done.
    pub answer: Result<String, Fault>,
    /// What the player says about the end of the game, if it has said so.
    pub claim: Option<Outcome>,
    /// From the question to the answer.
    pub wall: Duration,
    /// Processor time of the player since its last answer, where the system tells.
    pub cpu: Option<Duration>,
}

/// What is left of a player after a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Farewell {
    /// What it says about the end of the game.
    pub claim: Option<Outcome>,
    /// What it wrote to its standard error; of a long text the beginning and the end.
    pub stderr: String,
    /// Processor time of the whole game, where the system tells.
    pub cpu: Option<Duration>,
}

/// Something that a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// What kind of thing.
    pub kind: FaultKind,
    /// In words, for its author.
    pub detail: String,
}

impl Fault {
    /// A fault.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A move that the rules refuse.
    Illegal,
    /// An answer that is no move.
    Unreadable,
    /// No answer when its time was up, while it was working.
    Time,
    /// No answer when its time was up, and it was doing nothing.
    Stall,
    /// It ended instead of answering.
    Crash,
    /// It did not get ready.
    NoStart,
    /// It said that the game ended as it did not.
    FalseClaim,
}

impl FaultKind {
    /// Every kind, with its name.
    pub const NAMES: [(&str, Self); 7] = [
        ("illegal move", Self::Illegal),
        ("unreadable answer", Self::Unreadable),
        ("time", Self::Time),
        ("stall", Self::Stall),
        ("crash", Self::Crash),
        ("no start", Self::NoStart),
        ("false claim", Self::FalseClaim),
    ];
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.into_iter().find(|(_, kind)| kind == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// No kind of fault.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no kind of fault")]
pub struct UnknownFault(String);

impl FromStr for FaultKind {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let found = Self::NAMES.into_iter().find(|&(name, _)| name == text);
        found.map(|(_, kind)| kind).ok_or_else(|| UnknownFault(game::text::excerpt(text)))
    }
}
