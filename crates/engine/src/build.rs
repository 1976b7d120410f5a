use core::fmt;

/// Which of our players plays a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// The current player.
    #[default]
    Current,
    /// A player known from the literature, to measure others against. Only Lines of Action has one.
    Reference,
    /// Our first player of the game, frozen.
    First,
    /// Plays random legal moves.
    Random,
}

impl Build {
    /// Every build.
    pub const ALL: [Self; 4] = [Self::Current, Self::Reference, Self::First, Self::Random];
}

/// `current`, `reference`, …
impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Current => "current",
            Self::Reference => "reference",
            Self::First => "first",
            Self::Random => "random",
        })
    }
}
