//! Teams, their links, and the versions that play.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use crate::roster::Team;
use crate::store::audit::Actor;
use crate::store::database::{Change, CourseStore, maybe_time};
use crate::store::error::CourseError;
use crate::store::phase::{Phase, phase};
use crate::store::stored::stored;
use crate::store::void;
use crate::tokens::{Role, Token};

stored! {
    /// The participation of a team.
    Standing {
        /// It takes part.
        Active: "active",
        /// It has withdrawn and no longer takes part. Its games are void.
        Withdrawn: "withdrawn",
        /// The staff has excluded it. Its games are void.
        Disqualified: "disqualified",
    }
}

/// The state of a team's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Link {
    /// The team has none.
    None,
    /// It was made, and never opened.
    Made,
    /// It was opened.
    Used,
}

/// A team of the course. Versions are the numbers of their uploads in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRow {
    /// Id, name and mail.
    pub team: Team,
    /// Participation.
    pub standing: Standing,
    /// Reason for the standing.
    pub reason: String,
    /// Deadline of this team, if staff has extended it.
    pub extension: Option<Timestamp>,
    /// Last accepted version.
    pub latest: Option<i64>,
    /// Version that the team has chosen.
    pub chosen: Option<i64>,
    /// Version that staff has frozen.
    pub frozen: Option<i64>,
    /// Version in the final.
    pub entered: Option<i64>,
    /// State of its link.
    pub link: Link,
}

impl TeamRow {
    /// Returns the version that plays.
    pub fn playing(&self) -> Option<i64> {
        self.frozen.or(self.chosen).or(self.latest).filter(|_| self.standing == Standing::Active)
    }
}

/// The differences between a new roster and the teams. Teams are listed by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterChange {
    /// New teams.
    pub added: Vec<String>,
    /// Teams with another name or mail.
    pub changed: Vec<String>,
    /// Removed teams, which had no upload.
    pub removed: Vec<String>,
    /// Teams that the roster lacks, and that stay because they have uploads.
    pub kept: Vec<String>,
}

const TEAM: &str = "SELECT id, name, mail, standing, reason, extension, latest, chosen, frozen, entered, \
                    (SELECT max(used IS NOT NULL) FROM course_token WHERE team = course_team.id AND revoked IS NULL) \
                    FROM course_team";

fn team_row(row: &Row<'_>) -> rusqlite::Result<TeamRow> {
    Ok(TeamRow {
        team: Team { id: row.get(0)?, name: row.get(1)?, mail: row.get(2)? },
        standing: row.get(3)?,
        reason: row.get(4)?,
        extension: maybe_time(row, 5)?,
        latest: row.get(6)?,
        chosen: row.get(7)?,
        frozen: row.get(8)?,
        entered: row.get(9)?,
        link: match row.get(10)? {
            None => Link::None,
            Some(false) => Link::Made,
            Some(true) => Link::Used,
        },
    })
}

/// Returns a team.
pub(super) fn team(db: &Connection, id: &str) -> Result<TeamRow, CourseError> {
    let mut query = db.prepare_cached(&format!("{TEAM} WHERE id = ?"))?;
    query.query_row([id], team_row).optional()?.ok_or_else(|| CourseError::unknown("team", id))
}

fn teams(db: &Connection) -> Result<Vec<TeamRow>, CourseError> {
    let mut query = db.prepare_cached(&format!("{TEAM} ORDER BY id"))?;
    Ok(query.query_map([], team_row)?.collect::<Result<_, _>>()?)
}

