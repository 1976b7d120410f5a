//! A finished game as it is kept: in the store, and as a line of JSON.

use std::time::Duration;

use game::{Outcome, Side};
use referee::{Ending, Offence, Played, Ply};
use serde::{Deserialize, Serialize};

use rating::GameScore;

use crate::Planned;

/// Everything that is known of a finished game. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLog {
    /// Which game of the plan it is.
    #[serde(flatten)]
    pub planned: Planned,
    /// Position text before the opening.
    pub start: String,
    /// The opening's moves.
    pub opening: Vec<String>,
    /// The players' moves.
    pub moves: Vec<MoveLog>,
    /// Who won.
    pub result: ResultLog,
    /// Why, by its name.
    pub ending: String,
    /// What the players did wrong.
    #[serde(default)]
    pub faults: Vec<FaultLog>,
    /// Standard error of the first and the second side.
    #[serde(default)]
    pub stderr: [String; 2],
    /// Processor time of the first and the second side.
    pub cpu: [Option<f64>; 2],
    /// When it began, in UTC.
    pub began: String,
    /// How long it took.
    pub seconds: f64,
    /// The version of Plyhouse that was the referee.
    pub version: String,
    /// The machine.
    pub machine: String,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveLog {
    /// In the notation of the house.
    pub text: String,
    /// From the question to the answer.
    pub seconds: f64,
    /// Processor time of the player in between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// What was left of the player's time for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Whether the referee chose the move after a fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultLog {
    /// The first side won.
    First,
    /// The second side won.
    Second,
    /// Nobody did.
    Tie,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultLog {
    /// After so many moves, the opening's included.
    pub ply: u32,
    /// 0 for the first side, 1 for the second.
    pub side: usize,
    /// What kind, by its name.
    pub kind: String,
    /// In words.
    pub detail: String,
}

impl ResultLog {
    /// What the game brought a side.
    pub const fn score(self, side: usize) -> GameScore {
        match (self, side) {
            (Self::Tie, _) => GameScore::Draw,
            (Self::First, 0) | (Self::Second, 1) => GameScore::Win,
            _ => GameScore::Loss,
        }
    }
}

impl From<Outcome> for ResultLog {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Side::First) => Self::First,
            Outcome::Win(Side::Second) => Self::Second,
            Outcome::Draw => Self::Tie,
        }
    }
}

impl From<&Ply> for MoveLog {
    fn from(ply: &Ply) -> Self {
        let seconds = |time: Option<Duration>| time.map(rounded);
        Self {
            text: ply.text.clone(),
            seconds: rounded(ply.wall),
            cpu: seconds(ply.cpu),
            left: seconds(ply.left),
            replaced: ply.replaced,
        }
    }
}

impl From<&Offence> for FaultLog {
    fn from(offence: &Offence) -> Self {
        Self {
            ply: offence.ply,
            side: offence.side.index(),
            kind: offence.fault.kind.to_string(),
            detail: offence.fault.detail.clone(),
        }
    }
}

/// Microseconds are enough.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

impl GameLog {
    /// The log of a game that has just been played.
    pub fn new(planned: Planned, begun: Begun, played: Played, took: Duration) -> Self {
        Self {
            planned,
            start: begun.start,
            opening: begun.opening,
            moves: played.plies.iter().map(MoveLog::from).collect(),
            result: played.outcome.into(),
            ending: played.ending.to_string(),
            faults: played.offences.iter().map(FaultLog::from).collect(),
            stderr: played.stderr,
            cpu: played.cpu.map(|time| time.map(rounded)),
            began: begun.at,
            seconds: rounded(took),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: begun.machine,
        }
    }

    /// Every move since the start.
    pub fn all_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.iter().map(String::as_str).chain(self.moves.iter().map(|m| m.text.as_str()))
    }

    /// How the game ended; `None` if its name is not known.
    pub fn ended(&self) -> Option<Ending> {
        Ending::names().find(|&(name, _)| name == self.ending).map(|(_, ending)| ending)
    }
}

/// A game as it was before the players' first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Position text before the opening.
    pub start: String,
    /// The opening's moves.
    pub opening: Vec<String>,
    /// When, in UTC.
    pub at: String,
    /// On which machine.
    pub machine: String,
}
