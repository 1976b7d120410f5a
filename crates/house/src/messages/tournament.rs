use std::collections::BTreeMap;

use games::Scene;
use serde::Serialize;

use crate::messages::game::Game;

/// The state of a tournament that another program runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tournament {
    /// State of the tournament.
    pub state: TournamentState,
    /// Error that prevents reading the tournament. The other fields are then those of the last successful read.
    pub trouble: Option<String>,
    /// Name of the tournament.
    pub name: String,
    /// Name of the game: `loa`.
    pub game: String,
    /// Board size, in squares per side; the usual size of the game if unset.
    pub size: Option<usize>,
    /// Names of the start and the rule set, as in `scrambled-eggs mso`; empty for the usual ones.
    pub variant: String,
    /// Name of the format: `swiss`.
    pub format: String,
    /// Number of games played.
    pub played: u32,
    /// Total number of games.
    pub planned: u32,
    /// Current round, from 1, and number of rounds; `None` for formats without rounds.
    pub round: Option<[u32; 2]>,
    /// Recent number of games per minute.
    pub per_minute: Option<f64>,
    /// Estimated time for the remaining games, in seconds.
    pub left: Option<f64>,
    /// Agents, the best first.
    pub agents: Vec<AgentView>,
    /// Winners; several if they share the first place.
    pub winners: Vec<String>,
    /// Workers that play the games.
    pub workers: Vec<WorkerView>,
    /// Last results, the newest first.
    pub recent: Vec<ResultView>,
    /// Number of damaged games, which do not count.
    pub damaged: u32,
    /// Number of boards that are not shown.
    pub more_boards: usize,
}

/// The state of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TournamentState {
    /// The tournament has not begun.
    #[default]
    Waiting,
    /// A program runs the tournament.
    Running,
    /// Games remain to be played, but no program is running the tournament.
    Stopped,
    /// The tournament is over.
    Over,
}

/// An agent of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// Name of the agent.
    pub name: String,
    /// Games won, drawn, lost.
    pub games: [u32; 3],
    /// Points, including those for a bye in a Swiss tournament.
    pub points: f64,
    /// Sum of the opponents' points, in a Swiss tournament.
    pub buchholz: Option<f64>,
    /// Elo relative to the mean; `None` before the first game.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of the Elo; `None` if it is unknown.
    pub error: Option<f64>,
    /// Number of faults of each kind.
    pub faults: BTreeMap<String, u32>,
}

/// A worker of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    /// Number of the worker; 0 for the program that runs the tournament.
    pub id: i64,
    /// Machine and process; empty for the program that runs the tournament.
    pub name: String,
    /// Maximum number of concurrent games.
    pub jobs: u64,
    /// Number of games in progress.
    pub busy: u64,
    /// Number of games played.
    pub done: u64,
    /// Number of games that failed.
    pub failed: u64,
    /// Recent number of games per minute.
    pub per_minute: Option<f64>,
    /// Seconds since its last message.
    pub silent: u64,
}

/// A result of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultView {
    /// Number of the game.
    pub number: u32,
    /// Names of the agents, in the order [first side, second side].
    pub names: [String; 2],
    /// Winning side, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// Reason for the end, as named in the store, for example `win` or `tie by limit`.
    pub ending: String,
    /// Number of moves of both sides.
    pub plies: usize,
    /// Game from its beginning, for [`Request::Replay`](super::Request::Replay).
    #[serde(skip)]
    pub record: Option<Game>,
}

/// A board of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// Name of the board, which stays the same for successive games.
    pub key: String,
    /// Number of the game.
    pub number: u32,
    /// Names of the agents, in the order [first side, second side].
    pub names: [String; 2],
    /// Position, with the last move if there is one.
    pub game: Game,
    /// Game from its beginning, for [`Request::Replay`](super::Request::Replay).
    #[serde(skip)]
    pub record: Option<Game>,
    /// Number of moves of both sides so far.
    pub plies: u32,
    /// Time that the sides had left when the board was reported, in milliseconds; `None` if it is unlimited.
    pub left: [Option<u64>; 2],
    /// Side whose clock runs; `None` if both are stopped.
    pub running: Option<usize>,
    /// End of the game, if it is over.
    pub end: Option<BoardEnd>,
}

/// The end of a game on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardEnd {
    /// Winning side, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// Reason for the end, as named in the store.
    pub ending: String,
}

/// A board as shown on pages. Its scene is read-only: it has no legal moves.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardView {
    /// Name of the board.
    pub key: String,
    /// Number of the game.
    pub number: u32,
    /// Names of the agents, in the order [first side, second side].
    pub names: [String; 2],
    /// Scene of the board.
    pub scene: Scene,
    /// Number of moves of both sides so far.
    pub plies: u32,
    /// Time that the sides have left, in milliseconds; `None` if it is unlimited.
    pub left: [Option<u64>; 2],
    /// Side whose clock runs; `None` if both are stopped.
    pub running: Option<usize>,
    /// End of the game, if it is over.
    pub end: Option<BoardEnd>,
}
