//! An agent as a tournament file describes it.

use std::path::PathBuf;
use std::time::Duration;

use referee::TimeControl;
use serde::{Deserialize, Serialize};

use crate::spec::LONGEST;
use crate::{SpecError, Times};

/// An agent: a command and its dialect, or one of our engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// The agent's name in tables.
    pub name: String,
    /// The program and its arguments, as one text that is split at blanks, or as a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Words>,
    /// `cs61b`, `nus`, `comp10002` or `ugi`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// One of our engines, such as `level=7`, instead of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// The directory in which the command runs, relative to the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// A command for `sh -c` that is run once before the tournament, in the same directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The time limit of the build in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_time: Option<u32>,
    /// Files in its folder that it wrote itself while it was checked. They are not compared when a tournament goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// Its own time for each move, in seconds. With this or `per_game` the tournament's times for a move and for a game
    /// do not apply to it.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub per_move: Option<f64>,
    /// Its own time for all moves of a game, in seconds.
    #[serde(rename = "game", default, skip_serializing_if = "Option::is_none")]
    pub per_game: Option<f64>,
    /// Time that each of its moves adds to its game's time, in seconds; the tournament's if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<f64>,
    /// Positions that its search for a move may visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies that its search for a move may look ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether it is a submission of a stranger. It then plays without a sandbox only if the tournament asks for that
    /// by name.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub submitted: bool,
    /// The SHA-256 of its files and its command when it was accepted. It does not play with others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// A text that is split at blanks.
    Text(String),
    /// The words themselves.
    List(Vec<String>),
}

impl Words {
    /// The single words.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
            Self::List(words) => words.clone(),
        }
    }
}

/// Reads the description of one agent, as in its `agent.toml`. `usual` is the name of an agent that has none.
///
/// # Errors
/// If the text is not a valid description. It cannot set the agent's own limits, because an `agent.toml` comes from the
/// agent's author.
pub fn read_agent(text: &str, usual: &str) -> Result<AgentSpec, SpecError> {
    #[derive(Deserialize)]
    struct Name {
        name: Option<toml::Value>,
    }
    let named: Name = toml::from_str(text).map_err(SpecError::Toml)?;
    let text = match named.name {
        Some(_) => text.to_owned(),
        // Errors name lines, so it goes to the end. An agent has no tables that it could fall into.
        None => format!("{text}\nname = {}", toml::Value::from(usual)),
    };
    let agent: AgentSpec = toml::from_str(&text).map_err(SpecError::Toml)?;
    if let Some((limit, value)) = agent.own_limits().next() {
        let expected = "no limits here; the tournament file sets them".to_owned();
        return Err(SpecError::Value { field: limit.to_owned(), found: value.to_string(), expected });
    }
    Ok(agent)
}

impl AgentSpec {
    /// The names and values of its own limits.
    fn own_limits(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let times = [("move", self.per_move), ("game", self.per_game), ("increment", self.increment)];
        let searches = [("nodes", self.nodes.map(|n| n as f64)), ("depth", self.depth.map(f64::from))];
        times.into_iter().chain(searches).filter_map(|(name, value)| Some((name, value?)))
    }

    /// Its limits in a tournament with these times.
    pub(crate) fn time_control(&self, times: &Times) -> TimeControl {
        let seconds = Duration::from_secs_f64;
        let own = self.per_move.is_some() || self.per_game.is_some();
        let (per_move, per_game) = if own { (self.per_move, self.per_game) } else { (times.per_move, times.per_game) };
        TimeControl {
            move_time: per_move.map(seconds),
            game_time: per_game.map(seconds),
            increment: seconds(self.increment.unwrap_or(times.increment)),
            start_time: seconds(times.start),
            margin: seconds(times.margin),
            nodes: self.nodes,
            depth: self.depth,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SpecError> {
        let wrong = |found: &str, expected: &str| {
            let field = format!("agent `{}`", game::text::excerpt(&self.name));
            Err(SpecError::Value { field, found: found.to_owned(), expected: expected.to_owned() })
        };
        if let Err(why) = crate::check_name(&self.name) {
            return Err(SpecError::Name { name: game::text::excerpt(&self.name), why });
        }
        for (name, value) in self.own_limits() {
            let least = if name == "increment" { 0.0 } else { f64::MIN_POSITIVE };
            let (most, unit) = match name {
                "nodes" => (1e18, "positions, at least 1"),
                "depth" => (1000.0, "1 to 1000 plies"),
                _ => (LONGEST, "seconds, more than 0 and at most a day"),
            };
            if !(least..=most).contains(&value) {
                return wrong(&format!("{name} = {value}"), unit);
            }
        }
        match (&self.command, &self.dialect, &self.builtin) {
            (Some(command), Some(_), None) if !command.words().is_empty() => Ok(()),
            (None, None, Some(_)) => Ok(()),
            (Some(_), Some(_), None) => wrong("an empty command", "a program and its arguments"),
            (Some(_), None, None) => wrong("no dialect", "`dialect`: cs61b, nus, comp10002 or ugi"),
            _ => wrong("neither or both", "either `command` and `dialect`, or `builtin`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_limits_replace_the_tournaments() {
        let times = Times { per_move: Some(5.0), increment: 1.0, margin: 0.5, ..Times::default() };
        let control = |agent: AgentSpec| agent.time_control(&times);
        let seconds = Duration::from_secs_f64;
        let plain = control(AgentSpec::default());
        assert_eq!((plain.move_time, plain.increment, plain.margin), (Some(seconds(5.0)), seconds(1.0), seconds(0.5)));
        let own = control(AgentSpec { per_game: Some(60.0), increment: Some(0.0), ..AgentSpec::default() });
        assert_eq!((own.move_time, own.game_time, own.increment), (None, Some(seconds(60.0)), seconds(0.0)));
        let deep = control(AgentSpec { nodes: Some(9), depth: Some(3), ..AgentSpec::default() });
        assert_eq!((deep.move_time, deep.nodes, deep.depth), (Some(seconds(5.0)), Some(9), Some(3)));
    }

    #[test]
    fn an_agents_author_cannot_set_its_limits() {
        let text = "name = 'a'\ncommand = 'x'\ndialect = 'nus'\n";
        assert!(read_agent(text, "b").is_ok_and(|agent| agent.name == "a"));
        assert!(read_agent("command = 'x'", "b").is_ok_and(|agent| agent.name == "b"));
        for limit in ["move = 99.0", "game = 5000.0", "increment = 1.0", "nodes = 5", "depth = 5"] {
            let error = read_agent(&format!("{text}{limit}\n"), "b").expect_err(limit).to_string();
            assert!(error.contains("the tournament file sets them"), "{error}");
        }
    }
}
