//! The log of a finished game, as saved in the store and in JSON files.

use std::fmt;
use std::time::Duration;

use game::{Outcome, Side};
use protocol::Score;
use referee::{Ending, Fault, FaultKind, Offence, Played, Ply};
use serde::{Deserialize, Serialize};

use rating::GameScore;

use crate::planned::Planned;

/// Maximum time in a log, in seconds: three years.
const MAX_SECONDS: f64 = 1e8;

/// The complete log of a finished game. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLog {
    /// Entry of the game in the plan.
    #[serde(flatten)]
    pub planned: Planned,
    /// Position text before the opening.
    pub start: String,
    /// Moves of the opening.
    pub opening: Vec<String>,
    /// Moves of the players.
    pub moves: Vec<MoveLog>,
    /// Result.
    pub result: ResultLog,
    /// Name of the reason for the result, as in [`Ending::names`].
    pub ending: String,
    /// Faults of both players.
    #[serde(default)]
    pub faults: Vec<FaultLog>,
    /// Standard error of the first and the second side.
    #[serde(default)]
    pub stderr: [String; 2],
    /// Processor time of the first and the second side.
    pub cpu: [Option<f64>; 2],
    /// Start time, in UTC.
    pub began: String,
    /// Duration.
    pub seconds: f64,
    /// Version of Plyhouse that refereed the game.
    pub version: String,
    /// Description of the machine.
    pub machine: String,
}

/// A move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveLog {
    /// Move in Plyhouse notation.
    pub text: String,
    /// Time from the request to the answer.
    pub seconds: f64,
    /// Part of `seconds` during which the player waited for the processor while other programs used it. This time was
    /// not charged to the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<f64>,
    /// Processor time of the player for the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// Remaining time of the player for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Set if the referee chose the move after a fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// Side that moved: 0 for the first, 1 for the second. Unset in old files; see [`GameLog::side_of`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
    /// Value of the position before the move, as reported by the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreLog>,
    /// Depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of positions that the search visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Principal variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

/// The value of a position for the side to move, as reported by a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreLog {
    /// Hundredths of a piece, or the unit of the player.
    Cp(i32),
    /// Win within this many plies.
    Win(u32),
    /// Loss within this many plies.
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

/// Writes `+0.37`, `win in 5` or `loss in 8`.
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
    /// The game was drawn. Stores and JSON files name this result `tie`.
    #[serde(rename = "tie")]
    Draw,
    /// Neither side started. The game is finished, and neither side scores.
    Void,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultLog {
    /// Number of moves before the fault, including the opening.
    pub ply: u32,
    /// Side at fault: 0 for the first, 1 for the second.
    pub side: usize,
    /// Name of the kind.
    pub kind: String,
    /// Details in words.
    pub detail: String,
}

impl ResultLog {
    /// Returns the score of a side; `None` if the game is void. Side 0 is the first side, 1 the second.
    pub const fn score(self, side: usize) -> Option<GameScore> {
        match (self, side) {
            (Self::Void, _) => None,
            (Self::Draw, _) => Some(GameScore::Draw),
            (Self::First, 0) | (Self::Second, 1) => Some(GameScore::Win),
            _ => Some(GameScore::Loss),
        }
    }

    /// Returns the points of a side, in half points.
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

/// Converts a time to seconds, rounded to microseconds.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

impl GameLog {
    /// Creates the log of a game that has just ended.
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

    /// Checks that agents, faults and times are possible in a tournament with this number of agents.
    ///
    /// # Errors
    /// If a value is impossible; the text names it.
    pub fn check_values(&self, agents: usize) -> Result<(), String> {
        let [first, second] = self.planned.agents;
        if first >= agents || second >= agents || first == second {
            return Err(format!("agents: {first} and {second} found, expected two of the {agents} agents"));
        }
        let moves = self.all_moves().count();
        if let Some(fault) = self.faults.iter().find(|fault| fault.side > 1 || fault.ply as usize > moves) {
            let FaultLog { side, ply, .. } = fault;
            return Err(format!(
                "faults: side {side} at ply {ply} found, expected side 0 or 1 and at most ply {moves}"
            ));
        }
        let of_moves = self.moves.iter().flat_map(|m| [Some(m.seconds), m.waited, m.cpu, m.left]);
        let mut times = of_moves.chain(self.cpu).chain([Some(self.seconds)]).flatten();
        match times.find(|time| !(0.0..=MAX_SECONDS).contains(time)) {
            Some(time) => Err(format!("{time} s found, expected 0 to {MAX_SECONDS} s")),
            None => Ok(()),
        }
    }

    /// Returns all moves, including the opening.
    pub fn all_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.iter().map(String::as_str).chain(self.moves.iter().map(|m| m.text.as_str()))
    }

    /// Returns the side of a move after the opening: 0 for the first side, 1 for the second.
    pub fn side_of(&self, number: usize) -> usize {
        // Logs of older versions have no side. Those versions did not support opening files, so the first side began
        // every game.
        let recorded = self.moves.get(number).and_then(|m| m.side).filter(|&side| side < 2);
        recorded.unwrap_or((self.opening.len() + number) % 2)
    }

    /// Returns `true` if a side lost because it did not start, or if neither side did.
    pub fn is_forfeit(&self) -> bool {
        self.ended() == Some(Ending::Fault(FaultKind::NoStart)) || (0..2).any(|side| self.failed_to_start(side))
    }

    /// Returns `true` if a side did not start in this game, or exceeded a limit before it was ready. Side 0 is the
    /// first side, 1 the second.
    pub fn failed_to_start(&self, side: usize) -> bool {
        let no_start = FaultKind::NoStart.to_string();
        let is_of_start = |fault: &FaultLog| fault.kind == no_start || fault.detail.starts_with(Fault::NOT_READY);
        !self.has_moved(side) && self.faults.iter().any(|fault| fault.side == side && is_of_start(fault))
    }

    /// Returns `true` if a side has made a move.
    pub(crate) fn has_moved(&self, side: usize) -> bool {
        (0..self.moves.len()).any(|number| self.side_of(number) == side)
    }

    /// Returns the ending; `None` if its name is unknown.
    pub fn ended(&self) -> Option<Ending> {
        Ending::names().find(|&(name, _)| name == self.ending).map(|(_, ending)| ending)
    }

    /// Returns the ending as text for users.
    pub fn ending_in_words(&self) -> String {
        self.ended().map_or_else(|| self.ending.clone(), |ending| ending.to_string())
    }
}

/// The state of a game before the players' first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Position text before the opening.
    pub start: String,
    /// Moves of the opening.
    pub opening: Vec<String>,
    /// Start time, in UTC.
    pub at: String,
    /// Description of the machine.
    pub machine: String,
}
