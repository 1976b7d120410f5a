use core::ops::RangeInclusive;
use core::str::FromStr;

use search::{Settings, Technique};
use thiserror::Error;

/// The strength of a player, 1 to 10. 10 is full strength and the default.
///
/// Lower levels see fewer positions, look less far ahead for forced wins, and change each evaluation by a random amount
/// that the seed fixes. `docs/engine.md` says how far apart the levels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// Invalid level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("level `{0}`: expected a number from {first} to {last}", first = Level::NUMBERS.start(), last = Level::NUMBERS.end())]
pub struct LevelError(String);

impl Level {
    /// Full strength.
    pub const FULL: Self = Self(10);
    /// The numbers of all levels.
    pub const NUMBERS: RangeInclusive<u8> = 1..=Self::FULL.0;

    /// The level with this number.
    ///
    /// # Errors
    /// If the number is not 1 to 10.
    pub fn new(level: u8) -> Result<Self, LevelError> {
        if Self::NUMBERS.contains(&level) { Ok(Self(level)) } else { Err(LevelError(level.to_string())) }
    }

    /// 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The settings of the player at this level.
    pub(crate) fn settings(self, profile: &Profile) -> Settings {
        let full = profile.full;
        match profile.ladder.get(usize::from(self.0) - 1) {
            None => full,
            Some(&Rung { nodes, noise }) => Settings {
                default_nodes: nodes.min(full.default_nodes),
                // With a budget of thousands of nodes, the main search sees this far anyway.
                win_horizon: if nodes < 2_000 { 1 } else { 3 }.min(full.win_horizon),
                loss_horizon: 2.min(full.loss_horizon),
                noise: noise.max(full.noise),
                techniques: full.techniques.without(Technique::ProofSearch),
                ..full
            },
        }
    }
}

/// The settings of a game's player.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// At full strength.
    pub full: Settings,
    /// Levels 1 to 9.
    pub ladder: [Rung; 9],
}

/// A level below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// Nodes for a move.
    pub nodes: u64,
    /// Largest random change of an evaluation, in hundredths of a piece.
    pub noise: u32,
}

impl Rung {
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
    use crate::Playable as _;

    #[test]
    fn level_ten_is_full_strength_and_lower_ones_see_less() {
        let loa = loa::Position::start(8).expect("a size").profile();
        let jump61 = jump61::Position::start(6).expect("a size").profile();
        let breakthrough = breakthrough::Position::start(8).expect("a size").profile();
        for profile in [loa, checkers::Position::start().profile(), jump61, breakthrough] {
            assert_eq!(Level::FULL.settings(&profile), profile.full);
            for level in 1..10 {
                let (lower, upper) = (Level(level).settings(&profile), Level(level + 1).settings(&profile));
                assert!(lower.default_nodes < upper.default_nodes && lower.noise > upper.noise);
            }
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for text in ["0", "11", "x"] {
            let error = text.parse::<Level>().expect_err("no level").to_string();
            assert_eq!(error, format!("level `{text}`: expected a number from 1 to 10"));
        }
    }
}
