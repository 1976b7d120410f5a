use core::num::NonZeroUsize;
use std::collections::HashSet;
use std::time::{Duration, Instant};

use game::{Key, Position, Record, Side, SplitMix64};

use crate::busy::Busy;
use crate::deepen::{Deepened, Extent, RootMove, deepen};
use crate::forced::win_lengths;
use crate::worker::{MAX_DEPTH, Task};
use crate::{
    Choice, Control, Engine, ForcedWins, Limits, Policy, ProofSearch, Score, Stop, Stopped, Table, Technique,
    Techniques, Variation, Verdict,
};

/// How an [`AlphaBeta`] player is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB; the exact search for forced wins takes another table of this size.
    pub table_mib: usize,
    /// Threads that search together. More than one gives up reproducibility.
    pub threads: NonZeroUsize,
    /// Nodes for one move where the limits name none; what the exact search visits does not count.
    pub default_nodes: u64,
    /// Forced wins up to this many plies are always found, whatever the node budget.
    pub win_horizon: u32,
    /// Forced wins of the opponent up to this many plies, the move to be chosen counted, are always avoided where that is
    /// possible.
    pub loss_horizon: u32,
    /// Whether a move back to a position of the game counts as a draw, so that a better side looks for another one. This
    /// depends on the path, so that it is decided at the root alone and never stored.
    pub shuns_repetition: bool,
    /// Largest random change of an evaluation, in hundredths of a piece, fixed by the seed.
    pub noise: u32,
    /// How many of the best moves get a score and a line of their own.
    pub lines: NonZeroUsize,
    /// What the search may use beyond plain alpha-beta.
    pub techniques: Techniques,
    /// Share of the nodes or the time that the proof search may take for a win of ours, in percent; it may take half of that
    /// again to see that the chosen move does not lose.
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
            shuns_repetition: true,
            noise: 3,
            lines: NonZeroUsize::MIN,
            techniques: Techniques::ALL,
            proof_percent: 5,
        }
    }
}

/// The playing engine: an exact search for forced wins up to a horizon, then iterative deepening principal variation
/// search among the moves that do not lose within it.
///
/// Nothing is kept from one move to the next, so that a choice depends on the position, the seed and the limits alone.
pub struct AlphaBeta<P: Position, L> {
    policy: L,
    settings: Settings,
    table: Option<Table>,
    seed: u64,
    game: core::marker::PhantomData<fn() -> P>,
}

/// The moves of the root as the exact search leaves them.
enum Horizon<M> {
    /// A forced win: the move and the plies.
    Win(M, u32),
    /// Every move loses; these last longest, so many plies.
    Loss(Vec<M>, u32),
    /// These do not lose within the horizon, but for its last step, which is left to the end.
    Open(Vec<M>),
}

impl<P: Position, L: Policy<P>> AlphaBeta<P, L> {
    /// A player with the seed 0. Its tables are made when it first thinks.
    pub fn new(policy: L, settings: Settings) -> Self {
        Self { policy, settings, table: None, seed: 0, game: core::marker::PhantomData }
    }

    /// How it is set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Steps 1 and 2 of a choice: wins first, then moves that lose are left out, short losses first. What was found before a
    /// stop counts.
    fn horizon(
        &self,
        forced: &mut ForcedWins<'_, P, L>,
        p: &P,
        moves: &[P::Move],
        left: Option<u32>,
    ) -> Horizon<P::Move> {
        let mut safe = moves.to_vec();
        match self.narrow(forced, p, &mut safe, left) {
            Ok(Some(result)) => result,
            Ok(None) | Err(Stopped) => Horizon::Open(safe),
        }
    }

    /// The result within the horizon, if there is one; else `safe` is left with the moves that do not lose before its last
    /// step, which is the dearest and is made for the chosen move alone.
    fn narrow(
        &self,
        forced: &mut ForcedWins<'_, P, L>,
        p: &P,
        safe: &mut Vec<P::Move>,
        left: Option<u32>,
    ) -> Result<Option<Horizon<P::Move>>, Stopped> {
        for plies in win_lengths::<P>(self.settings.win_horizon) {
            for &m in safe.iter() {
                if forced.wins_after(p, m, plies, left)?.is_some() {
                    return Ok(Some(Horizon::Win(m, plies)));
                }
            }
        }
        // The opponent wins after our move, in a ply more than a win has; at once, if our move does it.
        let at_once = P::MAY_LOSE_BY_MOVING.then_some(1);
        let most = self.settings.loss_horizon.saturating_sub(1);
        let lengths = at_once.into_iter().chain(win_lengths::<P>(most).map(|plies| plies + 1));
        for plies in lengths.filter(|&plies| plies < self.settings.loss_horizon) {
            let mut next = Vec::new();
            for &m in safe.iter() {
                if !forced.loses_after(p, m, plies, left)? {
                    next.push(m);
                }
            }
            if next.is_empty() {
                return Ok(Some(Horizon::Loss(core::mem::take(safe), plies)));
            }
            *safe = next;
        }
        Ok(None)
    }

