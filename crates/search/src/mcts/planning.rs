use game::{Position, Record, SplitMix64};

use crate::control::{Limits, Stop};
use crate::mcts::evaluator::Leaf;
use crate::mcts::halving::{Candidates, ValueWeight};
use crate::mcts::numbers::{ln, softmax};
use crate::mcts::plan::{Plan, PlannedMove};
use crate::mcts::settings::{Gumbel, MctsSettings, RootRule};
use crate::mcts::simulation::{Simulator, Task};
use crate::mcts::step::Step;
use crate::mcts::tree::{ROOT, Tree};
use crate::root::{plies_left, repeats};

/// Maximum number of simulations of a single legal move. It is searched only to get a score.
const ONE_MOVE: u64 = 32;
/// Maximum number of simulations of a call of [`Planning::advance`].
const SLICE: u32 = 1_024;

/// A Monte Carlo tree search that its caller drives: it pauses while positions wait for their evaluation. One
/// evaluation can serve many searches. [`Mcts`](crate::mcts::search::Mcts) drives a single search with its evaluator.
///
/// ```
/// use game::{Record, examples::Nim};
/// use search::{Limits, MctsSettings, Planning, Stop};
///
/// let game = Record::new("7 a".parse::<Nim>()?);
/// let limits = Limits::nodes(500);
/// let mut planning = Planning::new(&game, &MctsSettings::default(), 0, &limits, Stop::new()).expect("a move");
/// while planning.advance() {
///     planning.leaves(); // A new leaf is a draw, and all its moves have the same prior.
///     planning.resume();
/// }
/// assert_eq!(planning.plan().moves[0].m.to_string(), "3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Planning<P: Position> {
    simulator: Simulator<P>,
    /// Parameters of the Gumbel rule, if it applies.
    gumbel: Option<Gumbel>,
    /// Moves of the Gumbel rule, after the evaluation of the root.
    candidates: Option<Candidates>,
    rng: SplitMix64,
    /// Number of simulations that the Gumbel rule divides.
    planned: u64,
    /// Number of moves of a known root that were visited.
    known: usize,
    is_over: bool,
}

impl<P: Position> Planning<P> {
    /// Begins a search of the current position with these settings and this seed; `None` if there is no legal move. The
    /// root counts as undecided. The limits are the nodes and the depth; a time limit must be a deadline of `stop`.
    pub fn new(game: &Record<P>, settings: &MctsSettings, seed: u64, limits: &Limits, stop: Stop) -> Option<Self> {
        let moves = game.position().movable();
        let settings = (settings, seed_of_game(seed));
        (!moves.is_empty()).then(|| Self::among(&moves, game, settings, limits, stop))
    }

    /// Begins a search of these legal moves, of which there is at least one, with a seed of [`seed_of_game`].
    pub(super) fn among(
        moves: &[P::Move],
        game: &Record<P>,
        (settings, seed): (&MctsSettings, u64),
        limits: &Limits,
        stop: Stop,
    ) -> Self {
        let budget = limits.nodes.or(limits.usual_time().is_none().then_some(settings.default_nodes));
        let most = if moves.len() == 1 { ONE_MOVE } else { u64::MAX };
        let repeats = repeats(game, settings.shuns_repetition);
        let task = Task {
            root: game.position().clone(),
            moves: moves.iter().map(|&m| (m, repeats(m))).collect(),
            left: plies_left(game),
            depth: limits.depth.unwrap_or(u32::MAX),
            simulations: budget.unwrap_or(u64::MAX).min(most),
            stop,
        };
        let gumbel = match settings.root {
            RootRule::Puct => None,
            RootRule::Gumbel(gumbel) => Some(gumbel),
            RootRule::Few(most, gumbel) => budget.filter(|&nodes| nodes <= most).map(|_| gumbel),
        };
        Self {
            simulator: Simulator::new(*settings, task),
            gumbel,
            candidates: None,
            // Derived from the seed and the move number alone, so that earlier calls have no effect.
            rng: SplitMix64::new(seed.wrapping_add(u64::from(game.moves_made()) << 32)),
            planned: budget.unwrap_or(settings.default_nodes).saturating_sub(1),
            known: 0,
            is_over: false,
        }
    }

    /// Runs simulations until positions wait for their evaluation, at most 1,024 in one call. Returns `false`
    /// if the search is over. Otherwise the caller evaluates the [leaves](Self::leaves), of which there may be none,
    /// and calls [`resume`](Self::resume).
    pub fn advance(&mut self) -> bool {
        for _ in 0..SLICE {
            let has_root = !self.simulator.tree.node(ROOT).waits();
            if self.is_over || has_root && self.simulator.is_stopped() {
                self.give_up();
                return false;
            }
            let repeated = self.simulator.repeated();
            match repeated.unwrap_or_else(|| self.next()) {
                Step::Simulate(first) if !self.simulator.simulate(first) => {}
                Step::Simulate(_) | Step::Evaluate => return true,
                Step::End => self.is_over = true,
            }
        }
        true
    }

