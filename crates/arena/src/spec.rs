//! A tournament as its file describes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use protocol::dialects::Speaks;
use referee::{AfterFault, Referee, TimeControl};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A tournament as its TOML file describes it. The same specification always has the same games.
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
    /// The name that people see.
    #[serde(default = "unnamed")]
    pub name: String,
    /// The name of a game of the registry, such as `loa`.
    pub game: String,
    /// Squares a side; the game's usual size if unset.
    #[serde(default)]
    pub size: Option<usize>,
    /// The pairs of agents that play.
    #[serde(default)]
    pub format: Format,
    /// Games of each pair of agents, an even number: each opening is played with both colours.
    #[serde(default = "two")]
    pub games: u32,
    /// Random moves that begin each game.
    #[serde(default)]
    pub opening: u32,
    /// The seed of openings, random moves and the agents' own seeds.
    #[serde(default = "one")]
    pub seed: u64,
    /// Moves of both sides together, including the opening's, after which a game is drawn.
    #[serde(default = "two_hundred")]
    pub move_limit: u32,
    /// The game is drawn when a position occurs this many times. If unset, the game's usual rule for matches applies:
    /// three times in checkers, never in Lines of Action.
    #[serde(default)]
    pub repetitions: Option<u32>,
    /// The consequence of a fault: `lose` or `random`.
    #[serde(default)]
    pub after_fault: OnFault,
    /// Games at the same time; one for each processor if unset.
    #[serde(default)]
    pub jobs: Option<usize>,
    /// The time limits.
    #[serde(default)]
    pub time: Times,
    /// The agents.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentSpec>,
}

/// The pairs of agents that play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each agent plays every other one.
    #[default]
    RoundRobin,
    /// The first agent plays all others.
    Gauntlet,
    /// Two agents play each other.
    Match,
}

/// The consequence of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// The agent loses the game.
    #[default]
    Lose,
    /// A random legal move replaces the agent's, where its dialect allows that, and the fault is counted.
    Random,
}

/// Time limits in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Time for each move.
    #[serde(rename = "move", default)]
    pub per_move: Option<f64>,
    /// Time for all moves of a game.
    #[serde(rename = "game", default)]
    pub per_game: Option<f64>,
    /// Time that each move adds to the game's time.
    #[serde(default)]
    pub increment: f64,
    /// Time to get ready. It is not on the clock.
    #[serde(default = "ten")]
    pub start: f64,
}

/// An agent: a command and its dialect, or one of our engines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Invalid specification.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file is not TOML or has the wrong fields.
    #[error("{}", .0.to_string().trim_end())]
    Toml(toml::de::Error),
    /// A field has an invalid value.
    #[error("tournament file: {field}: {found} found, expected {expected}")]
    Value {
        /// The field.
        field: String,
        /// Its value.
        found: String,
        /// What was expected.
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

/// The longest time limit: a day.
const LONGEST: f64 = 86_400.0;

/// The settings that a file or a command line sets explicitly. The rules of an agent's competition replace only the
/// others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The time for a move or for a game.
    pub time: bool,
    /// The consequence of a fault.
    pub after_fault: bool,
}

/// A tournament that is still being put together.
///
/// ```
/// let mut draft = arena::Draft::new("loa");
/// draft.adopt("nus"); // the rules of the competition of CS3243
/// assert_eq!((draft.spec.time.per_move, draft.spec.after_fault), (Some(3.0), arena::OnFault::Random));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The tournament so far.
    pub spec: Spec,
    /// The settings that [`adopt`](Self::adopt) leaves alone.
    pub named: Named,
}

impl Draft {
    /// A tournament with default settings and without agents.
    pub fn new(game: &str) -> Self {
        let spec = Spec {
            name: unnamed(),
            game: game.to_owned(),
            size: None,
            format: Format::default(),
            games: two(),
            opening: 0,
            seed: one(),
            move_limit: two_hundred(),
            repetitions: None,
            after_fault: OnFault::default(),
            jobs: None,
            time: Times::default(),
            agents: Vec::new(),
        };
        Self { spec, named: Named::default() }
    }

    /// Reads a tournament file. Agents' directories are relative to `here`, the file's directory.
    ///
    /// # Errors
    /// If the file is not TOML or has the wrong fields.
    pub fn read(text: &str, here: &Path) -> Result<Self, SpecError> {
        let mut spec: Spec = toml::from_str(text).map_err(SpecError::Toml)?;
        for agent in &mut spec.agents {
            if agent.builtin.is_none() {
                agent.directory = Some(here.join(agent.directory.as_deref().unwrap_or(Path::new(""))));
            }
        }
        let file: toml::Table = toml::from_str(text).map_err(SpecError::Toml)?;
        let names = |key| file.get("time").and_then(|times| times.get(key)).is_some();
        let named = Named { time: names("move") || names("game"), after_fault: file.contains_key("after_fault") };
        Ok(Self { spec, named })
    }