impl CourseStore {
    /// Returns all teams, sorted by id.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn teams(&self) -> Result<Vec<TeamRow>, CourseError> {
        teams(&self.connection)
    }

    /// Returns a team. Ids are compared without regard to case.
    ///
    /// # Errors
    /// If there is no such team, or the store cannot be read.
    pub fn team(&self, id: &str) -> Result<TeamRow, CourseError> {
        team(&self.connection, id)
    }

    /// Adopts a roster: adds new teams, changes names and mails, and removes teams that are no longer in it and have no
    /// upload.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn adopt_roster(&mut self, roster: &[Team], actor: &Actor) -> Result<RosterChange, CourseError> {
        let change = self.change()?;
        let mut found = RosterChange::default();
        let before: BTreeMap<String, Team> =
            teams(&change.db)?.into_iter().map(|row| (row.team.id.to_ascii_lowercase(), row.team)).collect();
        for team in roster {
            match before.get(&team.id.to_ascii_lowercase()) {
                None => found.added.push(team.id.clone()),
                // The id keeps its case, because uploads refer to it.
                Some(old) if (&old.name, &old.mail) != (&team.name, &team.mail) => found.changed.push(old.id.clone()),
                Some(_) => continue,
            }
            change.db.execute(
                "INSERT INTO course_team (id, name, mail) VALUES (?, ?, ?) \
                 ON CONFLICT (id) DO UPDATE SET name = excluded.name, mail = excluded.mail",
                params![team.id, team.name, team.mail],
            )?;
        }
        let listed: BTreeSet<String> = roster.iter().map(|team| team.id.to_ascii_lowercase()).collect();
        for (_, team) in before.iter().filter(|(id, _)| !listed.contains(*id)) {
            let remove = "DELETE FROM course_team WHERE id = ?1 \
                          AND NOT EXISTS (SELECT 1 FROM course_upload WHERE team = ?1)";
            let is_removed = change.db.execute(remove, [&team.id])? > 0;
            if is_removed { &mut found.removed } else { &mut found.kept }.push(team.id.clone());
        }
        let kinds = [("added", &found.added), ("changed", &found.changed), ("removed", &found.removed)];
        let changes = kinds.into_iter().filter(|(_, ids)| !ids.is_empty());
        let detail: Vec<String> = changes.map(|(kind, ids)| format!("{kind}: {}", ids.join(", "))).collect();
        if !detail.is_empty() {
            change.audit(actor, "adopt the roster", "", &detail.join("; "))?;
            change.commit()?;
        }
        Ok(found)
    }

    /// Makes a token, and revokes the earlier ones of this role.
    ///
    /// # Errors
    /// If there is no such team, the system provides no random bytes, or the store cannot be written.
    pub fn renew_token(&mut self, role: &Role, actor: &Actor) -> Result<Token, CourseError> {
        let token = Token::new()?;
        let change = self.change()?;
        let id = revoke(&change, role)?;
        let made = "INSERT INTO course_token (hash, team, made) VALUES (?, ?, ?)";
        change.db.execute(made, params![token.hash(), id, change.at.as_microsecond()])?;
        change.audit(actor, "renew link", &Actor::Of(role.clone()).to_string(), "")?;
        change.commit()?;
        Ok(token)
    }

    /// Revokes the tokens of a role.
    ///
    /// # Errors
    /// If there is no such team, or the store cannot be written.
    pub fn revoke_tokens(&mut self, role: &Role, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        revoke(&change, role)?;
        change.audit(actor, "revoke link", &Actor::Of(role.clone()).to_string(), "")?;
        change.commit()
    }

    /// Returns the role of a token; `None` if it is unknown or revoked.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn role(&self, token: &Token) -> Result<Option<Role>, CourseError> {
        let find = "SELECT team FROM course_token WHERE hash = ? AND revoked IS NULL";
        let mut query = self.connection.prepare_cached(find)?;
        let team: Option<Option<String>> = query.query_row([token.hash()], |row| row.get(0)).optional()?;
        Ok(team.map(|team| team.map_or(Role::Staff, Role::Team)))
    }

    /// Records that a link was opened, if it is the first time.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn mark_used(&mut self, token: &Token) -> Result<(), CourseError> {
        let change = self.change()?;
        let set = "UPDATE course_token SET used = ? WHERE hash = ? AND used IS NULL";
        change.db.execute(set, params![change.at.as_microsecond(), token.hash()])?;
        change.commit()
    }

    /// Chooses the version that plays for a team. With `None`, the last accepted version always plays. A version that
    /// is accepted later replaces the choice.
    ///
    /// # Errors
    /// If there is no such accepted version, the team takes no part, staff has frozen a version, the versions for the
    /// final are being frozen, or the store cannot be written.
    pub fn choose(&mut self, id: &str, version: Option<i64>, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        let found = team(&change.db, id)?;
        let subject = format!("team {}", found.team.id);
        if found.standing != Standing::Active {
            return Err(CourseError::conflict(subject, found.standing.name(), "active"));
        }
        if found.frozen.is_some() {
            return Err(CourseError::conflict(subject, "a version that staff has frozen", "none"));
        }
        if phase(&change.db)? == Phase::Closing {
            return Err(CourseError::conflict("phase", "closing", "another one"));
        }
        set_version(&change, &found.team.id, "chosen", version)?;
        change.audit(actor, "choose version", &found.team.id, &shown(version))?;
        change.commit()
    }

    /// Freezes the version that plays for a team. `None` undoes that.
    ///
    /// # Errors
    /// If there is no such accepted version, or the store cannot be written.
    pub fn freeze(&mut self, id: &str, version: Option<i64>, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        let found = team(&change.db, id)?.team.id;
        set_version(&change, &found, "frozen", version)?;
        change.audit(actor, "freeze version", &found, &shown(version))?;
        change.commit()
    }

    /// Sets the deadline of a team. `None` restores that of the course.
    ///
    /// # Errors
    /// If there is no such team, or the store cannot be written.
    pub fn extend(&mut self, id: &str, until: Option<Timestamp>, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        let found = team(&change.db, id)?.team.id;
        let set = "UPDATE course_team SET extension = ? WHERE id = ?";
        change.db.execute(set, params![until.map(Timestamp::as_microsecond), found])?;
        let detail = until.map_or_else(|| "none".to_owned(), |until| until.to_string());
        change.audit(actor, "extend deadline", &found, &detail)?;
        change.commit()
    }

    /// Withdraws, disqualifies or reinstates a team. The games of a team that does not take part are void: they stay in
    /// the store, and do not count.
    ///
    /// # Errors
    /// If there is no such team, or the store cannot be written.
    pub fn set_standing(
        &mut self,
        id: &str,
        standing: Standing,
        reason: &str,
        actor: &Actor,
    ) -> Result<(), CourseError> {
        let change = self.change()?;
        let before = team(&change.db, id)?;
        let id = before.team.id;
        let set = "UPDATE course_team SET standing = ?, reason = ? WHERE id = ?";
        change.db.execute(set, params![standing, reason, id])?;
        let (was_out, is_out) = (before.standing != Standing::Active, standing != Standing::Active);
        if was_out != is_out {
            void::mark_team(&change.db, &id, is_out)?;
        }
        change.audit(actor, standing.name(), &id, reason)?;
        change.commit()
    }
}

/// Revokes the tokens of a role, and returns the team's id.
fn revoke(change: &Change<'_>, role: &Role) -> Result<Option<String>, CourseError> {
    let id = match role {
        Role::Staff => None,
        Role::Team(id) => Some(team(&change.db, id)?.team.id),
    };
    let revoke = "UPDATE course_token SET revoked = ? WHERE team IS ? AND revoked IS NULL";
    change.db.execute(revoke, params![change.at.as_microsecond(), id])?;
    Ok(id)
}

fn set_version(change: &Change<'_>, team: &str, column: &str, version: Option<i64>) -> Result<(), CourseError> {
    if let Some(version) = version {
        let find = "SELECT 1 FROM course_upload WHERE id = ? AND team = ? AND state = 'accepted'";
        let found = change.db.query_row(find, params![version, team], |_| Ok(())).optional()?;
        found.ok_or_else(|| CourseError::unknown("accepted version", version))?;
    }
    let set = format!("UPDATE course_team SET {column} = ? WHERE id = ?");
    change.db.execute(&set, params![version, team])?;
    Ok(())
}

fn shown(version: Option<i64>) -> String {
    version.map_or_else(|| "none".to_owned(), |version| format!("upload {version}"))
}
