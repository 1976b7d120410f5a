//! The sections of a course file.

use std::path::PathBuf;

use arena::{Affinity, AgentSpec, Format, OnFault, Openings, Spec, Words};
use engine::Level;
use process::sandbox::Bytes;
use serde::{Deserialize, Deserializer};

use crate::similar::fingerprint::Starter;

/// The section `[course]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Name of the course.
    pub name: String,
    /// CSV file of the teams.
    pub roster: PathBuf,
    /// Local date and time of the deadline, such as `2026-11-30 18:00`.
    #[serde(deserialize_with = "text_of_time")]
    pub deadline: String,
    /// Name of the time zone of the deadline, such as `Asia/Singapore`.
    pub time_zone: String,
    /// Treatment of uploads after the deadline.
    #[serde(default)]
    pub late: Late,
    /// Set if visitors without a link can replay finished games.
    #[serde(default = "yes")]
    pub public_games: bool,
}

/// The treatment of uploads after the deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Late {
    /// They are refused.
    #[default]
    Refuse,
    /// They are checked and play on the ladder, but not in the final.
    OpenLadder,
}

/// A time with or without quotation marks.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a date and a time, such as \"2026-11-30 18:00\"")]
enum WrittenTime {
    Text(String),
    Time(toml::value::Datetime),
}

fn text_of_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match WrittenTime::deserialize(deserializer)? {
        WrittenTime::Text(text) => text,
        WrittenTime::Time(time) => time.to_string(),
    })
}

/// The section `[game]`. Fields that it shares with tournament files have the same meaning.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Name of the game, such as `loa`.
    pub game: String,
    /// Length of a side of the board, in squares. If unset, the length is that of the agents' competition, or else the
    /// usual one.
    pub size: Option<usize>,
    /// Number of moves after which a game is drawn.
    pub move_limit: Option<u32>,
    /// Number of occurrences of a position at which the game is drawn.
    pub repetitions: Option<u32>,
    /// Name of the game's rule set.
    pub rules: Option<String>,
    /// Consequence of a fault.
    pub after_fault: Option<OnFault>,
}

/// The section `[agent]`: values of fields that a submission's `agent.toml` does not set, or of all fields if there is
/// no `agent.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentDefaults {
    /// Program and arguments.
    pub command: Option<Words>,
    /// Dialect.
    pub dialect: Option<String>,
    /// Command that builds a submission.
    pub build: Option<String>,
    /// Time limit of the build, in seconds.
    pub build_time: Option<u32>,
}

impl AgentDefaults {
    /// Returns the fields as an agent without a name.
    pub(crate) fn defaults(&self) -> AgentSpec {
        let Self { command, dialect, build, build_time } = self.clone();
        AgentSpec { command, dialect, build, build_time, ..AgentSpec::default() }
    }
}

/// The section `[uploads]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Uploads {
    /// Maximum size of a file.
    pub size: Bytes,
    /// Maximum number of uploads of a team in an hour.
    pub per_hour: u32,
}

impl Uploads {
    /// Largest possible value of `size`.
    pub(super) const MOST: Bytes = Bytes(512 << 20);
}

impl Default for Uploads {
    fn default() -> Self {
        Self { size: Bytes(20 << 20), per_hour: 10 }
    }
}

/// Processor cores of this machine for games. Each concurrent game has one core.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Cores {
    /// This number of cores. It is 0 if only workers on other machines play.
    Number(usize),
    /// These cores. Each game is bound to its core, so that games do not disturb each other.
    List(Vec<usize>),
}

impl Cores {
    /// Returns the number of simultaneous games on a machine with `all` cores.
    pub(crate) fn count(cores: Option<&Self>, all: usize) -> usize {
        match cores {
            None => all.max(1),
            Some(Self::Number(number)) => *number,
            Some(Self::List(list)) => list.len(),
        }
    }

    /// Sets the number of simultaneous games and their cores.
    pub(super) fn apply(cores: Option<&Self>, spec: &mut Spec) {
        spec.jobs = match cores {
            // Workers play all games.
            None | Some(Self::Number(0)) => None,
            Some(Self::Number(number)) => Some(*number),
            Some(Self::List(list)) => {
                spec.affinity = Affinity::Cores(list.clone());
                Some(list.len())
            }
        };
    }
}

