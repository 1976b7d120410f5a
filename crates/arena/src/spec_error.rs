//! Errors of tournament files.

use thiserror::Error;

/// Invalid specification.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file is not TOML or has the wrong fields.
    #[error("{}", .0.to_string().trim_end())]
    Toml(toml::de::Error),
    /// The openings are invalid.
    #[error("openings: {0}")]
    Openings(String),
    /// An agent's name is invalid.
    #[error("tournament file: agent `{name}`: name: {why}")]
    Name {
        /// Name.
        name: String,
        /// Reason.
        why: String,
    },
    /// A field has an invalid value.
    #[error("tournament file: {field}: {found} found, expected {expected}")]
    Value {
        /// Name of the field.
        field: String,
        /// Its value.
        found: String,
        /// Description of valid values.
        expected: String,
    },
}
