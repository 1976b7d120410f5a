//! Jobs of workers: their kind, their input, and the check of their output.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::agent_spec::AgentSpec;
use crate::away::{AgentFiles, Terms};
use crate::check_game::check_game;
use crate::log::GameLog;
use crate::planned::Planned;
use crate::spec::Spec;

/// Job kind of tournament games.
pub const HANDED_OUT: &str = "tournament";

/// The input of a job: a game, and its agents if the terms do not name them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameJob {
    /// Game. If there are players, the agent indices are 0 and 1.
    #[serde(flatten)]
    pub planned: Planned,
    /// The two agents with their files; empty if the terms name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<(AgentSpec, AgentFiles)>,
}

impl GameJob {
    /// Returns the terms with the agents of this game.
    pub fn terms<'a>(&self, terms: &'a Terms) -> Cow<'a, Terms> {
        if self.players.is_empty() {
            return Cow::Borrowed(terms);
        }
        let (agents, files) = self.players.iter().cloned().unzip();
        Cow::Owned(Terms { spec: Spec { agents, ..terms.spec.clone() }, files, ..terms.clone() })
    }
}

/// Returns a time that no game should exceed: twice the time that the limits allow for all moves, but at least an hour,
/// because node limits do not bound the time.
pub(crate) fn longest_game(spec: &Spec) -> Duration {
    const MIN: Duration = Duration::from_hours(1);
    /// Maximum grace period of a late agent after each move.
    const GRACE: Duration = Duration::from_secs(5);
    let moves = spec.move_limit.div_ceil(2);
    let times = spec.agents.iter().map(|agent| agent.time_control(&spec.time));
    let sides = times.filter_map(|time| {
        let by_moves = time.move_time.map(|limit| limit.saturating_mul(moves));
        let by_game = time.game_time.map(|limit| limit.saturating_add(time.increment.saturating_mul(moves)));
        let limit = [by_moves, by_game].into_iter().flatten().min()?;
        Some(limit.saturating_add((time.margin + GRACE).saturating_mul(moves)).saturating_add(time.start_time))
    });
    sides.max().map_or(MIN, |side| side.saturating_mul(4).max(MIN))
}

/// Parses the log of a worker's game, and checks the game against the rules.
pub(crate) fn read_log(spec: &Spec, planned: &Planned, output: &str) -> Result<GameLog, String> {
    let game: GameLog = serde_json::from_str(output).map_err(|error| error.to_string())?;
    if game.planned != *planned {
        return Err("the log is of another game".to_owned());
    }
    game.check_values(spec.agents.len())?;
    check_game(spec, &game)?;
    Ok(game)
}
