use core::num::NonZeroUsize;

use crate::technique::Techniques;
use crate::tuning::Tuning;

/// Settings of an [`AlphaBeta`](crate::AlphaBeta) player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB. Each exact search for forced wins has another table of at most this
    /// size, and so has each proof search.
    pub table_mib: usize,
    /// Threads that search together, if the host has threads. With more than one, choices are not reproducible.
    pub threads: NonZeroUsize,
    /// Nodes for one move if no limit is set. Nodes of the exact search do not count.
    pub default_nodes: u64,
    /// Forced wins up to this many plies are always found, whatever the node budget, unless the time runs out.
    pub win_horizon: u32,
    /// Forced wins of the opponent up to this many plies, including the move to choose, are avoided wherever that is
    /// possible, unless the time runs out.
    pub loss_horizon: u32,
    /// The exact search looks for forced wins beyond `win_horizon`, up to this many plies, as far as four times the
    /// node budget, or a tenth of the time, allows. With helper threads, one of them looks further: during the proof
    /// search, for a short time after it, and when the side to move is clearly ahead.
    pub far_horizon: u32,
    /// Whether a move that repeats a position of the game counts as a draw, so that the better side looks for another
    /// move. This depends on the path, so it is decided at the root only and never stored.
    pub shuns_repetition: bool,
    /// Largest random change of an evaluation, in hundredths of a piece, fixed by the seed.
    pub noise: u32,
    /// How many of the best moves get a score and a principal variation of their own.
    pub lines: NonZeroUsize,
    /// What the search may use beyond plain alpha-beta.
    pub techniques: Techniques,
    /// The numbers of the main search.
    pub tuning: Tuning,
    /// Share of the nodes or the time that the proof search may take to find our win, in percent. It may take half as
    /// much again to check that the chosen move does not lose.
    pub proof_percent: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            table_mib: 8,
            threads: NonZeroUsize::MIN,
            default_nodes: 100_000,
            win_horizon: 5,
            loss_horizon: 4,
            far_horizon: 0,
            shuns_repetition: true,
            noise: 3,
            lines: NonZeroUsize::MIN,
            techniques: Techniques::ALL,
            tuning: Tuning::default(),
            proof_percent: 5,
        }
    }
}
