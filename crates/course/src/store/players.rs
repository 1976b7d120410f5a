//! Players and kinds of games.

use arena::ResultLog;
use engine::Level;
use rusqlite::Row;

use crate::store::stored::stored;

stored! {
    /// The kind of a game.
    Kind {
        /// It counts for the ladder.
        Ladder: "ladder",
        /// It was played for a team, against one of our engines.
        Practice: "practice",
    }
}

/// A player of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlayerKey {
    /// A version, by the number of its upload.
    Version(i64),
    /// A level of our engines.
    Level(Level),
}

impl PlayerKey {
    /// Returns the number that the store uses. The numbers of levels are negative.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Version(upload) => upload,
            Self::Level(level) => {
                let index = Level::all().position(|other| other == level);
                -1 - index.expect("invariant: it is one of all levels") as i64
            }
        }
    }

    pub(super) fn of_number(number: i64) -> Option<Self> {
        match usize::try_from(-1 - number) {
            Ok(index) => Level::all().nth(index).map(Self::Level),
            Err(_) => Some(Self::Version(number)),
        }
    }

    /// Returns the version.
    pub fn version(self) -> Option<i64> {
        match self {
            Self::Version(upload) => Some(upload),
            Self::Level(_) => None,
        }
    }
}

pub(super) fn player(row: &Row<'_>, column: usize) -> rusqlite::Result<PlayerKey> {
    let number = row.get(column)?;
    PlayerKey::of_number(number).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, number))
}

pub(super) fn result(row: &Row<'_>, column: usize) -> rusqlite::Result<ResultLog> {
    let name: String = row.get(column)?;
    let parsed = serde_json::from_value(serde_json::Value::String(name));
    parsed.map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

pub(super) fn result_name(result: ResultLog) -> &'static str {
    match result {
        ResultLog::First => "first",
        ResultLog::Second => "second",
        ResultLog::Draw => "tie",
        ResultLog::Void => "void",
    }
}
