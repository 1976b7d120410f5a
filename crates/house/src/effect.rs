//! The effects that a house requests, and the tasks and results of thinkers.

use room::Turn;
use room::messages::{Answer, Archived, Game};
use room::proving::Attempted;
use room::thinking::Analysis;
use serde::{Deserialize, Serialize};

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Time of a monotonic clock, in milliseconds.
    pub ms: u64,
    /// Wall-clock time since 1970, in seconds.
    pub date: u64,
}

/// An action for the caller of a house.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Effect {
    /// Sends an answer to a page.
    Tell {
        /// The page.
        page: u32,
        /// The answer.
        answer: Box<Answer>,
    },
    /// Starts a task in a [`Thinker`](crate::Thinker).
    Begin {
        /// The number of the task.
        number: u32,
        /// The page that receives the thinker's results; `None` if the house itself needs the result.
        page: Option<u32>,
        /// The task.
        task: Box<Task>,
    },
    /// Ends a task, which may have ended already, and drops its thinker's proof.
    End {
        /// The task.
        number: u32,
    },
    /// Requests the losing side's replies from the thinker that has the proof.
    Replies {
        /// The task of the proof.
        number: u32,
        /// The number of the request.
        id: u32,
        /// The moves from the proven position.
        line: Vec<String>,
    },
    /// Calls [`House::wake`](crate::House::wake) at this time or soon after it. Later requests do not replace this one.
    Wake {
        /// Time in milliseconds, as in [`Moment`].
        at: u64,
    },
    /// Stores a finished game, and replaces a game with the same id.
    Keep {
        /// The game.
        game: Box<Archived>,
    },
    /// Deletes a finished game.
    Forget {
        /// Its id.
        name: String,
    },
}

/// A task for a thinker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// An engine's move in a room.
    Move {
        /// The engine and the game.
        turn: Turn,
        /// Seed of a player's small random part.
        seed: u64,
    },
    /// A hint.
    Hint {
        /// Number of moves that lead to the position.
        ply: u32,
        /// The game.
        turn: Turn,
    },
    /// An analysis with increasing time limits.
    Analyse {
        /// The game, and the number of lines.
        analysis: Analysis,
    },
    /// An evaluation of every position of a game.
    Judge {
        /// The number of the request.
        id: u32,
        /// The game.
        game: Game,
    },
    /// A proof.
    Prove {
        /// The game of which a proof is attempted.
        attempted: Attempted,
    },
}

impl Task {
    /// Returns the game of the task.
    pub fn game(&self) -> &Game {
        match self {
            Self::Move { turn, .. } | Self::Hint { turn, .. } => &turn.game,
            Self::Analyse { analysis } => &analysis.game,
            Self::Judge { game, .. } => game,
            Self::Prove { attempted } => &attempted.game,
        }
    }
}

/// A result of a thinker.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// An answer for the page of the task.
    Answer(Box<Answer>),
    /// The engine's move for the house, or `None` if the engine found none.
    Move(Option<String>),
}
