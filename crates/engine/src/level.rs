use core::str::FromStr;

use search::{Settings, Technique};
use thiserror::Error;

/// The strength of a player, 1 to 10; 10 is the default player.
///
/// Lower levels see fewer positions, keep a nearer horizon and misjudge positions by a random amount that the seed fixes.
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

    /// The settings of a full-strength player, weakened to this level. Guessed, not measured: nodes fall by half or more
    /// a level, the error grows to a few pieces.
    #[must_use]
    pub fn weaken(self, full: Settings) -> Settings {
        /// Nodes, win horizon, loss horizon and noise by level, from 1; the horizons in plies.
        const STEPS: [(u64, u32, u32, u32); 9] = [
            (50, 0, 0, 900),
            (70, 1, 0, 550),
            (150, 1, 2, 400),
            (400, 1, 2, 300),
            (1_000, 1, 2, 220),
            (2_500, 3, 2, 150),
            (6_000, 3, 2, 100),
            (18_000, 3, 4, 50),
            (80_000, 5, 4, 15),
        ];
        match STEPS.get(usize::from(self.0) - 1) {
            None => full,
            Some(&(nodes, win, loss, noise)) => Settings {
                default_nodes: nodes.min(full.default_nodes),
                win_horizon: win.min(full.win_horizon),
                loss_horizon: loss.min(full.loss_horizon),
                noise: noise.max(full.noise),
                techniques: full.techniques.without(Technique::ProofSearch),
                ..full
            },
        }
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
        let full = Settings { default_nodes: 300_000, ..Settings::default() };
        assert_eq!(Level::FULL.weaken(full), full);
        for level in 1..10 {
            let (lower, upper) = (Level(level).weaken(full), Level(level + 1).weaken(full));
            assert!(lower.default_nodes < upper.default_nodes && lower.noise > upper.noise);
        }
        assert!("0".parse::<Level>().is_err() && "11".parse::<Level>().is_err() && "x".parse::<Level>().is_err());
    }
}
