use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// A part of the search that can be switched off, to measure what it is worth.
///
/// Without any of them the search is plain alpha-beta over all moves, with killer moves, history and a transposition
/// table whose entries count for the same depth only. It finds the same value as [`minimax`](fn@crate::minimax).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Technique {
    /// Each iteration first tries a narrow window around the last score. Finds the same value.
    Aspiration,
    /// Entries of the transposition table count for shallower searches, too.
    DeeperEntries,
    /// Moves that come late in the order are first searched less deep.
    LateReductions,
    /// If a side stands well even after passing, its moves are not searched (if the policy lets a side pass).
    NullMove,
    /// Near the leaves, hopeless moves and very late ones are skipped (if the policy gives margins).
    Futility,
    /// If a shallower search exceeds the window by a margin, the deep one is left out (if the policy gives a margin).
    ProbCut,
    /// A node is searched a ply deeper if passing would lose immediately.
    ThreatExtension,
    /// Leaves are searched further, over moves that the policy calls noisy.
    Quiescence,
    /// A depth-first proof-number search looks for forced wins before and after the main search.
    ProofSearch,
}

impl Technique {
    /// Every technique.
    pub const ALL: [Self; 9] = [
        Self::Aspiration,
        Self::DeeperEntries,
        Self::LateReductions,
        Self::NullMove,
        Self::Futility,
        Self::ProbCut,
        Self::ThreatExtension,
        Self::Quiescence,
        Self::ProofSearch,
    ];
}

/// `aspiration`, `lmr`, …
impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Aspiration => "aspiration",
            Self::DeeperEntries => "deeper",
            Self::LateReductions => "lmr",
            Self::NullMove => "null",
            Self::Futility => "futility",
            Self::ProbCut => "probcut",
            Self::ThreatExtension => "extension",
            Self::Quiescence => "quiescence",
            Self::ProofSearch => "proof",
        })
    }
}

/// An unknown name of a technique.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown technique `{0}`: expected `aspiration`, `deeper`, `lmr`, `null`, `futility`, `probcut`, `extension`, `quiescence` or `proof`"
)]
pub struct UnknownTechnique(String);

impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(text: &str) -> Result<Self, UnknownTechnique> {
        let found = Self::ALL.into_iter().find(|technique| technique.to_string() == text);
        found.ok_or_else(|| UnknownTechnique(game::text::excerpt(text)))
    }
}

/// A set of techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u16);

impl Techniques {
    /// Plain alpha-beta.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self((1 << Technique::ALL.len()) - 1);

    /// The set with this one.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u8)
    }

    /// The set without this one.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u8))
    }

    /// Whether this one is in the set.
    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for technique in Technique::ALL {
            assert_eq!(technique.to_string().parse(), Ok(technique));
            assert!(
                Techniques::NONE.with(technique).has(technique) && !Techniques::ALL.without(technique).has(technique)
            );
        }
        assert!("speed".parse::<Technique>().is_err());
    }
}
