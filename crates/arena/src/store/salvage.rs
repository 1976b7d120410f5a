//! Recovers the readable rows of a damaged SQLite store.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};

use super::layout;
use super::sqlite::Sqlite;
use crate::store::error::StoreError;

/// Tables with their columns. Referenced tables come first.
const TABLES: [(&str, &[&str]); 3] = [
    ("tournament", &["id", "header", "genesis", "head", "imported"]),
    ("agent", &["tournament", "number", "files", "build_output"]),
    ("game", &["tournament", "place", "number", "log", "before", "hash", "aside"]),
];

/// Number of consecutive unreadable rows after which the end of a table is assumed. Row numbers have no gaps.
const MAX_MISSES: i64 = 10_000;

/// Numbers of recovered tournaments, agents and games.
pub type Salvaged = [u64; 3];

/// Copies every readable row of a damaged store to a new one. [`verify`](super::verify()) finds the missing games.
///
/// # Errors
/// If the list of tables cannot be read, or the new file cannot be written.
pub fn salvage(damaged: &Path, new: &Path) -> Result<Salvaged, StoreError> {
    let old = Connection::open_with_flags(damaged, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    // Without this setting, SQLite refuses truncated files.
    old.pragma_update(None, "writable_schema", true)?;
    layout::check(&old, damaged)?;
    Sqlite::open(new)?;
    let mut new = Connection::open(new)?;
    new.pragma_update(None, "foreign_keys", true)?;
    let all = new.transaction()?;
    let mut saved = Salvaged::default();
    for ((table, columns), saved) in TABLES.into_iter().zip(&mut saved) {
        *saved = copy(&old, &all, table, columns)?;
    }
    all.commit()?;
    Ok(saved)
}

fn copy(old: &Connection, new: &Connection, table: &str, columns: &[&str]) -> Result<u64, StoreError> {
    let names = columns.join(", ");
    let marks = vec!["?"; columns.len()].join(", ");
    let mut read = old.prepare(&format!("SELECT {names} FROM {table} WHERE rowid = ?"))?;
    let mut write = new.prepare(&format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"))?;
    let (mut saved, mut misses) = (0, 0);
    for number in 1.. {
        let row = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|column| row.get(column)).collect();
        let found: Result<Vec<Value>, _> = read.query_row([number], row);
        let Ok(values) = found else {
            misses += 1;
            if misses > MAX_MISSES {
                break;
            }
            continue;
        };
        misses = 0;
        match write.execute(params_from_iter(values)) {
            Ok(rows) => saved += rows as u64,
            // The row belongs to a tournament that could not be read.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => (),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(saved)
}
