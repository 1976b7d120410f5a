//! Teams and versions.

use std::sync::Arc;

use crate::introduction::Introduction;
use crate::play::Program;
use crate::service::course::{Service, Who, lock};
use crate::service::refusal::Refused;
use crate::service::shown::Info;
use crate::store::error::CourseError;
use crate::store::players::PlayerKey;
use crate::views::{BoardKind, PlayerView, TeamView, UploadView, VersionView};

impl Service {
    /// Returns an accepted version. Versions never change, so they are read once.
    pub(super) fn info(&self, version: i64) -> Result<Arc<Info>, CourseError> {
        if let Some(info) = lock(&self.infos).get(&version) {
            return Ok(Arc::clone(info));
        }
        let upload = self.read(|store| store.upload(version))?;
        let unknown = || CourseError::Unknown { kind: "version", name: version.to_string() };
        let introduction = Introduction::of(&upload).ok_or_else(unknown)?;
        let agent = upload.agent.ok_or_else(unknown)?;
        let program = Program { agent, bundle: upload.bundle };
        let info = Arc::new(Info { team: upload.team, number: upload.number, introduction, program });
        lock(&self.infos).insert(version, Arc::clone(&info));
        Ok(info)
    }

    /// Returns the name of a team; its id if it is unknown.
    pub(super) fn team_name(&self, id: &str) -> String {
        self.names.get(id).map_or(id, String::as_str).to_owned()
    }

    /// Returns a player as pages show it.
    pub(super) fn player(&self, player: PlayerKey) -> Result<PlayerView, CourseError> {
        match player {
            PlayerKey::Level(level) => Ok(PlayerView::Level { level: level.name().to_owned() }),
            PlayerKey::Version(version) => {
                let info = self.info(version)?;
                Ok(PlayerView::Version {
                    team: info.team.clone(),
                    name: self.team_name(&info.team),
                    agent: info.introduction.name.clone(),
                    version: info.number,
                })
            }
        }
    }

    /// Returns a team: all its versions for the team itself and the staff, for others only the one that plays.
    ///
    /// # Errors
    /// If there is no such team.
    pub fn team(&self, who: Who<'_>, team: &str) -> Result<TeamView, Refused> {
        let (row, uploads) = self.read(|store| store.snapshot(|store| self.upload_views(store, team)))?;
        let id = row.team.id.clone();
        let versions = if Self::owns(who, &id) {
            uploads.into_iter().map(Box::new).map(VersionView::Whole).collect()
        } else {
            let playing = uploads.into_iter().filter(|upload| upload.playing);
            let public = |UploadView { number, received, state, playing, .. }| VersionView::Public {
                number,
                received,
                state,
                playing,
            };
            playing.map(public).collect()
        };
        let kind = if self.may_see_final(who) { BoardKind::Final } else { BoardKind::Ladder };
        let board = self.board(kind)?;
        Ok(TeamView {
            row: board.rows.iter().find(|row| row.team == id).cloned(),
            versions,
            frozen: row.frozen.is_some(),
            history: lock(&self.history).of(&id),
            team: id,
            name: row.team.name,
        })
    }
}
