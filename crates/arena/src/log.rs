//! A finished game as the store and the JSON files keep it.

use std::fmt;
use std::time::Duration;

use game::{Outcome, Side};
use protocol::Score;
use referee::{Ending, Fault, FaultKind, Offence, Played, Ply};
use serde::{Deserialize, Serialize};

use rating::GameScore;

use crate::Planned;

/// The longest time in a log, in seconds: three years.
const LONGEST: f64 = 1e8;

/// The complete log of a finished game. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLog {
    /// The game's entry in the plan.
    #[serde(flatten)]
    pub planned: Planned,
    /// Position text before the opening.
    pub start: String,
    /// The opening's moves.
    pub opening: Vec<String>,
    /// The players' moves.
    pub moves: Vec<MoveLog>,
    /// The result.
    pub result: ResultLog,
    /// The name of the reason for the result, as in [`Ending::names`].
    pub ending: String,
    /// The faults of both players.
    #[serde(default)]
    pub faults: Vec<FaultLog>,
    /// Standard error of the first and the second side.
    #[serde(default)]
    pub stderr: [String; 2],
    /// Processor time of the first and the second side.
    pub cpu: [Option<f64>; 2],
    /// The time when the game began, in UTC.
    pub began: String,
    /// Duration of the game.
    pub seconds: f64,
    /// The version of Plyhouse that refereed the game.
    pub version: String,
    /// A description of the machine.
    pub machine: String,
}

/// A move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveLog {
    /// In Plyhouse notation.
    pub text: String,
    /// Time from the request to the answer.
    pub seconds: f64,
    /// The part of this time for which the player was ready to compute while other programs had its processor. It was
    /// not charged to the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<f64>,
    /// Processor time that the player used for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// The time that the player has left for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Whether the referee chose the move after a fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// 0 if the first side moved, 1 if the second did. Older files do not tell; see [`GameLog::side_of`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
    /// The value of the position before the move, as the player saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreLog>,
    /// The depth of its search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions that it visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The line that it expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

/// What a position is worth to the side to move, as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreLog {
    /// Hundredths of a piece, or the player's own unit.
    Cp(i32),
    /// It wins within this many plies.
    Win(u32),
    /// It loses within this many plies.
    Loss(u32),
}

impl From<Score> for ScoreLog {
    fn from(score: Score) -> Self {
        match score {
            Score::Units(units) => Self::Cp(units),
            Score::Win(plies) => Self::Win(plies),
            Score::Loss(plies) => Self::Loss(plies),
        }
    }
}

/// `+0.37`, `win in 5`, `loss in 8`.
impl fmt::Display for ScoreLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(units) => write!(f, "{:+.2}", f64::from(*units) / 100.0),
            Self::Win(plies) => write!(f, "win in {plies}"),
            Self::Loss(plies) => write!(f, "loss in {plies}"),
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultLog {
    /// The first side won.
    First,
    /// The second side won.
    Second,
    /// The game was drawn. The store and the JSON files call this `tie`.
    #[serde(rename = "tie")]
    Draw,
    /// Neither side started. The game is over, and neither side scores.
    Void,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultLog {
    /// Number of moves before it, including the opening's.
    pub ply: u32,
    /// 0 for the first side, 1 for the second.
    pub side: usize,
    /// The name of its kind.
    pub kind: String,
    /// Details in words.
    pub detail: String,
}

impl ResultLog {
    /// The score of a side: 0 is the first side, 1 the second. `None` if the game is void.
    pub const fn score(self, side: usize) -> Option<GameScore> {
        match (self, side) {
            (Self::Void, _) => None,
            (Self::Draw, _) => Some(GameScore::Draw),
            (Self::First, 0) | (Self::Second, 1) => Some(GameScore::Win),
            _ => Some(GameScore::Loss),
        }
    }

    /// The points of a side, in halves.
    pub(crate) fn half_points(self, side: usize) -> u32 {
        self.score(side).map_or(0, |score| score.half_points() as u32)
    }
}

impl From<Option<Outcome>> for ResultLog {
    fn from(outcome: Option<Outcome>) -> Self {
        outcome.map_or(Self::Void, Self::from)
    }
}

impl From<Outcome> for ResultLog {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Side::First) => Self::First,
            Outcome::Win(Side::Second) => Self::Second,
            Outcome::Draw => Self::Draw,
        }
    }
}

