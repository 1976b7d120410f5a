//! A console for tests, with its output.

use console::{CommandError, Session, Transcript};
use engine::PlayerOptions;

/// Returns options of automated players that search few nodes.
pub(crate) fn quick() -> PlayerOptions {
    PlayerOptions { nodes: Some(300), ..PlayerOptions::default() }
}

/// A console and all its output.
pub(crate) struct Table<C> {
    pub(crate) console: C,
    pub(crate) seen: Transcript,
    pub(crate) errors: Vec<String>,
}

impl<C: Session> Table<C> {
    pub(crate) fn at(console: C, lines: &[&str]) -> Self {
        let mut table = Self { console, seen: Transcript::default(), errors: Vec::new() };
        table.say(lines);
        table
    }

    pub(crate) fn say(&mut self, lines: &[&str]) {
        for line in lines {
            if let Err(CommandError(error)) = self.console.line(line.as_bytes(), &mut self.seen) {
                self.errors.push(error);
            }
        }
    }

    /// Returns the lines that were printed since the last call.
    pub(crate) fn printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.seen.printed)
    }
}
