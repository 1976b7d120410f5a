//! Actions of the staff.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use crate::config::local;
use crate::grades::{self, Grade, Place};
use crate::roster::STAFF;
use crate::service::course::{Service, Who, expect_staff};
use crate::service::pulse::Topic;
use crate::service::refusal::Refused;
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::teams::{Link, Standing};
use crate::tokens::Role;
use crate::views::{AuditView, BoardKind};

/// Maximum length of an announcement or a reason, in characters.
const TEXT: usize = 2000;
/// Number of entries of a page of the audit log.
const ENTRIES: u32 = 50;

/// An action of the staff.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "action", rename_all = "camelCase", deny_unknown_fields)]
pub enum StaffAction {
    /// Accepts a late upload as if it had come in time.
    AcceptLate {
        /// Number of the upload.
        upload: i64,
    },
    /// Checks a refused upload again.
    CheckAgain {
        /// Number of the upload.
        upload: i64,
    },
    /// Freezes the version of a team, or undoes that.
    Freeze {
        /// Team.
        team: String,
        /// Number of the version's upload; `None` undoes the freeze.
        upload: Option<i64>,
    },
    /// Withdraws a team.
    Withdraw {
        /// Team.
        team: String,
        /// Reason.
        #[serde(default)]
        reason: String,
    },
    /// Lets a team take part again.
    Reinstate {
        /// Team.
        team: String,
    },
    /// Disqualifies a team.
    Disqualify {
        /// Team.
        team: String,
        /// Reason.
        #[serde(default)]
        reason: String,
    },
    /// Cancels ladder games, so that they are played again.
    Rerun {
        /// Teams.
        teams: RerunTeams,
    },
    /// Publishes an announcement.
    Announce {
        /// Text.
        text: String,
    },
    /// Removes an announcement.
    RemoveAnnouncement {
        /// Number.
        id: i64,
    },
    /// Sets the deadline of a team.
    Extend {
        /// Team.
        team: String,
        /// Time in ISO 8601, or a local one as in the course file; `None` restores the deadline of the course.
        until: Option<String>,
    },
    /// Ends the time for uploads now.
    Close {},
    /// Starts the final as soon as all uploads are checked, or again after a failure.
    StartFinal {},
    /// Publishes the results of the final.
    Publish {},
    /// Makes a new link, and revokes the earlier one.
    RenewLink {
        /// Team; `None` is the staff.
        team: Option<String>,
    },
    /// Makes links for all teams, and the first one of the staff, with the id `staff`.
    Links {
        /// Also for teams that have one, which is revoked.
        #[serde(default)]
        renew: bool,
    },
}

/// The teams whose ladder games are cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum RerunTeams {
    /// Games of the versions that play for two teams.
    Two([String; 2]),
    /// The text `all`: all games.
    All(String),
}

/// The result of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StaffAnswer {
    /// New link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// New links of all teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<TeamLink>>,
    /// Number of cancelled games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<usize>,
    /// Deadline that applies to the team from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// The link of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TeamLink {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Mail; empty if the roster has none.
    pub mail: String,
    /// Link.
    pub link: String,
}

impl StaffAction {
    /// Parses an action from its name and a JSON object with its values.
    ///
    /// # Errors
    /// If there is no such action, or a value is missing, unknown or invalid.
    pub fn parse(name: &str, values: serde_json::Value) -> Result<Self, Refused> {
        let mut values = match values {
            serde_json::Value::Object(values) => values,
            serde_json::Value::Null => serde_json::Map::new(),
            other => return Err(Refused::invalid("body", &other.to_string(), "a JSON object")),
        };
        if values.insert("action".to_owned(), name.into()).is_some() {
            return Err(Refused::invalid("body", "action", "the values of the action only"));
        }
        serde_json::from_value(values.into()).map_err(|error| Refused::invalid("action", name, &error.to_string()))
    }
}

impl Service {
    /// Performs an action of the staff, and records it in the audit log.
    ///
    /// # Errors
    /// If the caller is not staff, or the action is impossible now.
    pub fn act(&self, who: Who<'_>, action: &StaffAction) -> Result<StaffAnswer, Refused> {
        expect_staff(who)?;
        let actor = &Actor::STAFF;
        let mut answer = StaffAnswer::default();
        match action {
            StaffAction::AcceptLate { upload } => self.queue(|store| store.excuse(*upload, actor))?,
            StaffAction::CheckAgain { upload } => self.queue(|store| store.check_again(*upload, actor))?,
            StaffAction::Freeze { team, upload } => {
                self.write(|store| store.freeze(team, *upload, actor))?;
                self.refresh_field()?;
            }
            StaffAction::Withdraw { team, reason } => self.set_standing(team, Standing::Withdrawn, reason)?,
            StaffAction::Disqualify { team, reason } => self.set_standing(team, Standing::Disqualified, reason)?,
            StaffAction::Reinstate { team } => self.set_standing(team, Standing::Active, "")?,
            StaffAction::Rerun { teams } => answer.cancelled = Some(self.rerun(teams)?),
            StaffAction::Announce { text } => {
                let text = checked("text", text)?;
                self.write(|store| store.announce(text, actor))?;
            }
            StaffAction::RemoveAnnouncement { id } => self.write(|store| store.remove_announcement(*id, actor))?,
            StaffAction::Extend { team, until } => answer.until = Some(self.extend(team, until.as_deref())?),
            StaffAction::Close {} => self.close(actor)?,
            StaffAction::StartFinal {} => self.start_final(actor)?,
            StaffAction::Publish {} => self.advance(Phase::Published, actor)?,
            StaffAction::RenewLink { team } => {
                let role = team.as_ref().map_or(Role::Staff, |team| Role::Team(team.clone()));
                answer.link = Some(self.renew(&role)?);
            }
            StaffAction::Links { renew } => answer.links = Some(self.links(*renew)?),
        }
        self.pulse.tell(&[Topic::About, Topic::Staff, Topic::Own, Topic::Standings]);
        Ok(answer)
    }

