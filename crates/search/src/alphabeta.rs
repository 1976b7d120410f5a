use core::num::NonZeroUsize;
use core::time::Duration;

use game::{PliesLeft, Position, Record, SplitMix64};

use crate::abdada::CurrentlySearching;
use crate::control::{Control, Limits, Stop};
use crate::deepen::{Deepened, Extent, deepen};
use crate::engine::{Choice, Engine, Variation};
use crate::forced::ForcedWins;
use crate::horizon::{self, Horizon, Reach, Safe};
use crate::host::Host;
use crate::job::SearchJob;
use crate::params::{
    FAR_NODES, FAR_NODES_PER_MICRO, HALF_PERCENTS, HORIZON_SHARE, MAX_DEPTH, WIN_SEARCH_PLIES, WIN_SEARCH_SHARE,
};
use crate::policy::Policy;
use crate::proof_search::{ProofSearch, Verdict};
use crate::root::{RootMove, plies_left, repeats};
use crate::score::Score;
use crate::settings::Settings;
use crate::technique::Technique;
use crate::time_manager::TimeManager;
use crate::transposition::TranspositionTable;
use crate::win_search::WinSearch;

/// The playing engine: an exact search for forced wins up to a horizon, then an iterative deepening principal variation
/// search among the moves that do not lose within this horizon.
///
/// With a time limit, the search also uses the transposition table of the previous move. Otherwise no state is kept
/// between moves, and a choice depends only on the game so far, the seed and the limits.
pub struct AlphaBeta<P: Position, L> {
    policy: L,
    settings: Settings,
    table: Option<TranspositionTable>,
    seed: u64,
    game: core::marker::PhantomData<fn() -> P>,
}

/// The conditions of a choice.
#[derive(Clone, Copy)]
struct Context<'a> {
    limits: &'a Limits,
    /// Plies until the move limit.
    left: PliesLeft,
    host: Host,
    stop: &'a Stop,
}

impl<P: Position, L: Policy<P>> AlphaBeta<P, L> {
    /// Creates a player with seed 0. Its tables are allocated when it first chooses a move.
    pub fn new(policy: L, settings: Settings) -> Self {
        Self { policy, settings, table: None, seed: 0, game: core::marker::PhantomData }
    }

    /// Returns the player's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the range of the exact search under these limits.
    fn reach(&self, limits: &Limits) -> Reach {
        let nodes = self.node_limit(limits).map(|nodes| nodes.saturating_mul(FAR_NODES));
        let in_time = limits.usual_time().map(|time| exact_nodes(time / HORIZON_SHARE));
        let far_nodes = [nodes, in_time].into_iter().flatten().min().unwrap_or(0);
        let Settings { win_horizon: win, loss_horizon: loss, far_horizon: far, .. } = self.settings;
        Reach { win, loss, far, far_nodes }
    }

    /// Returns `true` if a helper thread may look for longer wins. A search with a depth limit ends at its depth, and a
    /// search for several lines needs all helpers.
    fn has_win_helper(&self, limits: &Limits) -> bool {
        let Settings { far_horizon: far, threads, lines, .. } = self.settings;
        far > 0 && limits.depth.is_none() && threads > NonZeroUsize::MIN && lines == NonZeroUsize::MIN
    }

    /// Runs iterative deepening on these moves.
    fn deepen(
        &self,
        game: &Record<P>,
        moves: &[P::Move],
        Context { limits, left, stop, .. }: Context<'_>,
        win_search: Option<&mut WinSearch<'_, P, L>>,
        control: &mut Control<'_, P::Move>,
    ) -> Deepened<P::Move> {
        let table = self.table.as_ref().expect("invariant: the table is made before the search");
        let node_limit = self.node_limit(limits).unwrap_or(u64::MAX);
        let searching = (self.settings.threads > NonZeroUsize::MIN).then(CurrentlySearching::new);
        let job = SearchJob {
            policy: &self.policy,
            table,
            stop: stop.clone(),
            node_limit,
            left,
            noise: self.settings.noise as i32,
            seed: SplitMix64::new(self.seed).next_u64(),
            techniques: self.settings.techniques,
            tuning: self.settings.tuning,
            searching: searching.as_ref(),
        };
        let extent = Extent {
            deepest: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, left.at_most(MAX_DEPTH)),
            whole: limits.depth.is_some(),
            lines: self.settings.lines.get(),
            threads: self.settings.threads.get(),
            time_manager: TimeManager::new(limits, control.host, self.settings.tuning.pace.unsigned_abs()),
        };
        deepen(game.position(), &self.roots(game, moves), &job, extent, win_search, control)
    }
}

