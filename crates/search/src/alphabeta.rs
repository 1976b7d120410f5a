use core::num::NonZeroUsize;
use core::time::Duration;
use std::collections::HashSet;

use game::{Key, PliesLeft, Position, Record, Side, SplitMix64};

use crate::busy::Busy;
use crate::control::{Control, Limits, Stop};
use crate::deepen::{Deepened, Extent, deepen};
use crate::engine::{Choice, Engine, Variation};
use crate::forced::ForcedWins;
use crate::horizon::{self, Horizon, Reach, Safe};
use crate::host::Host;
use crate::job::SearchJob;
use crate::pace::Pace;
use crate::params::{FAR_NODES, FAR_NODES_PER_MICRO, HALF_PERCENTS, HORIZON_SHARE, MAX_DEPTH, SCOUT_PLIES};
use crate::policy::Policy;
use crate::proof_search::{ProofSearch, Verdict};
use crate::root::RootMove;
use crate::score::Score;
use crate::scout::Quest;
use crate::settings::Settings;
use crate::technique::Technique;
use crate::transposition::TranspositionTable;

/// The playing engine: an exact search for forced wins up to a horizon, then iterative deepening principal variation
/// search among the moves that do not lose within it.
///
/// Nothing is kept from one move to the next, so that a choice depends on the game so far, the seed and the limits
/// alone.
pub struct AlphaBeta<P: Position, L> {
    policy: L,
    settings: Settings,
    table: Option<TranspositionTable>,
    seed: u64,
    game: core::marker::PhantomData<fn() -> P>,
}

impl<P: Position, L: Policy<P>> AlphaBeta<P, L> {
    /// A player with seed 0. Its tables are allocated when it first chooses a move.
    pub fn new(policy: L, settings: Settings) -> Self {
        Self { policy, settings, table: None, seed: 0, game: core::marker::PhantomData }
    }

    /// The player's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How far the exact search looks under these limits.
    fn reach(&self, limits: &Limits) -> Reach {
        let nodes = self.node_limit(limits).map(|nodes| nodes.saturating_mul(FAR_NODES));
        let share = limits.usual_time().map(|time| (time / HORIZON_SHARE).as_micros());
        let in_time = share.map(|micros| u64::try_from(micros).unwrap_or(u64::MAX).saturating_mul(FAR_NODES_PER_MICRO));
        let far_nodes = [nodes, in_time].into_iter().flatten().min().unwrap_or(0);
        let Settings { win_horizon: win, loss_horizon: loss, far_horizon: far, .. } = self.settings;
        Reach { win, loss, far, far_nodes }
    }

    /// What a helper thread looks for. `None` if it has nothing to look for: a search with a depth ends at its depth,
    /// and one with several lines needs them all. There is no win within `no_win` plies.
    fn quest(&self, limits: &Limits, no_win: u32) -> Option<Quest> {
        let Settings { far_horizon: far, table_mib, .. } = self.settings;
        let one = NonZeroUsize::MIN;
        let is_used = far > 0 && limits.depth.is_none() && self.settings.threads > one && self.settings.lines == one;
        is_used.then_some(Quest { lengths: (no_win, far + SCOUT_PLIES), table_mib })
    }

