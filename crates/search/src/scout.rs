//! A search with helper threads lets the first of them look for a forced win: for a short time in any case, and for
//! longer when the side to move is clearly ahead.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use game::{PliesLeft, Position};

use crate::control::{Stop, StopWhenDropped};
use crate::forced::{ForcedWins, win_lengths};
use crate::host::Threads;
use crate::params::{CLEARLY_AHEAD, EXACT_RATE, LINE_NODES, SCOUT_DEPTH, SCOUT_FIRST_NODES};
use crate::policy::Policy;
use crate::proof_search::{ProofSearch, Verdict};
use crate::score::Score;

/// A forced win: its principal variation, and within how many plies it wins.
pub(crate) type Win<M> = (Vec<M>, u32);

/// The two searches for a forced win that begin a choice, and how far they have come. Neither is always the better one:
/// the exact search finds every win up to a length, and the proof search finds a long win in which the opponent has few
/// replies.
pub(crate) struct Quest<'a, P: Position, L> {
    pub(crate) exact: ForcedWins<'a, P, L>,
    /// `None` if it is not used.
    proof: Option<ProofSearch<'a, P, L>>,
    /// The lengths of wins that the exact search looks for, in plies: above the first number, up to the second one.
    lengths: (u32, u32),
    /// Whether the proof search has found that there is no win.
    is_ruled_out: bool,
    /// How many more nodes the proof search may visit in its next turn.
    nodes: u64,
    /// The exact search goes on until it has visited so many nodes in all, whoever is ahead.
    unasked: u64,
}

impl<'a, P: Position, L: Policy<P>> Quest<'a, P, L> {
    /// Goes on with these searches. Of the exact one, wins up to `lengths.0` plies are ruled out, and wins up to
    /// `lengths.1` plies are looked for. A helper lets it visit `unasked` nodes in all before it is wanted.
    pub(crate) fn new(
        exact: ForcedWins<'a, P, L>,
        proof: Option<ProofSearch<'a, P, L>>,
        lengths: (u32, u32),
        unasked: u64,
    ) -> Self {
        Self { exact, proof, lengths, is_ruled_out: false, nodes: SCOUT_FIRST_NODES, unasked }
    }

    /// Nodes of the proof search.
    pub(crate) fn proof_nodes(&self) -> u64 {
        self.proof.as_ref().map_or(0, ProofSearch::nodes)
    }

    /// Frees the memory of the proof search.
    pub(crate) fn drop_proof(&mut self) {
        self.proof = None;
    }

    /// Runs the proof search until the stop or the node limit that it was made with.
    pub(crate) fn prove(&mut self, p: &P, left: PliesLeft) -> Option<Win<P::Move>> {
        let proof = self.proof.as_mut()?;
        let verdict = proof.solve(p, p.side_to_move(), left);
        self.judge(verdict, p, left)
    }

    /// Runs the proof search, and the exact search on another thread until the proof search ends.
    pub(crate) fn prove_and_search(
        &mut self,
        p: &P,
        left: PliesLeft,
        stop: &Stop,
        threads: &dyn Threads,
    ) -> Option<Win<P::Move>> {
        let (proof_ended, exact_found) = (Stop::new(), Stop::new());
        let proof = self.proof.as_mut()?;
        proof.stop_also(&exact_found);
        self.exact.set_stop(stop.or(&proof_ended));
        let (mut verdict, mut found) = (Verdict::Unknown, None);
        let exact = Mutex::new((&mut self.exact, &mut self.lengths, &mut found));
        let mut lead = || {
            let _guard = StopWhenDropped(&proof_ended);
            verdict = proof.solve(p, p.side_to_move(), left);
        };
        let help = |_| {
            let (exact, lengths, found) = &mut *exact.lock().unwrap_or_else(PoisonError::into_inner);
            **found = next_lengths(exact, lengths, p, left);
            if found.is_some() {
                exact_found.stop();
            }
        };
        threads.run(&mut lead, 1, &help);
        // The exact search finds the shortest win.
        found.or_else(|| self.judge(verdict, p, left))
    }

    /// The win in a verdict of the proof search.
    fn judge(&mut self, verdict: Verdict<P::Move>, p: &P, left: PliesLeft) -> Option<Win<P::Move>> {
        match verdict {
            Verdict::Win { best: Some(m), plies } => {
                self.proof.as_ref().map(|proof| (proof.winning_line(p, m, left), plies))
            }
            Verdict::NoWin => {
                self.is_ruled_out = true;
                None
            }
            Verdict::Win { best: None, .. } | Verdict::Unknown => None,
        }
    }

    /// Runs each search for a turn, twice as long as the turn before.
    fn turn(&mut self, p: &P, left: PliesLeft, stop: &Stop) -> Option<Win<P::Move>> {
        let nodes = self.nodes;
        self.nodes = nodes.saturating_mul(2);
        if let Some(proof) = &mut self.proof {
            proof.set_stop(stop.clone());
            proof.set_node_limit(proof.nodes().saturating_add(nodes));
        }
        self.prove(p, left).or_else(|| self.search(p, left, stop, nodes.saturating_mul(EXACT_RATE)))
    }

