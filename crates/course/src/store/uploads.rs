//! Uploads: received files, their checks, and the versions that result from them.

use std::io::{Read, Write};

use arena::{AgentSpec, Bundle};
use jiff::{SignedDuration, Timestamp};
use rusqlite::blob::ZeroBlob;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::store::audit::Actor;
use crate::store::database::{CourseStore, time};
use crate::store::error::CourseError;
use crate::store::phase::{Phase, phase};
use crate::store::stored::stored;
use crate::store::teams::{Standing, team};
use crate::tokens::hex;

stored! {
    /// The state of an upload.
    UploadState {
        /// Its check has not begun.
        Waiting: "waiting",
        /// It is being checked.
        Checking: "checking",
        /// It is a version that can play.
        Accepted: "accepted",
        /// It cannot play.
        Refused: "refused",
    }
}

stored! {
    /// The state of a step of a check.
    StepState {
        /// It has begun.
        Running: "running",
        /// It found nothing wrong.
        Passed: "passed",
        /// It repaired something, or warns of something.
        Warned: "warned",
        /// It found the reason for a refusal.
        Failed: "failed",
    }
}

/// The time of an upload, relative to the deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lateness {
    /// It came before the deadline.
    InTime,
    /// It came after the deadline.
    Late,
    /// It came after the deadline, and staff accepts it as if it had come in time.
    Excused,
}

/// A file that a team has sent.
#[derive(Clone, Copy, Debug)]
pub struct NewUpload<'a> {
    /// Team.
    pub team: &'a str,
    /// Name of the file on the sender's machine.
    pub file_name: &'a str,
    /// Number of bytes.
    pub size: u64,
    /// Time of the course at which the last byte arrived. The file may be stored later.
    pub received: Timestamp,
    /// Deadline of the course. An extension of the team replaces it.
    pub deadline: Timestamp,
    /// Set if late uploads are accepted.
    pub late_allowed: bool,
    /// Maximum number of uploads of a team in an hour.
    pub per_hour: u32,
}

/// An upload.
#[derive(Clone, Debug, PartialEq)]
pub struct UploadRow {
    /// Number in the store.
    pub id: i64,
    /// Team.
    pub team: String,
    /// Number among the team's uploads, from 1.
    pub number: u32,
    /// Name of the file on the sender's machine.
    pub file_name: String,
    /// Number of bytes.
    pub size: u64,
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// Time at which the last byte had arrived.
    pub received: Timestamp,
    /// Time relative to the deadline.
    pub lateness: Lateness,
    /// State.
    pub state: UploadState,
    /// Agent, if accepted.
    pub agent: Option<AgentSpec>,
    /// Hash of the agent's bundle, if accepted.
    pub bundle: Option<String>,
    /// Introduction that the program has printed.
    pub identify: Option<String>,
    /// Corrections and warnings, or the reasons why it was refused.
    pub notes: Vec<String>,
}

/// An upload that is to be checked now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Number of the upload in the store.
    pub upload: i64,
    /// Team.
    pub team: String,
    /// Name of the file on the sender's machine.
    pub file_name: String,
    /// Number of bytes.
    pub size: u64,
}

/// A step of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the step, from 0. A later record of the same number replaces it.
    pub number: u32,
    /// Name.
    pub name: String,
    /// State.
    pub state: StepState,
    /// Details of the result.
    pub detail: String,
    /// Remedy; empty if none is needed.
    pub remedy: String,
    /// Position of a fault: the start of the game, and its moves.
    pub position: Option<(String, Vec<String>)>,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// The upload becomes a version.
    Accepted {
        /// Agent, relative to its bundle.
        agent: &'a AgentSpec,
        /// Files of the agent after its build.
        bundle: &'a Bundle,
        /// Introduction that the program has printed.
        identify: Option<&'a str>,
        /// Corrections and warnings.
        notes: &'a [String],
    },
    /// The upload is refused. Nothing changes for the team.
    Refused {
        /// Reasons.
        notes: &'a [String],
    },
}

const UPLOAD: &str = "SELECT id, team, number, file_name, size, sha256, received, late, state, agent, bundle, \
                      identify, notes FROM course_upload";

/// Finds the upload to check next.
pub(super) const NEXT: &str = "SELECT id, team, file_name, size FROM course_upload u \
                               WHERE state = 'waiting' AND (late != 1 OR ?) \
                               ORDER BY EXISTS (SELECT 1 FROM course_upload c \
                                                WHERE c.state = 'checking' AND c.team = u.team), turn, id LIMIT 1";

fn invalid(column: usize, error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
}

