use core::fmt;

use game::Position;
use search::{AlphaBeta, Engine, Policy, RandomMover, Settings, Techniques};

/// Which state of the house's player plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// The present one.
    #[default]
    Current,
    /// The player to measure against that is known from the literature; only Lines of Action has one.
    Reference,
    /// The first player that the house had, frozen.
    First,
    /// Any legal move.
    Random,
}

impl Build {
    pub(crate) const NAMES: [(&'static str, Self); 4] =
        [("current", Self::Current), ("reference", Self::Reference), ("first", Self::First), ("random", Self::Random)];
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.into_iter().find(|&(_, build)| build == *self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

impl Build {
    /// An engine of a build that every game has, of the present policy or the first one; `None` for the reference. The techniques
    /// of the first player are its own, whatever the settings say.
    pub(crate) fn engine<P, L, F>(self, settings: Settings, present: L, first: F) -> Option<Box<dyn Engine<P>>>
    where
        P: Position,
        L: Policy<P> + 'static,
        F: Policy<P> + 'static,
    {
        match self {
            Self::Current => Some(Box::new(AlphaBeta::new(present, settings))),
            Self::Reference => None,
            Self::First => Some(Box::new(AlphaBeta::new(first, Settings { techniques: Techniques::NONE, ..settings }))),
            Self::Random => Some(Box::new(RandomMover::default())),
        }
    }
}
