//! What a tournament is: the file that describes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee::{AfterFault, Referee, TimeControl};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A tournament, as its file in TOML describes it. The same specification always has the same games.
///
/// ```
/// let spec = arena::Spec::read(r#"
///     game = "loa"
///     size = 6
///     games = 2
///     [time]
///     move = 3
///     [[agent]]
///     name = "mine"
///     command = "python3 agent.py"
///     dialect = "nus"
///     [[agent]]
///     name = "theirs"
///     builtin = "level=1"
/// "#, ".".as_ref())?;
/// assert_eq!(spec.agents.len(), 2);
/// # Ok::<(), arena::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// For people.
    #[serde(default = "unnamed")]
    pub name: String,
    /// `loa`, `checkers` or `jump61`.
    pub game: String,
    /// Squares a side; the game's usual ones if none is given.
    #[serde(default)]
    pub size: Option<usize>,
    /// Who plays whom.
    #[serde(default)]
    pub format: Format,
    /// Games of each pair of agents, an even number: each opening is played with both colours.
    #[serde(default = "two")]
    pub games: u32,
    /// Random moves that begin each game.
    #[serde(default)]
    pub opening: u32,
    /// Fixes openings, random moves and the seeds that agents are given.
    #[serde(default = "one")]
    pub seed: u64,
    /// Moves of both sides together, the opening's included, after which a game is a tie.
    #[serde(default = "two_hundred")]
    pub move_limit: u32,
    /// A tie when a position stands for the so many-th time; if none is given, what is usual in matches of the game: the third time in
    /// checkers, never in Lines of Action.
    #[serde(default)]
    pub repetitions: Option<u32>,
    /// What happens after a fault: `lose` or `random`.
    #[serde(default)]
    pub after_fault: OnFault,
    /// Games at the same time; one a processor if none is given.
    #[serde(default)]
    pub jobs: Option<usize>,
    /// How much time there is.
    #[serde(default)]
    pub time: Times,
    /// Who plays.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentSpec>,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first agent plays all others.
    Gauntlet,
    /// Two agents.
    Match,
}

/// What happens after a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// The game is lost.
    #[default]
    Lose,
    /// A random legal move stands in for the agent's, where its dialect allows that, and the fault is counted.
    Random,
}

/// Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// For each move.
    #[serde(rename = "move", default)]
    pub per_move: Option<f64>,
    /// For all moves of a game.
    #[serde(rename = "game", default)]
    pub per_game: Option<f64>,
    /// What each move adds to the game's time.
    #[serde(default)]
    pub increment: f64,
    /// To get ready; not on the clock.
    #[serde(default = "ten")]
    pub start: f64,
}

/// An agent: a command and its dialect, or an engine of the house.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// Its name in tables.
    pub name: String,
    /// The program and its arguments, as one text cut at blanks, or as a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Words>,
    /// `cs61b`, `nus`, `comp10002` or `ugi`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// An engine of the house, such as `level=7`, instead of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// Where the command runs; relative to the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// A command that is run once before, in the same directory, by `sh -c`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// How long that may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_time: Option<u32>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// Cut at blanks.
    Text(String),
    /// As it is.
    List(Vec<String>),
}

impl Words {
    /// The words.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
            Self::List(words) => words.clone(),
        }
    }
}

/// A specification that is none.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file is not TOML or has the wrong fields.
    #[error("tournament file: {0}")]
    Toml(#[from] toml::de::Error),
    /// A field has a value that cannot be.
    #[error("tournament file: {field}: {found} found, expected {expected}")]
    Value {
        /// Which.
        field: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
}

fn unnamed() -> String {
    "Tournament".to_owned()
}

const fn one() -> u64 {
    1
}

const fn two() -> u32 {
    2
}

const fn two_hundred() -> u32 {
    200
}

const fn ten() -> f64 {
    10.0
}

impl Default for Times {
    fn default() -> Self {
        Self { per_move: Some(5.0), per_game: None, increment: 0.0, start: ten() }
    }
}

/// A day, which no time may pass.
const LONGEST: f64 = 86_400.0;

impl Spec {
    /// Reads a tournament file. Agents' directories are taken from `here`, the file's directory.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str, here: &Path) -> Result<Self, SpecError> {
        let mut spec: Self = toml::from_str(text)?;
        for agent in &mut spec.agents {
            if agent.builtin.is_none() {
                agent.directory = Some(here.join(agent.directory.as_deref().unwrap_or(Path::new(""))));
            }
        }
        spec.check()?;
        Ok(spec)
    }

    /// The file that describes it.
    ///
    /// # Errors
    /// If a text in it cannot be written.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Checks what can be checked without knowing games.
    ///
    /// # Errors
    /// If a field has a value that cannot be.
    pub fn check(&self) -> Result<(), SpecError> {
        let wrong = |field: &str, found: &dyn ToString, expected: &str| {
            Err(SpecError::Value { field: field.to_owned(), found: found.to_string(), expected: expected.to_owned() })
        };
        if self.games == 0 || !self.games.is_multiple_of(2) || self.games > 1_000_000 {
            return wrong("games", &self.games, "an even number up to a million, both colours of each opening");
        }
        if self.move_limit == 0 || self.opening >= self.move_limit {
            return wrong("opening", &self.opening, "fewer moves than `move_limit`");
        }
        if self.repetitions.is_some_and(|times| times < 2) {
            return wrong("repetitions", &self.repetitions.unwrap_or_default(), "2 or more");
        }
        if self.jobs == Some(0) {
            return wrong("jobs", &0, "at least 1");
        }
        let times = [self.time.per_move, self.time.per_game, Some(self.time.increment), Some(self.time.start)];
        if let Some(time) = times.into_iter().flatten().find(|time| !(0.0..=LONGEST).contains(time)) {
            return wrong("time", &time, "seconds, at most a day");
        }
        if [self.time.per_move, self.time.per_game].contains(&Some(0.0)) {
            return wrong("time", &0, "more than nothing");
        }
        match (self.format, self.agents.len()) {
            (Format::Match, 2) | (Format::RoundRobin | Format::Gauntlet, 2..=500) => (),
            (Format::Match, n) => return wrong("agents of a match", &n, "two"),
            (_, n) => return wrong("agents", &n, "2 to 500"),
        }
        let mut names = BTreeSet::new();
        for agent in &self.agents {
            agent.check()?;
            if !names.insert(&agent.name) {
                return wrong("agent.name", &agent.name, "a name that no other agent has");
            }
        }
        Ok(())
    }

    /// The judge of its games.
    pub fn referee(&self) -> Referee {
        let seconds = Duration::from_secs_f64;
        let time = TimeControl {
            move_time: self.time.per_move.map(seconds),
            game_time: self.time.per_game.map(seconds),
            increment: seconds(self.time.increment),
            start_time: seconds(self.time.start),
        };
        let after_fault = match self.after_fault {
            OnFault::Lose => AfterFault::Lose,
            OnFault::Random => AfterFault::RandomMove,
        };
        Referee { time, after_fault }
    }
}

