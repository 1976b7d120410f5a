//! Data that was read or computed for pages.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use arena::{Follower, Row, Watched};
use games::Scene;
use house::messages::Game;
use serde::Serialize;

use crate::introduction::Introduction;
use crate::play::Program;
use crate::store::players::PlayerKey;
use crate::views::StandingRow;

/// An accepted version.
#[derive(Debug)]
pub(super) struct Info {
    /// Id of the team.
    pub(super) team: String,
    /// Number among those of the team.
    pub(super) number: u32,
    pub(super) introduction: Introduction,
    pub(super) program: Program,
}

/// A computed scoreboard.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) rows: Vec<StandingRow>,
    pub(super) updated: String,
    /// Number of the computation.
    pub(super) number: u64,
}

/// The scoreboards of the ladder and of the final.
#[derive(Default)]
pub(super) struct Boards {
    pub(super) ladder: Mutex<Option<Shown>>,
    pub(super) last: Mutex<Option<Shown>>,
    /// Number of computations.
    pub(super) count: AtomicU64,
}

/// A scoreboard in use.
pub(super) struct Shown {
    pub(super) board: Arc<Board>,
    /// Time of its computation.
    pub(super) at: Instant,
    /// Number of changes at its computation.
    pub(super) seen: u64,
}

/// The state of the final as it is shown.
#[derive(Default)]
pub(super) struct FinalView {
    pub(super) follower: Option<Follower>,
    pub(super) watched: Option<Watched>,
    pub(super) at: Option<Instant>,
    /// Number of looks that found a change.
    pub(super) changes: u64,
    /// Versions of the final, in the order of the tournament's agents.
    pub(super) entered: Option<Vec<i64>>,
    pub(super) without: Option<Without>,
}

/// The rows of the scoreboard without the agents that take no part any more.
pub(super) struct Without {
    pub(super) agents: BTreeSet<usize>,
    /// Number of games of the final when the rows were computed.
    pub(super) played: u32,
    pub(super) rows: Vec<Row>,
    /// End of the pause after which the rows are computed again.
    pub(super) earliest: Instant,
}

/// A game on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownGame {
    /// Players, in the order of the game's agents.
    pub(super) players: [PlayerKey; 2],
    /// Number in the store, once it is stored.
    pub(super) id: Option<i64>,
}

/// The position on a board.
pub(super) struct ShownScene {
    pub(super) game: Game,
    pub(super) scene: Arc<Scene>,
}

/// A problem of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Time.
    pub at: String,
    /// Description.
    pub text: String,
}
