//! Errors of course files, and the lines that they name.

use thiserror::Error;
use toml::de::{DeTable, DeValue};

/// Errors of course files.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("course file {path}: {error}")]
    Io {
        /// File.
        path: String,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The file is not TOML or has the wrong fields. The message names the line.
    #[error("course file: {0}")]
    Toml(String),
    /// A field has an invalid value.
    #[error("course file{}: {field}: {what}", line.map_or_else(String::new, |line| format!(", line {line}")))]
    Value {
        /// Number of the line, from 1; `None` if the file does not set the field.
        line: Option<usize>,
        /// Name of the field, such as `course.deadline`.
        field: String,
        /// Description of what was found and what was expected.
        what: String,
    },
}

/// Creates an error for a field of the file with this text. `what` describes what was found and what was expected.
pub(super) fn wrong(text: &str, field: &str, what: impl Into<String>) -> ConfigError {
    ConfigError::Value { line: line_of(text, field), field: field.to_owned(), what: what.into() }
}

/// Returns the line that sets a field, such as `course.deadline`, or the innermost table around it.
fn line_of(text: &str, field: &str) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let mut table = file.get_ref();
    let mut at = None;
    for key in field.split('.') {
        let Some((name, value)) = table.get_key_value(key) else { break };
        at = Some(name.span().start);
        let DeValue::Table(inner) = value.get_ref() else { break };
        table = inner;
    }
    at.map(|at| 1 + text[..at].matches('\n').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_innermost_field() {
        let text = "[course]\nname = 'x'\n\n[final]\n# c\nrounds = 3\npoints = { win = 1 }\n";
        for (field, line) in [
            ("course.name", Some(2)),
            ("final.rounds", Some(6)),
            ("final.points.win", Some(7)),
            ("final.seed", Some(4)),
            ("ladder.seed", None),
        ] {
            assert_eq!(line_of(text, field), line, "{field}");
        }
    }
}
