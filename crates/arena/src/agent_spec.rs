//! Agents of a tournament file.

use core::fmt;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use game::text::{excerpt, is_hidden};
use protocol::dialects::{EngineOptions, Speaks};
use referee::TimeControl;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::names::check_name;
use crate::spec_error::SpecError;
use crate::times::{MAX_SECONDS, Times};

/// An agent: a command and its dialect, or one of our engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// Name of the agent.
    pub name: String,
    /// Program and arguments, as a list or as a text that is split at spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Words>,
    /// Name of the dialect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Options of one of our engines, such as `level=7`, instead of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// Working directory of the command, relative to the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Command for `sh -c`, which runs once before the tournament in the same directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Time limit of the build, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_time: Option<u32>,
    /// Files in its folder that the agent wrote while it was checked. `resume` does not compare them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// Time of this agent for each move, in seconds. If this or `per_game` is set, neither of the tournament's two
    /// limits applies to the agent.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub per_move: Option<f64>,
    /// Time of this agent for all moves of a game, in seconds.
    #[serde(rename = "game", default, skip_serializing_if = "Option::is_none")]
    pub per_game: Option<f64>,
    /// Time that each move of this agent adds to its time for the game, in seconds; the tournament's if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<f64>,
    /// Maximum number of positions that a search visits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Maximum depth of a search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Set if the agent is a submission, that is, untrusted. It plays without a sandbox only if the tournament file
    /// requests that explicitly.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub submitted: bool,
    /// SHA-256 of the files and the command when the agent was accepted. If they have changed, the agent is rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Options of the engine, which are set before its first game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
}

/// The value of an engine's option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// A check box.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// A text that is split at spaces.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

impl Words {
    /// Returns the words.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
            Self::List(words) => words.clone(),
        }
    }
}

/// Reads the description of an agent, such as its `agent.toml`. `default_name` is used if the text has no name.
///
/// # Errors
/// If the text is not a valid description, or sets limits of the agent: the author of an `agent.toml` must not choose
/// them.
pub fn read_agent(text: &str, default_name: &str) -> Result<AgentSpec, SpecError> {
    let mut table = DeTable::parse(text).map_err(SpecError::Toml)?;
    let name = || Spanned::new(0..0, DeValue::String(default_name.into()));
    table.get_mut().entry(Spanned::new(0..0, "name".into())).or_insert_with(name);
    let agent = AgentSpec::deserialize(Deserializer::from(table)).map_err(|mut error| {
        error.set_input(Some(text));
        SpecError::Toml(error)
    })?;
    if let Some((limit, value)) = agent.own_limits().next() {
        let expected = "no limits here; the tournament file sets them".to_owned();
        return Err(SpecError::Value { field: limit.to_owned(), found: value.to_string(), expected });
    }
    Ok(agent)
}

impl AgentSpec {
    /// Returns the names and values of the limits that the agent sets.
    fn own_limits(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let times = [("move", self.per_move), ("game", self.per_game), ("increment", self.increment)];
        let searches = [("nodes", self.nodes.map(|n| n as f64)), ("depth", self.depth.map(f64::from))];
        times.into_iter().chain(searches).filter_map(|(name, value)| Some((name, value?)))
    }

    /// Returns the agent's limits in a tournament with these times.
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

    /// Returns the engine's options as texts.
    pub(crate) fn engine_options(&self) -> EngineOptions {
        self.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
    }

    pub(crate) fn check(&self) -> Result<(), SpecError> {
        let wrong = |found: &str, expected: &str| {
            let field = format!("agent `{}`", excerpt(&self.name));
            Err(SpecError::Value { field, found: found.to_owned(), expected: expected.to_owned() })
        };
        if let Err(why) = check_name(&self.name) {
            return Err(SpecError::Name { name: excerpt(&self.name), why });
        }
        for (name, value) in self.engine_options() {
            if name.trim().is_empty() || format!("{name}{value}").chars().any(is_hidden) {
                let found = format!("option `{}` = `{}`", excerpt(&name), excerpt(&value));
                return wrong(&found, "a name and a value without control characters");
            }
        }
        if !self.options.is_empty() && !self.dialect.iter().any(|name| name.parse().is_ok_and(Speaks::sets_options)) {
            return wrong("options", "no options: only the dialects `ugi` and `uci` can set them");
        }
        for (name, value) in self.own_limits() {
            let least = if name == "increment" { 0.0 } else { f64::MIN_POSITIVE };
            let (most, unit) = match name {
                "nodes" => (1e18, "positions, at least 1"),
                "depth" => (1000.0, "1 to 1000 plies"),
                _ => (MAX_SECONDS, "seconds, more than 0 and at most a day"),
            };
            if !(least..=most).contains(&value) {
                return wrong(&format!("{name} = {value}"), unit);
            }
        }
        match (&self.command, &self.dialect, &self.builtin) {
            (Some(command), Some(_), None) if !command.words().is_empty() => Ok(()),
            (None, None, Some(_)) => Ok(()),
            (Some(_), Some(_), None) => wrong("an empty command", "a program and its arguments"),
            (Some(_), None, None) => wrong("no dialect", &format!("`dialect`: {}", Speaks::NAMES)),
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

    #[test]
    fn a_description_without_a_name_gets_one_and_keeps_its_lines() {
        let named = |text: &str| read_agent(text, "b").map(|agent| agent.name).map_err(|error| error.to_string());
        assert_eq!(named("command = 'x'\n[options]\nname = 'c'\n").as_deref(), Ok("b"));
        assert_eq!(named("name = 'a'\n[options]\nHash = 1\n").as_deref(), Ok("a"));
        let error = named("command = 'x'\nbuild_time = 'long'\n").expect_err("a text");
        assert!(error.contains("line 2, column 14") && error.contains("build_time = 'long'"), "{error}");
    }

    #[test]
    fn only_engines_have_options() {
        let checked = |text: &str| {
            let agent = read_agent(text, "a").expect("a description");
            agent.check().map(|()| agent.engine_options()).map_err(|error| error.to_string())
        };
        let set = "options = { Hash = 64, Ponder = false, 'Eval File' = 'x y' }\n";
        let options = checked(&format!("command = 'x'\ndialect = 'uci'\n{set}")).expect("options");
        let values: Vec<&str> = options.values().map(String::as_str).collect();
        assert_eq!(values, ["x y", "64", "false"]);
        for agent in ["builtin = ''\n", "command = 'x'\ndialect = 'nus'\n"] {
            let error = checked(&format!("{agent}{set}")).expect_err(agent);
            assert!(error.contains("only the dialects `ugi` and `uci` can set them"), "{error}");
        }
        for option in ["' ' = 1", "Hash = '1\\nquit'", "\"a\\nb\" = true"] {
            let option = option.replace('\'', "\"");
            let error = checked(&format!("command = 'x'\ndialect = 'ugi'\noptions = {{ {option} }}\n"));
            assert!(error.is_err_and(|error| error.contains("without control characters")), "{option}");
        }
    }

    #[test]
    fn options_are_kept_in_the_tournaments_file() {
        let text = "command = 'x'\ndialect = 'uci'\nname = 'a'\n[options]\nHash = 64\nUCI_Variant = 'breakthrough'\n";
        let agent = read_agent(text, "b").expect("a description");
        let written = toml::to_string(&agent).expect("written");
        assert_eq!(read_agent(&written, "b").expect("read again"), agent);
        let stored = serde_json::to_string(&agent).expect("stored");
        assert_eq!(serde_json::from_str::<AgentSpec>(&stored).expect("read again"), agent);
    }
}