fn upload_row(row: &Row<'_>) -> rusqlite::Result<UploadRow> {
    let agent: Option<String> = row.get(9)?;
    let agent = agent.map(|agent| serde_json::from_str(&agent)).transpose().map_err(|error| invalid(9, error))?;
    let notes: String = row.get(12)?;
    Ok(UploadRow {
        id: row.get(0)?,
        team: row.get(1)?,
        number: row.get(2)?,
        file_name: row.get(3)?,
        size: row.get::<_, i64>(4)? as u64,
        sha256: row.get(5)?,
        received: time(row, 6)?,
        lateness: match row.get(7)? {
            0 => Lateness::InTime,
            1 => Lateness::Late,
            _ => Lateness::Excused,
        },
        state: row.get(8)?,
        agent,
        bundle: row.get(10)?,
        identify: row.get(11)?,
        notes: serde_json::from_str(&notes).map_err(|error| invalid(12, error))?,
    })
}

/// Copies `size` bytes in small pieces, and returns their SHA-256.
fn copy(from: &mut impl Read, to: &mut impl Write, size: u64) -> Result<String, CourseError> {
    let (mut buffer, mut sum, mut left) = (vec![0; 64 << 10], Sha256::new(), size);
    while left > 0 {
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = from.read(&mut buffer[..most])?;
        if count == 0 {
            return Err(CourseError::conflict("file", format!("{} bytes", size - left), format!("{size} bytes")));
        }
        sum.update(&buffer[..count]);
        to.write_all(&buffer[..count])?;
        left -= count as u64;
    }
    Ok(hex(&sum.finalize()))
}

/// Returns the number of uploads of a team in the hour before a new one, if it is below the limit.
fn uploads_in_hour(db: &Connection, new: &NewUpload<'_>) -> Result<u32, CourseError> {
    let hour = SignedDuration::from_hours(1);
    let since = new.received.checked_sub(hour).unwrap_or(Timestamp::MIN).as_microsecond();
    let recent = "SELECT received FROM course_upload WHERE team = ? AND received > ? ORDER BY number DESC";
    let mut query = db.prepare_cached(recent)?;
    let recent = query.query_map(params![new.team, since], |row| time(row, 0))?.collect::<Result<Vec<_>, _>>()?;
    match recent.get((new.per_hour as usize).saturating_sub(1)) {
        Some(oldest) => Err(CourseError::TooMany {
            what: "uploads",
            limit: new.per_hour,
            next: oldest.checked_add(hour).unwrap_or(Timestamp::MAX),
        }),
        None => Ok(recent.len() as u32),
    }
}

impl CourseStore {
    /// Stores a file that a team has sent, and returns its number. The file is copied in small pieces. The upload is in
    /// time if its last byte is received before the deadline.
    ///
    /// # Errors
    /// If there is no such team, it takes no part, it has reached the hourly limit, the deadline has passed and late
    /// uploads are not accepted, `file` does not have `size` bytes, or the store cannot be written.
    pub fn receive(&mut self, new: &NewUpload<'_>, file: &mut impl Read) -> Result<i64, CourseError> {
        // The times of transactions never precede those that they store.
        self.clock.advance(new.received);
        let change = self.change()?;
        let owner = team(&change.db, new.team)?;
        let new = NewUpload { team: &owner.team.id, ..*new };
        if owner.standing != Standing::Active {
            return Err(CourseError::conflict(format!("team {}", new.team), owner.standing.name(), "active"));
        }
        let turn = uploads_in_hour(&change.db, &new)?;
        let deadline = owner.extension.map_or(new.deadline, |extension| extension.max(new.deadline));
        // The phase counts too, so that no upload is in time after the versions were frozen.
        let is_open = match phase(&change.db)? {
            Phase::Open => true,
            Phase::Closing => owner.extension.is_some(),
            _ => false,
        };
        let is_late = new.received >= deadline || !is_open;
        if is_late && !new.late_allowed {
            let found = format!("an upload at {}", new.received);
            return Err(CourseError::conflict("deadline", found, format!("one before {deadline}")));
        }
        let length = i32::try_from(new.size)
            .map_err(|_| CourseError::conflict("file", format!("{} bytes", new.size), "less than 2 GiB"))?;
        change.db.execute(
            "INSERT INTO course_upload (team, number, file_name, size, sha256, received, late, turn) \
             SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, '', ?4, ?5, ?6 FROM course_upload WHERE team = ?1",
            params![new.team, new.file_name, length, new.received.as_microsecond(), is_late, turn],
        )?;
        let id = change.db.last_insert_rowid();
        let space = "INSERT INTO course_file (upload, bytes) VALUES (?, ?)";
        change.db.execute(space, params![id, ZeroBlob(length as u64)])?;
        let mut blob = change.db.blob_open("main", "course_file", "bytes", id, false)?;
        let sha256 = copy(file, &mut blob, new.size)?;
        blob.close()?;
        change.db.execute("UPDATE course_upload SET sha256 = ? WHERE id = ?", params![sha256, id])?;
        let detail = format!("upload {id}, {} bytes, {}", new.size, new.file_name);
        change.audit(&Actor::team(new.team), if is_late { "upload late" } else { "upload" }, new.team, &detail)?;
        change.commit()?;
        Ok(id)
    }

