//! What a house wants done.

use room::Turn;
use room::messages::{Answer, Archived, Game};
use room::proving::Attempted;
use room::thinking::Analysis;
use serde::{Deserialize, Serialize};

/// What time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Milliseconds by a clock that never goes back.
    pub ms: u64,
    /// Seconds since 1970.
    pub date: u64,
}

/// Something that is to happen outside.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Effect {
    /// Send an answer to a page.
    Tell {
        /// The page.
        page: u32,
        /// The answer.
        answer: Box<Answer>,
    },
    /// Let a [`Thinker`](crate::Thinker) begin a task.
    Begin {
        /// Names the task.
        number: u32,
        /// The page that hears what the thinker says; unset if the house itself wants to know.
        page: Option<u32>,
        /// The task.
        task: Box<Task>,
    },
    /// End a task, and forget its thinker's proof. It may have ended already.
    End {
        /// The task.
        number: u32,
    },
    /// Ask the thinker that has proven something for the losing side's replies.
    Replies {
        /// The task of the proof.
        number: u32,
        /// The number of the request.
        id: u32,
        /// The moves from the proven position.
        line: Vec<String>,
    },
    /// Call [`House::wake`](crate::House::wake) at this time or soon after it. Later wishes do not replace this one.
    Wake {
        /// Milliseconds, as in [`Moment`].
        at: u64,
    },
    /// Store a finished game, in place of one with the same id.
    Keep {
        /// The game.
        game: Box<Archived>,
    },
    /// Delete a finished game.
    Forget {
        /// Its id.
        name: String,
    },
}

/// Something that takes time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// An engine's move in a room.
    Move {
        /// The engine and the game.
        turn: Turn,
        /// Fixes the small random part of a player.
        seed: u64,
    },
    /// A hint.
    Hint {
        /// How many moves lead to the position.
        ply: u32,
        /// The game.
        turn: Turn,
    },
    /// An analysis, longer and longer.
    Analyse {
        /// What is analysed.
        analysis: Analysis,
    },
    /// A judgement on every position of a game.
    Judge {
        /// The number of the request.
        id: u32,
        /// The game.
        game: Game,
    },
    /// A proof.
    Prove {
        /// What is to be proven.
        attempted: Attempted,
    },
}

impl Task {
    /// The game that it is about.
    pub fn game(&self) -> &Game {
        match self {
            Self::Move { turn, .. } | Self::Hint { turn, .. } => &turn.game,
            Self::Analyse { analysis } => &analysis.game,
            Self::Judge { game, .. } => game,
            Self::Prove { attempted } => &attempted.game,
        }
    }
}

/// What a thinker says.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// To the page that asked.
    Answer(Box<Answer>),
    /// To the house: the engine's move; none if the engine has found none.
    Move(Option<String>),
}
