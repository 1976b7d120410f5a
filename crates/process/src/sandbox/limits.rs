//! Limits of a sandbox.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Limits of all processes in a sandbox together, unless a field says otherwise.
///
/// ```
/// let limits = process::sandbox::Limits::default();
/// assert_eq!(limits.memory.to_string(), "1G");
/// assert_eq!("512M".parse::<process::sandbox::Bytes>().map(|bytes| bytes.0), Ok(512 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Memory in use.
    pub memory: Bytes,
    /// Number of processes and threads.
    pub processes: u32,
    /// Number of open files of each process.
    pub files: u32,
    /// Size of the scratch folder, and of each written file.
    pub scratch: Bytes,
    /// Bytes on standard output and standard error together, per game.
    pub output: Bytes,
    /// Processor time per game, in seconds.
    pub cpu: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: Bytes(1 << 30),
            processes: 256,
            files: 256,
            scratch: Bytes(64 << 20),
            output: Bytes(16 << 20),
            cpu: 24 * 3600,
        }
    }
}

impl Limits {
    /// Checks that a program can run within the limits.
    ///
    /// # Errors Returns the name of a field whose value is too small, the value, and the expected minimum.
    pub fn check(&self) -> Result<(), (&'static str, String, &'static str)> {
        let least = |name, bytes: Bytes, least: u64, expected| {
            if bytes.0 < least { Err((name, bytes.to_string(), expected)) } else { Ok(()) }
        };
        least("limits.memory", self.memory, 16 << 20, "at least 16M")?;
        least("limits.scratch", self.scratch, 1 << 20, "at least 1M")?;
        least("limits.output", self.output, 1 << 10, "at least 1K")?;
        for (name, count, least, expected) in [
            ("limits.processes", self.processes, 2, "at least 2"),
            ("limits.files", self.files, 16, "at least 16"),
            ("limits.cpu", self.cpu, 1, "at least 1 (second)"),
        ] {
            if count < least {
                return Err((name, count.to_string(), expected));
            }
        }
        Ok(())
    }
}

/// A number of bytes, written as `512M`: a number with an optional unit `K`, `M` or `G`, which are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes(pub u64);

const UNITS: [(char, u32); 3] = [('G', 30), ('M', 20), ('K', 10)];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.into_iter().find(|(_, shift)| self.0 != 0 && self.0.trailing_zeros() >= *shift);
        match unit {
            Some((name, shift)) => write!(f, "{}{name}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Error for a text that is not a number of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}`: expected a number of bytes, such as 512M or 2G")]
pub struct BadBytes(String);

impl FromStr for Bytes {
    type Err = BadBytes;

    fn from_str(text: &str) -> Result<Self, BadBytes> {
        let bad = || BadBytes(text.chars().take(40).collect());
        let unit = UNITS.into_iter().find_map(|(name, shift)| Some((text.strip_suffix(name)?, shift)));
        let (digits, shift) = unit.unwrap_or((text, 0));
        let number: u64 = digits.parse().map_err(|_| bad())?;
        number.checked_mul(1 << shift).map(Self).ok_or_else(bad)
    }
}

impl TryFrom<String> for Bytes {
    type Error = BadBytes;

    fn try_from(text: String) -> Result<Self, BadBytes> {
        text.parse()
    }
}

impl From<Bytes> for String {
    fn from(bytes: Bytes) -> Self {
        bytes.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_are_written() {
        for (text, bytes) in [("0", 0), ("1000", 1000), ("4K", 4096), ("512M", 512 << 20), ("3G", 3 << 30)] {
            assert_eq!(text.parse(), Ok(Bytes(bytes)));
            assert_eq!(Bytes(bytes).to_string(), text);
        }
        for text in ["", "M", "-1", "1.5G", "5T", "99999999999G", "512 M"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }

    #[test]
    fn limits_that_are_too_small_are_named() {
        assert_eq!(Limits::default().check(), Ok(()));
        let small = Limits { memory: Bytes(1 << 20), ..Limits::default() };
        assert_eq!(small.check(), Err(("limits.memory", "1M".to_owned(), "at least 16M")));
        let few = Limits { processes: 1, ..Limits::default() };
        assert_eq!(few.check().map_err(|(name, ..)| name), Err("limits.processes"));
    }
}
