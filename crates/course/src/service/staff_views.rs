//! The teams as the staff sees them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::service::course::{Service, Who, expect_staff, lock};
use crate::service::refusal::Refused;
use crate::service::shown::Problem;
use crate::service::workers::WorkersView;
use crate::store::teams::{Link, Standing, TeamRow};
use crate::store::uploads::{Lateness, UploadRow};
use crate::views::{BoardKind, StandingRow};

/// The teams, and problems of the server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StaffTeams {
    /// Teams, sorted by id.
    pub teams: Vec<StaffTeam>,
    /// Latest problems, the latest first.
    pub problems: Vec<Problem>,
    /// Workers on other machines; `None` if the course has none, or does not run.
    pub workers: Option<WorkersView>,
    /// Time by which the system's clock is behind the course's, in seconds; `None` if it is not.
    pub clock_lag: Option<f64>,
}

/// A team as the staff sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StaffTeam {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Mail; empty if the roster has none.
    pub mail: String,
    /// State of its link.
    pub link: Link,
    /// Number of uploads.
    pub uploads: usize,
    /// Time of the last upload.
    pub last_upload: Option<String>,
    /// State of the last upload.
    pub state: Option<&'static str>,
    /// Number of late uploads that staff has not accepted.
    pub late: usize,
    /// Number of the version that plays.
    pub playing: Option<u32>,
    /// Elo on the ladder.
    pub elo: Option<f64>,
    /// Number of games of the version on the ladder.
    pub games: u32,
    /// Number of its faults.
    pub faults: u32,
    /// Number of the frozen version.
    pub frozen: Option<u32>,
    /// Reason for the withdrawal of the team; `None` if it is not withdrawn.
    pub withdrawn: Option<String>,
    /// Reason for its disqualification; `None` if it is not disqualified.
    pub disqualified: Option<String>,
    /// Deadline of the team, if it was extended.
    pub extension: Option<String>,
    /// Number of the version in the final.
    pub entered: Option<u32>,
}

impl Service {
    /// Returns all teams with their uploads and versions, and the latest problems of the server.
    ///
    /// # Errors
    /// If the caller is not staff.
    pub fn staff_teams(&self, who: Who<'_>) -> Result<StaffTeams, Refused> {
        expect_staff(who)?;
        let board = self.board(BoardKind::Ladder)?;
        let rows: BTreeMap<&str, &StandingRow> = board.rows.iter().map(|row| (row.team.as_str(), row)).collect();
        let (teams, uploads, lag) =
            self.read(|store| store.snapshot(|store| Ok((store.teams()?, store.uploads()?, store.clock_lag()))))?;
        // The latest upload comes first.
        let mut own: BTreeMap<String, Vec<UploadRow>> = BTreeMap::new();
        for upload in uploads {
            own.entry(upload.team.clone()).or_default().push(upload);
        }
        let none = Vec::new();
        let team = |team: TeamRow| {
            let uploads = own.get(&team.team.id).unwrap_or(&none);
            let row = rows.get(team.team.id.as_str()).copied();
            staff_team(team, uploads, row)
        };
        Ok(StaffTeams {
            teams: teams.into_iter().map(team).collect(),
            problems: lock(&self.problems).iter().cloned().collect(),
            workers: self.workers_view(),
            clock_lag: lag.map(|lag| lag.as_secs_f64()),
        })
    }
}

fn staff_team(team: TeamRow, uploads: &[UploadRow], row: Option<&StandingRow>) -> StaffTeam {
    let number = |id: Option<i64>| uploads.iter().find(|upload| Some(upload.id) == id).map(|upload| upload.number);
    let reason = |standing| (team.standing == standing).then(|| team.reason.clone());
    let last = uploads.first();
    StaffTeam {
        link: team.link,
        uploads: uploads.len(),
        last_upload: last.map(|last| last.received.to_string()),
        state: last.map(|last| last.state.name()),
        late: uploads.iter().filter(|upload| upload.lateness == Lateness::Late).count(),
        playing: number(team.playing()),
        elo: row.and_then(|row| row.elo),
        games: row.map_or(0, |row| row.games),
        faults: row.map_or(0, |row| row.faults.values().sum()),
        frozen: number(team.frozen),
        withdrawn: reason(Standing::Withdrawn),
        disqualified: reason(Standing::Disqualified),
        extension: team.extension.map(|until| until.to_string()),
        entered: number(team.entered),
        id: team.team.id,
        name: team.team.name,
        mail: team.team.mail,
    }
}
