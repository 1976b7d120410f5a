//! The rules of a tournament file that end games early.

use serde::{Deserialize, Serialize};

use crate::spec_error::SpecError;

/// The rules that end games early. Without rules, every game is played to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// Rule for a draw when both players report even scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Rule for a loss when a player reports that it is losing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Maximum number of positions that our solver visits after each move to prove the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<u64>,
}

/// A draw because both players report an even position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Maximum absolute value of a score, in hundredths of a piece.
    pub within: u32,
    /// Required number of consecutive moves of each side with such a score.
    pub moves: u32,
    /// Minimum number of moves of both sides together, including the opening.
    #[serde(default)]
    pub after: u32,
}

/// A loss because a player reports that it is losing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Minimum disadvantage, in hundredths of a piece.
    pub below: u32,
    /// Required number of consecutive moves with such a score.
    pub moves: u32,
    /// Set if the opponent must also report at least this advantage for the same number of consecutive moves.
    #[serde(default)]
    pub both: bool,
}

impl Adjudicate {
    pub(crate) fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Checks the fields. `has_other_draws` is set if the tournament has draws that the solver ignores.
    pub(crate) fn check(&self, has_other_draws: bool) -> Result<(), SpecError> {
        let wrong = |field: &str, found: String, expected: &str| {
            Err(SpecError::Value { field: format!("adjudicate.{field}"), found, expected: expected.to_owned() })
        };
        let moves =
            [("draw.moves", self.draw.map(|rule| rule.moves)), ("resign.moves", self.resign.map(|rule| rule.moves))];
        if let Some((field, _)) = moves.into_iter().find(|(_, moves)| *moves == Some(0)) {
            return wrong(field, "0".to_owned(), "at least 1");
        }
        if self.resign.is_some_and(|rule| rule.below == 0) {
            return wrong("resign.below", "0".to_owned(), "at least 1");
        }
        match self.proof {
            Some(nodes @ (0 | 1_000_000_001..)) => wrong("proof", nodes.to_string(), "1 to 1000000000 positions"),
            Some(nodes) if has_other_draws => wrong(
                "proof",
                nodes.to_string(),
                "none together with these `rules`, because the solver ignores their draws",
            ),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::spec::Spec;
    use std::path::Path;

    const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''\n";

    fn spec(top: &str) -> Result<Spec, String> {
        Spec::read(&format!("game = 'loa'\n{top}\n{TWO}"), Path::new("")).map_err(|error| error.to_string())
    }

    #[test]
    fn invalid_rules_are_refused() {
        for (top, part) in [
            (
                "adjudicate = { draw = { within = 5, moves = 0 } }",
                "adjudicate.draw.moves: 0 found, expected at least 1",
            ),
            ("adjudicate = { resign = { below = 0, moves = 3 } }", "adjudicate.resign.below: 0 found"),
            ("adjudicate = { proof = 0 }", "adjudicate.proof: 0 found, expected 1 to"),
            (
                "adjudicate = { proof = 5 }\nrules = 'openspiel'",
                "adjudicate.proof: 5 found, expected none together with these `rules`",
            ),
            ("adjudicate = { win = 5 }", "unknown field `win`"),
        ] {
            let error = spec(top).expect_err(top);
            assert!(error.contains(part), "{error}");
        }
    }
}