    /// Adopts the board size and the rules of the competition that a dialect comes from, except for settings that were
    /// set explicitly.
    pub fn adopt(&mut self, dialect: &str) {
        let Some(rules) = dialect.parse().ok().and_then(Speaks::competition) else { return };
        self.spec.size = self.spec.size.or(Some(rules.size));
        if !self.named.time {
            self.spec.time.per_move = Some(rules.move_time.as_secs_f64());
        }
        if !self.named.after_fault {
            self.spec.after_fault = if rules.random_moves { OnFault::Random } else { OnFault::Lose };
        }
    }

    /// Adopts the rules of the agents' competition and checks the tournament.
    ///
    /// # Errors
    /// If a field has an invalid value.
    pub fn finish(mut self) -> Result<Spec, SpecError> {
        let dialects: BTreeSet<String> = self.spec.agents.iter().filter_map(|agent| agent.dialect.clone()).collect();
        for dialect in dialects {
            self.adopt(&dialect);
        }
        self.spec.check()?;
        Ok(self.spec)
    }
}

impl Spec {
    /// Reads a tournament file. Agents' directories are relative to `here`, the file's directory.
    ///
    /// # Errors
    /// If the file is not a valid specification.
    pub fn read(text: &str, here: &Path) -> Result<Self, SpecError> {
        Draft::read(text, here)?.finish()
    }

    /// Writes the specification as a TOML file.
    ///
    /// # Errors
    /// If a text in it cannot be written.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Checks everything that does not depend on the game.
    ///
    /// # Errors
    /// If a field has an invalid value.
    pub fn check(&self) -> Result<(), SpecError> {
        let wrong = |field: &str, found: &dyn ToString, expected: &str| {
            Err(SpecError::Value { field: field.to_owned(), found: found.to_string(), expected: expected.to_owned() })
        };
        if self.games == 0 || !self.games.is_multiple_of(2) || self.games > 1_000_000 {
            return wrong("games", &self.games, "an even number up to a million, for both colours of each opening");
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
            return wrong("time", &0, "more than 0");
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

    /// The referee of its games.
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
/// If the text is not a valid description.
pub fn read_agent(text: &str) -> Result<AgentSpec, SpecError> {
    toml::from_str(text).map_err(SpecError::Toml)
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
            _ => wrong("neither or both", "either `command` and `dialect`, or `builtin`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''\n";

    #[test]
    fn unset_fields_have_defaults_and_survive_storing() {
        let spec = Spec::read(&format!("game = 'loa'\n{TWO}"), Path::new("/here")).expect("a tournament");
        assert_eq!((spec.games, spec.move_limit, spec.format), (2, 200, Format::RoundRobin));
        assert_eq!(spec.referee().time, TimeControl::default());
        let stored = serde_json::to_string(&spec).expect("JSON");
        assert_eq!(serde_json::from_str::<Spec>(&stored).expect("a tournament"), spec);
    }

    #[test]
    fn agents_of_the_competition_bring_its_rules_unless_the_file_names_others() {
        let mine = "[[agent]]\nname = 'a'\ncommand = 'x'\ndialect = 'nus'\n[[agent]]\nname = 'b'\nbuiltin = ''\n";
        let rules = |top: &str| {
            let spec = Spec::read(&format!("game = 'loa'\nsize = 6\n{top}{mine}"), Path::new(".")).expect("valid");
            (spec.time.per_move, spec.after_fault)
        };
        assert_eq!(rules(""), (Some(3.0), OnFault::Random));
        assert_eq!(rules("after_fault = 'lose'\n"), (Some(3.0), OnFault::Lose));
        assert_eq!(rules("[time]\nmove = 7\n"), (Some(7.0), OnFault::Random));
        assert_eq!(rules("[time]\ngame = 60\n"), (None, OnFault::Random));
        assert_eq!(rules("[time]\nstart = 20\n"), (Some(3.0), OnFault::Random));
        let other = Spec::read(&format!("game = 'loa'\n{TWO}"), Path::new(".")).expect("valid");
        assert_eq!((other.time.per_move, other.after_fault), (Some(5.0), OnFault::Lose));
    }

    /// A caller that prints a chain of errors prints each text once.
    #[test]
    fn an_error_that_shows_its_cause_does_not_give_it_as_a_source_too() {
        let errors = [Spec::read("game = 3", Path::new(".")), Spec::read("game = 'loa'\nagent = []", Path::new("."))];
        for error in errors {
            assert!(core::error::Error::source(&error.expect_err("invalid")).is_none());
        }
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
    fn directories_are_relative_to_the_file() {
        let text = "game='loa'\n[[agent]]\nname='a'\ncommand=['x','y z']\ndialect='nus'\ndirectory='sub'\n[[agent]]\nname='b'\nbuiltin=''\n";
        let spec = Spec::read(text, Path::new("/here")).expect("a tournament");
        assert_eq!(spec.agents[0].directory.as_deref(), Some(Path::new("/here/sub")));
        assert_eq!(spec.agents[0].command.as_ref().map(Words::words), Some(vec!["x".to_owned(), "y z".to_owned()]));
        assert_eq!(spec.agents[1].directory, None);
    }
}
