//! The alpha-beta search below the root.

use game::{Key, PliesLeft, Position};

use crate::busy::Turns;
use crate::control::Stopped;
use crate::job::SearchJob;
use crate::key::search_key;
use crate::ordering::{Candidate, MoveKind, Ordering, pick};
use crate::params::{DEFER_DEPTH, MAX_DEPTH, NULL_LEFT};
use crate::policy::{Known, Policy};
use crate::score::Score;
use crate::technique::Technique;
use crate::transposition::{Bound, Entry};
use crate::tuning::Tuning;
use crate::window::Window;

/// One thread's principal variation search. Threads may share its transposition table.
pub(crate) struct Worker<'a, P: Position, L> {
    pub(crate) job: SearchJob<'a, L>,
    pub(crate) nodes: u64,
    pub(crate) ordering: Ordering,
    /// Moves of each ply of the current path, kept to be used again.
    moves: Vec<Vec<Candidate<P::Move>>>,
    /// The principal variation found from each ply of the current path.
    variations: Vec<Vec<P::Move>>,
    /// The evaluation of each position of the current path for its side to move, if it was evaluated.
    evaluations: Vec<Option<i32>>,
}

/// A position on the current path.
pub(crate) struct Node<'p, P> {
    p: &'p P,
    pub(crate) depth: u32,
    pub(crate) ply: u32,
    key: Key,
    /// The evaluation, where the window is null and pruning is on.
    pub(crate) evaluation: Option<i32>,
    /// Whether the side to move stands no better than before its last move.
    pub(crate) is_worse: bool,
}

