//! Tournament formats, and the limits on their agents, games and rounds.

use rating::swiss::Swiss;
use serde::{Deserialize, Serialize};

use crate::spec_error::SpecError;

/// Maximum number of games of a tournament.
const MAX_GAMES: usize = 1_000_000_000;

/// The rule that decides which agents meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each agent plays every other one.
    #[default]
    RoundRobin,
    /// The first agent plays all others.
    Gauntlet,
    /// Two agents play each other.
    Match,
    /// In each round, agents with similar points play each other. No two agents meet twice.
    Swiss,
    /// An agent that loses a bout is eliminated.
    Knockout,
}

impl Format {
    /// Returns `true` if pairings depend on the results of earlier rounds.
    pub const fn has_rounds(self) -> bool {
        matches!(self, Self::Swiss | Self::Knockout)
    }

    /// Returns the name that tournament files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Match => "match",
            Self::Swiss => "swiss",
            Self::Knockout => "knockout",
        }
    }

    /// Checks the number of agents, games and rounds.
    pub(crate) fn check(self, agents: usize, games: u32, rounds: Option<u32>) -> Result<(), SpecError> {
        let wrong = |field: &str, found: usize, expected: &str| {
            Err(SpecError::Value { field: field.to_owned(), found: found.to_string(), expected: expected.to_owned() })
        };
        match (self, agents) {
            (Self::Match, 2) => (),
            (Self::Match, _) => return wrong("agents of a match", agents, "two"),
            (_, 2..=Swiss::MOST_PLAYERS) => (),
            (_, _) => return wrong("agents", agents, &format!("2 to {}", Swiss::MOST_PLAYERS)),
        }
        let most = match self {
            Self::RoundRobin | Self::Gauntlet | Self::Match => 1_000_000,
            Self::Swiss | Self::Knockout => Swiss::MOST_GAMES,
        };
        let is_single = self == Self::Swiss && games == 1;
        if !is_single && (games == 0 || !games.is_multiple_of(2) || games > most) {
            let one_or = if self == Self::Swiss { "1, or " } else { "" };
            let expected = format!("{one_or}an even number up to {most}, for both colours of each opening");
            return wrong("games", games as usize, &expected);
        }
        let pairs = if self == Self::RoundRobin { agents * (agents - 1) / 2 } else { agents };
        if pairs * games as usize > MAX_GAMES {
            let expected = format!("at most {} for {agents} agents", MAX_GAMES / pairs / 2 * 2);
            return wrong("games", games as usize, &expected);
        }
        match rounds {
            Some(rounds) if self != Self::Swiss => {
                wrong("rounds", rounds as usize, "none: only `format = \"swiss\"` has a number of rounds")
            }
            Some(rounds) if !(1..=Swiss::most_rounds(agents)).contains(&(rounds as usize)) => {
                let most = Swiss::most_rounds(agents);
                let expected = format!(
                    "1 to {most} for {agents} agents: with more rounds, a pairing without repeats might not exist"
                );
                wrong("rounds", rounds as usize, &expected)
            }
            _ => Ok(()),
        }
    }
}