    /// Iterative deepening among these moves.
    fn deepen(
        &self,
        game: &Record<P>,
        moves: &[P::Move],
        (limits, left): (&Limits, Option<u32>),
        stop: &Stop,
        control: &mut Control<'_, P::Move>,
    ) -> Deepened<P::Move> {
        let table = self.table.as_ref().expect("invariant: the table is made before the search");
        let node_limit = self.node_limit(limits).unwrap_or(u64::MAX);
        let busy = (self.settings.threads > NonZeroUsize::MIN).then(Busy::new);
        let task = Task {
            policy: &self.policy,
            table,
            stop: stop.clone(),
            node_limit,
            left,
            noise: self.settings.noise as i32,
            seed: SplitMix64::new(self.seed).next_u64(),
            techniques: self.settings.techniques,
            busy: busy.as_ref(),
        };
        let extent = Extent {
            deepest: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, left.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)),
            whole: limits.depth.is_some(),
            lines: self.settings.lines.get(),
            threads: self.settings.threads.get(),
        };
        deepen(game.position(), self.roots(game, moves), task, extent, control)
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
        // A limit that is spent already binds nobody: the position has been set up to be played on.
        let left = game.plies_left().filter(|&n| n > 0);
        let within = |time: Duration| Instant::now().checked_add(time);
        let stop = control.stop.with_deadline(limits.movetime.and_then(within));
        // Where time is short, the horizon may have a tenth of it: what it would see, the search mostly sees as well.
        let horizon_stop = stop.with_deadline(limits.movetime.and_then(|time| within(time / 10)));
        match &mut self.table {
            Some(table) => table.clear(),
            None => self.table = Some(Table::new(self.settings.table_mib)),
        }
        let mut forced = ForcedWins::new(&self.policy, horizon_stop, self.settings.table_mib);
        Some(match self.horizon(&mut forced, p, &moves, left) {
            Horizon::Win(m, plies) => {
                let line = forced.line(p, plies, left).unwrap_or_default();
                let line = if line.first() == Some(&m) { line } else { vec![m] };
                choice(line, Score::win_in(plies), plies, forced.nodes())
            }
            Horizon::Loss(moves, plies) => {
                let found = self.deepen(game, &moves, (&Limits::depth(plies), left), &stop, control);
                choice(found.moves[0].line.clone(), Score::loss_in(plies), plies, forced.nodes())
            }
            Horizon::Open(safe) => {
                forced.set_stop(stop.clone());
                let (verdict, line, proof_nodes) = self.prove(p, p.side_to_move(), (limits, left), 2, &stop);
                let mut chosen = match verdict {
                    Verdict::Win { best: Some(m), plies } => {
                        let line = if line.first() == Some(&m) { line } else { vec![m] };
                        choice(line, Score::win_in(plies), plies, forced.nodes())
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
    /// The moves as the search begins with them.
    fn roots(&self, game: &Record<P>, moves: &[P::Move]) -> Vec<RootMove<P::Move>> {
        let steps = if self.settings.shuns_repetition { game.steps() } else { &[] };
        let seen: HashSet<Key> = steps.iter().map(|step| step.position.key()).collect();
        let root = |&m| {
            let repeats = !seen.is_empty() && seen.contains(&game.position().child(m).key());
            RootMove { m, repeats, score: Score::DRAW, line: vec![m] }
        };
        moves.iter().map(root).collect()
    }

    /// Step 3: the best of the moves that do not lose before the last step of the horizon, if it does not lose there either;
    /// else the best of those that do not.
    fn choose_among(
        &self,
        forced: &mut ForcedWins<'_, P, L>,
        game: &Record<P>,
        mut moves: Vec<P::Move>,
        (limits, left): (&Limits, Option<u32>),
        stop: &Stop,
        control: &mut Control<'_, P::Move>,
    ) -> Choice<P::Move> {
        let (p, last) = (game.position(), self.settings.loss_horizon);
        let began = Instant::now();
        let mut proof_nodes = 0;
        // What a stop leaves open counts as not losing.
        let mut loses = |m| {
            if last > 0 && forced.loses_after(p, m, last, left) == Ok(true) {
                return Some(last);
            }
            let child = p.child(m);
            if child.outcome().is_some() || left == Some(1) {
                return None;
            }
            let (verdict, _, nodes) = self.prove(&child, !p.side_to_move(), (limits, left.map(|n| n - 1)), 1, stop);
            proof_nodes += nodes;
            if let Verdict::Win { plies, .. } = verdict { Some(plies + 1) } else { None }
        };
        // Some time is kept back for the proofs.
        let kept = |time: Duration| time * (200 - self.settings.proof_percent.min(100)) / 200;
        let main_stop = stop.with_deadline(limits.movetime.and_then(|time| began.checked_add(kept(time))));
        let mut nodes = 0;
        // The losing move that lasts longest.
        let mut longest = None;
        let mut best = loop {
            let found = self.deepen(game, &moves, (limits, left), &main_stop, control);
            nodes += found.nodes;
            let best = self.choice_of(&found);
            if best.score.win_distance().is_some() || best.score.loss_distance().is_some() {
                break best;
            }
            let Some(plies) = loses(best.best) else { break best };
            // Go on with the others in the order that has been found.
            moves = found.moves.iter().map(|root| root.m).filter(|&m| m != best.best).collect();
            if longest.as_ref().is_none_or(|&(most, _): &(u32, _)| plies > most) {
                longest = Some((plies, best));
            }
            if moves.is_empty() {
                let (plies, best) = longest.expect("invariant: a losing move has just been kept");
                break Choice { score: Score::loss_in(plies), depth: best.depth.max(plies), ..best };
            }
        };
        best.nodes = nodes + proof_nodes + forced.nodes();
        best
    }

    /// The node budget of a choice, if nothing else limits it.
    fn node_limit(&self, limits: &Limits) -> Option<u64> {
        let timed = limits.depth.is_some() || limits.movetime.is_some();
        limits.nodes.or(if timed { None } else { Some(self.settings.default_nodes) })
    }

    /// A proof search that takes `halves` halves of the share of the budget that such searches have. Also gives the line of a win
    /// and the visited nodes. Where only the depth is limited there is none.
    fn prove(
        &self,
        p: &P,
        attacker: Side,
        (limits, left): (&Limits, Option<u32>),
        halves: u32,
        stop: &Stop,
    ) -> (Verdict<P::Move>, Vec<P::Move>, u64) {
        let percent = u64::from(self.settings.proof_percent * halves);
        let nodes = self.node_limit(limits).map(|nodes| nodes / 200 * percent);
        let time = limits.movetime.map(|time| time * self.settings.proof_percent * halves / 200);
        let is_limited = nodes.is_some() || time.is_some();
        if !self.settings.techniques.has(Technique::ProofSearch)
            || !is_limited
            || !self.policy.may_be_proven(p, attacker)
        {
            return (Verdict::Unknown, Vec::new(), 0);
        }
        let stop = stop.with_deadline(time.and_then(|time| Instant::now().checked_add(time)));
        let mut search = ProofSearch::new(&self.policy, stop, self.settings.table_mib, nodes.unwrap_or(u64::MAX));
        let verdict = search.solve(p, attacker, left);
        let line = if matches!(verdict, Verdict::Win { .. }) { search.line(p, left) } else { Vec::new() };
        (verdict, line, search.nodes())
    }

    fn choice_of(&self, found: &Deepened<P::Move>) -> Choice<P::Move> {
        let Deepened { moves, depth, nodes } = found;
        let others = moves.iter().take(self.settings.lines.get()).skip(1);
        let others = others.filter(|root_move| root_move.score > -Score::INFINITE);
        Choice {
            others: others.map(|other| Variation { score: other.score, line: other.line.clone() }).collect(),
            ..choice(moves[0].line.clone(), moves[0].score, *depth, *nodes)
        }
    }
}

fn choice<M: Copy>(line: Vec<M>, score: Score, depth: u32, nodes: u64) -> Choice<M> {
    let best = *line.first().expect("invariant: a line begins with the chosen move");
    Choice { best, score, line, depth, nodes, others: Vec::new() }
}