    /// Iterative deepening among these moves.
    fn deepen(
        &self,
        game: &Record<P>,
        safe: &Safe<P::Move>,
        (limits, left): (&Limits, PliesLeft),
        stop: &Stop,
        control: &mut Control<'_, P::Move>,
    ) -> Deepened<P::Move> {
        let table = self.table.as_ref().expect("invariant: the table is made before the search");
        let node_limit = self.node_limit(limits).unwrap_or(u64::MAX);
        let busy = (self.settings.threads > NonZeroUsize::MIN).then(Busy::new);
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
            busy: busy.as_ref(),
        };
        let extent = Extent {
            deepest: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, left.at_most(MAX_DEPTH)),
            whole: limits.depth.is_some(),
            lines: self.settings.lines.get(),
            threads: self.settings.threads.get(),
            quest: self.quest(limits, safe.no_win),
            pace: Pace::new(limits, control.host, self.settings.tuning.pace.unsigned_abs()),
        };
        deepen(game.position(), &self.roots(game, &safe.moves), &job, extent, control)
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
        // A limit that is used up no longer applies: the position was set up, and play goes on from it.
        let left = Some(game.plies_left()).filter(|left| left.allows(1)).unwrap_or_default();
        let limits = &limits.on(control.host);
        let stop = control.stop.within_whole(limits.longest_time(), control.host);
        // If time is short, the horizon may take a tenth of it, because the search sees most of the same wins and
        // losses.
        let horizon_stop = stop.within(limits.usual_time().map(|time| time / HORIZON_SHARE), control.host);
        match &mut self.table {
            Some(table) => table.clear(),
            None => self.table = Some(TranspositionTable::new(self.settings.table_mib)),
        }
        let mut forced = ForcedWins::new(&self.policy, horizon_stop, self.settings.table_mib);
        Some(match horizon::look(&mut forced, p, &moves, left, &self.reach(limits)) {
            Horizon::Win(m, plies) => {
                let pv = forced.winning_line(p, m, plies, left);
                choice(pv, Score::win_in(plies), plies, forced.nodes())
            }
            Horizon::Loss(moves, plies) => {
                let safe = Safe { moves, no_win: 0 };
                let found = self.deepen(game, &safe, (&Limits::depth(plies), left), &stop, control);
                choice(found.moves[0].pv.clone(), Score::loss_in(plies), plies, forced.nodes())
            }
            Horizon::Open(safe) => {
                forced.set_stop(stop.clone());
                let (verdict, pv, proof_nodes) =
                    self.prove(p, p.side_to_move(), (limits, left), 2, (control.host, &stop));
                let mut chosen = match verdict {
                    Verdict::Win { best: Some(m), plies } => {
                        let pv = if pv.first() == Some(&m) { pv } else { vec![m] };
                        choice(pv, Score::win_in(plies), plies, forced.nodes())
                    }
                    _ => {
                        let nodes = self.node_limit(limits).map(|nodes| nodes.saturating_sub(proof_nodes));
                        let limits = &Limits { nodes, ..*limits };
                        self.choose_among(&mut forced, game, safe, (limits, left), &stop, control)
                    }
                };
                chosen.nodes += proof_nodes;
                chosen
            }
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }
}

impl<P: Position, L: Policy<P>> AlphaBeta<P, L> {
    /// The root moves before the search.
    fn roots(&self, game: &Record<P>, moves: &[P::Move]) -> Vec<RootMove<P::Move>> {
        let steps = if self.settings.shuns_repetition { game.steps() } else { &[] };
        let seen: HashSet<Key> = steps.iter().map(|step| step.position.key()).collect();
        let root = |&m| {
            let repeats = !seen.is_empty() && seen.contains(&game.position().child(m).key());
            RootMove { m, repeats, score: Score::DRAW, pv: vec![m] }
        };
        moves.iter().map(root).collect()
    }

