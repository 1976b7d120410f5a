use core::str::FromStr;

use search::{Settings, Technique};
use thiserror::Error;

/// The strength of a player, 1 to 10; 10 is the default player.
///
/// Lower levels see fewer positions, keep a nearer horizon and misjudge positions by a random amount that the seed fixes. How
/// far they are apart is measured; `docs/engine.md` has the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// No level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("level `{0}`: expected a number from 1 to 10")]
pub struct LevelError(String);

impl Level {
    /// Full strength.
    pub const FULL: Self = Self(10);

    /// The level with this number.
    ///
    /// # Errors
    /// If it is not 1 to 10.
    pub fn new(level: u8) -> Result<Self, LevelError> {
        if (1..=10).contains(&level) { Ok(Self(level)) } else { Err(LevelError(level.to_string())) }
    }

    /// 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The settings of the player at this level.
    #[must_use]
    pub fn weaken(self, profile: &Profile) -> Settings {
        let full = profile.full;
        match profile.ladder.get(usize::from(self.0) - 1) {
            None => full,
            Some(&Step { nodes, noise }) => Settings {
                default_nodes: nodes.min(full.default_nodes),
                // A budget of thousands sees so far by itself.
                win_horizon: if nodes < 2_000 { 1 } else { 3 }.min(full.win_horizon),
                loss_horizon: 2.min(full.loss_horizon),
                noise: noise.max(full.noise),
                techniques: full.techniques.without(Technique::ProofSearch),
                ..full
            },
        }
    }
}

/// How the player of a game is set.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// At full strength.
    pub full: Settings,
    /// Levels 1 to 9.
    pub ladder: [Step; 9],
}

/// A level below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Nodes for a move.
    pub nodes: u64,
    /// Largest random change of an evaluation, in hundredths of a piece.
    pub noise: u32,
}

impl Step {
    pub(crate) const fn new(nodes: u64, noise: u32) -> Self {
        Self { nodes, noise }
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        text.parse::<u8>().ok().and_then(|n| Self::new(n).ok()).ok_or_else(|| LevelError(game::text::excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_ten_is_full_strength_and_lower_ones_see_less() {
        for profile in [crate::loa::profile(), crate::checkers::profile(), crate::jump61::profile(6)] {
            assert_eq!(Level::FULL.weaken(&profile), profile.full);
            for level in 1..10 {
                let (lower, upper) = (Level(level).weaken(&profile), Level(level + 1).weaken(&profile));
                assert!(lower.default_nodes < upper.default_nodes && lower.noise > upper.noise);
            }
        }
        assert!("0".parse::<Level>().is_err() && "11".parse::<Level>().is_err() && "x".parse::<Level>().is_err());
    }
}
