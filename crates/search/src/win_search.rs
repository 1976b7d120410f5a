//! Searches for forced wins beyond the horizon. If a win may be near, the proof search runs before the main search; if
//! a helper thread may be used, the exact search runs in parallel to it. During the main search, the first helper
//! thread continues these searches. With a time limit, it first runs the exact search for a short time. While the side
//! to move is clearly ahead, it runs both searches.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use game::{PliesLeft, Position};

use crate::control::{Stop, StopWhenDropped};
use crate::forced::{ForcedWins, win_lengths};
use crate::host::Threads;
use crate::params::{CLEARLY_AHEAD, EXACT_RATE, LINE_NODES, WIN_SEARCH_DEPTH, WIN_SEARCH_FIRST_NODES};
use crate::policy::Policy;
use crate::proof_search::{ProofSearch, Verdict};
use crate::score::Score;

/// A forced win: its principal variation, and its maximum length in plies.
pub(crate) type Win<M> = (Vec<M>, u32);

/// The two searches for a forced win, and their progress. The exact search finds every win up to a length. The proof
/// search finds long wins in which the opponent has few replies.
pub(crate) struct WinSearch<'a, P: Position, L> {
    pub(crate) exact: ForcedWins<'a, P, L>,
    /// Proof search; `None` if unused.
    proof: Option<ProofSearch<'a, P, L>>,
    /// Range of win lengths that remain for the exact search, in plies: above the first number, up to the second.
    lengths: (u32, u32),
    /// `true` if the proof search has refuted every win.
    is_ruled_out: bool,
    /// Number of nodes of the next proof search.
    nodes: u64,
    /// Total number of nodes up to which the helper continues the exact search without a request from the main search.
    /// Nodes visited earlier count, too.
    initial_nodes: u64,
}

impl<'a, P: Position, L: Policy<P>> WinSearch<'a, P, L> {
    /// Creates a win search that continues these two searches. `exact` has ruled out wins of up to `lengths.0` plies
    /// and looks for wins of up to `lengths.1` plies. During the main search, the helper continues `exact` up to
    /// `initial_nodes` nodes in total without a request.
    pub(crate) fn new(
        exact: ForcedWins<'a, P, L>,
        proof: Option<ProofSearch<'a, P, L>>,
        lengths: (u32, u32),
        initial_nodes: u64,
    ) -> Self {
        Self { exact, proof, lengths, is_ruled_out: false, nodes: WIN_SEARCH_FIRST_NODES, initial_nodes }
    }

    /// Returns the number of nodes of the proof search.
    pub(crate) fn proof_nodes(&self) -> u64 {
        self.proof.as_ref().map_or(0, ProofSearch::nodes)
    }

    /// Frees the memory of the proof search.
    pub(crate) fn drop_proof(&mut self) {
        self.proof = None;
    }

    /// Runs the proof search until it is stopped or reaches its node limit.
    pub(crate) fn prove(&mut self, p: &P, left: PliesLeft) -> Option<Win<P::Move>> {
        let proof = self.proof.as_mut()?;
        let verdict = proof.solve(p, p.side_to_move(), left);
        self.judge(verdict, p, left)
    }

    /// Runs both searches in parallel. Runs neither if there is no proof search. The end of the proof search stops the
    /// exact search. A win by the exact search stops the proof search.
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
        // The exact search takes precedence: it finds the shortest win.
        found.or_else(|| self.judge(verdict, p, left))
    }

    /// Returns the win in a verdict of the proof search, or records that there is no win.
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

    /// Runs the proof search, then the exact search, with twice the nodes of the last call.
    fn search_longer(&mut self, p: &P, left: PliesLeft, stop: &Stop) -> Option<Win<P::Move>> {
        let nodes = self.nodes;
        self.nodes = nodes.saturating_mul(2);
        if let Some(proof) = &mut self.proof {
            proof.set_stop(stop.clone());
            proof.set_node_limit(proof.nodes().saturating_add(nodes));
        }
        self.prove(p, left).or_else(|| self.search(p, left, stop, nodes.saturating_mul(EXACT_RATE)))
    }

    /// Runs the exact search until it has visited `initial_nodes` nodes in total.
    fn begin(&mut self, p: &P, left: PliesLeft, stop: &Stop) -> Option<Win<P::Move>> {
        let nodes = self.initial_nodes.saturating_sub(self.exact.nodes());
        if nodes > 0 && !self.is_ruled_out { self.search(p, left, stop, nodes) } else { None }
    }

    /// Runs the exact search for this many more nodes.
    fn search(&mut self, p: &P, left: PliesLeft, stop: &Stop, nodes: u64) -> Option<Win<P::Move>> {
        self.exact.set_stop(stop.clone());
        self.exact.allow(nodes);
        let found = next_lengths(&mut self.exact, &mut self.lengths, p, left);
        self.exact.allow(u64::MAX);
        found
    }

    /// Returns `true` if neither search has work left: the proof search has refuted every win, or there is no proof
    /// search and the exact search has ruled out all its lengths.
    fn is_exhausted(&self) -> bool {
        let (above, most) = self.lengths;
        self.is_ruled_out || self.proof.is_none() && win_lengths::<P>(most).all(|length| length <= above)
    }
}