/// The section `[ladder]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LadderRules {
    /// Cores; all of the machine's if unset.
    pub cores: Option<Cores>,
    /// Number of random moves at the beginning of each game.
    pub opening: u32,
    /// Openings instead of random moves.
    pub openings: Option<Openings>,
    /// Seed of the openings.
    pub seed: u64,
}

impl Default for LadderRules {
    fn default() -> Self {
        Self { cores: None, opening: 2, openings: None, seed: 1 }
    }
}

/// The section `[practice]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Practice {
    /// Maximum number of practice games of a team in an hour.
    pub per_hour: u32,
    /// Levels of our engines that teams can play.
    pub levels: Vec<LevelName>,
}

impl Default for Practice {
    fn default() -> Self {
        Self { per_hour: 10, levels: Level::all().map(LevelName).collect() }
    }
}

/// A level of our engines, as a number or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "LevelText")]
pub struct LevelName(pub Level);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a level: 1 to 10, or \"gentle1\", \"gentle2\" or \"gentle3\"")]
enum LevelText {
    Number(i64),
    Name(String),
}

impl TryFrom<LevelText> for LevelName {
    type Error = engine::LevelError;

    fn try_from(text: LevelText) -> Result<Self, Self::Error> {
        let text = match text {
            LevelText::Number(number) => number.to_string(),
            LevelText::Name(name) => name,
        };
        text.parse().map(Self)
    }
}

/// The section `[final]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Final {
    /// Format: round robin, Swiss or knockout.
    pub format: Format,
    /// Number of games between two agents that meet.
    pub games: u32,
    /// Number of rounds of a Swiss.
    pub rounds: Option<u32>,
    /// Number of random moves at the beginning of each game.
    pub opening: u32,
    /// Openings instead of random moves.
    pub openings: Option<Openings>,
    /// Seed of the openings.
    pub seed: u64,
    /// Cores; all of the machine's if unset.
    pub cores: Option<Cores>,
    /// Time of the publication.
    pub publish: Publish,
}

impl Default for Final {
    fn default() -> Self {
        Self {
            format: Format::RoundRobin,
            games: 2,
            rounds: None,
            opening: 2,
            openings: None,
            seed: 1,
            cores: None,
            publish: Publish::ByStaff,
        }
    }
}

/// The time at which a final is published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Publish {
    /// The staff publishes it.
    #[default]
    ByStaff,
    /// It is public from its first game on.
    AtOnce,
}

/// The section `[copies]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Copies {
    /// Folder or zip archive with the code that all teams receive.
    pub starter: Option<PathBuf>,
    /// Content of `starter`. It does not count when copies are searched.
    #[serde(skip)]
    pub(crate) code: Starter,
}

impl Copies {
    /// Reads the starter code.
    ///
    /// # Errors
    /// If it cannot be read or has no source file. Returns what was found and what was expected.
    pub(super) fn read(&mut self) -> Result<(), String> {
        if let Some(path) = &self.starter {
            self.code = Starter::read(path)?;
        }
        Ok(())
    }
}

/// The section `[server]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Address on which the server listens.
    pub address: std::net::IpAddr,
    /// Port.
    pub port: u16,
    /// Origin of the links, such as `https://course.example.org`; if unset, it consists of the address and the port.
    pub public: Option<String>,
    /// PEM file of the certificate and its chain. Without it, the server speaks HTTP.
    pub certificate: Option<PathBuf>,
    /// PEM file of the certificate's private key.
    pub key: Option<PathBuf>,
    /// URL of the PostgreSQL database of workers, to which games are handed out. Workers are started on other machines
    /// by `plyhouse work`.
    pub workers: Option<String>,
    /// Addresses of proxies. If a request comes from a proxy, its header `X-Forwarded-For` names the client.
    pub proxies: Vec<std::net::IpAddr>,
}

impl Default for Server {
    fn default() -> Self {
        let address = std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
        Self { address, port: 8080, public: None, certificate: None, key: None, workers: None, proxies: Vec::new() }
    }
}

const fn yes() -> bool {
    true
}
