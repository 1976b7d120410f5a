//! Counters of pairs of players, so that standings need not read all games.

use std::collections::BTreeMap;

use rating::GameScore;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use crate::ladder::Counts;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::players::{Kind, PlayerKey, player, result};

pub(super) const PAIRS: &str = "SELECT a, b, counts FROM course_pair WHERE kind = ?";
pub(super) const OF_PAIR: &str =
    "SELECT series, first, result, rated FROM course_game WHERE pair = ? AND void = 0 ORDER BY id";

/// Counters as a text of eleven numbers, which is read several times as fast as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored(pub(super) Counts);

impl ToSql for Stored {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let Counts { games, pairs, singles } = &self.0;
        let numbers = games.iter().chain(pairs).chain(singles).map(ToString::to_string);
        Ok(numbers.collect::<Vec<_>>().join(" ").into())
    }
}

impl FromSql for Stored {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let invalid = || FromSqlError::Other(format!("`{text}` found, expected eleven numbers").into());
        let mut counts = Counts::default();
        let Counts { games, pairs, singles } = &mut counts;
        let mut numbers = text.split(' ');
        for number in games.iter_mut().chain(pairs).chain(singles) {
            *number = numbers.next().and_then(|number| number.parse().ok()).ok_or_else(invalid)?;
        }
        if numbers.next().is_some() { Err(invalid()) } else { Ok(Self(counts)) }
    }
}

/// Finds or creates a pair. Returns its number and its results.
pub(super) fn find(db: &Connection, kind: Kind, [a, b]: [i64; 2]) -> Result<(i64, Counts), CourseError> {
    let mut find = db.prepare_cached("SELECT id, counts FROM course_pair WHERE kind = ? AND a = ? AND b = ?")?;
    let found = find.query_row(params![kind, a, b], |row| Ok((row.get(0)?, row.get::<_, Stored>(1)?.0)));
    if let Some(found) = found.optional()? {
        return Ok(found);
    }
    let counts = Counts::default();
    let mut insert = db.prepare_cached("INSERT INTO course_pair (kind, a, b, counts) VALUES (?, ?, ?, ?)")?;
    insert.execute(params![kind, a, b, Stored(counts)])?;
    Ok((db.last_insert_rowid(), counts))
}

pub(super) fn set(db: &Connection, pair: i64, counts: &Counts) -> Result<(), CourseError> {
    let mut update = db.prepare_cached("UPDATE course_pair SET counts = ? WHERE id = ?")?;
    update.execute(params![Stored(*counts), pair])?;
    Ok(())
}

/// Returns the results of a pair's games, without void games, from the point of view of player `a`.
pub(super) fn recount(db: &Connection, pair: i64, a: i64) -> Result<Counts, CourseError> {
    let mut query = db.prepare_cached(OF_PAIR)?;
    let mut rows = query.query([pair])?;
    let mut series: BTreeMap<i64, Vec<(GameScore, bool)>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let side = usize::from(row.get::<_, i64>(1)? != a);
        if let Some(score) = result(row, 2)?.score(side) {
            series.entry(row.get(0)?).or_default().push((score, row.get(3)?));
        }
    }
    let mut counts = Counts::default();
    for games in series.values() {
        counts.add(&Counts::of_series(games));
    }
    Ok(counts)
}

impl CourseStore {
    /// Returns the results of all pairs of players, without void games, from the point of view of each pair's first
    /// player.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn pairs(&self, kind: Kind) -> Result<Vec<([PlayerKey; 2], Counts)>, CourseError> {
        let mut query = self.connection.prepare_cached(PAIRS)?;
        let pairs =
            query.query_map([kind], |row| Ok(([player(row, 0)?, player(row, 1)?], row.get::<_, Stored>(2)?.0)))?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }
}
