use game::{Key, Outcome, Position};

use crate::busy::{Busy, DEFER_DEPTH};
use crate::deepen::RootMove;
use crate::forced::search_key;
use crate::ordering::{Candidate, Ordering, pick};
use crate::table::Entry;
use crate::{Bound, Known, Policy, Score, Stop, Stopped, Table, Technique, Techniques};

/// How many plies a search looks ahead at the most.
pub(crate) const MAX_DEPTH: u32 = 100;

// The constants of the search; depths are in plies of remaining search.

/// Margins of the evaluation are trusted up to this depth. Guessed.
const FUTILITY_DEPTH: u32 = 4;
/// Late moves are left out up to this depth. Guessed.
const LATE_DEPTH: u32 = 3;
/// Passing is tried from this depth on. Guessed.
const NULL_DEPTH: u32 = 3;
/// After a pass the search is this much less deep, and one more for each [`NULL_SLOPE`] of depth. As in most programs.
const NULL_REDUCTION: u32 = 2;
const NULL_SLOPE: u32 = 5;
/// Late moves are reduced from this depth on, and from this many moves on. As in most programs.
const REDUCTION_DEPTH: u32 = 3;
const REDUCTION_MOVES: usize = 3;
/// How far a search over noisy moves goes beyond the horizon. Guessed.
const NOISY_PLIES: u32 = 6;

/// What a worker needs to be told.
pub(crate) struct Task<'a, L> {
    pub(crate) policy: &'a L,
    pub(crate) table: &'a Table,
    pub(crate) stop: Stop,
    pub(crate) node_limit: u64,
    /// Moves left to the move limit at the root.
    pub(crate) left: Option<u32>,
    /// Added to evaluations, hashed from the position: makes seeds differ. In hundredths of a piece.
    pub(crate) noise: i32,
    pub(crate) seed: u64,
    pub(crate) techniques: Techniques,
    /// What the threads are at, if there are several.
    pub(crate) busy: Option<&'a Busy>,
}

impl<L> Task<'_, L> {
    /// The same task without an end of its own.
    pub(crate) fn for_helper(&self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), node_limit: u64::MAX, ..*self }
    }
}

/// One thread's principal variation search over a table that threads may share.
pub(crate) struct Worker<'a, P: Position, L> {
    pub(crate) task: Task<'a, L>,
    pub(crate) nodes: u64,
    ordering: Ordering,
    /// Moves of each ply of the current path, kept to be used again.
    moves: Vec<Vec<Candidate<P::Move>>>,
    /// Best line found from each ply of the current path.
    lines: Vec<Vec<P::Move>>,
}

/// The scores that matter to a node: what is not above `alpha` is too bad, what is not below `beta` too good.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self { alpha: Score::from_raw(-Score::INFINITE.raw()), beta: Score::INFINITE };

    const fn null(alpha: Score) -> Self {
        Self { alpha, beta: alpha.next() }
    }

    fn is_null(self) -> bool {
        self.alpha.next() == self.beta
    }

    fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A position on the current path.
struct Node<'p, P> {
    p: &'p P,
    depth: u32,
    ply: u32,
    key: Key,
    /// The evaluation, where the window is null and pruning is on.
    evaluation: Option<i32>,
}