    /// Changes the queue of checks.
    fn queue(&self, write: impl FnOnce(&mut CourseStore) -> Result<(), CourseError>) -> Result<(), CourseError> {
        self.write(write)?;
        self.has_uploads.store(true, Ordering::SeqCst);
        Ok(())
    }

    fn set_standing(&self, team: &str, standing: Standing, reason: &str) -> Result<(), Refused> {
        let reason = if reason.is_empty() { "" } else { checked("reason", reason)? };
        self.write(|store| store.set_standing(team, standing, reason, &Actor::STAFF))?;
        Ok(self.rebuild_field()?)
    }

    /// Sets or restores the deadline of a team. Returns the deadline that applies to it, which is never before that of
    /// the course.
    fn extend(&self, team: &str, until: Option<&str>) -> Result<String, Refused> {
        let zone = self.config.deadline.time_zone();
        let time = |text: &str| {
            let local = || local::parse(text, zone).map(|time| time.timestamp());
            let expected = || format!("a time that occurs once in {}, such as 2026-12-01 18:00", local::name(zone));
            text.parse().or_else(|_| local()).map_err(|_| Refused::invalid("until", text, &expected()))
        };
        let until = until.map(time).transpose()?;
        self.write(|store| store.extend(team, until, &Actor::STAFF))?;
        let row = self.read(|store| store.team(team))?;
        Ok(self.deadline_of(&row).to_string())
    }

    fn rerun(&self, teams: &RerunTeams) -> Result<usize, Refused> {
        let versions = match teams {
            RerunTeams::All(all) if all == "all" => None,
            RerunTeams::All(other) => return Err(Refused::invalid("teams", other, "two teams, or all")),
            RerunTeams::Two([one, other]) => {
                let version = |team: &String| {
                    let row = self.read(|store| store.team(team))?;
                    row.playing().ok_or_else(|| Refused::unknown("playing version of team", team))
                };
                Some([version(one)?, version(other)?])
            }
        };
        let cancelled = self.write(|store| store.cancel_games(versions, &Actor::STAFF))?;
        self.rebuild_field()?;
        Ok(cancelled)
    }

    fn renew(&self, role: &Role) -> Result<String, CourseError> {
        let token = self.write(|store| store.renew_token(role, &Actor::STAFF))?;
        Ok(format!("{}/t/{}", self.origin(), token.reveal()))
    }

    fn links(&self, renew: bool) -> Result<Vec<TeamLink>, CourseError> {
        let staff = self.first_staff_link()?.map(|link| TeamLink {
            id: STAFF.to_owned(),
            name: "Staff".to_owned(),
            mail: String::new(),
            link,
        });
        let teams = self.read(CourseStore::teams)?;
        let wanted = teams.into_iter().filter(|row| renew || row.link == Link::None).map(|row| {
            let link = self.renew(&Role::Team(row.team.id.clone()))?;
            Ok(TeamLink { id: row.team.id, name: row.team.name, mail: row.team.mail, link })
        });
        staff.into_iter().map(Ok).chain(wanted).collect()
    }

    /// Makes the link of the staff, if it has none yet; `None` if it has one. Only the program itself may call this,
    /// for the person who started it.
    ///
    /// # Errors
    /// If the course's file cannot be written.
    pub fn first_staff_link(&self) -> Result<Option<String>, CourseError> {
        /// Key that records the first link of the staff.
        const KEY: &str = "staff link";
        if self.read(|store| store.meta(KEY))?.is_some() {
            return Ok(None);
        }
        let link = self.renew(&Role::Staff)?;
        self.write(|store| store.set_meta(KEY, "made"))?;
        Ok(Some(link))
    }

    /// Returns a page of the audit log, the latest entry first.
    ///
    /// # Errors
    /// If the caller is not staff.
    pub fn audit(&self, who: Who<'_>, before: Option<i64>) -> Result<AuditView, Refused> {
        expect_staff(who)?;
        let mut entries = self.read(|store| store.audit_log(before, ENTRIES + 1))?;
        let more = entries.len() > ENTRIES as usize;
        entries.truncate(ENTRIES as usize);
        Ok(AuditView { entries, more })
    }