impl<'a, P: Position, L: Policy<P>> Worker<'a, P, L> {
    pub(crate) fn new(job: SearchJob<'a, L>) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            nodes: 0,
            ordering: Ordering::new(L::SLOTS, L::PLACES, job.tuning.replies),
            job,
            moves: (0..plies).map(|_| Vec::new()).collect(),
            variations: vec![Vec::new(); plies],
            evaluations: vec![None; plies],
        }
    }

    /// The principal variation from a ply on, as the last search from there left it.
    pub(crate) fn variation(&self, ply: usize) -> &[P::Move] {
        &self.variations[ply]
    }

    /// Principal variation search of a child; the value is the parent's. The first child is searched with the whole
    /// window, the others with a null window first, and before that `reduction` plies less deep.
    ///
    /// # Errors
    /// If it was stopped.
    pub(crate) fn step(
        &mut self,
        child: &P,
        depth: u32,
        reduction: u32,
        window: Window,
        ply: u32,
        first: bool,
    ) -> Result<Score, Stopped> {
        if !first {
            let null = Window::null(window.alpha).reversed();
            if reduction > 0 {
                let score = -self.value(child, depth - reduction, null, ply, true)?;
                if score <= window.alpha {
                    return Ok(score);
                }
            }
            let score = -self.value(child, depth, null, ply, true)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, depth, window.reversed(), ply, true)?)
    }

    /// Notes the move that is searched at the root.
    pub(crate) fn enter_root(&mut self, p: &P, m: P::Move) {
        self.ordering.enter(0, MoveKind::of(self.job.policy, p, m));
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.job.stop.check(self.nodes)?;
        if self.nodes > self.job.node_limit { Err(Stopped) } else { Ok(()) }
    }

    fn left(&self, ply: u32) -> PliesLeft {
        self.job.left.after(ply)
    }

    /// Value of a node: its result, the value in the table, or a search. `may_pass` unless the move before was a pass.
    fn value(&mut self, p: &P, depth: u32, window: Window, ply: u32, may_pass: bool) -> Result<Score, Stopped> {
        self.count()?;
        self.variations[ply as usize].clear();
        let us = p.side_to_move();
        let left = self.left(ply);
        if let Some(finish) = left.finish_unless_stuck(p) {
            return Ok(Score::of_outcome(finish.outcome, us, ply));
        }
        if let Some(score) = self.known(p, ply) {
            return Ok(score);
        }
        if depth == 0 || ply >= MAX_DEPTH {
            return self.leaf(p, window, ply);
        }
        let key = search_key(p, left);
        let known = self.job.table.get(key);
        let deeper = self.job.uses(Technique::DeeperEntries);
        if let Some(score) = known.and_then(|entry| cutoff(entry, (depth, left), window, ply, deeper)) {
            return Ok(score);
        }
        let mut node = Node { p, depth, ply, key, evaluation: None, is_worse: false };
        self.evaluations[ply as usize] = None;
        if window.is_null() && window.beta.as_units().is_some() {
            if let Some(score) = self.prune(&mut node, window.beta, may_pass)? {
                return Ok(score);
            }
            self.variations[ply as usize].clear();
        }
        let code = known.map_or(0, |entry| entry.code);
        let unknown = self.job.tuning.unknown_depth as u32;
        if code == 0 && unknown > 0 && node.depth >= unknown.max(2) && self.job.uses(Technique::LateReductions) {
            node.depth -= 1;
        }
        self.expand(&node, window, code)
    }

    /// Forward pruning of a node with a null window: a score that is good enough without searching the moves, if there
    /// is one. May extend the node's search.
    fn prune(&mut self, node: &mut Node<'_, P>, beta: Score, may_pass: bool) -> Result<Option<Score>, Stopped> {
        let (tuning, depth) = (self.job.tuning, node.depth as i32);
        let within = |number: i32, most: i32| self.job.uses(Technique::Futility) && number > 0 && depth <= most;
        let futility = within(tuning.futility, tuning.futility_depth);
        let razor = within(tuning.razor, tuning.razor_depth);
        let skips = within(tuning.hopeless, tuning.hopeless_depth);
        let compares = tuning.late_worse > 0 || tuning.reduction_worse > 0;
        let tries_pass = self.job.uses(Technique::NullMove) && may_pass && depth >= tuning.null_depth;
        if !(futility || razor || skips || compares || tries_pass) {
            return Ok(None);
        }
        let evaluation = self.evaluate(node.p);
        node.evaluation = evaluation.as_units();
        self.evaluations[node.ply as usize] = node.evaluation;
        let before = node.ply.checked_sub(2).and_then(|ply| self.evaluations[ply as usize]);
        node.is_worse = before.is_some_and(|before| evaluation.raw() <= before);
        if futility && evaluation.raw() - tuning.futility * depth >= beta.raw() && !node.p.is_stuck() {
            return Ok(Some(evaluation));
        }
        if razor && evaluation.raw() + tuning.razor * depth < beta.raw() && !node.p.is_stuck() {
            let window = Window { alpha: Score::from_raw(beta.raw() - 1), beta };
            let score = self.quiet(node.p, window, node.ply, tuning.noisy_plies as u32)?;
            if score < beta {
                return Ok(Some(score));
            }
        }
        if tries_pass && evaluation >= beta { self.pass(node, beta) } else { Ok(None) }
    }

    /// Whether a side stands well even after passing: then a score that is good enough. May extend the node's search.
    fn pass(&mut self, node: &mut Node<'_, P>, beta: Score) -> Result<Option<Score>, Stopped> {
        let Some(passed) = self.job.policy.passed(node.p).filter(|passed| !passed.is_stuck()) else {
            return Ok(None);
        };
        if node.p.is_stuck() || !self.left(node.ply).allows(NULL_LEFT) {
            return Ok(None);
        }
        let Tuning { null_reduction, null_slope, .. } = self.job.tuning;
        let depth = node.depth.saturating_sub(1 + null_reduction as u32 + node.depth / null_slope as u32);
        let window = Window { alpha: -beta, beta: Score::from_raw(1 - beta.raw()) };
        self.ordering.pass(node.ply);
        let score = -self.value(&passed, depth, window, node.ply + 1, false)?;
        if score >= beta {
            // A win after passing does not prove a win.
            return Ok(Some(if score.win_distance().is_some() { beta } else { score }));
        }
        if self.job.uses(Technique::ThreatExtension) && score.loss_distance().is_some() {
            node.depth += 1;
        }
        Ok(None)
    }

    /// Searches the children of a position that was not settled otherwise.
    fn expand(&mut self, node: &Node<'_, P>, window: Window, table_code: u16) -> Result<Score, Stopped> {
        let mut moves = core::mem::take(&mut self.moves[node.ply as usize]);
        self.ordering.rank((self.job.policy, node.p), table_code, node.ply, false, &mut moves);
        let score = self.try_moves(node, window, &mut moves);
        self.moves[node.ply as usize] = moves;
        score
    }

    fn try_moves(
        &mut self,
        node: &Node<'_, P>,
        window: Window,
        moves: &mut [Candidate<P::Move>],
    ) -> Result<Score, Stopped> {
        let &Node { p, depth, ply, .. } = node;
        let us = p.side_to_move();
        if moves.is_empty() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        let mut alpha = window.alpha;
        let (mut best, mut best_code) = (-Score::INFINITE, 0);
        let busy = self.job.busy.filter(|_| depth >= DEFER_DEPTH);
        let mut turns = Turns::new(busy, (node.key, depth), moves.len());
        while let Some(turn) = turns.next_turn() {
            let index = turn.index;
            let Candidate { m, code, .. } = if turn.is_fresh { pick(moves, index) } else { moves[index] };
            let (kind, quiet) = (MoveKind::of(self.job.policy, p, m), !self.job.policy.is_noisy(p, m));
            // As long as every move loses, none may be skipped, or the loss would not be proven.
            let may_skip = quiet && index > 0 && best.loss_distance().is_none();
            if may_skip && self.is_hopeless(node, window, index, kind) {
                continue;
            }
            let Some(claim) = turns.claim(turn, code) else { continue };
            let reduction = self.reduction(node, window, index, kind, quiet);
            self.ordering.enter(ply, kind);
            let searched =
                self.step(&p.child(m), depth - 1, reduction, Window { alpha, ..window }, ply + 1, index == 0);
            drop(claim);
            let score = searched?;
            if score > best {
                (best, best_code) = (score, code);
            }
            if score > alpha {
                alpha = score;
                self.keep_variation(ply as usize, m);
            }
            if score >= window.beta {
                self.ordering.reward(code, kind, depth, ply);
                for before in &moves[..index] {
                    self.ordering.punish(MoveKind::of(self.job.policy, p, before.m), depth, ply);
                }
                break;
            }
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { code: best_code, score: best.to_table(ply), bound, depth: depth as u8 };
        self.job.table.put(node.key, entry);
        Ok(best)
    }

    fn keep_variation(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.variations.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }

    /// Value of a position on the horizon.
    fn leaf(&mut self, p: &P, window: Window, ply: u32) -> Result<Score, Stopped> {
        let us = p.side_to_move();
        if p.is_stuck() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        if self.job.uses(Technique::Quiescence) {
            return self.quiet(p, window, ply, self.job.tuning.noisy_plies as u32);
        }
        Ok(self.evaluate(p))
    }

    /// Quiescence: the side to move may keep the evaluation or play noisy moves. Not for stuck or decided positions.
    fn quiet(&mut self, p: &P, window: Window, ply: u32, plies: u32) -> Result<Score, Stopped> {
        let mut best = self.evaluate(p);
        if plies == 0 || ply + 1 >= MAX_DEPTH || best >= window.beta {
            return Ok(best);
        }
        let mut alpha = window.alpha.max(best);
        let mut moves = core::mem::take(&mut self.moves[ply as usize]);
        self.ordering.rank((self.job.policy, p), 0, ply, true, &mut moves);
        let mut searched = Ok(());
        for index in 0..moves.len() {
            let Candidate { m, .. } = pick(&mut moves, index);
            match self.noisy_child(&p.child(m), Window { alpha, ..window }.reversed(), ply + 1, plies - 1) {
                Ok(score) => best = best.max(-score),
                Err(stopped) => searched = Err(stopped),
            }
            alpha = alpha.max(best);
            if searched.is_err() || best >= window.beta {
                break;
            }
        }
        self.moves[ply as usize] = moves;
        searched.map(|()| best)
    }

    fn noisy_child(&mut self, p: &P, window: Window, ply: u32, plies: u32) -> Result<Score, Stopped> {
        self.count()?;
        self.variations[ply as usize].clear();
        let us = p.side_to_move();
        if let Some(finish) = self.left(ply).finish_unless_stuck(p) {
            return Ok(Score::of_outcome(finish.outcome, us, ply));
        }
        if let Some(score) = self.known(p, ply) {
            return Ok(score);
        }
        if p.is_stuck() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        self.quiet(p, window, ply, plies)
    }

    /// The result that the policy knows for a position, unless it lies beyond the move limit.
    fn known(&self, p: &P, ply: u32) -> Option<Score> {
        let within = |plies| self.left(ply).allows(plies);
        match self.job.policy.known(p)? {
            Known::Draw => Some(Score::DRAW),
            Known::Win(plies) => within(plies).then(|| Score::win_in(ply + plies)),
            Known::Loss(plies) => within(plies).then(|| Score::loss_in(ply + plies)),
        }
    }

    fn evaluate(&self, p: &P) -> Score {
        let mut units = self.job.policy.evaluate(p);
        if self.job.noise > 0 {
            // The same for a position wherever it occurs in the tree.
            let hash = Key::mix(p.key().0 ^ self.job.seed).0;
            units += (hash % (2 * self.job.noise as u64 + 1)) as i32 - self.job.noise;
        }
        Score::units(units)
    }
}

