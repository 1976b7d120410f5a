//! The alpha-beta search below the root.

use game::{Key, PliesLeft, Position};

use crate::abdada::MoveQueue;
use crate::control::Stopped;
use crate::job::SearchJob;
use crate::key::search_key;
use crate::ordering::{Candidate, Ordering, Picker};
use crate::params::{DEFER_DEPTH, MAX_DEPTH, NULL_LEFT};
use crate::policy::Policy;
use crate::score::Score;
use crate::technique::Technique;
use crate::transposition::{Bound, Entry};
use crate::window::Window;

/// The principal variation search of one thread. Threads may share its transposition table.
pub(crate) struct Worker<'a, P: Position, L: Policy<P>> {
    pub(crate) job: SearchJob<'a, L>,
    pub(crate) nodes: u64,
    ordering: Ordering,
    /// Moves of each ply of the current path. The vectors are reused.
    moves: Vec<Vec<Candidate<P::Move>>>,
    /// Principal variation from each ply of the current path.
    variations: Vec<Vec<P::Move>>,
    /// Accumulators of the last evaluation at each ply.
    accumulators: Vec<L::Accumulator>,
}

/// A position on the current path.
struct Node<'p, P> {
    p: &'p P,
    depth: u32,
    ply: u32,
    key: Key,
    /// Evaluation, if the window is null and pruning is enabled.
    evaluation: Option<i32>,
    /// `true` if every move that is not noisy loses in two plies.
    is_threatened: bool,
}

