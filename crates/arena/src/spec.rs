//! A tournament as its file describes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use games::GameId;
use referee::{AfterFault, Referee};
use sandbox::{Limits, Tier};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Adjudicate, AgentSpec, Draft, Format, OpeningOrder, Openings, SprtSpec};

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
    /// Games of each pair of agents that meet, an even number: each opening is played with both colours. In a Swiss, a
    /// single game is possible, too.
    #[serde(default = "two")]
    pub games: u32,
    /// Rounds of a Swiss; if unset, as many as it takes until one agent can be alone at the top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Random moves that begin each game.
    #[serde(default)]
    pub opening: u32,
    /// Openings from a file instead of random moves. A specification that is ready to be played has their list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<Openings>,
    /// The order of openings from a file.
    #[serde(default, skip_serializing_if = "OpeningOrder::is_usual")]
    pub openings_order: OpeningOrder,
    /// Moves after which each opening of the file is cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_plies: Option<u32>,
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
    /// The rules of another program for draws, instead of `repetitions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
    /// The consequence of a fault: `lose` or `random`.
    #[serde(default)]
    pub after_fault: OnFault,
    /// Games at the same time; one for each processor if unset.
    #[serde(default)]
    pub jobs: Option<usize>,
    /// The folder of the files with everything that was said in each game. None are written if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<PathBuf>,
    /// Whether each game has processor cores of its own.
    #[serde(default, skip_serializing_if = "Affinity::is_off")]
    pub affinity: Affinity,
    /// When games are ended before their end.
    #[serde(default, skip_serializing_if = "Adjudicate::is_off")]
    pub adjudicate: Adjudicate,
    /// The time limits.
    #[serde(default)]
    pub time: Times,
    /// Whether times are longer on slower machines. A specification that is ready to be played has the speed of the
    /// machine for which its times are meant.
    #[serde(default, skip_serializing_if = "Scale::is_off")]
    pub scale: Scale,
    /// The kind of sandbox; the best that the machine has if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Tier>,
    /// What each agent may use in a sandbox.
    #[serde(default)]
    pub limits: Limits,
    /// Folders and files that every agent may read in a sandbox, beside the system's and its own folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<PathBuf>,
    /// A sequential test that ends a match as soon as it has decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    /// The agents.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentSpec>,
}

/// The rules of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// Those of OpenSpiel, and so of Kaggle's environments, which run OpenSpiel: Lines of Action on 8×8, drawn when a
    /// board occurs for the second time, whoever is to move, or after 1000 moves.
    OpenSpiel,
}

impl Rules {
    /// The move limit that belongs to them.
    pub(crate) const fn move_limit(self) -> u32 {
        match self {
            Self::OpenSpiel => 1000,
        }
    }
}

/// The processor cores that the players of a game run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Affinity {
    /// `true`: the cores are shared out among the games that are played at once. `false`: players run anywhere.
    All(bool),
    /// The same, but only with these cores.
    Cores(Vec<usize>),
}

impl Default for Affinity {
    fn default() -> Self {
        Self::All(false)
    }
}

impl Affinity {
    fn is_off(&self) -> bool {
        *self == Self::All(false)
    }
}

/// Whether times depend on the machine's speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scale {
    /// `true`: they are meant for the machine on which the tournament begins. `false`: they are the same everywhere.
    Own(bool),
    /// They are meant for a machine with this many nodes a second in the bench.
    Speed(f64),
}

impl Default for Scale {
    fn default() -> Self {
        Self::Own(false)
    }
}

impl Scale {
    fn is_off(&self) -> bool {
        *self == Self::Own(false)
    }
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
    /// An answer that is late by no more than this is no fault.
    #[serde(default)]
    pub margin: f64,
}

/// Invalid specification.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file is not TOML or has the wrong fields.
    #[error("{}", .0.to_string().trim_end())]
    Toml(toml::de::Error),
    /// The openings cannot be used.
    #[error("openings: {0}")]
    Openings(String),
    /// An agent's name is invalid.
    #[error("tournament file: agent `{name}`: name: {why}")]
    Name {
        /// The name.
        name: String,
        /// What was found, and what was expected.
        why: String,
    },
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

pub(crate) fn unnamed() -> String {
    "Tournament".to_owned()
}

