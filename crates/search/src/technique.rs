use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// A part of the search that can be disabled, to measure its strength.
///
/// Without any technique, the search is plain alpha-beta over all moves, with killer moves, history and a transposition
/// table whose entries count for the same depth only. It finds the same value as [`minimax`](fn@crate::minimax).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Technique {
    /// Aspiration windows: each iteration first tries a narrow window around the last score. The value is unchanged.
    Aspiration,
    /// Use of transposition table entries from deeper searches in shallower ones.
    DeeperEntries,
    /// Late-move reductions: moves late in the order are first searched to a smaller depth.
    LateReductions,
    /// Null-move pruning: if a side is well ahead even after passing, its moves are not searched. Needs a policy that
    /// supports passing.
    NullMove,
    /// Futility and late-move pruning: near the leaves, hopeless moves and very late ones are skipped. Needs margins in
    /// the tuning.
    Futility,
    /// ProbCut: if a shallower search exceeds the window by a margin, the deep search is skipped. Needs a margin in the
    /// tuning.
    ProbCut,
    /// Threat extension: a node is searched one ply deeper if passing would lose by force. If the policy reports a
    /// threat, only noisy moves are searched.
    ThreatExtension,
    /// Quiescence search at the leaves, over the moves that the policy calls noisy.
    Quiescence,
    /// Depth-first proof-number search for forced wins before and after the main search.
    ProofSearch,
}

impl Technique {
    /// All techniques.
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

/// Formats the technique as its name: `aspiration`, `lmr`, …
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

/// The error of parsing an unknown technique name.
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
    /// All techniques.
    pub const ALL: Self = Self((1 << Technique::ALL.len()) - 1);

    /// Returns the set with this technique added.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u8)
    }

    /// Returns the set with this technique removed.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u8))
    }

    /// Returns `true` if the technique is in the set.
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