/// Returns the shortest win that is longer than `lengths.0` and at most `lengths.1` plies long; `None` if there is no
/// such win, or if the search is stopped or reaches its node limit. Sets `lengths.0` to each length that is ruled out.
fn next_lengths<P: Position, L: Policy<P>>(
    exact: &mut ForcedWins<'_, P, L>,
    lengths: &mut (u32, u32),
    p: &P,
    left: PliesLeft,
) -> Option<Win<P::Move>> {
    let above = lengths.0;
    for length in win_lengths::<P>(lengths.1).filter(|&length| length > above) {
        if let Some((m, plies)) = exact.win_of_length(p, length, left).ok()? {
            // The table may have lost positions of the line; searching them again must not take long.
            exact.allow(LINE_NODES);
            let line = exact.winning_line(p, m, plies, left);
            exact.allow(u64::MAX);
            return Some((line, plies));
        }
        lengths.0 = length;
    }
    None
}

/// The search for forced wins that the first helper thread runs beside the main search.
pub(crate) struct WinHelper<'q, 'a, P: Position, L> {
    win_search: Mutex<&'q mut WinSearch<'a, P, L>>,
    /// `true` while the main search scores its side as clearly ahead.
    is_wanted: AtomicBool,
    found: Mutex<Option<Win<P::Move>>>,
    /// Signal that stops the main search when a win is found.
    done: Stop,
    /// Signal that interrupts the helper's alpha-beta search at the first request.
    request: Stop,
}

impl<'q, 'a, P: Position, L: Policy<P>> WinHelper<'q, 'a, P, L> {
    pub(crate) fn new(win_search: &'q mut WinSearch<'a, P, L>) -> Self {
        Self {
            win_search: Mutex::new(win_search),
            is_wanted: AtomicBool::new(false),
            found: Mutex::new(None),
            done: Stop::new(),
            request: Stop::new(),
        }
    }

    /// Returns the stop signal of the main search: a copy of `stop` that is also set when the helper finds a win.
    pub(crate) fn leader_stop(&self, stop: &Stop) -> Stop {
        stop.or(&self.done)
    }

    /// Returns the stop signal of the helper's alpha-beta search: a copy of `stop` that is also set when the main
    /// search requests a win search.
    pub(crate) fn helper_stop(&self, stop: &Stop) -> Stop {
        stop.or(&self.request)
    }

    /// Receives the depth and the score of the main search, and requests a win search if its side is clearly ahead.
    pub(crate) fn report(&self, depth: u32, score: Score) {
        let is_ahead = depth >= WIN_SEARCH_DEPTH && score >= Score::units(CLEARLY_AHEAD);
        self.is_wanted.store(is_ahead, Ordering::Relaxed);
        if is_ahead {
            self.request.stop();
        }
    }

    /// Searches for a win: first up to the initial number of nodes, then as long as the main search requests it.
    /// Returns `true` if the search has found a win or has no work left.
    pub(crate) fn search_if_due(&self, p: &P, left: PliesLeft, stop: &Stop) -> bool {
        let mut win_search = self.win_search.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = win_search.begin(p, left, stop);
        while found.is_none()
            && !win_search.is_exhausted()
            && self.is_wanted.load(Ordering::Relaxed)
            && stop.check(0).is_ok()
        {
            found = win_search.search_longer(p, left, stop);
        }
        let Some(win) = found else { return win_search.is_exhausted() };
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(win);
        self.done.stop();
        true
    }

    /// Returns the win, if one was found.
    pub(crate) fn into_found(self) -> Option<Win<P::Move>> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::blind::Blind;
    use crate::host::Sequential;

    /// A position in which White wins in five plies.
    pub(crate) const WIN: &str = "--b--b--/--------/----b---/------b-/----ww--/----bwww/-w-bw---/-------- w";