impl<P: Position, L: Policy<P>> Engine<P> for AlphaBeta<P, L> {
    fn choose(
        &mut self,
        game: &Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Choice<P::Move>> {
        let p = game.position();
        let moves = p.movable();
        moves.first()?;
        let left = plies_left(game);
        let limits = &limits.on(control.host);
        let stop = control.stop.within_whole(limits.longest_time(), control.host);
        // With a time limit, the horizon search gets a tenth of the time, because the main search finds most of the
        // same wins and losses.
        let horizon_stop = stop.within(limits.usual_time().map(|time| time / HORIZON_SHARE), control.host);
        match &mut self.table {
            // Searches with a time limit are not reproducible anyway.
            Some(table) if limits.usual_time().is_some() => table.age(),
            Some(table) => table.clear(),
            None => self.table = Some(TranspositionTable::new(self.settings.table_mib)),
        }
        let mut exact = ForcedWins::new(&self.policy, horizon_stop, self.settings.table_mib);
        let context = Context { limits, left, host: control.host, stop: &stop };
        Some(match horizon::look(&mut exact, p, &moves, left, &self.reach(limits)) {
            Horizon::Win(m, plies) => {
                let pv = exact.winning_line(p, m, plies, left);
                Choice::of_line(pv, Score::win_in(plies), plies, exact.nodes())
            }
            Horizon::Loss(moves, plies) => {
                // Results of earlier searches could cut the line short.
                self.table.iter_mut().for_each(TranspositionTable::clear);
                let context = Context { limits: &Limits::depth(plies), ..context };
                let found = self.deepen(game, &moves, context, None, control);
                Choice::of_line(found.moves[0].pv.clone(), Score::loss_in(plies), plies, exact.nodes())
            }
            Horizon::Open(safe) => self.choose_open(exact, game, safe, context, control),
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.table.iter_mut().for_each(TranspositionTable::clear);
    }
}

impl<P: Position, L: Policy<P>> AlphaBeta<P, L> {
    /// Returns the root moves before the search.
    fn roots(&self, game: &Record<P>, moves: &[P::Move]) -> Vec<RootMove<P::Move>> {
        let repeats = repeats(game, self.settings.shuns_repetition);
        moves.iter().map(|&m| RootMove { m, repeats: repeats(m), score: Score::DRAW, pv: vec![m] }).collect()
    }

    /// Chooses a move in a position without a win or loss within the horizon. Runs a proof search first if a win may be
    /// near, and the main search if no win was found.
    fn choose_open(
        &self,
        exact: ForcedWins<'_, P, L>,
        game: &Record<P>,
        safe: Safe<P::Move>,
        context: Context<'_>,
        control: &mut Control<'_, P::Move>,
    ) -> Choice<P::Move> {
        let (p, Context { limits, left, host, stop }) = (game.position(), context);
        let is_near = self.policy.may_be_proven(p, p.side_to_move());
        let has_helper = self.has_win_helper(limits);
        let mut win_search = self.win_search(exact, is_near, safe.no_win, context);
        let found = match (is_near, has_helper) {
            (true, true) => win_search.prove_and_search(p, left, stop, host.threads),
            (true, false) => win_search.prove(p, left),
            (false, _) => None,
        };
        let proof_nodes = win_search.proof_nodes();
        let mut chosen = match found {
            Some((pv, plies)) => Choice::of_line(pv, Score::win_in(plies), plies, win_search.exact.nodes()),
            None => {
                if !has_helper {
                    win_search.drop_proof();
                }
                let nodes = self.node_limit(limits).map(|nodes| nodes.saturating_sub(proof_nodes));
                let context = Context { limits: &Limits { nodes, ..*limits }, ..context };
                self.choose_among(win_search, game, safe.moves, context, control)
            }
        };
        chosen.nodes += proof_nodes;
        chosen
    }

    /// Runs the main search on these moves. If the score is a forced win or loss, returns the best move. Otherwise
    /// checks this move for a forced loss; if it loses, searches the other moves. If no move is left, returns the
    /// refuted move that lasts longest.
    fn choose_among(
        &self,
        mut win_search: WinSearch<'_, P, L>,
        game: &Record<P>,
        mut moves: Vec<P::Move>,
        context: Context<'_>,
        control: &mut Control<'_, P::Move>,
    ) -> Choice<P::Move> {
        let Context { limits, host, stop, .. } = context;
        let p = game.position();
        // Reserve some time for the proof searches.
        let kept = |time: Duration| time / HALF_PERCENTS * (HALF_PERCENTS - self.settings.proof_percent.min(100));
        let main_stop = stop.within_whole(limits.movetime.map(kept), host);
        let mut nodes = win_search.exact.nodes();
        // The losing move that lasts longest.
        let mut longest = None;
        let mut best = loop {
            let helper_search = self.has_win_helper(limits).then_some(&mut win_search);
            let main_context = Context { stop: &main_stop, ..context };
            let found = self.deepen(game, &moves, main_context, helper_search, control);
            nodes += found.nodes;
            let best = self.choice_of(&found);
            if best.score.win_distance().is_some() || best.score.loss_distance().is_some() {
                break best;
            }
            let (loss, loss_nodes) = self.loss_after(&mut win_search.exact, p, best.best, context);
            nodes += loss_nodes;
            let Some(plies) = loss else { break best };
            // Continue with the other moves in the order found.
            moves = found.moves.iter().map(|root| root.m).filter(|&m| m != best.best).collect();
            if longest.as_ref().is_none_or(|&(most, _): &(u32, _)| plies > most) {
                longest = Some((plies, best));
            }
            if moves.is_empty() {
                let (plies, best) = longest.expect("invariant: a losing move has just been kept");
                break Choice { score: Score::loss_in(plies), depth: best.depth.max(plies), ..best };
            }
        };
        best.nodes = nodes;
        best
    }

    /// Checks whether this move loses: by an exact search over the whole loss horizon, then by a proof search. Returns
    /// the number of plies within which it loses, and the number of visited nodes. If the check is stopped, the move
    /// counts as not losing.
    fn loss_after(
        &self,
        exact: &mut ForcedWins<'_, P, L>,
        p: &P,
        m: P::Move,
        context: Context<'_>,
    ) -> (Option<u32>, u64) {
        let Context { left, stop, .. } = context;
        let (last, before) = (self.settings.loss_horizon, exact.nodes());
        // Until now, `exact` used the stop signal of the horizon search or of a helper.
        exact.set_stop(stop.clone());
        let loses = last > 0 && exact.loses_after(p, m, last, left) == Ok(true);
        let nodes = exact.nodes() - before;
        if loses {
            return (Some(last), nodes);
        }
        let child = p.child(m);
        if left.next().finish(&child).is_some() {
            return (None, nodes);
        }
        let attacker = !p.side_to_move();
        let is_near = self.policy.may_be_proven(&child, attacker);
        let proof = if is_near { self.proof_search(1, context) } else { None };
        let Some(mut proof) = proof else { return (None, nodes) };
        let verdict = proof.solve(&child, attacker, left.next());
        let loss = if let Verdict::Win { plies, .. } = verdict { Some(plies + 1) } else { None };
        (loss, nodes + proof.nodes())
    }

    /// Returns the node budget of a choice; `None` if only depth or time limit it.
    fn node_limit(&self, limits: &Limits) -> Option<u64> {
        let timed = limits.depth.is_some() || limits.usual_time().is_some();
        limits.nodes.or(if timed { None } else { Some(self.settings.default_nodes) })
    }

    /// Creates the searches for wins beyond the horizon. The horizon search has ruled out wins within `no_win` plies.
    /// If a win does not seem near, only a helper uses the proof search.
    fn win_search<'a>(
        &'a self,
        exact: ForcedWins<'a, P, L>,
        is_near: bool,
        no_win: u32,
        context: Context<'_>,
    ) -> WinSearch<'a, P, L> {
        let limits = context.limits;
        let is_used = is_near || self.has_win_helper(limits);
        let proof = if is_used { self.proof_search(2, context) } else { None };
        let initial_nodes = limits.usual_time().map_or(0, |time| exact_nodes(time / WIN_SEARCH_SHARE));
        WinSearch::new(exact, proof, (no_win, self.settings.far_horizon + WIN_SEARCH_PLIES), initial_nodes)
    }

    /// Creates a proof search whose budget is `halves` times half of [`Settings::proof_percent`]. Returns `None` if the
    /// technique is disabled, or if only the depth is limited.
    fn proof_search(
        &self,
        halves: u32,
        Context { limits, host, stop, .. }: Context<'_>,
    ) -> Option<ProofSearch<'_, P, L>> {
        let percent = u64::from(self.settings.proof_percent * halves);
        let nodes = self.node_limit(limits).map(|nodes| nodes / u64::from(HALF_PERCENTS) * percent);
        let time = limits
            .usual_time()
            .map(|time| time / HALF_PERCENTS * (self.settings.proof_percent * halves).min(HALF_PERCENTS));
        let is_limited = nodes.is_some() || time.is_some();
        let is_used = self.settings.techniques.has(Technique::ProofSearch);
        if !is_used || !is_limited {
            return None;
        }
        let stop = stop.within(time, host);
        Some(ProofSearch::new(&self.policy, stop, self.settings.table_mib, nodes.unwrap_or(u64::MAX)))
    }