    /// Returns the grades of all teams, by the final if it is over, otherwise by the ladder.
    ///
    /// # Errors
    /// If the caller is not staff.
    pub fn grades(&self, who: Who<'_>) -> Result<Vec<Grade>, Refused> {
        expect_staff(who)?;
        let is_over = self.phase() >= Phase::Done && !self.entered()?.is_empty();
        let kind = if is_over { BoardKind::Final } else { BoardKind::Ladder };
        let board = self.fresh_board(kind)?;
        // Before its first game, a team has no place on the ladder. In a final, it has one even without a game.
        let placed = board.rows.iter().filter(|row| is_over || row.games > 0);
        let places = placed.map(|row| {
            let elo =
                rating::Estimate { value: row.elo.unwrap_or_default(), error: row.error.unwrap_or(f64::INFINITY) };
            // Faults of the ladder are counted from the file.
            let faults = if is_over { row.faults.clone() } else { BTreeMap::default() };
            let place = Place { rank: row.rank as u32, points: row.points, games: row.games, elo, faults };
            (row.team.clone(), place)
        });
        Ok(self.read(|store| grades::grades(&self.config.grading, store, &places.collect()))?)
    }

    /// Copies the course to a new file while it runs.
    ///
    /// # Errors
    /// If the caller is not staff, or the file exists or cannot be written.
    pub fn back_up(&self, who: Who<'_>, to: &Path) -> Result<(), Refused> {
        expect_staff(who)?;
        Ok(self.read(|store| store.back_up(to))?)
    }
}

/// Returns a text without surrounding blanks, if others may see it.
fn checked<'a>(field: &'static str, text: &'a str) -> Result<&'a str, Refused> {
    let text = text.trim();
    let count = text.chars().count();
    let is_hidden = |c: char| game::text::is_hidden(c) && c != '\n';
    match text.chars().find(|&c| is_hidden(c)) {
        Some(c) => Err(Refused::invalid(field, &format!("U+{:04X}", c as u32), "visible characters")),
        None if count == 0 => Err(Refused::invalid(field, "", "a text")),
        None if count > TEXT => {
            Err(Refused::invalid(field, &format!("{count} characters"), &format!("at most {TEXT}")))
        }
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::tests::open;
    use crate::store::tests::setup::{Setup, series};
    use serde_json::json;

    #[test]
    fn actions_have_a_name_and_exactly_their_values() {
        let parse = |name: &str, values| StaffAction::parse(name, values).map_err(|refused| refused.message.code);
        let team = || "a".to_owned();
        for (name, values, expected) in [
            ("close", json!({}), StaffAction::Close {}),
            ("close", json!(null), StaffAction::Close {}),
            ("freeze", json!({"team": "a", "upload": null}), StaffAction::Freeze { team: team(), upload: None }),
            ("rerun", json!({"teams": "all"}), StaffAction::Rerun { teams: RerunTeams::All("all".to_owned()) }),
            (
                "rerun",
                json!({"teams": ["a", "b"]}),
                StaffAction::Rerun { teams: RerunTeams::Two(["a", "b"].map(str::to_owned)) },
            ),
            ("renewLink", json!({"team": null}), StaffAction::RenewLink { team: None }),
            ("disqualify", json!({"team": "a"}), StaffAction::Disqualify { team: team(), reason: String::new() }),
        ] {
            assert_eq!(parse(name, values), Ok(expected), "{name}");
        }
        for (name, values) in [
            ("delete", json!({})),
            ("close", json!({"team": "a"})),
            ("close", json!([])),
            ("close", json!({"action": "publish"})),
            ("withdraw", json!({})),
            ("acceptLate", json!({"upload": "1"})),
            ("rerun", json!({"teams": ["a"]})),
        ] {
            assert_eq!(parse(name, values), Err("invalid"), "{name}");
        }
    }

    #[test]
    fn teams_without_a_game_have_no_rank_on_the_ladder() {
        let mut setup = Setup::new(3);
        let versions = ["t0", "t1", "t2"].map(|team| setup.version(team));
        let ranks = |setup: &Setup| {
            let rules = "[grading]\nrank = [{ to = 3, marks = 5 }]\n";
            let service = open(setup, "t0,A\nt1,B\nt2,C\n", rules);
            let grades = service.grades(Some(&Role::Staff)).expect("grades");
            service.stop();
            grades.iter().map(|grade| (grade.rank, grade.total)).collect::<Vec<_>>()
        };
        assert_eq!(ranks(&setup), [(None, 0.0); 3]);
        setup.store.save_series([versions[0], versions[1]], &series(4)).expect("saved");
        assert_eq!(ranks(&setup), [(Some(1), 5.0), (Some(2), 5.0), (None, 0.0)]);
    }

    #[test]
    fn announcements_have_visible_characters() {
        assert_eq!(checked("text", " Hello\nall 李 "), Ok("Hello\nall 李"));
        for text in ["", " ", "a\u{202e}b", "a\0b", &"x".repeat(TEXT + 1)] {
            assert!(checked("text", text).is_err());
        }
    }
}
