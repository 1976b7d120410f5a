use game::{Position, Record};

use crate::control::{Control, Limits, Progress, Stopped};
use crate::engine::{Choice, Engine};
use crate::mcts::evaluator::Evaluator;
use crate::mcts::plan::Plan;
use crate::mcts::planning::{Planning, seed_of_game};
use crate::mcts::settings::MctsSettings;

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
        let stop = control.stop.within_whole(limits.usual_time(), control.host);
        let limits = limits.on(control.host);
        let mut planning = Planning::among(moves, game, (&self.settings, self.seed), &limits, stop);
        let mut next_report = FIRST_REPORT;
        while planning.advance() {
            let result = if planning.leaves().is_empty() { Ok(()) } else { self.evaluator.evaluate(planning.leaves()) };
            match result {
                Ok(()) => planning.resume(),
                Err(Stopped) => planning.give_up(),
            }
            if control.progress.is_some() && !planning.is_gumbel() && planning.simulations() >= next_report {
                next_report *= 2;
                report(&planning.plan(), control);
            }
        }
        let plan = planning.plan();
        report(&plan, control);
        plan
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
        self.seed = seed_of_game(seed);
        self.evaluator.new_game(seed);
    }
}

fn report<P: Copy>(plan: &Plan<P>, control: &mut Control<'_, P>) {
    let best = &plan.moves[0];
    let (depth, pv) = (best.pv.len() as u32, best.pv.clone());
    control.report(&Progress { depth, score: best.score(), pv, nodes: plan.simulations });
}