pub(crate) const fn one() -> u64 {
    1
}

pub(crate) const fn two() -> u32 {
    2
}

pub(crate) const fn two_hundred() -> u32 {
    200
}

const fn ten() -> f64 {
    10.0
}

impl Default for Times {
    fn default() -> Self {
        Self { per_move: Some(5.0), per_game: None, increment: 0.0, start: ten(), margin: 0.0 }
    }
}

/// The longest time limit: a day.
pub(crate) const LONGEST: f64 = 86_400.0;

impl Spec {
    /// Reads a tournament file. Agents' directories are relative to `here`, the file's directory.
    ///
    /// # Errors
    /// If the file is not a valid specification.
    pub fn read(text: &str, here: &Path) -> Result<Self, SpecError> {
        Draft::read(text, here)?.finish()
    }

    /// The full name of its game, such as `Lines of Action`; the short one if there is no such game.
    pub fn game_title(&self) -> &str {
        self.game.parse().map_or(self.game.as_str(), |game: GameId| game.title())
    }

    /// Maximum number of games at the same time on one machine.
    pub const MOST_JOBS: usize = 256;

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
        self.check_format()?;
        if self.move_limit == 0 || self.opening >= self.move_limit {
            return wrong("opening", &self.opening, "fewer moves than `move_limit`");
        }
        if self.openings.is_some() && self.opening != 0 {
            return wrong("opening", &self.opening, "no random moves beside `openings`");
        }
        if self.openings.is_none() && (self.openings_plies.is_some() || !self.openings_order.is_usual()) {
            return wrong("openings", &"nothing", "a file, because `openings_order` or `openings_plies` is set");
        }
        if self.rules.is_some() && self.repetitions.is_some() {
            return wrong("repetitions", &self.repetitions.unwrap_or_default(), "none beside `rules`");
        }
        if self.repetitions.is_some_and(|times| times < 2) {
            return wrong("repetitions", &self.repetitions.unwrap_or_default(), "2 or more");
        }
        if self.jobs == Some(0) {
            return wrong("jobs", &0, "at least 1");
        }
        let Times { per_move, per_game, increment, start, margin } = self.time;
        let times = [per_move, per_game, Some(increment), Some(start), Some(margin)];
        if let Some(time) = times.into_iter().flatten().find(|time| !(0.0..=LONGEST).contains(time)) {
            return wrong("time", &time, "seconds, at most a day");
        }
        if [per_move, per_game].contains(&Some(0.0)) {
            return wrong("time", &0, "more than 0");
        }
        if let Scale::Speed(speed) = self.scale
            && !(1e3..=1e12).contains(&speed)
        {
            return wrong("scale", &speed, "true, false or nodes a second as `plyhouse bench` prints them");
        }
        self.adjudicate.check(self)?;
        if let Affinity::Cores(cores) = &self.affinity {
            let different: BTreeSet<_> = cores.iter().collect();
            if cores.is_empty() || different.len() != cores.len() {
                return wrong("affinity", &format!("{cores:?}"), "true, false or a list of different cores");
            }
        }
        if self.sprt.is_some() && self.format != Format::Match {
            return wrong("sprt", &"a test", "none, or `format = \"match\"`: a sequential test compares two agents");
        }
        if let Err((field, found, expected)) = self.limits.check() {
            return wrong(field, &found, expected);
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

    /// The factor by which times are longer on a machine with this many nodes a second: 1 unless times are scaled.
    pub fn pace(&self, speed: Option<f64>) -> f64 {
        match (self.scale, speed) {
            (Scale::Speed(meant), Some(speed)) if speed > 0.0 => meant / speed,
            _ => 1.0,
        }
    }

    /// The same tournament with the times of a machine with this many nodes a second.
    pub(crate) fn scaled(&self, speed: Option<f64>) -> Self {
        let pace = self.pace(speed);
        let longer = |time: f64| (time * pace).min(LONGEST);
        let mut spec = self.clone();
        let Times { per_move, per_game, increment, start, .. } = self.time;
        spec.time.per_move = per_move.map(longer);
        spec.time.per_game = per_game.map(longer);
        spec.time.increment = longer(increment);
        spec.time.start = longer(start);
        for agent in &mut spec.agents {
            agent.per_move = agent.per_move.map(longer);
            agent.per_game = agent.per_game.map(longer);
            agent.increment = agent.increment.map(longer);
        }
        spec
    }

    /// The referee of a game between these agents.
    pub fn referee(&self, agents: [&AgentSpec; 2]) -> Referee {
        let time = agents.map(|agent| agent.time_control(&self.time));
        let after_fault = match self.after_fault {
            OnFault::Lose => AfterFault::Lose,
            OnFault::Random => AfterFault::RandomMove,
        };
        Referee { time, after_fault }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Words;
    use referee::TimeControl;

    const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''\n";

    #[test]
    fn unset_fields_have_defaults_and_survive_storing() {
        let spec = Spec::read(&format!("game = 'loa'\n{TWO}"), Path::new("/here")).expect("a tournament");
        assert_eq!((spec.games, spec.move_limit, spec.format), (2, 200, Format::RoundRobin));
        assert_eq!(spec.referee([&spec.agents[0]; 2]).time, [TimeControl::default(); 2]);
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

    #[test]
    fn times_are_longer_on_slower_machines_if_they_are_scaled() {
        let text =
            format!("game = 'loa'\nscale = 2e6\n[time]\nmove = 3\nincrement = 1\nmargin = 0.5\n{TWO}game = 60.0\n");
        let spec = Spec::read(&text, Path::new(".")).expect("a tournament");
        let slow = spec.scaled(Some(1e6));
        assert_eq!((slow.time.per_move, slow.time.increment, slow.time.margin), (Some(6.0), 2.0, 0.5));
        assert_eq!((slow.agents[0].per_game, slow.agents[1].per_game), (None, Some(120.0)));
        assert_eq!((spec.pace(Some(4e6)), spec.pace(None), spec.scaled(Some(2e6))), (0.5, 1.0, spec.clone()));
        let plain = Spec::read(&format!("game = 'loa'\n{TWO}"), Path::new(".")).expect("a tournament");
        assert_eq!(plain.scaled(Some(1.0)), plain);
        let own = Spec::read(&format!("game = 'loa'\nscale = true\n{TWO}"), Path::new(".")).expect("a tournament");
        assert_eq!((own.scale, own.pace(Some(1.0))), (Scale::Own(true), 1.0));
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
            (format!("game = 'loa'\nformat = 'ladder'\n{TWO}"), "ladder"),
            (format!("game = 'loa'\nformat = 'swiss'\ngames = 3\n{TWO}"), "games: 3 found, expected 1, or an even"),
            (format!("game = 'loa'\nformat = 'swiss'\nrounds = 2\n{TWO}"), "rounds: 2 found, expected 1 to 1 for 2"),
            (format!("game = 'loa'\nformat = 'swiss'\nrounds = 0\n{TWO}"), "rounds: 0 found"),
            (format!("game = 'loa'\nformat = 'knockout'\ngames = 1\n{TWO}"), "games: 1 found, expected an even"),
            (format!("game = 'loa'\nformat = 'knockout'\nrounds = 1\n{TWO}"), "rounds: 1 found, expected none"),
            (format!("game = 'loa'\ngames = 1000002\n{TWO}"), "games: 1000002 found"),
            (format!("game = 'loa'\nopening = 200\n{TWO}"), "opening: 200"),
            (format!("game = 'loa'\n{TWO}{TWO}"), "agent.name: a found"),
            (format!("game = 'loa'\n{mine}{}", mine.replace("'a'", "'b'")), "agent `a`: no dialect"),
            ("game = 'loa'\nagent = []".to_owned(), "agents: 0"),
            (format!("game = 'loa'\n[time]\nmove = -1\n{TWO}"), "time: -1"),
            (format!("game = 'loa'\n[time]\nmargin = nan\n{TWO}"), "time: NaN"),
            (format!("game = 'loa'\naffinity = [1, 1]\n{TWO}"), "affinity: [1, 1] found"),
            (format!("game = 'loa'\nscale = 5.0\n{TWO}"), "scale: 5 found, expected true, false or nodes a second"),
            (format!("game = 'loa'\n{TWO}move = 0.0\n"), "agent `b`: move = 0 found, expected seconds"),
            (format!("game = 'loa'\n{TWO}depth = 0\n"), "agent `b`: depth = 0 found, expected 1 to"),
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