    /// Copies the bytes of an upload to a file, and checks their SHA-256.
    ///
    /// # Errors
    /// If there is no such upload, its bytes were changed, or `file` cannot be written.
    pub fn copy_upload(&self, upload: i64, file: &mut impl Write) -> Result<(), CourseError> {
        let row = self.upload(upload)?;
        let mut blob = self.connection.blob_open("main", "course_file", "bytes", upload, true)?;
        let found = copy(&mut blob, file, row.size)?;
        if found != row.sha256 {
            return Err(CourseError::conflict(format!("upload {upload}"), format!("SHA-256 {found}"), row.sha256));
        }
        Ok(())
    }

    /// Returns an upload.
    ///
    /// # Errors
    /// If there is no such upload, or the store cannot be read.
    pub fn upload(&self, upload: i64) -> Result<UploadRow, CourseError> {
        let mut query = self.connection.prepare_cached(&format!("{UPLOAD} WHERE id = ?"))?;
        query.query_row([upload], upload_row).optional()?.ok_or_else(|| CourseError::unknown("upload", upload))
    }

    /// Returns the uploads of a team, the latest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn uploads_of(&self, team: &str) -> Result<Vec<UploadRow>, CourseError> {
        let mut query = self.connection.prepare_cached(&format!("{UPLOAD} WHERE team = ? ORDER BY number DESC"))?;
        Ok(query.query_map([team], upload_row)?.collect::<Result<_, _>>()?)
    }

    /// Returns all uploads, the latest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn uploads(&self) -> Result<Vec<UploadRow>, CourseError> {
        let mut query = self.connection.prepare_cached(&format!("{UPLOAD} ORDER BY id DESC"))?;
        Ok(query.query_map([], upload_row)?.collect::<Result<_, _>>()?)
    }

    /// Begins the check of the next upload. Teams without a running check come first, then uploads whose team has sent
    /// the fewest others in the hour before, then the oldest. Before the versions of the final are frozen, late uploads
    /// wait.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn claim(&mut self) -> Result<Option<Claim>, CourseError> {
        let change = self.change()?;
        let late_too = !matches!(phase(&change.db)?, Phase::Open | Phase::Closing);
        let next = change.db.query_row(NEXT, [late_too], |row| {
            Ok(Claim {
                upload: row.get(0)?,
                team: row.get(1)?,
                file_name: row.get(2)?,
                size: row.get::<_, i64>(3)? as u64,
            })
        });
        let Some(claim) = next.optional()? else { return Ok(None) };
        change.db.execute("UPDATE course_upload SET state = 'checking' WHERE id = ?", [claim.upload])?;
        change.commit()?;
        Ok(Some(claim))
    }

    /// Returns how many uploads come before an upload: those that are being checked, and those before it in the queue.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn queue_before(&self, upload: i64) -> Result<u32, CourseError> {
        let count = "SELECT count(*) FROM course_upload u, (SELECT turn, id FROM course_upload WHERE id = ?) own \
                     WHERE u.state = 'checking' OR (u.state = 'waiting' AND (u.turn, u.id) < (own.turn, own.id))";
        Ok(self.connection.prepare_cached(count)?.query_row([upload], |row| row.get(0))?)
    }

    /// Records the beginning or the end of a step of a check.
    ///
    /// # Errors
    /// If the upload is not being checked, or the store cannot be written.
    pub fn record_step(&mut self, upload: i64, step: &Step) -> Result<(), CourseError> {
        let change = self.change()?;
        expect_checking(&change.db, upload)?;
        change.db.execute(
            "INSERT OR REPLACE INTO course_step (upload, number, name, state, detail, remedy, at, position) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                upload,
                step.number,
                step.name,
                step.state,
                step.detail,
                step.remedy,
                change.at.as_microsecond(),
                step.position.as_ref().map(serde_json::to_string).transpose()?
            ],
        )?;
        change.commit()
    }

    /// Returns the steps of an upload's check.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn steps(&self, upload: i64) -> Result<Vec<Step>, CourseError> {
        let mut query = self.connection.prepare_cached(
            "SELECT number, name, state, detail, remedy, position FROM course_step WHERE upload = ? ORDER BY number",
        )?;
        let steps = query.query_map([upload], |row| {
            let (number, name, state) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let position: Option<String> = row.get(5)?;
            let position =
                position.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| invalid(5, error))?;
            Ok(Step { number, name, state, detail: row.get(3)?, remedy: row.get(4)?, position })
        })?;
        Ok(steps.collect::<Result<_, _>>()?)
    }

    /// Ends the check of an upload. An accepted version plays from now on, unless staff has frozen another one.
    ///
    /// # Errors
    /// If the upload is not being checked, or the store cannot be written.
    pub fn decide(&mut self, upload: i64, outcome: &Outcome<'_>) -> Result<(), CourseError> {
        let change = self.change()?;
        let owner = expect_checking(&change.db, upload)?;
        match outcome {
            Outcome::Refused { notes } => {
                let set = "UPDATE course_upload SET state = 'refused', notes = ? WHERE id = ?";
                change.db.execute(set, params![serde_json::to_string(notes)?, upload])?;
                change.audit(&Actor::Course, "refuse", &owner, &format!("upload {upload}: {}", notes.join("; ")))?;
            }
            Outcome::Accepted { agent, bundle, identify, notes } => {
                let keep = "INSERT INTO course_bundle (hash, bytes) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING";
                change.db.execute(keep, params![bundle.hash, bundle.bytes])?;
                change.db.execute(
                    "UPDATE course_upload SET state = 'accepted', agent = ?, bundle = ?, identify = ?, notes = ? \
                     WHERE id = ?",
                    params![
                        serde_json::to_string(agent)?,
                        bundle.hash,
                        identify,
                        serde_json::to_string(notes)?,
                        upload
                    ],
                )?;
                // Checks may not end in the order in which they began.
                change.db.execute(
                    "UPDATE course_team SET latest = ?1, chosen = NULL \
                     WHERE id = ?2 AND ?1 > coalesce(latest, 0)",
                    params![upload, owner],
                )?;
                change.audit(&Actor::Course, "accept", &owner, &format!("upload {upload}"))?;
            }
        }
        change.commit()
    }

    /// Returns the files of an accepted version.
    ///
    /// # Errors
    /// If there is no such bundle, or the store cannot be read.
    pub fn bundle(&self, hash: &str) -> Result<Vec<u8>, CourseError> {
        let mut query = self.connection.prepare_cached("SELECT bytes FROM course_bundle WHERE hash = ?")?;
        query.query_row([hash], |row| row.get(0)).optional()?.ok_or_else(|| CourseError::unknown("bundle", hash))
    }

    /// Accepts a late upload as if it had come in time.
    ///
    /// # Errors
    /// If the upload is not late, the versions of the final are frozen, or the store cannot be written.
    pub fn excuse(&mut self, upload: i64, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        let now = phase(&change.db)?;
        if !matches!(now, Phase::Open | Phase::Closing) {
            return Err(CourseError::conflict("phase", now.name(), "open or closing"));
        }
        let excuse = "UPDATE course_upload SET late = 2 WHERE id = ? AND late = 1";
        if change.db.execute(excuse, [upload])? == 0 {
            return Err(CourseError::unknown("late upload", upload));
        }
        change.audit(actor, "excuse", &upload.to_string(), "")?;
        change.commit()
    }

    /// Puts an upload back into the queue of checks, for example because the machine was at fault. A version that plays
    /// cannot be checked again.
    ///
    /// # Errors
    /// If the upload was not refused, or the store cannot be written.
    pub fn check_again(&mut self, upload: i64, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        let again = "UPDATE course_upload SET state = 'waiting', notes = '[]' WHERE id = ? AND state = 'refused'";
        if change.db.execute(again, [upload])? == 0 {
            return Err(CourseError::unknown("refused upload", upload));
        }
        change.db.execute("DELETE FROM course_step WHERE upload = ?", [upload])?;
        change.audit(actor, "check again", &upload.to_string(), "")?;
        change.commit()
    }
}

/// Checks that an upload is being checked, and returns its team.
fn expect_checking(db: &Connection, upload: i64) -> Result<String, CourseError> {
    let mut query = db.prepare_cached("SELECT team, state FROM course_upload WHERE id = ?")?;
    let found: Option<(String, UploadState)> =
        query.query_row([upload], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    match found {
        Some((team, UploadState::Checking)) => Ok(team),
        Some((_, state)) => Err(CourseError::conflict(format!("upload {upload}"), state.name(), "checking")),
        None => Err(CourseError::unknown("upload", upload)),
    }
}
