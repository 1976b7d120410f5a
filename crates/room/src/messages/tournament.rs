use std::collections::BTreeMap;

use games::Scene;
use serde::Serialize;

use super::Game;

/// A tournament that another program runs, as it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tournament {
    /// Whether it goes on.
    pub state: TournamentState,
    /// What keeps it from being read; what is shown is then what was read last.
    pub trouble: Option<String>,
    /// Its name.
    pub name: String,
    /// The name of the game: `loa`.
    pub game: String,
    /// Squares a side; the game's usual size if unset.
    pub size: Option<usize>,
    /// The name of its format: `swiss`.
    pub format: String,
    /// Games that have been played.
    pub played: u32,
    /// All games.
    pub planned: u32,
    /// The round that is being played, from 1, and number of rounds; none where there are no rounds.
    pub round: Option<[u32; 2]>,
    /// Games a minute, of late.
    pub per_minute: Option<f64>,
    /// How many seconds the rest will take.
    pub left: Option<f64>,
    /// The agents, the best first.
    pub agents: Vec<AgentView>,
    /// Who has won; several if they share the first place.
    pub winners: Vec<String>,
    /// Who plays.
    pub workers: Vec<WorkerView>,
    /// The last results, the newest first.
    pub recent: Vec<ResultView>,
    /// Games that are damaged and do not count.
    pub damaged: u32,
    /// Boards that there are besides those that are shown.
    pub more_boards: usize,
}

/// Whether a tournament goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TournamentState {
    /// It has not begun.
    #[default]
    Waiting,
    /// A program runs it.
    Running,
    /// Games are left, and no program runs it.
    Stopped,
    /// It is over.
    Over,
}

/// An agent of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// Its name.
    pub name: String,
    /// Games won, drawn, lost.
    pub games: [u32; 3],
    /// Points; in a Swiss with those of a bye.
    pub points: f64,
    /// In a Swiss, the sum of its opponents' points.
    pub buchholz: Option<f64>,
    /// Its Elo from the mean; none before its first game.
    pub elo: Option<f64>,
    /// The error of that, 95 %; none if the games do not bound it.
    pub error: Option<f64>,
    /// Its faults by kind.
    pub faults: BTreeMap<String, u32>,
}

/// A worker of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    /// Its number; 0 for the program that runs the tournament.
    pub id: i64,
    /// Its machine and process; empty for the program that runs the tournament.
    pub name: String,
    /// Games that it can play at the same time.
    pub jobs: u64,
    /// Games that it plays.
    pub busy: u64,
    /// Games that it has played.
    pub done: u64,
    /// Games that it could not play.
    pub failed: u64,
    /// Games a minute, of late.
    pub per_minute: Option<f64>,
    /// Seconds since it was heard of.
    pub silent: u64,
}

/// A result of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultView {
    /// The game's number.
    pub number: u32,
    /// The names of the agents, that with the first side first.
    pub names: [String; 2],
    /// 0 or 1; none in a draw.
    pub winner: Option<usize>,
    /// The name of the reason, as the store has it: `win`, `tie by limit`.
    pub ending: String,
    /// Moves of both sides.
    pub plies: usize,
}

/// A board of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// The name of the board, which stays while games come and go.
    pub key: String,
    /// The game's number.
    pub number: u32,
    /// The names of the agents, that with the first side first.
    pub names: [String; 2],
    /// The position, with the last move if there is one.
    pub game: Game,
    /// Moves of both sides so far.
    pub plies: u32,
    /// Milliseconds that the sides had left when this was said, if their time is limited.
    pub left: [Option<u64>; 2],
    /// The side whose clock runs; none if both stand.
    pub running: Option<usize>,
    /// How the game has ended, if it has.
    pub end: Option<BoardEnd>,
}

/// How a game on a board has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardEnd {
    /// 0 or 1; none in a draw.
    pub winner: Option<usize>,
    /// The name of the reason, as the store has it.
    pub ending: String,
}

/// A board as pages see it. Its scene is only to be looked at: it has no legal moves.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardView {
    /// The name of the board.
    pub key: String,
    /// The game's number.
    pub number: u32,
    /// The names of the agents, that with the first side first.
    pub names: [String; 2],
    /// What is on it.
    pub scene: Scene,
    /// Moves of both sides so far.
    pub plies: u32,
    /// Milliseconds that the sides have left now, if their time is limited.
    pub left: [Option<u64>; 2],
    /// The side whose clock runs.
    pub running: Option<usize>,
    /// How the game has ended, if it has.
    pub end: Option<BoardEnd>,
}
