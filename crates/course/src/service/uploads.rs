//! Uploads: their reception, and the views and actions of teams.

use std::io::{BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::Timestamp;
use tempfile::NamedTempFile;

use crate::clock::Clock;
use crate::config::local;
use crate::introduction::Introduction;
use crate::service::course::{Service, Who, expect_staff, expect_team, lock, team_of};
use crate::service::open::UPLOADS;
use crate::service::pulse::Topic;
use crate::service::refusal::Refused;
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::practice::PracticeRequest;
use crate::store::teams::{Standing, TeamRow};
use crate::store::uploads::{Lateness, NewUpload, Step, UploadRow, UploadState};
use crate::tokens::Role;
use crate::views::{OutView, OwnView, PracticeRow, StepView, UploadReceipt, UploadView};

/// Maximum number of uploads of a team that are in progress at the same time.
const SIMULTANEOUS: u32 = 2;
/// Maximum length of a shown file name, in characters.
const FILE_NAME: usize = 120;
/// Maximum number of practice requests that are shown.
const REQUESTS: u32 = 50;

/// An upload in progress. Dropping it removes what has been received.
pub struct UploadWriter {
    service: Arc<Service>,
    team: String,
    file_name: String,
    part: NamedTempFile,
    size: u64,
    /// Time at which the last byte had arrived.
    received: Option<Timestamp>,
}

impl UploadWriter {
    /// Appends bytes.
    ///
    /// # Errors
    /// If the file exceeds the limit, or cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        let limit = self.service.config.uploads.size.0;
        self.size = self.size.saturating_add(bytes.len() as u64);
        if self.size > limit {
            return Err(Refused::too_large(limit));
        }
        Ok(self.part.write_all(bytes)?)
    }

    /// Records that the last byte has arrived, and returns the time. It decides whether the upload is late, also if
    /// many others are stored first. The course closes only when such uploads are stored or dropped.
    pub fn received(&mut self) -> Timestamp {
        *self.received.get_or_insert_with(|| {
            let mut storing = lock(&self.service.storing);
            *storing += 1;
            self.service.clock.now()
        })
    }

    /// Stores the file. It survives a crash from now on. Includes [`received`](Self::received).
    ///
    /// # Errors
    /// If the deadline is over, the team has reached a limit or takes no part, or the file cannot be stored.
    pub fn finish(mut self) -> Result<UploadReceipt, Refused> {
        let received = self.received();
        self.part.flush()?;
        let service = &self.service;
        let new = NewUpload {
            team: &self.team,
            file_name: &self.file_name,
            size: self.size,
            received,
            deadline: service.config.deadline.timestamp(),
            late_allowed: service.late_allowed(),
            per_hour: service.config.uploads.per_hour,
        };
        let mut file = BufReader::new(self.part.reopen()?);
        let stored = service.write(|store| store.receive(&new, &mut file));
        let upload = stored.map_err(|error| match error {
            CourseError::Conflict { ref subject, .. } if subject == "deadline" => service.late(&self.team, received),
            other => other.into(),
        })?;
        let number = service.read(|store| store.upload(upload))?.number;
        service.has_uploads.store(true, Ordering::SeqCst);
        service.pulse.tell(&[Topic::Own, Topic::Staff]);
        Ok(UploadReceipt { upload, number })
    }
}

impl Drop for UploadWriter {
    fn drop(&mut self) {
        if self.received.is_some() {
            *lock(&self.service.storing) -= 1;
            self.service.pulse.tell(&[]);
        }
        let mut receiving = lock(&self.service.receiving);
        if let Some(count) = receiving.get_mut(&self.team) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                receiving.remove(&self.team);
            }
        }
    }
}

impl Service {
    /// Begins an upload of the caller's team. `length` is the number of bytes that the sender announces.
    ///
    /// # Errors
    /// If the caller is no team, the file is too large, the deadline is over, or the team has reached a limit.
    pub fn begin_upload(
        self: &Arc<Self>,
        who: Who<'_>,
        file_name: &str,
        length: Option<u64>,
    ) -> Result<UploadWriter, Refused> {
        let team = expect_team(who)?;
        if self.pulse.is_stopping() {
            return Err(Refused::stopping());
        }
        let limit = self.config.uploads.size.0;
        if length.is_some_and(|length| length > limit) {
            return Err(Refused::too_large(limit));
        }
        self.expect_open(team)?;
        let mut receiving = lock(&self.receiving);
        let count = receiving.entry(team.to_owned()).or_default();
        if *count >= SIMULTANEOUS {
            return Err(Refused::busy(SIMULTANEOUS));
        }
        // No file is created before the count, so that a refused upload costs nothing.
        let part = NamedTempFile::new_in(self.work.join(UPLOADS))?;
        *count += 1;
        drop(receiving);
        let file_name = shown_name(file_name);
        Ok(UploadWriter { service: Arc::clone(self), team: team.to_owned(), file_name, part, size: 0, received: None })
    }