    /// Lets the exact search visit what is left of the nodes that it may visit unasked.
    fn begin(&mut self, p: &P, left: PliesLeft, stop: &Stop) -> Option<Win<P::Move>> {
        let nodes = self.unasked.saturating_sub(self.exact.nodes());
        if nodes > 0 && !self.is_ruled_out { self.search(p, left, stop, nodes) } else { None }
    }

    /// Lets the exact search visit so many more nodes.
    fn search(&mut self, p: &P, left: PliesLeft, stop: &Stop, nodes: u64) -> Option<Win<P::Move>> {
        self.exact.set_stop(stop.clone());
        self.exact.allow(nodes);
        let found = next_lengths(&mut self.exact, &mut self.lengths, p, left);
        self.exact.allow(u64::MAX);
        found
    }

    /// Whether nothing is left to look for.
    fn is_over(&self) -> bool {
        let (above, most) = self.lengths;
        self.is_ruled_out || self.proof.is_none() && win_lengths::<P>(most).all(|length| length <= above)
    }
}

/// The shortest win of these lengths: above the first one, which grows with what is ruled out, up to the second one.
/// `None` too if the search is stopped or has visited the nodes that it may visit.
fn next_lengths<P: Position, L: Policy<P>>(
    exact: &mut ForcedWins<'_, P, L>,
    lengths: &mut (u32, u32),
    p: &P,
    left: PliesLeft,
) -> Option<Win<P::Move>> {
    let above = lengths.0;
    for length in win_lengths::<P>(lengths.1).filter(|&length| length > above) {
        if let Some((m, plies)) = exact.win_of_length(p, length, left).ok()? {
            // The answer must not wait for a line whose positions the table no longer has.
            exact.allow(LINE_NODES);
            let line = exact.winning_line(p, m, plies, left);
            exact.allow(u64::MAX);
            return Some((line, plies));
        }
        lengths.0 = length;
    }
    None
}

/// A look for forced wins beside a search.
pub(crate) struct Scout<'q, 'a, P: Position, L> {
    quest: Mutex<&'q mut Quest<'a, P, L>>,
    /// Whether the search sees its side clearly ahead.
    is_wanted: AtomicBool,
    found: Mutex<Option<Win<P::Move>>>,
    /// Stops the main search.
    done: Stop,
    /// Stops what the helper does when it is wanted for the first time.
    call: Stop,
}

impl<'q, 'a, P: Position, L: Policy<P>> Scout<'q, 'a, P, L> {
    pub(crate) fn new(quest: &'q mut Quest<'a, P, L>) -> Self {
        Self {
            quest: Mutex::new(quest),
            is_wanted: AtomicBool::new(false),
            found: Mutex::new(None),
            done: Stop::new(),
            call: Stop::new(),
        }
    }

    /// A stop for the main search: the caller's, and set too when the scout has found a win.
    pub(crate) fn stop(&self, told: &Stop) -> Stop {
        told.or(&self.done)
    }

    /// A stop for the helper's own search: its own, and set too when the main search wants the scout.
    pub(crate) fn call(&self, told: &Stop) -> Stop {
        told.or(&self.call)
    }

    /// The main search tells what it has found so far.
    pub(crate) fn tell(&self, depth: u32, score: Score) {
        let is_ahead = depth >= SCOUT_DEPTH && score >= Score::units(CLEARLY_AHEAD);
        self.is_wanted.store(is_ahead, Ordering::Relaxed);
        if is_ahead {
            self.call.stop();
        }
    }

    /// Looks for a win: first with the nodes that need no call, then while it is wanted. Returns whether nothing is
    /// left to look for.
    pub(crate) fn look(&self, p: &P, left: PliesLeft, stop: &Stop) -> bool {
        let mut quest = self.quest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = quest.begin(p, left, stop);
        while found.is_none() && !quest.is_over() && self.is_wanted.load(Ordering::Relaxed) && stop.check(0).is_ok() {
            found = quest.turn(p, left, stop);
        }
        let Some(win) = found else { return quest.is_over() };
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(win);
        self.done.stop();
        true
    }

    /// What it has found.
    pub(crate) fn into_found(self) -> Option<Win<P::Move>> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::blind::Blind;
    use crate::host::Sequential;

    /// White wins in five plies.
    pub(crate) const WIN: &str = "--b--b--/--------/----b---/------b-/----ww--/----bwww/-w-bw---/-------- w";

