use core::num::NonZeroUsize;

/// Settings of a Monte Carlo tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsSettings {
    /// Maximum number of positions that the evaluator receives at once. Each position of a batch is chosen without the
    /// results of the others, so a larger batch plays slightly weaker at the same number of simulations.
    pub batch: NonZeroUsize,
    /// Rule for the simulations of the root's moves.
    pub root: RootRule,
    /// Weight of the priors against the values in PUCT, `c_init` of `AlphaZero`.
    pub exploration: f64,
    /// Number of simulations at which the weight of the priors has grown by ln 2, `c_base` of `AlphaZero`.
    pub exploration_base: f64,
    /// Reduction of the value of a move without simulations, compared with its position. It is multiplied by the square
    /// root of the priors of all moves with simulations.
    pub first_play: f64,
    /// Assumed loss of a simulation that waits for the evaluator, so that the other simulations of the batch take other
    /// paths: 1 counts it as lost, 0 as drawn.
    pub virtual_loss: f64,
    /// Number of simulations if no limit is set.
    pub default_nodes: u64,
    /// Maximum size of the tree in MiB. The search ends when the tree is full.
    pub tree_mib: usize,
    /// `true` to count a move that repeats a position of the game as a draw, at the root only.
    pub shuns_repetition: bool,
    /// Number of best moves that get their own score and principal variation.
    pub lines: NonZeroUsize,
}

/// The rule that selects the root's move for each simulation, and finally the move to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootRule {
    /// PUCT, as in the rest of the tree (Silver et al., "Mastering chess and shogi by self-play with a general
    /// reinforcement learning algorithm", 2017). The move with most simulations is played.
    Puct,
    /// A sample of the moves without replacement by the Gumbel trick, and sequential halving among them (Danihelka et
    /// al., "Policy improvement by planning with Gumbel", 2022). It needs a limit on the nodes; under any other limit
    /// the default number of simulations is planned.
    Gumbel(Gumbel),
    /// `Gumbel` if the limit is at most this number of simulations, `Puct` otherwise.
    Few(u64, Gumbel),
}

/// Parameters of the Gumbel rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    /// Maximum number of sampled moves.
    pub considered: usize,
    /// Factor of the random numbers: 1 samples from the priors, 0 takes the moves with the largest priors.
    pub noise: f64,
    /// `c_visit`: number of simulations added to those of the most simulated move when a value is compared with priors.
    pub visits: f64,
    /// `c_scale`: weight of a value against the logarithm of a prior, for each simulation.
    pub scale: f64,
}

impl Default for Gumbel {
    /// Returns the parameters of the paper. A value there lies between 0 and 1, so half of its `c_scale` is used here.
    fn default() -> Self {
        Self { considered: 16, noise: 1.0, visits: 50.0, scale: 0.5 }
    }
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self {
            batch: NonZeroUsize::MIN,
            root: RootRule::Puct,
            exploration: 1.25,
            exploration_base: 19_652.0,
            first_play: 0.25,
            virtual_loss: 1.0,
            default_nodes: 800,
            tree_mib: 128,
            shuns_repetition: true,
            lines: NonZeroUsize::MIN,
        }
    }
}
