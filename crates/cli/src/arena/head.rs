//! The head of a tournament's chain of hashes in the output.

use std::io::Write;

use arena::{Store, Tournament};
use serde_json::{Value, json};

/// Prints the head of the chain of hashes. A copy that is kept outside the store can later prove that no game was
/// changed.
pub(super) fn print_head(store: &Store, tournament: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    // The stored head belongs to the unmodified header.
    if tournament.is_changed {
        return Ok(());
    }
    if let Some(head) = store.head(tournament.id)? {
        writeln!(out, "\nhead {head}")?;
    }
    Ok(())
}

/// Adds the head of the chain to the standings, and whether the header was changed or the tournament imported.
pub(super) fn with_head(mut standings: Value, store: &Store, tournament: &Tournament) -> anyhow::Result<Value> {
    standings["head"] = if tournament.is_changed { Value::Null } else { json!(store.head(tournament.id)?) };
    standings["changed"] = json!(tournament.is_changed);
    standings["imported"] = json!(tournament.imported);
    Ok(standings)
}