    /// A quest for wins of five and seven plies, with a proof search or without.
    fn quest(with_proof: bool) -> Quest<'static, loa::Position, Blind> {
        let proof = with_proof.then(|| ProofSearch::new(&Blind, Stop::new(), 4, 0));
        Quest::new(ForcedWins::new(&Blind, Stop::new(), 4), proof, (3, 7), 0)
    }

    #[test]
    fn a_scout_looks_when_its_side_is_ahead_and_stops_the_search() {
        let p: loa::Position = WIN.parse().expect("a position");
        let mut quest = quest(false);
        let scout = Scout::new(&mut quest);
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let call = scout.call(&told);
        for (depth, score) in [(SCOUT_DEPTH, CLEARLY_AHEAD - 1), (SCOUT_DEPTH - 1, CLEARLY_AHEAD)] {
            scout.tell(depth, Score::units(score));
            assert!(!scout.look(&p, left, &told) && call.check(0).is_ok());
        }
        scout.tell(SCOUT_DEPTH, Score::units(CLEARLY_AHEAD));
        assert!(call.check(0).is_err() && told.check(0).is_ok(), "the helper is called from its own search");
        let search = scout.stop(&told);
        assert!(scout.look(&p, left, &told));
        assert!(search.check(0).is_err() && told.check(0).is_ok(), "the caller's stop is not touched");
        let (pv, plies) = scout.into_found().expect("a win");
        assert_eq!((pv.len(), plies), (5, 5));
    }

    #[test]
    fn a_scout_looks_unasked_as_far_as_it_may() {
        let p: loa::Position = WIN.parse().expect("a position");
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let look = |unasked| {
            let mut quest = quest(true);
            quest.unasked = unasked;
            let scout = Scout::new(&mut quest);
            // The second look has no nodes left. A node and its moves are counted at once.
            let looks = [scout.look(&p, left, &told), scout.look(&p, left, &told)];
            let plies = scout.into_found().map(|(_, plies)| plies);
            (plies, looks[0], quest.exact.nodes() < unasked + 50, quest.proof_nodes())
        };
        assert_eq!(look(0), (None, false, true, 0));
        assert_eq!(look(10), (None, false, true, 0));
        assert_eq!(look(1_000_000), (Some(5), true, true, 0));
    }

    #[test]
    fn either_search_finds_a_win_and_turns_get_longer() {
        let p: loa::Position = WIN.parse().expect("a position");
        let start = loa::Position::start(8).expect("a size");
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let mut by_proof = quest(true);
        by_proof.lengths = (0, 1);
        let (pv, plies) = by_proof.turn(&p, left, &told).expect("a proof");
        assert!(plies >= 5 && pv.len() <= plies as usize && p.movable().contains(&pv[0]));
        let mut open = quest(true);
        open.nodes = 1;
        assert!(open.turn(&start, left, &told).is_none() && !open.is_over());
        assert_eq!((open.nodes, open.lengths), (2, (3, 7)), "a turn that was too short rules nothing out");
        let mut exact = quest(false);
        exact.lengths = (3, 5);
        assert!(exact.turn(&start, left, &told).is_none() && exact.is_over());
        assert_eq!(exact.lengths, (5, 5), "what is ruled out is not looked for again");
    }

    /// Runs the helpers before the leader.
    #[derive(Debug)]
    struct HelpersFirst;

    impl Threads for HelpersFirst {
        fn run(&self, lead: &mut dyn FnMut(), helpers: usize, help: &(dyn Fn(usize) + Sync)) {
            (0..helpers).for_each(help);
            lead();
        }
    }

    #[test]
    fn the_exact_search_and_the_proof_search_stop_each_other() {
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let found = |p: &str, threads: &dyn Threads| {
            let mut quest = quest(true);
            quest.proof.as_mut().expect("a proof search").set_node_limit(100_000);
            let win = quest.prove_and_search(&p.parse().expect("a position"), left, &told, threads);
            (win.map(|(_, plies)| plies), quest.lengths.0, quest.proof_nodes() < 1_000)
        };
        assert_eq!(found(WIN, &HelpersFirst), (Some(5), 3, true), "the proof search was stopped");
        let (by_proof, above, _) = found(WIN, &Sequential);
        assert!(by_proof.is_some_and(|plies| plies >= 5) && above == 3, "the exact search was stopped");
        let start = loa::Position::start(8).expect("a size").to_string();
        assert_eq!(found(&start, &HelpersFirst), (None, 7, false), "neither was stopped");
        assert_eq!(found(&start, &Sequential), (None, 3, false));
        assert!(told.check(0).is_ok(), "the caller's stop is not touched");
    }

    #[test]
    fn a_lost_position_is_not_looked_at_again() {
        // White is connected, and wins whatever Black plays.
        let p: loa::Position =
            "b------b/-ww-----/--------/--------/--------/--------/--------/-------- b".parse().expect("a position");
        let mut quest = quest(true);
        quest.proof.as_mut().expect("a proof search").set_node_limit(100_000);
        assert!(quest.prove(&p, PliesLeft::UNLIMITED).is_none());
        assert!(quest.is_over() && quest.proof_nodes() > 0);
    }

    #[test]
    fn a_stopped_scout_finds_nothing() {
        let p: loa::Position = WIN.parse().expect("a position");
        let mut quest = quest(true);
        let scout = Scout::new(&mut quest);
        scout.tell(SCOUT_DEPTH, Score::units(CLEARLY_AHEAD));
        let told = Stop::new();
        told.stop();
        assert!(!scout.look(&p, PliesLeft::UNLIMITED, &told));
        assert!(scout.into_found().is_none());
    }
}
