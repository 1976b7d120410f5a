//! Grading: the points, the visibility and the output of each test in a results file for Gradescope.

use std::fmt;
use std::io;
use std::str::FromStr;

use glob::{MatchOptions, Pattern};
use thiserror::Error;

use crate::files::Test;

/// The person who can see the result of a test, and when. The values are those of Gradescope's `visibility`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// The student, at once.
    #[default]
    Visible,
    /// Staff only.
    Hidden,
    /// The student, after the due date.
    AfterDueDate,
    /// The student, after the grades are published.
    AfterPublished,
}

/// All values with their names.
const VISIBILITIES: [(Visibility, &str); 4] = [
    (Visibility::Visible, "visible"),
    (Visibility::Hidden, "hidden"),
    (Visibility::AfterDueDate, "after_due_date"),
    (Visibility::AfterPublished, "after_published"),
];

impl Visibility {
    /// Returns the name in a results file.
    pub(crate) fn name(self) -> &'static str {
        VISIBILITIES.iter().find(|(value, _)| *value == self).map_or("visible", |(_, name)| name)
    }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Visibility {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let found = VISIBILITIES.iter().find(|(_, name)| *name == text);
        found.map(|(value, _)| *value).ok_or_else(|| RuleError::Visibility(text.to_owned()))
    }
}

/// The points of a test that passes: a finite number from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points(pub(crate) f64);

impl Default for Points {
    fn default() -> Self {
        Self(1.0)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Points {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let points = text.parse().ok().filter(|points: &f64| points.is_finite() && *points >= 0.0);
        points.map(Self).ok_or_else(|| RuleError::Points(text.to_owned()))
    }
}

/// Errors of a rule such as `advanced-*=2`.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RuleError {
    /// The value is not a visibility.
    #[error("`{0}` found, expected visible, hidden, after_due_date or after_published")]
    Visibility(String),
    /// The value is not a number of points.
    #[error("`{0}` found, expected a number of points, at least 0")]
    Points(String),
    /// The pattern is invalid.
    #[error("pattern `{pattern}`: {why}")]
    Pattern {
        /// Text before the last `=`.
        pattern: String,
        /// Reason, with the position of the error.
        why: String,
    },
}

/// A value for all tests whose name matches a pattern, such as `advanced-*=2`. Without a pattern, it applies to all
/// tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule<T> {
    pattern: Pattern,
    value: T,
}

impl<T: FromStr<Err = RuleError>> FromStr for Rule<T> {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let (pattern, value) = text.rsplit_once('=').unwrap_or(("*", text));
        let wrong = |error: glob::PatternError| RuleError::Pattern { pattern: pattern.into(), why: error.to_string() };
        Ok(Self { pattern: Pattern::new(pattern).map_err(wrong)?, value: value.parse()? })
    }
}

/// Writes the rule in the form in which it is parsed.
impl<T: fmt::Display> fmt::Display for Rule<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.pattern, self.value)
    }
}

impl<T> Rule<T> {
    fn matches(&self, name: &str) -> bool {
        self.pattern.matches_with(name, MatchOptions::default())
    }
}

/// The rules of a results file. If several rules match a test, the last one applies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grading {
    /// Points; 1 for tests that no rule matches.
    pub points: Vec<Rule<Points>>,
    /// Visibility; visible for tests that no rule matches.
    pub visibility: Vec<Rule<Visibility>>,
    /// Maximum size of a test's output, in bytes; unlimited if unset.
    pub max_output: Option<usize>,
}

fn last_match<T: Copy + Default>(rules: &[Rule<T>], name: &str) -> T {
    rules.iter().rev().find(|rule| rule.matches(name)).map_or_else(T::default, |rule| rule.value)
}

impl Grading {
    /// Returns the points of a test that passes.
    pub(crate) fn points(&self, test: &str) -> f64 {
        last_match(&self.points, test).0
    }

    /// Returns the visibility of a test.
    pub(crate) fn visibility(&self, test: &str) -> Visibility {
        last_match(&self.visibility, test)
    }

    /// Checks that each rule matches a test, because a typing error in a pattern could publish a hidden test.
    ///
    /// # Errors
    /// Returns an error that names the first rule that matches no test.
    pub(crate) fn check(&self, tests: &[Test]) -> io::Result<()> {
        let is_unused = |matches: &dyn Fn(&str) -> bool| !tests.iter().any(|test| matches(&test.name));
        let unused = |rule: &dyn fmt::Display| {
            let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).take(10).collect();
            let more = if tests.len() > names.len() { ", …" } else { "" };
            io::Error::other(format!("rule `{rule}`: no test matches, found {}{more}", names.join(", ")))
        };
        for rule in &self.points {
            if is_unused(&|name| rule.matches(name)) {
                return Err(unused(rule));
            }
        }
        for rule in &self.visibility {
            if is_unused(&|name| rule.matches(name)) {
                return Err(unused(rule));
            }
        }
        Ok(())
    }

    /// Cuts the output of a test to the maximum size.
    pub(crate) fn cut(&self, mut output: String) -> String {
        let Some(most) = self.max_output.filter(|&most| most < output.len()) else { return output };
        let kept = output.floor_char_boundary(most);
        let left_out = output.len() - kept;
        output.truncate(kept);
        output + &format!("\n… ({left_out} more bytes)\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule<T: FromStr<Err = RuleError>>(text: &str) -> Result<Rule<T>, String> {
        text.parse().map_err(|error: RuleError| error.to_string())
    }

    #[test]
    fn the_last_rule_that_matches_applies() {
        let points = ["2", "adv-*=3.5", "adv-x=0"].map(|text| rule(text).expect("a rule")).to_vec();
        let visibility = ["*-h?=hidden", "b=after_published"].map(|text| rule(text).expect("a rule")).to_vec();
        let grading = Grading { points, visibility, max_output: None };
        let points = ["a", "adv-1", "adv-x"].map(|name| grading.points(name));
        assert_eq!(points.map(|points| (points * 10.0) as u32), [20, 35, 0]);
        let seen = ["a", "a-h1", "a-h", "b"].map(|name| grading.visibility(name).name());
        assert_eq!(seen, ["visible", "hidden", "visible", "after_published"]);
        assert_eq!(Grading::default().visibility("a"), Visibility::Visible);
    }

    #[test]
    fn invalid_rules_are_refused() {
        let visibility = |text| rule::<Visibility>(text).expect_err("invalid");
        let expected = "expected visible, hidden, after_due_date or after_published";
        assert_eq!(visibility("a=secret"), format!("`secret` found, {expected}"));
        assert!(visibility("a[=hidden").starts_with("pattern `a[`: "));
        for text in ["x", "a=-1", "a=inf", "a=NaN", "a="] {
            assert!(rule::<Points>(text).expect_err("invalid").ends_with("expected a number of points, at least 0"));
        }
    }

    #[test]
    fn output_is_cut_between_characters() {
        let grading = |most| Grading { max_output: Some(most), ..Grading::default() };
        assert_eq!(grading(4).cut("aäöü".to_owned()), "aä\n… (4 more bytes)\n");
        assert_eq!(grading(7).cut("aäöü".to_owned()), "aäöü");
    }
}
