use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// The build of a player: the current one or an older or simpler one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// The current player.
    #[default]
    Current,
    /// Our second player of the game, frozen.
    Second,
    /// A player from the literature, to measure others against. Only Lines of Action has one.
    Reference,
    /// Our first player of the game, frozen.
    First,
    /// Monte Carlo tree search with the evaluation of the current player.
    Mcts,
    /// Plays random legal moves.
    Random,
}

impl Build {
    /// Every build.
    pub const ALL: [Self; 6] = [Self::Current, Self::Second, Self::Reference, Self::First, Self::Mcts, Self::Random];

    /// Returns the name in player options and messages: `current`, `reference`, …
    pub const fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Second => "second",
            Self::Reference => "reference",
            Self::First => "first",
            Self::Mcts => "mcts",
            Self::Random => "random",
        }
    }

    /// Returns the number of nodes of the current player that take about as long as one node of this build. The default
    /// budgets are divided by it.
    pub(crate) const fn node_cost(self) -> u64 {
        // A simulation evaluates every move of a position. Measured: about 7 in checkers, 25 in Lines of Action.
        if matches!(self, Self::Mcts) { 20 } else { 1 }
    }
}

/// Formats as `current`, `reference`, …
impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses the result of [`Build::name`].
impl FromStr for Build {
    type Err = UnknownBuild;

    fn from_str(text: &str) -> Result<Self, UnknownBuild> {
        Self::ALL.into_iter().find(|build| build.name() == text).ok_or(UnknownBuild)
    }
}

/// The error for a text that is not the name of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("one of {}", Build::ALL.map(Build::name).join(", "))]
pub struct UnknownBuild;
