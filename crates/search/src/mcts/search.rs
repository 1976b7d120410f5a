use game::{Position, Record, SplitMix64};

use crate::control::{Control, Limits, Progress, Stopped};
use crate::engine::{Choice, Engine};
use crate::mcts::evaluator::Evaluator;
use crate::mcts::halving::{Candidates, ValueWeight};
use crate::mcts::numbers::{ln, softmax};
use crate::mcts::plan::{Plan, PlannedMove};
use crate::mcts::settings::{Gumbel, MctsSettings, RootRule};
use crate::mcts::simulation::{Simulator, Task};
use crate::mcts::tree::{ROOT, Tree};
use crate::root::{plies_left, repeats};

/// Maximum number of simulations of a single legal move. It is searched only to get a score.
const ONE_MOVE: u64 = 32;
/// Number of simulations before the first report of progress. Each further report follows after twice as many.
const FIRST_REPORT: u64 = 64;

/// Monte Carlo tree search with an evaluator instead of playouts: PUCT in the tree, and at the root PUCT or the Gumbel
/// rule. Finished games and results that are proven by them have exact values. [`Limits::nodes`] limits the number of
/// simulations, and [`Limits::depth`] the depth of the tree.
///
/// No state is kept between moves. Without a time limit, a choice depends only on the game so far, the settings, the
/// seed and the limits, if the evaluator's results are reproducible.
///
/// ```
/// use game::{Record, examples::Nim};
/// use search::{Control, Engine, Evaluator, Leaf, Limits, Mcts, MctsSettings, Stopped};
///
/// struct Novice; // knows only the rules
/// impl Evaluator<Nim> for Novice {
///     fn evaluate(&mut self, _: &mut [Leaf<Nim>]) -> Result<(), Stopped> { Ok(()) }
/// }
///
/// let game = Record::new("7 a".parse::<Nim>()?);
/// let mut player = Mcts::new(Novice, MctsSettings::default());
/// let choice = player.choose(&game, &Limits::nodes(500), &mut Control::unattended()).expect("a move");
/// assert_eq!((choice.best.to_string().as_str(), choice.score.win_distance()), ("3", Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mcts<P: Position, E> {
    evaluator: E,
    settings: MctsSettings,
    seed: u64,
    game: core::marker::PhantomData<fn() -> P>,
}

impl<P: Position, E: Evaluator<P>> Mcts<P, E> {
    /// Creates a player with seed 0.
    pub fn new(evaluator: E, settings: MctsSettings) -> Self {
        Self { evaluator, settings, seed: 0, game: core::marker::PhantomData }
    }

    /// Returns the evaluator.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Searches the current position, and returns statistics of all moves; `None` if there is no legal move. The root
    /// counts as undecided.
    pub fn plan(
        &mut self,
        game: &Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Plan<P::Move>> {
        let moves = game.position().movable();
        (!moves.is_empty()).then(|| self.plan_among(game, &moves, limits, control))
    }

    /// Like [`plan`](Self::plan), for these legal moves only, of which there is at least one.
    pub(super) fn plan_among(
        &mut self,
        game: &Record<P>,
        moves: &[P::Move],
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Plan<P::Move> {
        let limits = limits.on(control.host);
        let budget = limits.nodes.or(limits.usual_time().is_none().then_some(self.settings.default_nodes));
        let most = if moves.len() == 1 { ONE_MOVE } else { u64::MAX };
        let task = Task {
            root: game.position(),
            left: plies_left(game),
            depth: limits.depth.unwrap_or(u32::MAX),
            simulations: budget.unwrap_or(u64::MAX).min(most),
            stop: control.stop.within_whole(limits.usual_time(), control.host),
        };
        let gumbel = self.gumbel(budget);
        let roots = self.roots(game, moves);
        let mut simulator = Simulator::new(&mut self.evaluator, &self.settings, task, &roots);
        let mut candidates = gumbel.map(|gumbel| {
            // Derived from the seed and the move number alone, so that earlier calls have no effect.
            let mut rng = SplitMix64::new(self.seed.wrapping_add(u64::from(game.moves_made()) << 32));
            let planned = budget.unwrap_or(self.settings.default_nodes);
            Candidates::sample(&simulator.tree, gumbel, planned.saturating_sub(1), &mut rng)
        });
        // A stopped search has a result, too.
        let _ = simulate(&mut simulator, candidates.as_mut(), control);
        let order = candidates.map(|candidates| candidates.moves).unwrap_or_default();
        let plan = plan(&simulator.tree, simulator.simulations(), &gumbel.unwrap_or_default(), &order);
        report(&plan, control);
        plan
    }

    /// Returns the parameters of the Gumbel rule, if it applies under this limit.
    fn gumbel(&self, budget: Option<u64>) -> Option<Gumbel> {
        match self.settings.root {
            RootRule::Puct => None,
            RootRule::Gumbel(gumbel) => Some(gumbel),
            RootRule::Few(most, gumbel) => budget.filter(|&nodes| nodes <= most).map(|_| gumbel),
        }
    }

    /// Returns the moves, each with `true` if it leads back to a position of the game, which counts as a draw.
    fn roots(&self, game: &Record<P>, moves: &[P::Move]) -> Vec<(P::Move, bool)> {
        let repeats = repeats(game, self.settings.shuns_repetition);
        moves.iter().map(|&m| (m, repeats(m))).collect()
    }
}

impl<P: Position, E: Evaluator<P>> Engine<P> for Mcts<P, E> {
    fn choose(
        &mut self,
        game: &Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Choice<P::Move>> {
        let plan = self.plan(game, limits, control)?;
        Some(plan.choice(self.settings.lines.get()))
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = SplitMix64::new(seed).next_u64();
        self.evaluator.new_game(seed);
    }
}

/// Runs the simulations.
///
/// # Errors
/// Returns [`Stopped`] if the search is stopped.
fn simulate<P: Position, E: Evaluator<P>>(
    simulator: &mut Simulator<'_, P, E>,
    candidates: Option<&mut Candidates>,
    control: &mut Control<'_, P::Move>,
) -> Result<(), Stopped> {
    simulator.visit_known()?;
    if let Some(candidates) = candidates {
        return candidates.run(simulator);
    }
    let mut next_report = FIRST_REPORT;
    while !simulator.is_over() {
        simulator.simulate(None)?;
        if simulator.simulations() >= next_report && control.progress.is_some() {
            next_report *= 2;
            report(&plan(&simulator.tree, simulator.simulations(), &Gumbel::default(), &[]), control);
        }
    }
    simulator.flush()
}

fn report<P: Copy>(plan: &Plan<P>, control: &mut Control<'_, P>) {
    let best = &plan.moves[0];
    let (depth, pv) = (best.pv.len() as u32, best.pv.clone());
    control.report(&Progress { depth, score: best.score(), pv, nodes: plan.simulations });
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