impl<'a, P: Position, L: Policy<P>> Worker<'a, P, L> {
    pub(crate) fn new(job: SearchJob<'a, L>) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            job,
            nodes: 0,
            ordering: Ordering::new(L::SLOTS),
            moves: (0..plies).map(|_| Vec::new()).collect(),
            variations: vec![Vec::new(); plies],
            accumulators: (0..plies).map(|_| L::Accumulator::default()).collect(),
        }
    }

    /// Returns the principal variation from this ply on, as found by the last search of a node at this ply.
    pub(crate) fn variation(&self, ply: usize) -> &[P::Move] {
        &self.variations[ply]
    }

    /// Searches a child and returns the value for its parent. The first child is searched with the full window. Any
    /// other child is searched with a null window first, at a depth reduced by `reduction` plies. If its score exceeds
    /// `alpha`, the search is repeated at full depth, and then with the full window if the score lies inside it.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
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

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.job.stop.check(self.nodes)?;
        if self.nodes > self.job.node_limit { Err(Stopped) } else { Ok(()) }
    }

    fn left(&self, ply: u32) -> PliesLeft {
        self.job.left.after(ply)
    }

    /// Returns the value of a node: its result, the value in the table, or the value of a search. `may_pass` is `false`
    /// only after a pass.
    fn value(&mut self, p: &P, depth: u32, window: Window, ply: u32, may_pass: bool) -> Result<Score, Stopped> {
        self.count()?;
        self.variations[ply as usize].clear();
        let us = p.side_to_move();
        let left = self.left(ply);
        let key = search_key(p, left);
        let is_leaf = depth == 0 || ply >= MAX_DEPTH;
        // Read early, so that the memory access overlaps with the check for the end of the game.
        let entry = if is_leaf { None } else { self.job.table.get(key) };
        if let Some(finish) = left.finish_unless_stuck(p) {
            return Ok(Score::of_outcome(finish.outcome, us, ply));
        }
        if let Some(score) = self.known(p, ply) {
            return Ok(score);
        }
        if is_leaf {
            return self.leaf(p, window, ply);
        }
        let deeper = self.job.uses(Technique::DeeperEntries);
        if let Some(score) = entry.and_then(|entry| cutoff(entry, (depth, left), window, ply, deeper)) {
            return Ok(score);
        }
        let is_threatened = self.is_threatened(p, ply);
        let mut node = Node { p, depth, ply, key, evaluation: None, is_threatened };
        if !is_threatened && window.is_null() && window.beta.as_units().is_some() {
            if let Some(score) = self.prune(&mut node, window.beta, may_pass)? {
                return Ok(score);
            }
            self.variations[ply as usize].clear();
        }
        self.expand(&node, window, entry.map_or(0, |entry| entry.code))
    }

    /// Applies forward pruning to a node with a null window. Returns a score if it causes a cutoff, so that the moves
    /// need no search. May increase the node's depth.
    fn prune(&mut self, node: &mut Node<'_, P>, beta: Score, may_pass: bool) -> Result<Option<Score>, Stopped> {
        let (tuning, depth) = (self.job.tuning, node.depth as i32);
        let within = |margin: i32, deepest: i32| self.job.uses(Technique::Futility) && margin > 0 && depth <= deepest;
        let may_give_up = within(tuning.futility, tuning.futility_depth);
        let tries_pass = self.job.uses(Technique::NullMove) && may_pass && depth >= tuning.null_depth;
        let tries_shallow = self.job.uses(Technique::ProbCut) && tuning.probcut > 0 && depth >= tuning.probcut_depth;
        if !tries_pass && !tries_shallow && !may_give_up && !within(tuning.hopeless, tuning.hopeless_depth) {
            return Ok(None);
        }
        let evaluation = self.evaluate(node.p, node.ply);
        node.evaluation = evaluation.as_units();
        if may_give_up && evaluation.raw() - tuning.futility * depth >= beta.raw() && !node.p.is_stuck() {
            return Ok(Some(evaluation));
        }
        if evaluation < beta {
            return Ok(None);
        }
        if tries_pass && let Some(score) = self.pass(node, beta)? {
            return Ok(Some(score));
        }
        if tries_shallow { self.prob_cut(node, beta) } else { Ok(None) }
    }

    /// Tries a null move. Returns a score if it causes a cutoff. Increases the node's depth if passing loses by force.
    fn pass(&mut self, node: &mut Node<'_, P>, beta: Score) -> Result<Option<Score>, Stopped> {
        let Some(passed) = self.job.policy.passed(node.p).filter(|passed| !passed.is_stuck()) else {
            return Ok(None);
        };
        if node.p.is_stuck() || !self.left(node.ply).allows(NULL_LEFT) {
            return Ok(None);
        }
        let (tuning, depth) = (&self.job.tuning, node.depth as i32);
        let depth = (depth - 1 - tuning.null_reduction - depth / tuning.null_slope).max(0) as u32;
        let score = -self.value(&passed, depth, Window::null_below(beta).reversed(), node.ply + 1, false)?;
        if score >= beta {
            // A win after passing does not prove a win.
            return Ok(Some(if score.win_distance().is_some() { beta } else { score }));
        }
        if self.job.uses(Technique::ThreatExtension) && score.loss_distance().is_some() {
            node.depth += 1;
        }
        Ok(None)
    }

    /// Tries ProbCut (M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal
    /// 18(2), 1995). Returns the score of a shallower search if it exceeds the window by a margin.
    fn prob_cut(&mut self, node: &Node<'_, P>, beta: Score) -> Result<Option<Score>, Stopped> {
        let Some(high) = beta.as_units().map(|units| Score::units(units + self.job.tuning.probcut)) else {
            return Ok(None);
        };
        let depth = (node.depth as i32 - self.job.tuning.probcut_reduction).max(1) as u32;
        let code = self.job.table.get(node.key).map_or(0, |entry| entry.code);
        let score = self.expand(&Node { depth, ..*node }, Window::null_below(high), code)?;
        Ok((score >= high).then_some(score))
    }

    /// Searches the moves of a node and returns its value.
    fn expand(&mut self, node: &Node<'_, P>, window: Window, table_code: u16) -> Result<Score, Stopped> {
        let mut moves = core::mem::take(&mut self.moves[node.ply as usize]);
        self.ordering.rank((self.job.policy, node.p), table_code, node.ply, node.is_threatened, &mut moves);
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
        if moves.is_empty() && !node.is_threatened {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        let least = if node.is_threatened { Score::loss_in(ply + 2) } else { -Score::INFINITE };
        if least >= window.beta {
            return Ok(least);
        }
        let (mut best, mut best_code) = (least, 0);
        let mut alpha = window.alpha.max(best);
        let searching = self.job.searching.filter(|_| depth >= DEFER_DEPTH);
        let mut queue = MoveQueue::new(searching, (node.key, depth), moves.len());
        let mut moves = Picker::new(moves);
        while let Some(next) = queue.next_move() {
            let index = next.index;
            let Candidate { m, code, .. } = moves.pick(index);
            let quiet = !self.job.policy.is_noisy(p, m);
            // As long as every move loses, no move may be skipped; otherwise the loss would not be proven.
            if quiet && index > 0 && best.loss_distance().is_none() && self.is_hopeless(node, window, index) {
                if next.is_fresh {
                    // All later quiet moves are hopeless, too.
                    queue.set_fresh(index..moves.retain_from(index, |m| self.job.policy.is_noisy(p, m)));
                }
                continue;
            }
            let Some(claim) = queue.claim(next, code) else { continue };
            let reduction = if quiet { self.reduction(node, m, index, window) } else { 0 };
            // The memory access overlaps with the search of this move. Measured: keeping the next child is no faster
            // than playing its move again.
            if depth > 1 && next.is_fresh && index + 1 < moves.len() {
                let following = p.child(moves.pick(index + 1).m);
                self.job.table.prefetch(search_key(&following, self.left(ply + 1)));
            }
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
                self.ordering.reward(code, self.job.policy.slot(p, m), depth, ply);
                for before in moves.before(index) {
                    self.ordering.punish(self.job.policy.slot(p, before.m), depth);
                }
                break;
            }
        }
        self.store(node, window, best, best_code);
        Ok(best)
    }

    /// Stores the result of a node in the table.
    fn store(&self, node: &Node<'_, P>, window: Window, best: Score, code: u16) {
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { code, score: best.to_table(node.ply), bound, depth: node.depth as u8 };
        self.job.table.put(node.key, entry);
    }

    /// Returns `true` if a quiet move can be skipped: it is too late in the order, or the evaluation is too far below
    /// the window.
    fn is_hopeless(&self, node: &Node<'_, P>, window: Window, index: usize) -> bool {
        if !self.job.uses(Technique::Futility) || !window.is_null() {
            return false;
        }
        let (tuning, depth) = (&self.job.tuning, node.depth as i32);
        let is_late = tuning.late > 0 && depth <= tuning.late_depth && index as i32 >= tuning.late * depth * depth;
        let low = |units: i32| units + tuning.hopeless * (depth + 1) <= window.alpha.raw();
        let is_below = || tuning.hopeless > 0 && depth <= tuning.hopeless_depth && node.evaluation.is_some_and(low);
        is_late || is_below()
    }

    /// Returns the reduction of a quiet move's first search, in plies: larger for later moves, deeper nodes and a bad
    /// history.
    fn reduction(&self, node: &Node<'_, P>, m: P::Move, index: usize, window: Window) -> u32 {
        let (tuning, depth) = (&self.job.tuning, node.depth as i32);
        let may_reduce = depth >= tuning.reduction_depth && index as i32 >= tuning.reduction_moves;
        if !self.job.uses(Technique::LateReductions) || !may_reduce {
            return 0;
        }
        let logarithms = (node.depth.ilog2() * (index as u32).ilog2()) as i32;
        let base = logarithms * tuning.reduction_slope / 1024;
        let history = self.ordering.history(self.job.policy.slot(node.p, m)) / tuning.reduction_history;
        let wide = i32::from(!window.is_null());
        (base - history - wide).clamp(0, depth - 2) as u32
    }

    /// Returns `true` if every move that is not noisy loses in two plies.
    fn is_threatened(&self, p: &P, ply: u32) -> bool {
        self.job.uses(Technique::ThreatExtension) && self.job.policy.is_threatened(p) && self.left(ply).allows(2)
    }

    fn keep_variation(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.variations.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }

    /// Returns the value of a leaf.
    fn leaf(&mut self, p: &P, window: Window, ply: u32) -> Result<Score, Stopped> {
        let us = p.side_to_move();
        if p.is_stuck() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        if self.job.uses(Technique::Quiescence) {
            return self.quiet(p, window, ply, self.job.tuning.noisy_plies as u32);
        }
        Ok(self.evaluate(p, ply))
    }

    /// Runs quiescence: the side to move may keep the evaluation or play noisy moves. The position must not be stuck or
    /// decided.
    fn quiet(&mut self, p: &P, window: Window, ply: u32, plies: u32) -> Result<Score, Stopped> {
        let is_threatened = plies > 0 && self.is_threatened(p, ply);
        let mut best = if is_threatened { Score::loss_in(ply + 2) } else { self.evaluate(p, ply) };
        if plies == 0 || ply + 1 >= MAX_DEPTH || best >= window.beta {
            return Ok(best);
        }
        let mut alpha = window.alpha.max(best);
        let mut moves = core::mem::take(&mut self.moves[ply as usize]);
        self.ordering.rank((self.job.policy, p), 0, ply, true, &mut moves);
        let mut searched = Ok(());
        let mut picker = Picker::new(&mut moves);
        for index in 0..picker.len() {
            let Candidate { m, .. } = picker.pick(index);
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

    /// Returns the result that the policy knows for a position, unless it lies beyond the move limit.
    fn known(&self, p: &P, ply: u32) -> Option<Score> {
        self.job.policy.known(p)?.score(self.left(ply), ply)
    }

    fn evaluate(&mut self, p: &P, ply: u32) -> Score {
        let (before, rest) = self.accumulators.split_at_mut(ply as usize);
        let mut units = self.job.policy.evaluate_near(p, before.last(), &mut rest[0]);
        debug_assert_eq!(units, self.job.policy.evaluate(p), "invariant: both ways give the same value");
        if self.job.noise > 0 {
            // The noise of a position is the same wherever it occurs in the tree.
            let hash = Key::mix(p.key().0 ^ self.job.seed).0;
            units += (hash % (2 * self.job.noise as u64 + 1)) as i32 - self.job.noise;
        }
        Score::units(units)
    }
}

/// Returns the score of a node if the entry causes a cutoff. Scores of deeper entries are used only if `deeper` is set;
/// if it is unset, a search returns the same value as plain minimax. Proven wins and losses within the depth are always
/// used. Exact scores inside the window are not used, so that the principal variation is complete.
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

/// Returns `true` if the entry proves a win or a loss within this many plies.
fn is_proven(entry: Entry, plies: u32) -> bool {
    let (win, loss) = (entry.score.win_distance(), entry.score.loss_distance());
    let distance = match entry.bound {
        Bound::Exact => win.or(loss),
        Bound::Lower => win,
        Bound::Upper => loss,
    };
    distance.is_some_and(|n| n <= plies)
}
