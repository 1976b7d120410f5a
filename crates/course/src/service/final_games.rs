//! Games of the final, page by page.

use std::time::Duration;

use crate::service::course::Service;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use arena::{Format, GameLog, Rounds};
use rusqlite::{Connection, OpenFlags, params};

/// Time for which a reader waits for a writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Games before a number, the latest first.
const PAGE: &str =
    "SELECT log FROM game WHERE tournament = ? AND aside = 0 AND number < ? ORDER BY number DESC LIMIT ?";
/// The same for one agent.
const PAGE_OF_AGENT: &str = "SELECT log FROM game WHERE tournament = ?1 AND aside = 0 AND number < ?2 \
                             AND ?4 IN (json_extract(log, '$.agents[0]'), json_extract(log, '$.agents[1]')) \
                             ORDER BY number DESC LIMIT ?3";
/// A game.
const GAME: &str = "SELECT log FROM game WHERE tournament = ? AND aside = 0 AND number = ?";

impl Service {
    /// Returns at most `limit` games of the final before a game, the latest of the plan first; with a team, only its
    /// games.
    pub(super) fn final_logs(
        &self,
        team: Option<&str>,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<GameLog>, CourseError> {
        let Some(tournament) = self.read(CourseStore::final_tournament)? else { return Ok(Vec::new()) };
        let before = before.unwrap_or(u32::MAX);
        let Some(team) = team else { return self.logs(PAGE, params![tournament, before, limit]) };
        let team = self.read(|store| store.team(team))?.team.id;
        let entered = self.entered()?;
        let teams = entered.iter().map(|&version| self.info(version).map(|info| info.team.clone()));
        let teams = teams.collect::<Result<Vec<String>, _>>()?;
        let Some(agent) = teams.iter().position(|other| *other == team) else { return Ok(Vec::new()) };
        match self.numbers_of(tournament, agent)? {
            // The agents of a game are known from its number, so no other game is read.
            Some(mut numbers) => {
                numbers.retain(|&number| number < before);
                numbers.sort_unstable_by(|a, b| b.cmp(a));
                let mut logs = Vec::new();
                for number in numbers {
                    if logs.len() >= limit as usize {
                        break;
                    }
                    logs.extend(self.logs(GAME, params![tournament, number])?);
                }
                Ok(logs)
            }
            None => self.logs(PAGE_OF_AGENT, params![tournament, before, limit, agent as i64]),
        }
    }

    /// Returns a game of the final.
    pub(super) fn final_log(&self, number: u32) -> Result<Option<GameLog>, CourseError> {
        let Some(tournament) = self.read(CourseStore::final_tournament)? else { return Ok(None) };
        Ok(self.logs(GAME, params![tournament, number])?.pop())
    }

    /// Returns the numbers of an agent's games; `None` if they depend on results.
    fn numbers_of(&self, tournament: i64, agent: usize) -> Result<Option<Vec<u32>>, CourseError> {
        let spec = arena::Store::watch(&self.path.clone().into())?.tournament(Some(tournament))?.spec;
        if spec.format != Format::RoundRobin {
            return Ok(None);
        }
        let Ok(rounds) = Rounds::new(&spec) else { return Ok(None) };
        let own = rounds.bouts().filter(|bout| bout.agents.contains(&agent));
        Ok(Some(own.flat_map(arena::Bout::numbers).collect()))
    }

    fn logs(&self, query: &str, values: &[&dyn rusqlite::ToSql]) -> Result<Vec<GameLog>, CourseError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&self.path, flags)?;
        db.busy_timeout(BUSY_TIMEOUT)?;
        let mut query = db.prepare(query)?;
        let logs = query.query_map(values, |row| row.get::<_, String>(0))?;
        logs.map(|log| Ok(serde_json::from_str(&log?)?)).collect()
    }
}
