//! The tournament file.

use std::collections::BTreeSet;
use std::path::PathBuf;

use games::{GameId, Repetitions};
use process::sandbox::{Limits, Tier};
use rating::swiss::Swiss;
use referee::{AfterFault, Referee};
use serde::{Deserialize, Serialize};

use crate::adjudicate::Adjudicate;
use crate::agent_spec::AgentSpec;
use crate::format::Format;
use crate::openings::{OpeningOrder, Openings};
use crate::spec_error::SpecError;
use crate::sprt::SprtSpec;
use crate::times::{MAX_SECONDS, Times};

/// A tournament file. The same specification always yields the same pairings, openings and seeds.
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
    /// Name of the tournament.
    #[serde(default = "unnamed")]
    pub name: String,
    /// Name of the game in the registry, such as `loa`.
    pub game: String,
    /// Length of the board's side, in squares; the game's usual size if unset.
    #[serde(default)]
    pub size: Option<usize>,
    /// The rule that decides which agents meet.
    #[serde(default)]
    pub format: Format,
    /// Number of games between two agents that meet. It is even, because each opening is played with both colours; a
    /// Swiss also allows a single game.
    #[serde(default = "two")]
    pub games: u32,
    /// Number of rounds of a Swiss. If unset, it is the base-2 logarithm of the number of agents, but at most half the
    /// number of agents; both are rounded up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Number of random moves at the beginning of each game.
    #[serde(default)]
    pub opening: u32,
    /// Openings from a file instead of random moves. [`Draft::finish`](crate::draft::Draft::finish) replaces the file
    /// with the list of its openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<Openings>,
    /// Order of the openings from a file.
    #[serde(default, skip_serializing_if = "OpeningOrder::is_usual")]
    pub openings_order: OpeningOrder,
    /// Maximum number of moves of an opening from a file. Further moves are ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_plies: Option<u32>,
    /// Seed of the openings, of random moves, and of the agents' seeds.
    #[serde(default = "one")]
    pub seed: u64,
    /// Number of moves after which a game is drawn. It counts the moves of both sides, including the opening.
    #[serde(default = "two_hundred")]
    pub move_limit: u32,
    /// Number of occurrences of a position at which the game is drawn. If unset, the game's usual rule for matches
    /// applies: three in checkers, no draw by repetition in Lines of Action.
    #[serde(default)]
    pub repetitions: Option<u32>,
    /// Name of the game's rule set; the usual rules if unset. Cannot be combined with `repetitions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Name of the start position; the usual start if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Consequence of a fault: `lose` or `random`.
    #[serde(default)]
    pub after_fault: OnFault,
    /// Number of games that are played at the same time; the number of processors if unset.
    #[serde(default)]
    pub jobs: Option<usize>,
    /// Folder of the transcripts, with one file per game. No transcripts if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<PathBuf>,
    /// Assignment of processor cores to games.
    #[serde(default, skip_serializing_if = "Affinity::is_off")]
    pub affinity: Affinity,
    /// Rules that end games early.
    #[serde(default, skip_serializing_if = "Adjudicate::is_off")]
    pub adjudicate: Adjudicate,
    /// Time limits.
    #[serde(default)]
    pub time: Times,
    /// Scaling of time limits by the speed of the machine. When the tournament begins, `true` is replaced with the
    /// speed of the current machine.
    #[serde(default, skip_serializing_if = "Scale::is_off")]
    pub scale: Scale,
    /// Kind of the sandbox; the best available one if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Tier>,
    /// Resource limits of each agent in a sandbox.
    #[serde(default)]
    pub limits: Limits,
    /// Folders and files that every agent may read in a sandbox, in addition to the system's folders and the agent's
    /// own folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<PathBuf>,
    /// Sequential test that ends a match as soon as it has a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    /// Agents.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentSpec>,
}

/// Assignment of processor cores to games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Affinity {
    /// `true` divides all cores among the games that are played at the same time. `false` restricts no player.
    All(bool),
    /// Divides these cores among the games.
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

/// The scaling of time limits by the speed of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scale {
    /// `true`: the limits are meant for the machine on which the tournament begins. `false`: they are not scaled.
    Own(bool),
    /// The limits are meant for a machine on which `plyhouse bench` visits this number of nodes per second.
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
    /// The fault is counted, and a random legal move replaces the agent's. All agents need a dialect that allows this.
    Random,
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