impl<'a, P: Position, L: Policy<P>> Worker<'a, P, L> {
    pub(crate) fn new(task: Task<'a, L>) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            task,
            nodes: 0,
            ordering: Ordering::new(L::SLOTS),
            moves: (0..plies).map(|_| Vec::new()).collect(),
            lines: vec![Vec::new(); plies],
        }
    }

    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.task.techniques.has(technique)
    }

    /// The best line from a ply on, as the last search from there left it.
    pub(crate) fn line(&self, ply: usize) -> &[P::Move] {
        &self.lines[ply]
    }

    /// Value of a move of the root for the side to move there.
    ///
    /// # Errors
    /// If it was stopped.
    pub(crate) fn root_move(
        &mut self,
        p: &P,
        root_move: &RootMove<P::Move>,
        depth: u32,
        window: Window,
        first: bool,
    ) -> Result<Score, Stopped> {
        if root_move.repeats {
            return Ok(Score::DRAW);
        }
        self.step(&p.child(root_move.m), depth - 1, 0, window, 1, first)
    }

    /// Principal variation search of a child, seen by its parent: the first with the whole window, the others with a null one
    /// first, less deep by `reduction` before that.
    fn step(
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
        self.task.stop.check(self.nodes)?;
        if self.nodes > self.task.node_limit { Err(Stopped) } else { Ok(()) }
    }

    fn left(&self, ply: u32) -> Option<u32> {
        self.task.left.map(|n| n - ply)
    }

    /// Value of a node: its result, what the table knows, or a search. `may_pass` unless the move before was a pass.
    fn value(&mut self, p: &P, depth: u32, window: Window, ply: u32, may_pass: bool) -> Result<Score, Stopped> {
        self.count()?;
        self.lines[ply as usize].clear();
        let us = p.side_to_move();
        if let Some(outcome) = p.decided() {
            return Ok(Score::of_outcome(outcome, us, ply));
        }
        let left = self.left(ply);
        if left == Some(0) {
            return Ok(Score::of_outcome(Outcome::Draw, us, ply));
        }
        if let Some(score) = self.known(p, ply) {
            return Ok(score);
        }
        if depth == 0 || ply >= MAX_DEPTH {
            return self.leaf(p, window, ply);
        }
        let key = search_key(p, left);
        let known = self.task.table.get(key);
        let deeper = self.uses(Technique::DeeperEntries);
        if let Some(score) = known.and_then(|entry| cutoff(entry, (depth, left), window, ply, deeper)) {
            return Ok(score);
        }
        let mut node = Node { p, depth, ply, key, evaluation: None };
        if window.is_null() && window.beta.as_units().is_some() {
            if let Some(score) = self.prune(&mut node, window.beta, may_pass)? {
                return Ok(score);
            }
            self.lines[ply as usize].clear();
        }
        self.expand(&node, window, known.map_or(0, |entry| entry.code))
    }

    /// Forward pruning of a node with a null window: a score that is good enough without a search of the moves, if there is one.
    /// May lengthen the node's search.
    fn prune(&mut self, node: &mut Node<'_, P>, beta: Score, may_pass: bool) -> Result<Option<Score>, Stopped> {
        let margin = self.task.policy.pruning().margin.filter(|_| self.uses(Technique::Futility));
        let tries_pass = self.uses(Technique::NullMove) && may_pass && node.depth >= NULL_DEPTH;
        if !tries_pass && (margin.is_none() || node.depth > FUTILITY_DEPTH) {
            return Ok(None);
        }
        let evaluation = self.evaluate(node.p);
        node.evaluation = evaluation.as_units();
        if let Some(margin) = margin
            && node.depth <= FUTILITY_DEPTH
            && evaluation.raw() - margin * node.depth as i32 >= beta.raw()
            && !node.p.is_stuck()
        {
            return Ok(Some(evaluation));
        }
        if !tries_pass || evaluation < beta {
            return Ok(None);
        }
        let Some(passed) = self.task.policy.passed(node.p).filter(|passed| !passed.is_stuck()) else {
            return Ok(None);
        };
        if node.p.is_stuck() || self.left(node.ply).is_some_and(|n| n < 4) {
            return Ok(None);
        }
        let depth = node.depth.saturating_sub(1 + NULL_REDUCTION + node.depth / NULL_SLOPE);
        let window = Window { alpha: -beta, beta: Score::from_raw(1 - beta.raw()) };
        let score = -self.value(&passed, depth, window, node.ply + 1, false)?;
        if score >= beta {
            // A win after passing is no proof of one.
            return Ok(Some(if score.win_distance().is_some() { beta } else { score }));
        }
        if self.uses(Technique::ThreatExtension) && score.loss_distance().is_some() {
            node.depth += 1;
        }
        Ok(None)
    }

    /// Searches the children of a position that nothing else settles.
    fn expand(&mut self, node: &Node<'_, P>, window: Window, table_code: u16) -> Result<Score, Stopped> {
        let mut moves = core::mem::take(&mut self.moves[node.ply as usize]);
        self.ordering.rank((self.task.policy, node.p), table_code, node.ply, &mut moves);
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
        let mut deferred = Vec::new();
        let mut order = 0..moves.len();
        loop {
            // Moves that another thread is at come last.
            let (index, Candidate { m, code, .. }, last) = match order.next() {
                Some(index) => (index, pick(moves, index), false),
                None => match deferred.pop() {
                    Some((index, candidate)) => (index, candidate, true),
                    None => break,
                },
            };
            let job =
                self.task.busy.filter(|_| depth >= DEFER_DEPTH).map(|busy| (busy, Busy::job(node.key, code, depth)));
            if index > 0 && !last && job.is_some_and(|(busy, job)| busy.is_at(job)) {
                deferred.push((index, moves[index]));
                continue;
            }
            let quiet = !self.task.policy.is_noisy(p, m);
            // As long as every move loses, none may be left out, or the loss would not be proven.
            if quiet && index > 0 && best.loss_distance().is_none() && self.is_hopeless(node, window, index) {
                continue;
            }
            let reduction = if quiet { self.reduction(node, m, index, window) } else { 0 };
            if let Some((busy, job)) = job {
                busy.begin(job);
            }
            let searched =
                self.step(&p.child(m), depth - 1, reduction, Window { alpha, ..window }, ply + 1, index == 0);
            if let Some((busy, job)) = job {
                busy.end(job);
            }
            let score = searched?;
            if score > best {
                (best, best_code) = (score, code);
            }
            if score > alpha {
                alpha = score;
                self.keep_line(ply as usize, m);
            }
            if score >= window.beta {
                self.ordering.reward(code, self.task.policy.slot(p, m), depth, ply);
                for before in &moves[..index] {
                    self.ordering.punish(self.task.policy.slot(p, before.m), depth);
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
        self.task.table.put(node.key, entry);
        Ok(best)
    }

    /// Whether a quiet move need not be looked at: too late in the order, or the evaluation too far below the window.
    fn is_hopeless(&self, node: &Node<'_, P>, window: Window, index: usize) -> bool {
        if !self.uses(Technique::Futility) || !window.is_null() {
            return false;
        }
        let pruning = self.task.policy.pruning();
        let late = |first: u32| node.depth <= LATE_DEPTH && index as u32 >= first * node.depth * node.depth;
        let below = |margin: i32| {
            let low = |units: i32| units + margin * (node.depth as i32 + 1) <= window.alpha.raw();
            node.depth <= LATE_DEPTH && node.evaluation.is_some_and(low)
        };
        pruning.late.is_some_and(late) || pruning.margin.is_some_and(below)
    }

    /// By how many plies a quiet move is searched less deep at first: more for later moves, deeper nodes, a bad history.
    fn reduction(&self, node: &Node<'_, P>, m: P::Move, index: usize, window: Window) -> u32 {
        if !self.uses(Technique::LateReductions) || node.depth < REDUCTION_DEPTH || index < REDUCTION_MOVES {
            return 0;
        }
        // An integer stand-in for the usual product of logarithms.
        let base = (node.depth.ilog2() * (index as u32).ilog2()) as i32 * 3 / 8;
        let history = self.ordering.history(self.task.policy.slot(node.p, m)) / 6_000;
        let wide = i32::from(!window.is_null());
        (base - history - wide).clamp(0, node.depth as i32 - 2) as u32
    }

    fn keep_line(&mut self, ply: usize, m: P::Move) {
        let (line, below) = self.lines.split_at_mut(ply + 1);
        line[ply].clear();
        line[ply].push(m);
        line[ply].extend_from_slice(&below[0]);
    }

    /// Value of a position on the horizon.
    fn leaf(&mut self, p: &P, window: Window, ply: u32) -> Result<Score, Stopped> {
        let us = p.side_to_move();
        if p.is_stuck() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        if self.uses(Technique::Quiescence) {
            return self.quiet(p, window, ply, NOISY_PLIES);
        }
        Ok(self.evaluate(p))
    }

    /// Quiescence: the side to move may stand as it is or play on with noisy moves. Not for stuck or decided positions.
    fn quiet(&mut self, p: &P, window: Window, ply: u32, plies: u32) -> Result<Score, Stopped> {
        let mut best = self.evaluate(p);
        if plies == 0 || ply + 1 >= MAX_DEPTH || best >= window.beta {
            return Ok(best);
        }
        let mut alpha = window.alpha.max(best);
        let mut moves = core::mem::take(&mut self.moves[ply as usize]);
        self.ordering.rank((self.task.policy, p), 0, ply, &mut moves);
        moves.retain(|candidate| self.task.policy.is_noisy(p, candidate.m));
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
        self.lines[ply as usize].clear();
        let us = p.side_to_move();
        if let Some(outcome) = p.decided() {
            return Ok(Score::of_outcome(outcome, us, ply));
        }
        if self.left(ply) == Some(0) {
            return Ok(Score::DRAW);
        }
        if let Some(score) = self.known(p, ply) {
            return Ok(score);
        }
        if p.is_stuck() {
            return Ok(Score::of_outcome(P::STUCK.outcome(us), us, ply));
        }
        self.quiet(p, window, ply, plies)
    }

    /// What the policy knows of a position, unless it lies beyond the move limit.
    fn known(&self, p: &P, ply: u32) -> Option<Score> {
        let within = |plies: u32| self.left(ply).is_none_or(|left| plies <= left);
        match self.task.policy.known(p)? {
            Known::Draw => Some(Score::DRAW),
            Known::Win(plies) => within(plies).then(|| Score::win_in(ply + plies)),
            Known::Loss(plies) => within(plies).then(|| Score::loss_in(ply + plies)),
        }
    }

    fn evaluate(&self, p: &P) -> Score {
        let mut units = self.task.policy.evaluate(p);
        if self.task.noise > 0 {
            // From the side to move's view; the same for a position wherever it occurs.
            let hash = Key::mix(p.key().0 ^ self.task.seed).0;
            units += (hash % (2 * self.task.noise as u64 + 1)) as i32 - self.task.noise;
        }
        Score::units(units)
    }
}

/// The score of a node, if what is known of it settles the window. Scores of another depth are used only if `deeper` allows it,
/// since without them the value of a search is that of plain minimax; proven wins and losses within the depth are. Inside
/// the window exact scores are searched again, so that the principal variation is whole.
fn cutoff(entry: Entry, (depth, left): (u32, Option<u32>), window: Window, ply: u32, deeper: bool) -> Option<Score> {
    let known = u32::from(entry.depth);
    let provable = if deeper { left.unwrap_or(u32::MAX) } else { depth };
    if known != depth && !(deeper && known > depth) && !is_proven(entry, provable) {
        return None;
    }
    // A result that lies beyond the move limit is none; the entry comes from a path with more moves left.
    if left.is_some_and(|n| entry.score.win_distance().or(entry.score.loss_distance()) > Some(n)) {
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

/// Whether the entry holds a win or a loss within so many plies.
fn is_proven(entry: Entry, plies: u32) -> bool {
    let (win, loss) = (entry.score.win_distance(), entry.score.loss_distance());
    let distance = match entry.bound {
        Bound::Exact => win.or(loss),
        Bound::Lower => win,
        Bound::Upper => loss,
    };
    distance.is_some_and(|n| n <= plies)
}
