//! Text that the commands print.

use std::io::Write;

use anyhow::ensure;
use serde_json::Value;

/// Checks that a text can be the id of a team.
pub(super) fn check_id(team: &str) -> anyhow::Result<()> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let found = game::text::excerpt(team);
    ensure!(!team.is_empty() && team.chars().all(is_part), "team `{found}`: expected an id of the roster");
    Ok(())
}

/// Returns a text as one line. Line ends, and characters that a terminal would interpret, are escaped: texts of
/// submissions must not look like lines of the program.
pub(super) fn one_line(text: &str) -> String {
    game::text::printable(text).replace('\n', "\\n")
}

/// Writes a line.
pub(super) fn line(out: &mut dyn Write, text: &str) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", one_line(text))?)
}

/// Writes rows in aligned columns.
pub(super) fn table(out: &mut dyn Write, rows: &[Vec<String>]) -> anyhow::Result<()> {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// Returns a value of JSON as a cell of a table; `-` for null.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) if text.is_empty() => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => format!("{:.0}", number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    }
}

/// Returns the entries of a list in an answer; none if the answer has no such list.
pub(super) fn entries(answer: &Value, field: &str) -> Vec<Value> {
    answer[field].as_array().cloned().unwrap_or_default()
}

/// Returns `true` for a value that is not null, `false`, zero or empty.
pub(super) fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
