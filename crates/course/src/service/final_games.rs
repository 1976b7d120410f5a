//! Games of the final, page by page.

use std::sync::Arc;

use arena::{GameLog, Location, Store, Tournament};

use crate::service::course::Service;
use crate::store::error::CourseError;

impl Service {
    /// Returns at most `limit` games of the final before a game, the latest of the plan first; with a team, only its
    /// games.
    pub(super) fn final_logs(
        &self,
        team: Option<&str>,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<GameLog>, CourseError> {
        let Some((store, tournament)) = self.final_store()? else { return Ok(Vec::new()) };
        let before = before.unwrap_or(u32::MAX);
        let Some(team) = team else { return Ok(store.games_before(&tournament, before, limit)?) };
        let mut logs = Vec::new();
        for number in self.final_numbers(team)?.into_iter().rev().filter(|&number| number < before) {
            if logs.len() >= limit as usize {
                break;
            }
            logs.extend(store.game(&tournament, number)?);
        }
        Ok(logs)
    }

    /// Returns a game of the final.
    pub(super) fn final_log(&self, number: u32) -> Result<Option<GameLog>, CourseError> {
        let Some((store, tournament)) = self.final_store()? else { return Ok(None) };
        Ok(store.game(&tournament, number)?)
    }

    /// Opens the store of the final; `None` before its first look.
    fn final_store(&self) -> Result<Option<(Store, Arc<Tournament>)>, CourseError> {
        let Some(tournament) = self.look().watched.as_ref().map(|watched| Arc::clone(&watched.tournament)) else {
            return Ok(None);
        };
        Ok(Some((Store::watch(&Location::from(self.path.clone()))?, tournament)))
    }

    /// Returns the numbers of a team's games in the final in ascending order, finished or not.
    fn final_numbers(&self, team: &str) -> Result<Vec<u32>, CourseError> {
        let team = self.read(|store| store.team(team))?.team.id;
        for (agent, version) in self.entered()?.into_iter().enumerate() {
            if self.info(version)?.team == team {
                let view = self.look();
                return Ok(view.follower.as_ref().map(|follower| follower.games_of(agent)).unwrap_or_default());
            }
        }
        Ok(Vec::new())
    }
}
