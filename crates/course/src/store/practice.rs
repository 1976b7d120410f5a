//! Practice games: a team's version against one of our engines.

use arena::GameLog;
use engine::Level;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{OptionalExtension, Row, params};

use crate::store::database::{CourseStore, time};
use crate::store::error::CourseError;
use crate::store::games::Series;
use crate::store::players::{Kind, PlayerKey};
use crate::store::teams::team;

/// A practice game that a team has asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PracticeRequest {
    /// Number in the store.
    pub id: i64,
    /// Team.
    pub team: String,
    /// Version, by the number of its upload.
    pub version: i64,
    /// Level of our engine.
    pub level: Level,
    /// Time of the request.
    pub asked: Timestamp,
    /// State: `waiting`, `playing`, `played` or `failed`.
    pub state: String,
    /// Reason for a failure.
    pub detail: String,
}

const REQUEST: &str = "SELECT id, team, version, level, asked, state, detail FROM course_practice";

fn request(row: &Row<'_>) -> rusqlite::Result<PracticeRequest> {
    let level: String = row.get(3)?;
    let level = level
        .parse()
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, Box::new(error)))?;
    let (id, team, version) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(PracticeRequest { id, team, version, level, asked: time(row, 4)?, state: row.get(5)?, detail: row.get(6)? })
}

impl CourseStore {
    /// Queues a practice game of the version that plays for a team, and returns its number.
    ///
    /// # Errors
    /// If the team has no version that plays, has reached the hourly limit, or the store cannot be written.
    pub fn ask_practice(&mut self, id: &str, level: Level, per_hour: u32) -> Result<i64, CourseError> {
        let change = self.change()?;
        let owner = team(&change.db, id)?;
        let no_version = || CourseError::conflict(format!("team {id}"), "no version that plays", "one");
        let version = owner.playing().ok_or_else(no_version)?;
        let hour = SignedDuration::from_hours(1);
        let since = change.at.checked_sub(hour).unwrap_or(Timestamp::MIN).as_microsecond();
        let recent = "SELECT asked FROM course_practice WHERE team = ? AND asked > ? ORDER BY asked DESC";
        let recent = {
            let mut query = change.db.prepare_cached(recent)?;
            let recent = query.query_map(params![owner.team.id, since], |row| time(row, 0))?;
            recent.collect::<Result<Vec<_>, _>>()?
        };
        if recent.len() >= per_hour as usize {
            let oldest = recent.get((per_hour as usize).saturating_sub(1)).copied().unwrap_or(change.at);
            let next = oldest.checked_add(hour).unwrap_or(Timestamp::MAX);
            return Err(CourseError::TooMany { what: "practice games", limit: per_hour, next });
        }
        change.db.execute(
            "INSERT INTO course_practice (team, version, level, asked) VALUES (?, ?, ?, ?)",
            params![owner.team.id, version, level.name(), change.at.as_microsecond()],
        )?;
        let id = change.db.last_insert_rowid();
        change.commit()?;
        Ok(id)
    }

    /// Begins the next practice game: teams without one in play first, then the oldest request.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn claim_practice(&mut self) -> Result<Option<PracticeRequest>, CourseError> {
        let change = self.change()?;
        let next = format!(
            "{REQUEST} p WHERE state = 'waiting' ORDER BY EXISTS \
             (SELECT 1 FROM course_practice c WHERE c.state = 'playing' AND c.team = p.team), id LIMIT 1"
        );
        let Some(mut claimed) = change.db.query_row(&next, [], request).optional()? else { return Ok(None) };
        change.db.execute("UPDATE course_practice SET state = 'playing' WHERE id = ?", [claimed.id])?;
        change.commit()?;
        "playing".clone_into(&mut claimed.state);
        Ok(Some(claimed))
    }

    /// Ends a practice game. `played` has the games, in which agent 0 is the team's version, or the reason why no game
    /// could be played.
    ///
    /// # Errors
    /// If the game was not begun, or the store cannot be written.
    pub fn end_practice(&mut self, id: i64, played: Result<&[GameLog], &str>) -> Result<(), CourseError> {
        let change = self.change()?;
        let find = format!("{REQUEST} WHERE id = ? AND state = 'playing'");
        let found = change.db.query_row(&find, [id], request).optional()?;
        let found = found.ok_or_else(|| CourseError::unknown("practice game in play", id))?;
        let (state, detail) = match played {
            Ok(games) => {
                let players = [PlayerKey::Version(found.version), PlayerKey::Level(found.level)];
                Series { kind: Kind::Practice, players, games }.save(&change)?;
                ("played", "")
            }
            Err(why) => ("failed", why),
        };
        let set = "UPDATE course_practice SET state = ?, detail = ? WHERE id = ?";
        change.db.execute(set, params![state, detail, id])?;
        change.commit()
    }

    /// Returns the latest requests of a team, the latest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn practice_of(&self, team: &str, limit: u32) -> Result<Vec<PracticeRequest>, CourseError> {
        let latest = format!("{REQUEST} WHERE team = ? ORDER BY asked DESC, id DESC LIMIT ?");
        let mut query = self.connection.prepare_cached(&latest)?;
        Ok(query.query_map(params![team, limit], request)?.collect::<Result<_, _>>()?)
    }
}
