//! The phases of a course.

use rusqlite::{Connection, OptionalExtension, params};

use crate::store::audit::Actor;
use crate::store::database::{CourseStore, meta, set_meta, time};
use crate::store::error::CourseError;
use crate::store::stored::stored;

/// Key of the phase.
const PHASE: &str = "phase";
/// Key of the final's tournament.
const FINAL: &str = "final";

stored! {
    /// A phase of a course.
    Phase {
        /// Before the deadline.
        Open: "open",
        /// The deadline has passed, and uploads from before it are still being checked.
        Closing: "closing",
        /// The versions are frozen, and the final is played.
        Final: "final",
        /// The final is over, and its results are not yet public.
        Done: "done",
        /// The results of the final are public.
        Published: "published",
    }
}

/// Returns the phase.
pub(super) fn phase(db: &Connection) -> Result<Phase, CourseError> {
    let Some(name) = meta(db, PHASE)? else { return Ok(Phase::Open) };
    Phase::parse(&name).ok_or_else(|| CourseError::conflict("phase", name, "a phase of this version"))
}

impl CourseStore {
    /// Returns the phase.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn phase(&self) -> Result<Phase, CourseError> {
        phase(&self.connection)
    }

    /// Moves to the next phase: from open to closing, from final to done, or from done to published. Returns `false`
    /// if the course is in that phase already. See [`freeze_all`](Self::freeze_all) for the step from closing to final.
    ///
    /// # Errors
    /// If the course is in another phase, or the store cannot be written.
    pub fn advance(&mut self, to: Phase, actor: &Actor) -> Result<bool, CourseError> {
        let from = match to {
            Phase::Closing => Phase::Open,
            Phase::Done => Phase::Final,
            Phase::Published => Phase::Done,
            Phase::Open | Phase::Final => return Err(CourseError::conflict("phase", to.name(), "another target")),
        };
        self.change_phase(from, to, actor)
    }

    /// Returns from closing to open, after staff has moved the deadline. Returns `false` if the course is open already.
    ///
    /// # Errors
    /// If the versions are frozen already, or the store cannot be written.
    pub fn reopen(&mut self, actor: &Actor) -> Result<bool, CourseError> {
        self.change_phase(Phase::Closing, Phase::Open, actor)
    }

    fn change_phase(&mut self, from: Phase, to: Phase, actor: &Actor) -> Result<bool, CourseError> {
        let change = self.change()?;
        let now = phase(&change.db)?;
        if now == to {
            return Ok(false);
        }
        if now != from {
            return Err(CourseError::conflict("phase", now.name(), from.name()));
        }
        set_meta(&change.db, PHASE, to.name())?;
        change.audit(actor, "phase", to.name(), "")?;
        change.commit()?;
        Ok(true)
    }

    /// Moves from closing to the final: records for each team the version that plays in it. That is the version that
    /// staff has frozen, or else the one that the team has chosen, or else the last accepted one. A version that was
    /// late and is not excused plays only if staff has frozen it. Withdrawn and disqualified teams do not enter.
    /// Returns `false` if the versions were recorded already.
    ///
    /// # Errors
    /// If uploads from before the deadline are not yet checked, a team's extension has not expired, the course is in
    /// another phase, or the store cannot be written.
    pub fn freeze_all(&mut self, actor: &Actor) -> Result<bool, CourseError> {
        let change = self.change()?;
        match phase(&change.db)? {
            Phase::Closing => (),
            Phase::Final => return Ok(false),
            other => return Err(CourseError::conflict("phase", other.name(), "closing")),
        }
        let open = "SELECT count(*) FROM course_upload WHERE state IN ('waiting', 'checking') AND late != 1";
        let open: i64 = change.db.query_row(open, [], |row| row.get(0))?;
        if open > 0 {
            return Err(CourseError::conflict("uploads", format!("{open} unchecked"), "all checked"));
        }
        let extended = "SELECT id, extension FROM course_team WHERE extension > ? ORDER BY extension DESC LIMIT 1";
        let extended = change
            .db
            .query_row(extended, [change.at.as_microsecond()], |row| Ok((row.get::<_, String>(0)?, time(row, 1)?)));
        if let Some((team, until)) = extended.optional()? {
            return Err(CourseError::conflict(format!("team {team}"), format!("extension until {until}"), "none"));
        }
        change.db.execute(
            "UPDATE course_team SET entered = CASE WHEN standing = 'active' THEN coalesce(frozen, \
             (SELECT id FROM course_upload WHERE id = chosen AND late != 1), \
             (SELECT id FROM course_upload u WHERE u.team = course_team.id AND state = 'accepted' AND late != 1 \
              ORDER BY number DESC LIMIT 1)) END",
            [],
        )?;
        set_meta(&change.db, PHASE, Phase::Final.name())?;
        let entered = "SELECT count(*) FROM course_team WHERE entered IS NOT NULL";
        let entered: i64 = change.db.query_row(entered, [], |row| row.get(0))?;
        change.audit(actor, "phase", Phase::Final.name(), &format!("{entered} versions frozen"))?;
        change.commit()?;
        Ok(true)
    }

    /// Returns the number of the final's tournament.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn final_tournament(&self) -> Result<Option<i64>, CourseError> {
        Ok(self.meta(FINAL)?.and_then(|number| number.parse().ok()))
    }

    /// Records the number of the final's tournament. A crash may come between the creation of the tournament and this
    /// call, so callers must look for a tournament with the final's name first.
    ///
    /// # Errors
    /// If another tournament is the final, or the store cannot be written.
    pub fn set_final_tournament(&mut self, number: i64) -> Result<(), CourseError> {
        let change = self.change()?;
        match meta(&change.db, FINAL)? {
            Some(found) if found != number.to_string() => {
                return Err(CourseError::conflict("final", format!("tournament {found}"), "none"));
            }
            Some(_) => return Ok(()),
            None => (),
        }
        let exists = change.db.query_row("SELECT 1 FROM tournament WHERE id = ?", params![number], |_| Ok(()));
        exists.optional()?.ok_or_else(|| CourseError::unknown("tournament", number))?;
        set_meta(&change.db, FINAL, &number.to_string())?;
        change.audit(&Actor::Course, "final", &number.to_string(), "")?;
        change.commit()
    }
}