    /// Checks before a transfer what is checked again after it.
    fn expect_open(&self, team: &str) -> Result<(), Refused> {
        let row = self.read(|store| store.team(team))?;
        if row.standing != Standing::Active {
            return Err(CourseError::Conflict {
                subject: format!("team {}", row.team.id),
                found: row.standing.name().to_owned(),
                expected: "active".to_owned(),
            }
            .into());
        }
        let now = self.clock.now();
        let is_late = now >= self.deadline_of(&row) || (self.phase() != Phase::Open && row.extension.is_none());
        if is_late && !self.late_allowed() { Err(self.too_late(&row, now)) } else { Ok(()) }
    }

    /// Returns the deadline of a team.
    pub(super) fn deadline_of(&self, team: &TeamRow) -> Timestamp {
        let deadline = self.config.deadline.timestamp();
        team.extension.map_or(deadline, |extension| extension.max(deadline))
    }

    /// Returns the refusal of an upload that was received too late.
    fn late(&self, team: &str, received: Timestamp) -> Refused {
        let row = self.read(|store| store.team(team));
        row.map_or_else(Refused::from, |row| self.too_late(&row, received))
    }

    /// Returns the refusal of an upload at a time. Before the deadline, staff has ended the time for uploads.
    fn too_late(&self, team: &TeamRow, at: Timestamp) -> Refused {
        let deadline = self.deadline_of(team);
        if at < deadline {
            Refused::closed()
        } else {
            Refused::late(&local::shown(deadline, self.config.deadline.time_zone()))
        }
    }

    /// Returns the uploads of a team, the latest first. `team` names it; a team may only name itself.
    ///
    /// # Errors
    /// If the caller is a visitor or another team.
    pub fn uploads(&self, who: Who<'_>, team: Option<&str>) -> Result<OwnView, Refused> {
        let team = match (who, team) {
            (None, _) | (Some(Role::Staff), None) => return Err(Refused::not_team()),
            (Some(Role::Staff), Some(team)) => team,
            (Some(Role::Team(own)), team) => {
                if team.is_some_and(|team| !team.eq_ignore_ascii_case(own)) {
                    return Err(Refused::not_staff());
                }
                own
            }
        };
        let (row, uploads) = self.read(|store| store.snapshot(|store| self.upload_views(store, team)))?;
        let out = (row.standing != Standing::Active)
            .then(|| OutView { kind: row.standing.name(), reason: row.reason.clone() });
        Ok(OwnView { name: row.team.name, frozen: row.frozen.is_some(), out, uploads })
    }

    /// Returns a team, and its uploads, the latest first.
    pub(super) fn upload_views(
        &self,
        store: &CourseStore,
        team: &str,
    ) -> Result<(TeamRow, Vec<UploadView>), CourseError> {
        let row = store.team(team)?;
        let view = |upload: UploadRow| {
            let is_waiting = upload.state == UploadState::Waiting;
            let place = if is_waiting { Some(1 + store.queue_before(upload.id)?) } else { None };
            let steps = store.steps(upload.id)?.into_iter().map(|step| self.step_view(step)).collect();
            Ok(upload_view(upload, place, steps, row.playing()))
        };
        let uploads = store.uploads_of(&row.team.id)?.into_iter().map(view).collect::<Result<_, CourseError>>()?;
        Ok((row, uploads))
    }

    fn step_view(&self, Step { name, state, detail, remedy, position, .. }: Step) -> StepView {
        let position = position.map(|(start, moves)| self.record(start, moves));
        StepView { name, state: state.name(), detail, remedy, position }
    }

    /// Chooses the accepted version that plays for the caller's team.
    ///
    /// # Errors
    /// If the caller is no team, the version is not an accepted one of the team, or staff has frozen another one.
    pub fn choose(&self, who: Who<'_>, upload: i64) -> Result<(), Refused> {
        let team = expect_team(who)?;
        self.write(|store| store.choose(team, Some(upload), &Actor::team(team)))?;
        Ok(self.refresh_field()?)
    }