impl Spec {
    /// Returns the full name of the game, such as `Lines of Action`; the short name if the game does not exist.
    pub fn game_title(&self) -> &str {
        self.game.parse().map_or(self.game.as_str(), |game: GameId| game.title())
    }

    /// Maximum number of games that one machine plays at the same time.
    pub const MOST_JOBS: usize = 256;

    /// Writes the specification as a TOML file.
    ///
    /// # Errors
    /// If TOML cannot represent a value.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Checks all fields that do not depend on the game.
    ///
    /// # Errors
    /// If a field has an invalid value.
    pub fn check(&self) -> Result<(), SpecError> {
        let wrong = |field: &str, found: &dyn ToString, expected: &str| {
            Err(SpecError::Value { field: field.to_owned(), found: found.to_string(), expected: expected.to_owned() })
        };
        self.format.check(self.agents.len(), self.games, self.rounds)?;
        if self.move_limit == 0 || self.opening >= self.move_limit {
            return wrong("opening", &self.opening, "fewer moves than `move_limit`");
        }
        if self.openings.is_some() && self.opening != 0 {
            return wrong("opening", &self.opening, "no random moves with `openings`");
        }
        if self.openings.is_none() && (self.openings_plies.is_some() || !self.openings_order.is_usual()) {
            return wrong("openings", &"nothing", "a file, because `openings_order` or `openings_plies` is set");
        }
        if self.rules.is_some() && self.repetitions.is_some() {
            return wrong("repetitions", &self.repetitions.unwrap_or_default(), "none with `rules`");
        }
        if self.repetitions.is_some_and(|times| times < 2) {
            return wrong("repetitions", &self.repetitions.unwrap_or_default(), "2 or more");
        }
        if self.jobs == Some(0) {
            return wrong("jobs", &0, "at least 1");
        }
        let Times { per_move, per_game, increment, start, margin } = self.time;
        let times = [per_move, per_game, Some(increment), Some(start), Some(margin)];
        if let Some(time) = times.into_iter().flatten().find(|time| !(0.0..=MAX_SECONDS).contains(time)) {
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
        self.adjudicate.check(self.rule_set().is_some_and(|set| set.repetitions == Some(Repetitions::OpenSpiel)))?;
        if let Affinity::Cores(cores) = &self.affinity {
            let different: BTreeSet<_> = cores.iter().collect();
            if cores.is_empty() || different.len() != cores.len() {
                return wrong("affinity", &format!("{cores:?}"), "true, false or a list of different cores");
            }
        }
        if self.sprt.is_some() && self.format != Format::Match {
            return wrong("sprt", &"a test", "none unless `format = \"match\"`, because a test compares two agents");
        }
        if let Err((field, found, expected)) = self.limits.check() {
            return wrong(field, &found, expected);
        }
        let mut names = BTreeSet::new();
        for agent in &self.agents {
            agent.check()?;
            if !names.insert(&agent.name) {
                return wrong("agent.name", &agent.name, "a unique name");
            }
        }
        Ok(())
    }

    /// Returns the factor for time limits on a machine with this speed, in nodes per second; 1 if they are not scaled.
    pub fn pace(&self, speed: Option<f64>) -> f64 {
        match (self.scale, speed) {
            (Scale::Speed(meant), Some(speed)) if speed > 0.0 => meant / speed,
            _ => 1.0,
        }
    }

    /// Returns the tournament with its time limits scaled to a machine with this speed, in nodes per second.
    pub(crate) fn scaled(&self, speed: Option<f64>) -> Self {
        let pace = self.pace(speed);
        let longer = |time: f64| (time * pace).min(MAX_SECONDS);
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

    /// Returns the number of rounds of a Swiss: `rounds`, or the usual number if it is unset.
    pub fn swiss_rounds(&self) -> usize {
        self.rounds.map_or_else(|| Swiss::usual_rounds(self.agents.len()), |rounds| rounds as usize)
    }

    /// Creates the referee of a game between these agents.
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
    use crate::agent_spec::Words;
    use referee::TimeControl;
    use std::path::Path;

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
    fn nus_agents_set_the_rules_of_their_competition_unless_the_file_does() {
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
    fn scaled_times_are_longer_on_slower_machines() {
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

    /// An error that includes the text of its cause must not also return it as `source`: callers that print the whole
    /// chain would print the text twice.
    #[test]
    fn an_error_whose_text_includes_its_cause_has_no_source() {
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
