use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::{Level, Playable, Resources, playable};

/// Which of our players plays a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// The current player.
    #[default]
    Current,
    /// Our second player of the game, frozen. Breakthrough has none.
    Second,
    /// A player known from the literature, to measure others against. Only Lines of Action has one.
    Reference,
    /// Our first player of the game, frozen.
    First,
    /// Plays random legal moves.
    Random,
}

impl Build {
    /// Every build.
    pub const ALL: [Self; 5] = [Self::Current, Self::Second, Self::Reference, Self::First, Self::Random];

    /// The name in words and messages: `current`, `reference`, …
    pub const fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Second => "second",
            Self::Reference => "reference",
            Self::First => "first",
            Self::Random => "random",
        }
    }

    /// The builds that a game has, for a board of the same size as this position's.
    pub fn of<P: Playable>(board: &P) -> Vec<Self> {
        let settings = Level::FULL.settings(&board.profile());
        let resources = Resources::default();
        let is_there = |&build: &Self| playable::engine::<P>(build, settings, None, &resources).is_some();
        Self::ALL.into_iter().filter(is_there).collect()
    }
}

/// `current`, `reference`, …
impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The inverse of [`Build::name`].
impl FromStr for Build {
    type Err = UnknownBuild;

    fn from_str(text: &str) -> Result<Self, UnknownBuild> {
        Self::ALL.into_iter().find(|build| build.name() == text).ok_or(UnknownBuild)
    }
}

/// The text names no build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("one of {}", Build::ALL.map(Build::name).join(", "))]
pub struct UnknownBuild;
