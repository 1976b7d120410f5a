//! Searches that wins are read from.

use game::{PliesLeft, Position, Side};
use search::{Policy, ProofSearch, Stop, Stopped, Verdict};

use crate::exact::ExactSearch;

/// A search that finds out whether a side can force a win, and with which moves.
pub trait Prover<P: Position> {
    /// Whether `attacker` wins; `None` if that is not known after so many positions were visited in all calls together,
    /// or if the search was stopped. A later call with a larger limit goes on. The position must be undecided.
    fn wins(&mut self, root: &P, attacker: Side, limit: u64) -> Option<bool>;

    /// Visited positions.
    fn nodes(&self) -> u64;

    /// Moves of `attacker`, who is to move, that keep a proven win, the best first. What the search has forgotten it
    /// proves again, so there is at least one in a position of the proof.
    ///
    /// # Errors
    /// If the search was stopped.
    fn winning_moves(&mut self, p: &P, attacker: Side) -> Result<Vec<P::Move>, Stopped>;
}

/// A proof-number search for each side, made when it is asked for.
pub struct EitherSide<'a, P: Position, L> {
    policy: &'a L,
    stop: Stop,
    table_mib: usize,
    nodes: u64,
    searches: [Option<ProofSearch<'a, P, L>>; 2],
}

impl<'a, P: Position, L: Policy<P>> EitherSide<'a, P, L> {
    /// Searches with a table of at most this many MiB each, and no larger than so many visited positions can fill.
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

/// Neither side can draw in Jump61, so that one search serves both.
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
