use game::{Position, Record};

use crate::control::{Control, Limits};
use crate::engine::{Choice, Engine};
use crate::forced::ForcedWins;
use crate::horizon::{self, Horizon, Reach};
use crate::mcts::policy_evaluator::PolicyEvaluator;
use crate::mcts::search::Mcts;
use crate::mcts::settings::{Gumbel, MctsSettings, RootRule};
use crate::params::HORIZON_SHARE;
use crate::policy::Policy;
use crate::root::plies_left;
use crate::score::Score;
use crate::settings::Settings;

/// Weight of the priors. Tuned: 0.7 was a little stronger than 1.25 on average over four games, and 2.2 was weaker in
/// all.
const EXPLORATION: f64 = 0.9;
/// Largest number of simulations at which the Gumbel rule is used. Guessed.
const FEW: u64 = 64;
/// Parameters of the Gumbel rule. The best of five variants in matches against PUCT at 16 and 48 simulations a move, of
/// 60 games each, so their order is uncertain. The variants with 16 moves lost most of theirs.
const GUMBEL: Gumbel = Gumbel { considered: 8, noise: 0.0, visits: 50.0, scale: 1.5 };
/// Size of the tree as a multiple of the size of a table.
const TREE_TABLES: usize = 16;

/// A player that runs an exact search for forced wins up to a horizon, as
/// [`AlphaBeta`](crate::alphabeta::AlphaBeta) does, and then a Monte Carlo tree search among the moves that do not lose
/// within this horizon.
pub struct MctsPlayer<P: Position, L> {
    settings: Settings,
    mcts: Mcts<P, PolicyEvaluator<L>>,
}

impl<P: Position, L: Policy<P>> MctsPlayer<P, L> {
    /// Creates a player with seed 0. It uses the tables' size, the horizon, the default nodes, the noise and the number
    /// of lines of the settings, and shuns repetitions if they say so. A node is a simulation.
    pub fn new(policy: L, settings: Settings) -> Self {
        let Settings { default_nodes, table_mib, shuns_repetition, lines, noise, .. } = settings;
        let own = MctsSettings {
            root: RootRule::Few(FEW, GUMBEL),
            exploration: EXPLORATION,
            tree_mib: TREE_TABLES * table_mib,
            default_nodes,
            shuns_repetition,
            lines,
            ..MctsSettings::default()
        };
        Self { settings, mcts: Mcts::new(PolicyEvaluator::new(policy, noise), own) }
    }
}

impl<P: Position, L: Policy<P>> Engine<P> for MctsPlayer<P, L> {
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
        let time = limits.usual_time().map(|time| time / HORIZON_SHARE);
        let stop = control.stop.within_whole(limits.longest_time(), control.host).within(time, control.host);
        let Settings { win_horizon: win, loss_horizon: loss, table_mib, lines, .. } = self.settings;
        let reach = Reach { win, loss, far: 0, far_nodes: 0 };
        let mut exact = ForcedWins::new(self.mcts.evaluator().policy(), stop, table_mib);
        let found = horizon::look(&mut exact, p, &moves, left, &reach);
        let nodes = exact.nodes();
        let (moves, loss) = match found {
            Horizon::Win(m, plies) => {
                let pv = exact.winning_line(p, m, plies, left);
                return Some(Choice::of_line(pv, Score::win_in(plies), plies, nodes));
            }
            Horizon::Loss(moves, plies) => (moves, Some(plies)),
            Horizon::Open(safe) => (safe.moves, None),
        };
        let mut chosen = self.mcts.plan_among(game, &moves, limits, control).choice(lines.get());
        chosen.nodes += nodes;
        if let Some(plies) = loss {
            chosen.score = Score::loss_in(plies);
        }
        Some(chosen)
    }

    fn new_game(&mut self, seed: u64) {
        self.mcts.new_game(seed);
    }
}
