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
    #[error("{}: {what}", place(path.as_ref(), None))]
    Toml {
        /// File; `None` if the text was not read from a file.
        path: Option<String>,
        /// Error of the parser.
        what: String,
    },
    /// A field has an invalid value.
    #[error("{}: {field}: {what}", place(path.as_ref(), *line))]
    Value {
        /// File; `None` if the text was not read from a file.
        path: Option<String>,
        /// Number of the line, from 1; `None` if the file does not set the field.
        line: Option<usize>,
        /// Name of the field, such as `course.deadline`.
        field: String,
        /// Description of what was found and what was expected.
        what: String,
    },
}

impl ConfigError {
    /// Creates an error for a text with the wrong fields.
    pub(super) fn toml(error: &toml::de::Error) -> Self {
        Self::Toml { path: None, what: in_words(error.to_string().trim_end()) }
    }

    /// Adds the name of the file.
    pub(super) fn in_file(mut self, name: &str) -> Self {
        if let Self::Toml { path, .. } | Self::Value { path, .. } = &mut self {
            *path = Some(name.to_owned());
        }
        self
    }
}

/// Replaces the name of a type of numbers at the end of a parser's message.
fn in_words(what: &str) -> String {
    let types = [("u16", u64::from(u16::MAX)), ("u32", u32::MAX.into())];
    let found = types.into_iter().find_map(|(name, most)| Some((what.strip_suffix(name)?, most)));
    match found.filter(|(rest, _)| rest.ends_with("expected ")) {
        Some((rest, most)) => format!("{rest}a whole number, at most {most}"),
        None => what.to_owned(),
    }
}

/// Returns the file and the line of an error.
fn place(path: Option<&String>, line: Option<usize>) -> String {
    let path = path.map_or_else(String::new, |path| format!(" {path}"));
    let line = line.map_or_else(String::new, |line| format!(", line {line}"));
    format!("course file{path}{line}")
}

/// Creates an error for a field of the file with this text. `what` describes what was found and what was expected.
pub(super) fn wrong(text: &str, field: &str, what: impl Into<String>) -> ConfigError {
    ConfigError::Value { path: None, line: line_of(text, field), field: field.to_owned(), what: what.into() }
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