    /// Returns the positions that wait for their evaluation.
    pub fn leaves(&mut self) -> &mut [Leaf<P>] {
        &mut self.simulator.leaves
    }

    /// Returns the positions from the root to the leaf with this index, without the leaf.
    ///
    /// # Panics
    /// Panics if there is no such leaf.
    pub fn line_to(&self, leaf: usize) -> Vec<P> {
        self.simulator.line_to(leaf)
    }

    /// Continues with the evaluations of the [leaves](Self::leaves).
    pub fn resume(&mut self) {
        self.simulator.resume();
    }

    /// Ends the search without the evaluations of the waiting positions, which then do not count.
    pub fn give_up(&mut self) {
        self.simulator.give_up();
        if let Some(candidates) = &mut self.candidates {
            candidates.sort(&self.simulator.tree);
        }
        self.is_over = true;
    }

    /// Returns `true` if the Gumbel rule applies at the root.
    pub fn is_gumbel(&self) -> bool {
        self.gumbel.is_some()
    }

    /// Returns the number of finished simulations, including the evaluation of the root.
    pub(super) fn simulations(&self) -> u64 {
        self.simulator.simulations()
    }

    /// Returns the results so far. The root must be evaluated.
    pub fn plan(&self) -> Plan<P::Move> {
        let order = self.candidates.as_ref().map_or(&[][..], |candidates| &candidates.moves);
        plan(&self.simulator.tree, self.simulations(), &self.gumbel.unwrap_or_default(), order)
    }

    /// Returns the next step. If the evaluator knows the result of the root, every move of the root is visited once, so
    /// that the shortest win among known results is found.
    fn next(&mut self) -> Step {
        let simulator = &self.simulator;
        if simulator.tree.node(ROOT).waits() {
            return Step::Evaluate;
        }
        if let (Some(gumbel), None) = (self.gumbel, &self.candidates) {
            self.candidates = Some(Candidates::sample(&simulator.tree, gumbel, self.planned, &mut self.rng));
        }
        if simulator.root_is_known && self.known < simulator.tree.edges(ROOT).len() && simulator.has_budget() {
            self.known += 1;
            return Step::Simulate(Some(self.known - 1));
        }
        let is_waiting = !simulator.leaves.is_empty();
        match &mut self.candidates {
            Some(candidates) => candidates.next(simulator),
            None if !simulator.is_over() => Step::Simulate(None),
            None if is_waiting => Step::Evaluate,
            None => Step::End,
        }
    }
}

/// Returns the state of the random numbers of a game with this seed.
pub(super) fn seed_of_game(seed: u64) -> u64 {
    SplitMix64::new(seed).next_u64()
}

/// Returns the statistics of the root's moves. Proven results come first or last, then follow the moves of `order`,
/// then the others by their simulations.
fn plan<M: Copy>(tree: &Tree<M>, simulations: u64, gumbel: &Gumbel, order: &[usize]) -> Plan<M> {
    let edges = tree.edges(ROOT);
    let mixed = mixed_value(tree);
    let weight = ValueWeight::of(tree, gumbel);
    let value = |edge| tree.mean(edge).unwrap_or(mixed);
    let mut policy: Vec<f64> = edges.iter().map(|edge| ln(edge.prior.into()) + weight.logit(value(edge))).collect();
    softmax(&mut policy);
    let visits = |index: usize| tree.child(&edges[index]).map_or(0, |child| child.visits);
    let place = |index: usize| order.iter().position(|&other| other == index).unwrap_or(usize::MAX);
    let mut ranked: Vec<usize> = (0..edges.len()).collect();
    ranked.sort_by(|&a, &b| {
        let by_proof = tree.standing(&edges[b]).cmp(&tree.standing(&edges[a]));
        let by_visits = || visits(b).cmp(&visits(a));
        by_proof
            .then_with(|| place(a).cmp(&place(b)))
            .then_with(by_visits)
            .then_with(|| policy[b].total_cmp(&policy[a]))
    });
    let moves = ranked.into_iter().map(|index| {
        let edge = &edges[index];
        PlannedMove {
            m: edge.m,
            prior: edge.prior,
            visits: visits(index),
            value: value(edge) as f32,
            policy: policy[index] as f32,
            proven: tree.result(edge),
            pv: tree.variation(edge),
        }
    });
    Plan { moves: moves.collect(), value: tree.node(ROOT).mean() as f32, simulations }
}

/// Returns the value of the root for moves without simulations: its evaluation, mixed with the values of the other
/// moves (Danihelka et al. 2022, equation 33).
fn mixed_value<M: Copy>(tree: &Tree<M>) -> f64 {
    let (mut visits, mut mass, mut sum) = (0.0, 0.0, 0.0);
    for edge in tree.edges(ROOT) {
        if let (Some(child), Some(value)) = (tree.child(edge), tree.mean(edge)) {
            let prior = f64::from(edge.prior).max(f64::MIN_POSITIVE);
            visits += f64::from(child.visits);
            mass += prior;
            sum += prior * value;
        }
    }
    let root = tree.node(ROOT).value;
    if mass > 0.0 { (root + visits * sum / mass) / (1.0 + visits) } else { root }
}
