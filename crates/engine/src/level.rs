use core::fmt::{Display, Formatter};
use core::ops::RangeInclusive;
use core::str::FromStr;

use search::{Settings, Technique};
use thiserror::Error;

use crate::attention::Attention;

/// Names of the levels, the weakest first.
const NAMES: [&str; 13] = ["gentle1", "gentle2", "gentle3", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
/// Number of gentle levels.
const GENTLE: u8 = 3;

/// The strength of a player: `gentle1` to `gentle3`, then `1` to `10`. `10` is full strength and the default.
///
/// The numbered levels search. Lower ones visit fewer positions, search less deeply for forced wins, and change each
/// evaluation by a random amount that the seed determines. The [gentle](crate::attention::Attention) ones do not
/// search: they overlook what beginners overlook. `docs/engine.md` has the differences in strength between the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// The error for an invalid level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("level `{0}`: expected {values}", values = Level::VALUES)]
pub struct LevelError(String);

impl Level {
    /// Full strength.
    pub const FULL: Self = Self(NAMES.len() as u8 - 1);
    /// The lowest level that plays from an opening book.
    pub(crate) const WITH_BOOK: Self = Self(GENTLE + 7);
    /// Numbers of the levels that search.
    pub const NUMBERS: RangeInclusive<u8> = 1..=10;
    /// Description of the valid names.
    pub const VALUES: &str = "1 to 10, or gentle1, gentle2 or gentle3";

    /// Returns all levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..NAMES.len() as u8).map(Self)
    }

    /// Returns the level with this number.
    ///
    /// # Errors
    /// If the number is not 1 to 10.
    pub fn new(number: u8) -> Result<Self, LevelError> {
        let level = Self::NUMBERS.contains(&number).then(|| Self(GENTLE + number - 1));
        level.ok_or_else(|| LevelError(number.to_string()))
    }

    /// Returns the name: `gentle1` to `gentle3`, `1` to `10`.
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// Returns `true` for the levels for beginners, below level 1.
    pub const fn is_gentle(self) -> bool {
        self.0 < GENTLE
    }

    /// Returns the strength in a game, in Elo on the scale of [`Profile::elo`]; `None` if it was not measured.
    pub fn elo(self, profile: &Profile) -> Option<u32> {
        profile.elo.map(|elo| elo[usize::from(self.0)])
    }

    /// Returns the attention of a gentle level's player.
    pub(crate) fn attention(self, profile: &Profile) -> Option<Attention> {
        profile.gentle.get(usize::from(self.0)).copied()
    }

    /// Returns the settings of the player at this level. A gentle level has those of level 1.
    pub(crate) fn settings(self, profile: &Profile) -> Settings {
        let full = profile.full;
        match profile.ladder.get(usize::from(self.0.saturating_sub(GENTLE))) {
            None => full,
            Some(&Rung { nodes, noise }) => Settings {
                default_nodes: nodes.min(full.default_nodes),
                // From 2,000 nodes on, the main search finds wins in three plies anyway.
                win_horizon: if nodes < 2_000 { 1 } else { 3 }.min(full.win_horizon),
                loss_horizon: 2.min(full.loss_horizon),
                far_horizon: 0,
                noise: noise.max(full.noise),
                techniques: full.techniques.without(Technique::ProofSearch).without(Technique::ProbCut),
                ..full
            },
        }
    }
}

impl Display for Level {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// The settings of a game's player.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Settings at full strength.
    pub full: Settings,
    /// Levels 1 to 9.
    pub ladder: [Rung; 9],
    /// Gentle levels, the weakest first.
    pub gentle: [Attention; 3],
    /// Strength of every level, the weakest first, in Elo: the sum of the measured differences between neighbours
    /// (`docs/engine.md`). `gentle1` has 400 in every game, so figures of different games cannot be compared. `None` if
    /// no differences were measured.
    pub elo: Option<[u32; 13]>,
}

impl Default for Profile {
    /// Returns settings for a game without measurements: each level has about twice the nodes of the level below.
    fn default() -> Self {
        const NODES: [u64; 9] = [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600];
        const NOISE: [u32; 9] = [240, 200, 160, 130, 100, 75, 50, 30, 15];
        let ladder = core::array::from_fn(|i| Rung::new(NODES[i], NOISE[i]));
        let gentle = [Attention::new(60, 40, 10, 40), Attention::new(68, 52, 25, 30), Attention::new(75, 65, 40, 30)];
        Self { full: Settings::default(), ladder, gentle, elo: None }
    }
}

#[cfg(test)]
impl Profile {
    /// Returns a profile in which every level differs from the next one.
    pub(crate) fn testing() -> Self {
        let full = Settings { default_nodes: 100_000, ..Settings::default() };
        let ladder = core::array::from_fn(|level| Rung::new(1_000 * (level as u64 + 1), 100 - 10 * level as u32));
        Self {
            full,
            ladder,
            gentle: [Attention::new(50, 50, 50, 50); 3],
            elo: Some(core::array::from_fn(|level| level as u32)),
        }
    }
}

/// A level below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// Node budget of a move.
    pub nodes: u64,
    /// Maximum random change to an evaluation, in hundredths of a piece.
    pub noise: u32,
}

impl Rung {
    /// Creates a level with this node budget and this random change.
    pub const fn new(nodes: u64, noise: u32) -> Self {
        Self { nodes, noise }
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let level = Self::all().find(|level| level.name() == text);
        level.ok_or_else(|| LevelError(game::text::excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_ten_is_full_strength_and_lower_ones_see_less() {
        for profile in [Profile::testing(), Profile::default()] {
            assert_eq!(Level::FULL.settings(&profile), profile.full);
            for level in 1..10 {
                let settings = |number| Level::new(number).expect("a level").settings(&profile);
                let (lower, upper) = (settings(level), settings(level + 1));
                assert!(lower.default_nodes < upper.default_nodes && lower.noise > upper.noise);
            }
        }
    }

    #[test]
    fn levels_have_names_and_nothing_else_is_one() {
        for level in Level::all() {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(
                level.name().parse().ok().and_then(|number| Level::new(number).ok()).is_none(),
                level.is_gentle()
            );
        }
        assert_eq!((Level::FULL.name(), Level::all().last()), ("10", Some(Level::FULL)));
        for text in ["0", "11", "x", "gentle4", "+1"] {
            let error = text.parse::<Level>().expect_err("no level").to_string();
            assert_eq!(error, format!("level `{text}`: expected 1 to 10, or gentle1, gentle2 or gentle3"));
        }
    }
}