/// The score of a node, if the entry settles the window. Scores of another depth are used only if `deeper` allows it:
/// without them a search has the value of plain minimax. Proven wins and losses within the depth are always used. Exact
/// scores inside the window are not used, so that the principal variation is complete.
fn cutoff(entry: Entry, (depth, left): (u32, PliesLeft), window: Window, ply: u32, deeper: bool) -> Option<Score> {
    let known = u32::from(entry.depth);
    let provable = if deeper { left.at_most(u32::MAX) } else { depth };
    if known != depth && !(deeper && known > depth) && !is_proven(entry, provable) {
        return None;
    }
    // A result beyond the move limit does not count here: the entry comes from a path with more plies left.
    if entry.score.win_distance().or(entry.score.loss_distance()).is_some_and(|plies| !left.allows(plies)) {
        return None;
    }
    let score = entry.score.at_ply(ply);
    let settled = match entry.bound {
        Bound::Exact => score <= window.alpha || score >= window.beta,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    settled.then_some(score)
}

/// Whether the entry proves a win or a loss within this many plies.
fn is_proven(entry: Entry, plies: u32) -> bool {
    let (win, loss) = (entry.score.win_distance(), entry.score.loss_distance());
    let distance = match entry.bound {
        Bound::Exact => win.or(loss),
        Bound::Lower => win,
        Bound::Upper => loss,
    };
    distance.is_some_and(|n| n <= plies)
}