    /// Queues a practice game of the caller's team against a level of our engines. Returns the number of the request.
    ///
    /// # Errors
    /// If the caller is no team, the level cannot be played, the team has no version that plays or has reached the
    /// limit, or no games are played now.
    pub fn practice(&self, who: Who<'_>, level: &str) -> Result<i64, Refused> {
        let team = expect_team(who)?;
        let found = self.level(level).ok_or_else(|| {
            let names: Vec<&str> = self.config.practice.levels.iter().map(|level| level.0.name()).collect();
            Refused::invalid("level", level, &names.join(", "))
        })?;
        if !self.is_ladder_open() {
            return Err(CourseError::Conflict {
                subject: "practice".to_owned(),
                found: format!("phase {}", self.phase().name()),
                expected: "an open ladder".to_owned(),
            }
            .into());
        }
        let id = self.write(|store| store.ask_practice(team, found, self.config.practice.per_hour))?;
        self.has_practice.store(true, Ordering::SeqCst);
        self.pulse.tell(&[Topic::Own, Topic::About]);
        Ok(id)
    }

    /// Returns the latest practice requests of the caller's team, the latest first.
    ///
    /// # Errors
    /// If the caller is no team.
    pub fn practice_requests(&self, who: Who<'_>) -> Result<Vec<PracticeRow>, Refused> {
        let team = expect_team(who)?;
        let requests = self.read(|store| store.practice_of(team, REQUESTS))?;
        let row = |request: PracticeRequest| PracticeRow {
            game: request.id,
            level: request.level.name().to_owned(),
            asked: request.asked.to_string(),
            state: request.state,
            detail: request.detail,
        };
        Ok(requests.into_iter().map(row).collect())
    }

    /// Returns the file name and the size of an upload.
    ///
    /// # Errors
    /// If the caller is not staff, or there is no such upload.
    pub fn upload_name(&self, who: Who<'_>, upload: i64) -> Result<(String, u64), Refused> {
        expect_staff(who)?;
        let row = self.read(|store| store.upload(upload))?;
        Ok((row.file_name, row.size))
    }

    /// Writes the file of an upload to `to`.
    ///
    /// # Errors
    /// If the caller is not staff, there is no such upload, its bytes were changed, or `to` cannot be written.
    pub fn upload_file(&self, who: Who<'_>, upload: i64, to: &mut impl Write) -> Result<(), Refused> {
        expect_staff(who)?;
        Ok(self.read(|store| store.copy_upload(upload, to))?)
    }

    /// Returns `true` if a caller may see what belongs to a team alone.
    pub(super) fn owns(who: Who<'_>, team: &str) -> bool {
        who == Some(&Role::Staff) || team_of(who) == Some(team)
    }
}

/// Returns a file name without folders and invisible characters, and not too long.
fn shown_name(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let visible = base.chars().map(|c| if game::text::is_hidden(c) { '\u{fffd}' } else { c });
    let count = base.chars().count();
    let shown: String = if count > FILE_NAME {
        // The end has the extension, which decides how the file is read.
        visible.skip(count - FILE_NAME).collect()
    } else {
        visible.collect()
    };
    if shown.is_empty() { "upload".to_owned() } else { shown }
}

fn upload_view(upload: UploadRow, place: Option<u32>, steps: Vec<StepView>, playing: Option<i64>) -> UploadView {
    UploadView {
        id: upload.id,
        number: upload.number,
        size: upload.size,
        received: upload.received.to_string(),
        late: upload.lateness == Lateness::Late,
        state: upload.state.name(),
        place,
        steps,
        playing: playing == Some(upload.id),
        agent: Introduction::of(&upload),
        file_name: upload.file_name,
        notes: upload.notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_have_no_folders_and_no_invisible_characters() {
        for (name, shown) in [
            ("agent.zip", "agent.zip"),
            ("C:\\fakepath\\agent.zip", "agent.zip"),
            ("../../etc/passwd", "passwd"),
            ("a\u{202e}piz.py", "a\u{fffd}piz.py"),
            ("", "upload"),
            ("folder/", "upload"),
            ("Möwe 🐦.zip", "Möwe 🐦.zip"),
        ] {
            assert_eq!(shown_name(name), shown);
        }
        let long = shown_name(&format!("{}.zip", "x".repeat(500)));
        assert!(long.ends_with("x.zip") && long.chars().count() == FILE_NAME);
    }
}