/// Reads the description of one agent, as in its `agent.toml`.
///
/// # Errors
/// If it is none.
pub fn read_agent(text: &str) -> Result<AgentSpec, SpecError> {
    Ok(toml::from_str(text)?)
}

impl AgentSpec {
    fn check(&self) -> Result<(), SpecError> {
        let wrong = |found: &str, expected: &str| {
            let field = format!("agent `{}`", game::text::excerpt(&self.name));
            Err(SpecError::Value { field, found: found.to_owned(), expected: expected.to_owned() })
        };
        if self.name.trim().is_empty() || self.name.chars().count() > 80 || self.name.chars().any(char::is_control) {
            return wrong("this name", "1 to 80 characters");
        }
        match (&self.command, &self.dialect, &self.builtin) {
            (Some(command), Some(_), None) if !command.words().is_empty() => Ok(()),
            (None, None, Some(_)) => Ok(()),
            (Some(_), Some(_), None) => wrong("an empty command", "a program and its arguments"),
            (Some(_), None, None) => wrong("no dialect", "`dialect`: cs61b, nus, comp10002 or ugi"),
            _ => wrong("neither or both", "`command` and `dialect`, or `builtin`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''\n";

    #[test]
    fn what_is_left_out_has_a_value_and_survives_storing() {
        let spec = Spec::read(&format!("game = 'loa'\n{TWO}"), Path::new("/here")).expect("a tournament");
        assert_eq!((spec.games, spec.move_limit, spec.format), (2, 200, Format::RoundRobin));
        assert_eq!(spec.referee().time, TimeControl::default());
        let stored = serde_json::to_string(&spec).expect("JSON");
        assert_eq!(serde_json::from_str::<Spec>(&stored).expect("a tournament"), spec);
    }

    #[test]
    fn errors_name_the_field() {
        let mine = "[[agent]]\nname = 'a'\ncommand = 'x'\n";
        for (text, part) in [
            (format!("gaem = 'loa'\n{TWO}"), "gaem"),
            (format!("game = 'loa'\ngames = 3\n{TWO}"), "games: 3 found, expected an even number"),
            (format!("game = 'loa'\nformat = 'swiss'\n{TWO}"), "swiss"),
            (format!("game = 'loa'\nopening = 200\n{TWO}"), "opening: 200"),
            (format!("game = 'loa'\n{TWO}{TWO}"), "agent.name: a found"),
            (format!("game = 'loa'\n{mine}{}", mine.replace("'a'", "'b'")), "agent `a`: no dialect"),
            ("game = 'loa'\nagent = []".to_owned(), "agents: 0"),
            (format!("game = 'loa'\n[time]\nmove = -1\n{TWO}"), "time: -1"),
        ] {
            let error = Spec::read(&text, Path::new(".")).expect_err(&text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn directories_are_those_of_the_file() {
        let text = "game='loa'\n[[agent]]\nname='a'\ncommand=['x','y z']\ndialect='nus'\ndirectory='sub'\n[[agent]]\nname='b'\nbuiltin=''\n";
        let spec = Spec::read(text, Path::new("/here")).expect("a tournament");
        assert_eq!(spec.agents[0].directory.as_deref(), Some(Path::new("/here/sub")));
        assert_eq!(spec.agents[0].command.as_ref().map(Words::words), Some(vec!["x".to_owned(), "y z".to_owned()]));
        assert_eq!(spec.agents[1].directory, None);
    }
}
