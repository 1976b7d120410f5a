use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use game::{MoveError, Outcome, Side, TextGame};
use protocol::{Info, TimeLeft};
use thiserror::Error;

use crate::transcript::Transcript;

/// A player: an external program, or one of Plyhouse's engines.
///
/// A player's mistake is data, not an error of the referee: it is recorded as a [`Fault`].
pub trait Player: Send {
    /// Prepares to play one side of a game, within the start-up time. `seed` varies the play of players that support
    /// it.
    ///
    /// # Errors
    /// Returns a fault if the player does not start.
    fn begin(&mut self, game: &dyn TextGame, side: Side, seed: u64, within: Duration) -> Result<(), Fault>;

    /// Chooses a move in a game in which this player is to move.
    fn choose(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Turn;

    /// Ends the player's part in the game, and every process that the player has started.
    fn end(&mut self, game: &dyn TextGame) -> Farewell;

    /// Sets the transcript of the next game, if the player is a program.
    fn write_down(&mut self, transcript: &Transcript) {
        let _ = transcript;
    }

    /// Returns `true` if the player receives the whole position before each move, so that the referee can replace the
    /// player's move.
    fn can_be_replaced(&self) -> bool;

    /// Explains to the player's author why the player's last answer was rejected, in the player's own notation.
    fn explain(&self, error: &MoveError) -> String {
        protocol::reason(error)
    }
}

/// The result of a request for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Move of the player, in Plyhouse notation if it could be translated.
    pub answer: Result<String, Fault>,
    /// End of the game that the player has announced.
    pub claim: Option<Outcome>,
    /// Time from the request to the answer.
    pub wall: Duration,
    /// Part of `wall` that the player spent ready to run while other programs had the processor. It is not charged to
    /// the player.
    pub waited: Duration,
    /// Processor time of the player since its last answer, if the system reports it.
    pub cpu: Option<Duration>,
    /// Search information that the player has reported.
    pub info: Info,
    /// Fault of an unrequested answer, if there was one. It is recorded without a penalty.
    pub unasked: Option<Fault>,
}

impl Turn {
    /// Creates a turn from an answer or a fault and the time until it came. The other fields are empty.
    pub fn new(answer: Result<String, Fault>, wall: Duration) -> Self {
        Self { answer, claim: None, wall, waited: Duration::ZERO, cpu: None, info: Info::default(), unasked: None }
    }
}

/// The final report of a player after a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Farewell {
    /// End of the game that the player has announced.
    pub claim: Option<Outcome>,
    /// Standard error of the player. Only the beginning and the end of a long text are kept.
    pub stderr: String,
    /// Processor time of the whole game, if the system reports it.
    pub cpu: Option<Duration>,
}

/// A mistake of a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// Kind of the mistake.
    pub kind: FaultKind,
    /// Details for the player's author.
    pub detail: String,
}

impl Fault {
    /// Beginning of the detail of a fault that prevented a player from getting ready.
    pub const NOT_READY: &str = "not ready: ";

    /// Creates a fault.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// Creates the fault of a player whose answer the rules reject.
    pub fn refused(player: &dyn Player, error: &MoveError) -> Self {
        let kind = match error {
            MoveError::Unreadable { .. } => FaultKind::Unreadable,
            MoveError::Illegal { .. } => FaultKind::Illegal,
        };
        Self::new(kind, player.explain(error))
    }
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The move is illegal.
    Illegal,
    /// The answer is not a move.
    Unreadable,
    /// There was no answer in time, and the player was computing.
    Time,
    /// There was no answer in time, and the player was idle.
    Stall,
    /// The player ended instead of answering.
    Crash,
    /// The player could not be started, or did not get ready: for example, it was late or crashed.
    NoStart,
    /// The player announced a wrong end of the game.
    FalseClaim,
    /// The player sent an answer without a request for a move.
    Unasked,
    /// The player exceeded its memory limit.
    Memory,
    /// The player exceeded its limit on processes and threads.
    Processes,
    /// The player exceeded its limit on processor time in a game.
    ProcessorTime,
    /// The player exceeded its limit on bytes written to files.
    Disk,
    /// The player exceeded its limit on output.
    Output,
}

/// Defines the names of all kinds. A kind without a name does not compile.
macro_rules! names {
    ($($name:literal: $kind:ident,)*) => {
        impl FaultKind {
            /// All kinds.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// Returns the name in the store and in the files of games.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

names! {
    "illegal move": Illegal,
    "unreadable answer": Unreadable,
    "time": Time,
    "stall": Stall,
    "crash": Crash,
    "no start": NoStart,
    "false claim": FalseClaim,
    "answered unasked": Unasked,
    "memory": Memory,
    "processes": Processes,
    "processor time": ProcessorTime,
    "disk": Disk,
    "output": Output,
}

impl FaultKind {
    /// Returns `true` if a player can have this fault before its first move is requested.
    pub const fn is_of_start(self) -> bool {
        matches!(self, Self::NoStart | Self::Memory | Self::Processes | Self::ProcessorTime | Self::Disk | Self::Output)
    }
}

impl From<process::Limit> for FaultKind {
    fn from(limit: process::Limit) -> Self {
        match limit {
            process::Limit::Memory => Self::Memory,
            process::Limit::Processes => Self::Processes,
            process::Limit::ProcessorTime => Self::ProcessorTime,
            process::Limit::Disk => Self::Disk,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown name of a fault kind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown kind of fault `{0}`")]
pub struct UnknownFault(String);

impl FromStr for FaultKind {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| UnknownFault(game::text::excerpt(text)))
    }
}
