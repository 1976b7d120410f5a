use core::num::NonZeroUsize;

use crate::technique::Techniques;
use crate::tuning::Tuning;

/// Settings of an [`AlphaBeta`](crate::alphabeta::AlphaBeta) player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB. Each exact search for forced wins and each proof search has its own
    /// table of at most this size.
    pub table_mib: usize,
    /// Number of search threads, if the host has threads. With more than one, choices are not reproducible.
    pub threads: NonZeroUsize,
    /// Node budget of a move if no limit is set. Nodes of the exact search do not count.
    pub default_nodes: u64,
    /// Maximum length of the forced wins that are always found, in plies. The node budget does not limit this search; a
    /// time limit or a stop does.
    pub win_horizon: u32,
    /// Maximum length of the forced losses that are avoided if another move exists, in plies, including the chosen
    /// move. The node budget does not limit this search; a time limit or a stop does.
    pub loss_horizon: u32,
    /// Maximum length of forced wins beyond `win_horizon`, in plies. The exact search for them uses up to four times
    /// the node budget, or a tenth of the time. With helper threads, one of them searches further: during the proof
    /// search, for a short time after it, and while the side to move is clearly ahead.
    pub far_horizon: u32,
    /// `true` to count a move that repeats a position of the game as a draw, so that the better side prefers another
    /// move. The result depends on the path, so it is used at the root only and never stored.
    pub shuns_repetition: bool,
    /// Maximum random change to an evaluation, in hundredths of a piece. The seed determines the changes.
    pub noise: u32,
    /// Number of best moves that get their own score and principal variation.
    pub lines: NonZeroUsize,
    /// Techniques that the search uses beyond plain alpha-beta.
    pub techniques: Techniques,
    /// Parameters of the main search.
    pub tuning: Tuning,
    /// Share of the nodes or the time that the proof search for a win may use, in percent. A check that the chosen move
    /// does not lose may use half as much in addition.
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