impl From<&Ply> for MoveLog {
    fn from(ply: &Ply) -> Self {
        let seconds = |time: Option<Duration>| time.map(rounded);
        Self {
            text: ply.text.clone(),
            seconds: rounded(ply.wall),
            waited: (!ply.waited.is_zero()).then(|| rounded(ply.waited)),
            cpu: seconds(ply.cpu),
            left: seconds(ply.left),
            replaced: ply.replaced,
            side: Some(ply.side.index()),
            score: ply.info.score.map(ScoreLog::from),
            depth: ply.info.depth,
            nodes: ply.info.nodes,
            pv: ply.info.pv.clone(),
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

/// Seconds, rounded to microseconds.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

impl GameLog {
    /// Makes the log of a game that has just been played.
    pub fn new(planned: Planned, begun: Begun, played: Played, took: Duration) -> Self {
        Self {
            planned,
            start: begun.start,
            opening: begun.opening,
            moves: played.plies.iter().map(MoveLog::from).collect(),
            result: played.outcome.into(),
            ending: played.ending.name().to_owned(),
            faults: played.offences.iter().map(FaultLog::from).collect(),
            stderr: played.stderr,
            cpu: played.cpu.map(|time| time.map(rounded)),
            began: begun.at,
            seconds: rounded(took),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: begun.machine,
        }
    }

    /// Whether its numbers can be those of a game between some of these many agents, so that it can be counted.
    ///
    /// # Errors
    /// If not; the text says why.
    pub fn is_possible(&self, agents: usize) -> Result<(), String> {
        let [first, second] = self.planned.agents;
        if first >= agents || second >= agents || first == second {
            return Err(format!("agents: {first} and {second} found, expected two of the {agents} agents"));
        }
        if let Some(fault) =
            self.faults.iter().find(|fault| fault.side > 1 || fault.ply as usize > self.all_moves().count())
        {
            return Err(format!("faults: side {} after {} moves found, which is impossible", fault.side, fault.ply));
        }
        let of_moves = self.moves.iter().flat_map(|m| [Some(m.seconds), m.waited, m.cpu, m.left]);
        let mut times = of_moves.chain(self.cpu).chain([Some(self.seconds)]).flatten();
        match times.find(|time| !(0.0..=LONGEST).contains(time)) {
            Some(time) => Err(format!("{time} s found, expected 0 to {LONGEST} s")),
            None => Ok(()),
        }
    }

    /// Every move since the start.
    pub fn all_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.iter().map(String::as_str).chain(self.moves.iter().map(|m| m.text.as_str()))
    }

    /// The side of a player's move: 0 for the first side, 1 for the second.
    pub fn side_of(&self, number: usize) -> usize {
        // Before openings came from files, the first side began every game.
        let told = self.moves.get(number).and_then(|m| m.side).filter(|&side| side < 2);
        told.unwrap_or((self.opening.len() + number) % 2)
    }

    /// Returns `true` if a side lost because it did not start, or if neither side did.
    pub fn is_forfeit(&self) -> bool {
        self.ended() == Some(Ending::Fault(FaultKind::NoStart)) || (0..2).any(|side| self.failed_to_start(side))
    }

    /// Returns `true` if a side did not start in this game, or reached a limit before it was ready: 0 is the first
    /// side, 1 the second.
    pub fn failed_to_start(&self, side: usize) -> bool {
        let no_start = FaultKind::NoStart.to_string();
        let is_of_start = |fault: &FaultLog| fault.kind == no_start || fault.detail.starts_with(Fault::NOT_READY);
        !self.has_moved(side) && self.faults.iter().any(|fault| fault.side == side && is_of_start(fault))
    }

    /// Returns `true` if a side has made a move.
    pub(crate) fn has_moved(&self, side: usize) -> bool {
        (0..self.moves.len()).any(|number| self.side_of(number) == side)
    }

    /// The ending; `None` if its name is unknown.
    pub fn ended(&self) -> Option<Ending> {
        Ending::names().find(|&(name, _)| name == self.ending).map(|(_, ending)| ending)
    }

    /// The ending in words, for people.
    pub fn ending_in_words(&self) -> String {
        self.ended().map_or_else(|| self.ending.clone(), |ending| ending.to_string())
    }
}

/// The state of a game before the players' first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Position text before the opening.
    pub start: String,
    /// The opening's moves.
    pub opening: Vec<String>,
    /// The time, in UTC.
    pub at: String,
    /// A description of the machine.
    pub machine: String,
}
