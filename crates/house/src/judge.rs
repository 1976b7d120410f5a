//! Evaluations of whole games, with an explanation of each error.

use core::time::Duration;

use engine::PlayerOptions;
use games::{AnyRecord, Thought};
use serde::{Deserialize, Serialize};

use crate::messages::answer::Answer;

/// Budget for each position, in nodes.
const NODES: u64 = 60_000;

/// An evaluation of every position of a game, one position per step. It begins with the last position, because
/// evaluations near the end are the most reliable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judge {
    /// Id of the request.
    pub(crate) id: u32,
    /// Time of the first step.
    #[serde(skip)]
    began: Option<Duration>,
    /// Last evaluated position.
    #[serde(skip)]
    next: Option<Next>,
}

/// The position after a move of the game.
#[derive(Clone, Debug)]
struct Next {
    mv: String,
    /// Evaluation; `None` if the game is over.
    thought: Option<Thought>,
}

impl Judge {
    /// Creates an evaluation that begins with the next step.
    pub(crate) fn new(id: u32) -> Self {
        Self { id, began: None, next: None }
    }

    /// Sets the time of the first step, if it is unset.
    pub(crate) fn begun(self, now: Duration) -> Self {
        Self { began: self.began.or(Some(now)), ..self }
    }

    /// Reports the evaluation of the record's last position, and takes the last move back. Returns the answer, and the
    /// rest of the evaluation unless the position was the start of the game.
    pub(crate) fn step(
        self,
        record: &mut dyn AnyRecord,
        thought: Option<Thought>,
        now: Duration,
    ) -> (Answer, Option<Self>) {
        let Self { id, began, next } = self;
        let next = next.zip(thought.as_ref());
        let reason = next.and_then(|(next, thought)| record.reason(&next.mv, thought, next.thought.as_ref()));
        let seconds = now.saturating_sub(began.unwrap_or(now)).as_secs_f64();
        let (ply, shown) = (record.plies() as usize, thought.clone());
        let answer = Answer::Thought { id, ply, seconds, thought: shown, reason, done: ply == 0 };
        let rest = record.undo().map(|mv| Self { id, began, next: Some(Next { mv, thought }) });
        (answer, rest)
    }
}

/// Returns the player that evaluates a position.
pub(crate) fn player() -> PlayerOptions {
    PlayerOptions { nodes: Some(NODES), ..PlayerOptions::analysis() }
}
