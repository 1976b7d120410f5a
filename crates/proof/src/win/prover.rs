//! The searches from which winning strategies are read.

use game::{PliesLeft, Position, Side};
use search::{Policy, ProofSearch, Stop, Stopped, Verdict};

use crate::breakthrough_search::BreakthroughSearch;
use crate::exact::ExactSearch;

/// A search that determines whether a side can force a win, and the winning moves.
pub trait Prover<P: Position> {
    /// Decides whether `attacker` wins. Returns `None` if the search reaches `limit`, the maximum number of visited
    /// positions over all calls, or is stopped. A later call with a larger limit continues the search. The position
    /// must be undecided.
    fn wins(&mut self, root: &P, attacker: Side, limit: u64) -> Option<bool>;

    /// Returns the number of visited positions.
    fn nodes(&self) -> u64;

    /// Returns moves that preserve a proven win for `attacker`, best first. `attacker` must be to move. Proofs that the
    /// table has lost are searched again, so that at least one such move is found in every position of the proof.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    fn winning_moves(&mut self, p: &P, attacker: Side) -> Result<Vec<P::Move>, Stopped>;
}

/// A pair of proof-number searches, one for each side, created on first use.
pub struct EitherSide<'a, P: Position, L> {
    policy: &'a L,
    stop: Stop,
    table_mib: usize,
    nodes: u64,
    searches: [Option<ProofSearch<'a, P, L>>; 2],
}

impl<'a, P: Position, L: Policy<P>> EitherSide<'a, P, L> {
    /// Creates the searches. Each table takes at most `table_mib` MiB, or less if `nodes` visited positions need less
    /// memory.
    pub fn new(policy: &'a L, stop: Stop, table_mib: usize, nodes: u64) -> Self {
        Self { policy, stop, table_mib, nodes, searches: [None, None] }
    }

    fn of(&mut self, attacker: Side) -> &mut ProofSearch<'a, P, L> {
        let Self { policy, stop, table_mib, nodes, searches } = self;
        searches[attacker.index()].get_or_insert_with(|| ProofSearch::new(*policy, stop.clone(), *table_mib, *nodes))
    }
}

impl<P: Position, L: Policy<P>> Prover<P> for EitherSide<'_, P, L> {
    fn wins(&mut self, root: &P, attacker: Side, limit: u64) -> Option<bool> {
        let left = limit.saturating_sub(self.nodes());
        let search = self.of(attacker);
        search.set_node_limit(search.nodes() + left);
        match search.solve(root, attacker, PliesLeft::UNLIMITED) {
            Verdict::Win { .. } => Some(true),
            Verdict::NoWin => Some(false),
            Verdict::Unknown => None,
        }
    }

    fn nodes(&self) -> u64 {
        self.searches.iter().flatten().map(ProofSearch::nodes).sum()
    }

    fn winning_moves(&mut self, p: &P, attacker: Side) -> Result<Vec<P::Move>, Stopped> {
        let search = self.of(attacker);
        let moves = search.winning_moves(p, PliesLeft::UNLIMITED);
        if !moves.is_empty() {
            return Ok(moves.into_iter().map(|(m, _)| m).collect());
        }
        search.set_node_limit(u64::MAX);
        match search.solve(p, attacker, PliesLeft::UNLIMITED) {
            Verdict::Win { best, .. } => Ok(best.into_iter().collect()),
            Verdict::NoWin => Ok(Vec::new()),
            Verdict::Unknown => Err(Stopped),
        }
    }
}

/// One search serves both sides, because Jump61 has no draws.
impl Prover<jump61::Position> for ExactSearch {
    fn wins(&mut self, root: &jump61::Position, attacker: Side, limit: u64) -> Option<bool> {
        self.set_limit(limit);
        self.winner(root).ok().map(|winner| winner == attacker)
    }

    fn nodes(&self) -> u64 {
        ExactSearch::nodes(self)
    }

    fn winning_moves(&mut self, p: &jump61::Position, _: Side) -> Result<Vec<jump61::Move>, Stopped> {
        self.set_limit(u64::MAX);
        ExactSearch::winning_moves(self, p)
    }
}

/// One search serves both sides, because Breakthrough has no draws.
impl Prover<breakthrough::Position> for BreakthroughSearch {
    fn wins(&mut self, root: &breakthrough::Position, attacker: Side, limit: u64) -> Option<bool> {
        self.set_limit(limit);
        self.winner(root).ok().map(|winner| winner == attacker)
    }

    fn nodes(&self) -> u64 {
        BreakthroughSearch::nodes(self)
    }

    /// Returns the first move of a short win. If the table does not contain one, searches for the shortest win, so that
    /// a strategy that is read from the start position is as short as possible.
    fn winning_moves(&mut self, p: &breakthrough::Position, _: Side) -> Result<Vec<breakthrough::Move>, Stopped> {
        self.set_limit(u64::MAX);
        Ok(self.winning_move(p)?.into_iter().collect())
    }
}