    /// Creates a search for wins of five and seven plies, with or without a proof search.
    fn win_search(with_proof: bool) -> WinSearch<'static, loa::Position, Blind> {
        let proof = with_proof.then(|| ProofSearch::new(&Blind, Stop::new(), 4, 0));
        WinSearch::new(ForcedWins::new(&Blind, Stop::new(), 4), proof, (3, 7), 0)
    }

    #[test]
    fn a_helper_searches_when_its_side_is_ahead_and_stops_the_search() {
        let p: loa::Position = WIN.parse().expect("a position");
        let mut win_search = win_search(false);
        let win_helper = WinHelper::new(&mut win_search);
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let request = win_helper.helper_stop(&told);
        for (depth, score) in [(WIN_SEARCH_DEPTH, CLEARLY_AHEAD - 1), (WIN_SEARCH_DEPTH - 1, CLEARLY_AHEAD)] {
            win_helper.report(depth, Score::units(score));
            assert!(!win_helper.search_if_due(&p, left, &told) && request.check(0).is_ok());
        }
        win_helper.report(WIN_SEARCH_DEPTH, Score::units(CLEARLY_AHEAD));
        assert!(request.check(0).is_err() && told.check(0).is_ok(), "only the helper's own search is interrupted");
        let search = win_helper.leader_stop(&told);
        assert!(win_helper.search_if_due(&p, left, &told));
        assert!(search.check(0).is_err() && told.check(0).is_ok(), "the caller's stop is not touched");
        let (pv, plies) = win_helper.into_found().expect("a win");
        assert_eq!((pv.len(), plies), (5, 5));
    }

    #[test]
    fn a_helper_searches_its_initial_nodes_without_a_request() {
        let p: loa::Position = WIN.parse().expect("a position");
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let search = |initial_nodes| {
            let mut win_search = win_search(true);
            win_search.initial_nodes = initial_nodes;
            let win_helper = WinHelper::new(&mut win_search);
            // The second call has no nodes left. The search may exceed its limit by the moves of one node.
            let ended = [win_helper.search_if_due(&p, left, &told), win_helper.search_if_due(&p, left, &told)];
            let plies = win_helper.into_found().map(|(_, plies)| plies);
            (plies, ended[0], win_search.exact.nodes() < initial_nodes + 50, win_search.proof_nodes())
        };
        assert_eq!(search(0), (None, false, true, 0));
        assert_eq!(search(10), (None, false, true, 0));
        assert_eq!(search(1_000_000), (Some(5), true, true, 0));
    }

    #[test]
    fn either_search_finds_a_win_and_searches_get_longer() {
        let p: loa::Position = WIN.parse().expect("a position");
        let start = loa::Position::start(8).expect("a size");
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let mut by_proof = win_search(true);
        by_proof.lengths = (0, 1);
        let (pv, plies) = by_proof.search_longer(&p, left, &told).expect("a proof");
        assert!(plies >= 5 && pv.len() <= plies as usize && p.movable().contains(&pv[0]));
        let mut open = win_search(true);
        open.nodes = 1;
        assert!(open.search_longer(&start, left, &told).is_none() && !open.is_exhausted());
        assert_eq!((open.nodes, open.lengths), (2, (3, 7)), "an unfinished search rules out no length");
        let mut exact = win_search(false);
        exact.lengths = (3, 5);
        assert!(exact.search_longer(&start, left, &told).is_none() && exact.is_exhausted());
        assert_eq!(exact.lengths, (5, 5), "lengths that are ruled out are not searched again");
    }

    /// Threads that run the helpers before the leader.
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
            let mut win_search = win_search(true);
            win_search.proof.as_mut().expect("a proof search").set_node_limit(100_000);
            let win = win_search.prove_and_search(&p.parse().expect("a position"), left, &told, threads);
            (win.map(|(_, plies)| plies), win_search.lengths.0, win_search.proof_nodes() < 1_000)
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
    fn a_lost_position_is_not_searched_again() {
        // White is connected, and wins after every move of Black.
        let p: loa::Position =
            "b------b/-ww-----/--------/--------/--------/--------/--------/-------- b".parse().expect("a position");
        let mut win_search = win_search(true);
        win_search.proof.as_mut().expect("a proof search").set_node_limit(100_000);
        assert!(win_search.prove(&p, PliesLeft::UNLIMITED).is_none());
        assert!(win_search.is_exhausted() && win_search.proof_nodes() > 0);
    }

    #[test]
    fn a_stopped_helper_finds_nothing() {
        let p: loa::Position = WIN.parse().expect("a position");
        let mut win_search = win_search(true);
        let win_helper = WinHelper::new(&mut win_search);
        win_helper.report(WIN_SEARCH_DEPTH, Score::units(CLEARLY_AHEAD));
        let told = Stop::new();
        told.stop();
        assert!(!win_helper.search_if_due(&p, PliesLeft::UNLIMITED, &told));
        assert!(win_helper.into_found().is_none());
    }
}