    fn choice_of(&self, found: &Deepened<P::Move>) -> Choice<P::Move> {
        let Deepened { moves, depth, nodes } = found;
        let others = moves.iter().take(self.settings.lines.get()).skip(1);
        let others = others.filter(|root_move| root_move.score > -Score::INFINITE);
        Choice {
            others: others.map(|other| Variation { score: other.score, pv: other.pv.clone() }).collect(),
            ..Choice::of_line(moves[0].pv.clone(), moves[0].score, *depth, *nodes)
        }
    }
}

/// Returns a cautious estimate of the number of nodes that the exact search visits in this time.
fn exact_nodes(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX).saturating_mul(FAR_NODES_PER_MICRO)
}

#[cfg(test)]
mod tests {
    use game::Side;

    use super::*;
    use crate::win_search::tests::WIN;

    /// A policy that never considers a forced win near.
    struct Far;

    impl Policy<loa::Position> for Far {
        type Accumulator = ();

        const SLOTS: usize = 1;

        fn evaluate(&self, _: &loa::Position) -> i32 {
            0
        }

        fn slot(&self, _: &loa::Position, _: loa::Move) -> usize {
            0
        }

        fn may_be_proven(&self, _: &loa::Position, _: Side) -> bool {
            false
        }
    }

    #[test]
    fn a_helper_proves_wins_that_do_not_seem_near() {
        let p: loa::Position = WIN.parse().expect("a position");
        let proven = |threads, is_near| {
            let threads = NonZeroUsize::new(threads).expect("a thread");
            let player = AlphaBeta::new(Far, Settings { threads, far_horizon: 1, ..Settings::default() });
            let exact = ForcedWins::new(&player.policy, Stop::new(), 1);
            let limits = Limits::nodes(10_000_000);
            let (left, stop) = (PliesLeft::UNLIMITED, Stop::new());
            let context = Context { limits: &limits, left, host: Host::NONE, stop: &stop };
            let mut win_search = player.win_search(exact, is_near, 0, context);
            win_search.prove(&p, left).is_some()
        };
        assert_eq!([proven(1, false), proven(1, true), proven(2, false)], [false, true, true]);
    }
}
