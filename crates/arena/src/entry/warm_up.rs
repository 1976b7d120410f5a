//! Agents whose first move takes longer than the others.

use std::time::Duration;

use game::{MoveError, Side, TextGame};
use protocol::TimeLeft;
use referee::{Farewell, Fault, Player, Transcript, Turn};

/// A player that may be late with its first move: it has twice the usual time, and at most the usual time is charged.
pub(crate) struct WarmUp {
    player: Box<dyn Player>,
    /// Time limit of the first move, if that move was late.
    limit: Option<Duration>,
    /// Time of the first move.
    first: Option<Duration>,
    /// Longest time of the other moves.
    others: Duration,
}

impl WarmUp {
    pub(crate) fn new(player: Box<dyn Player>) -> Self {
        Self { player, limit: None, first: None, others: Duration::ZERO }
    }

    /// Returns the time limit of the first move, if that move was late.
    pub(crate) fn late(&self) -> Option<Duration> {
        self.limit
    }

    /// Returns the time of the first move; zero if there was no move yet.
    pub(crate) fn first(&self) -> Duration {
        self.first.unwrap_or_default()
    }

    /// Returns the longest time of the moves after the first one.
    pub(crate) fn others(&self) -> Duration {
        self.others
    }
}

impl Player for WarmUp {
    fn begin(&mut self, game: &dyn TextGame, side: Side, seed: u64, within: Duration) -> Result<(), Fault> {
        self.player.begin(game, side, seed, within)
    }

    fn choose(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Turn {
        if self.first.is_some() {
            let turn = self.player.choose(game, time);
            self.others = self.others.max(turn.wall);
            return turn;
        }
        // The margin is not sent to the agent, so it chooses its move as usual.
        let margin = time.margin + time.limit.unwrap_or_default();
        let mut turn = self.player.choose(game, &TimeLeft { margin, ..*time });
        self.first = Some(turn.wall);
        let charged = turn.wall.saturating_sub(turn.waited);
        self.limit = time.patience().filter(|limit| charged > *limit);
        if let Some(limit) = self.limit {
            turn.waited += charged.saturating_sub(limit);
        }
        turn
    }

    fn end(&mut self, game: &dyn TextGame) -> Farewell {
        self.player.end(game)
    }

    fn write_down(&mut self, transcript: &Transcript) {
        self.player.write_down(transcript);
    }

    fn can_be_replaced(&self) -> bool {
        self.player.can_be_replaced()
    }

    fn explain(&self, error: &MoveError) -> String {
        self.player.explain(error)
    }
}