    /// The main search: the best of the moves that do not lose before the last step of the horizon. If it loses in that
    /// step, the next best that does not.
    fn choose_among(
        &self,
        forced: &mut ForcedWins<'_, P, L>,
        game: &Record<P>,
        mut safe: Safe<P::Move>,
        (limits, left): (&Limits, PliesLeft),
        stop: &Stop,
        control: &mut Control<'_, P::Move>,
    ) -> Choice<P::Move> {
        let (p, last, host) = (game.position(), self.settings.loss_horizon, control.host);
        let mut proof_nodes = 0;
        // A question that a stop leaves open counts as not losing.
        let mut loses = |m| {
            if last > 0 && forced.loses_after(p, m, last, left) == Ok(true) {
                return Some(last);
            }
            let child = p.child(m);
            if left.next().finish(&child).is_some() {
                return None;
            }
            let (verdict, _, nodes) = self.prove(&child, !p.side_to_move(), (limits, left.next()), 1, (host, stop));
            proof_nodes += nodes;
            if let Verdict::Win { plies, .. } = verdict { Some(plies + 1) } else { None }
        };
        // Keep some time for the proofs.
        let kept = |time: Duration| time / HALF_PERCENTS * (HALF_PERCENTS - self.settings.proof_percent.min(100));
        let main_stop = stop.within_whole(limits.movetime.map(kept), host);
        let mut nodes = 0;
        // The losing move that lasts longest.
        let mut longest = None;
        let mut best = loop {
            let found = self.deepen(game, &safe, (limits, left), &main_stop, control);
            nodes += found.nodes;
            let best = self.choice_of(&found);
            if best.score.win_distance().is_some() || best.score.loss_distance().is_some() {
                break best;
            }
            let Some(plies) = loses(best.best) else { break best };
            // Go on with the other moves in the order found.
            safe.moves = found.moves.iter().map(|root| root.m).filter(|&m| m != best.best).collect();
            if longest.as_ref().is_none_or(|&(most, _): &(u32, _)| plies > most) {
                longest = Some((plies, best));
            }
            if safe.moves.is_empty() {
                let (plies, best) = longest.expect("invariant: a losing move has just been kept");
                break Choice { score: Score::loss_in(plies), depth: best.depth.max(plies), ..best };
            }
        };
        best.nodes = nodes + proof_nodes + forced.nodes();
        best
    }

    /// The node budget of a choice; `None` if only depth or time limit it.
    fn node_limit(&self, limits: &Limits) -> Option<u64> {
        let timed = limits.depth.is_some() || limits.usual_time().is_some();
        limits.nodes.or(if timed { None } else { Some(self.settings.default_nodes) })
    }

    /// A proof search with `halves` halves of the share of the budget that proof searches may take. Also returns the
    /// principal variation of a win, and the visited nodes. If only the depth is limited, there is no such search.
    fn prove(
        &self,
        p: &P,
        attacker: Side,
        (limits, left): (&Limits, PliesLeft),
        halves: u32,
        (host, stop): (Host, &Stop),
    ) -> (Verdict<P::Move>, Vec<P::Move>, u64) {
        let percent = u64::from(self.settings.proof_percent * halves);
        let nodes = self.node_limit(limits).map(|nodes| nodes / u64::from(HALF_PERCENTS) * percent);
        let time = limits
            .usual_time()
            .map(|time| time / HALF_PERCENTS * (self.settings.proof_percent * halves).min(HALF_PERCENTS));
        let is_limited = nodes.is_some() || time.is_some();
        if !self.settings.techniques.has(Technique::ProofSearch)
            || !is_limited
            || !self.policy.may_be_proven(p, attacker)
        {
            return (Verdict::Unknown, Vec::new(), 0);
        }
        let stop = stop.within(time, host);
        let mut search = ProofSearch::new(&self.policy, stop, self.settings.table_mib, nodes.unwrap_or(u64::MAX));
        let verdict = search.solve(p, attacker, left);
        let is_won = matches!(verdict, Verdict::Win { .. });
        let pv = if is_won { search.principal_variation(p, left) } else { Vec::new() };
        (verdict, pv, search.nodes())
    }

    fn choice_of(&self, found: &Deepened<P::Move>) -> Choice<P::Move> {
        let Deepened { moves, depth, nodes } = found;
        let others = moves.iter().take(self.settings.lines.get()).skip(1);
        let others = others.filter(|root_move| root_move.score > -Score::INFINITE);
        Choice {
            others: others.map(|other| Variation { score: other.score, pv: other.pv.clone() }).collect(),
            ..choice(moves[0].pv.clone(), moves[0].score, *depth, *nodes)
        }
    }
}

fn choice<M: Copy>(pv: Vec<M>, score: Score, depth: u32, nodes: u64) -> Choice<M> {
    let best = *pv.first().expect("invariant: a principal variation begins with the chosen move");
    Choice { best, score, pv, depth, nodes, others: Vec::new() }
}
