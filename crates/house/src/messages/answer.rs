use game::Message;
use games::{Known, Node, Reply, Scene, Thought};
use serde::Serialize;

use crate::messages::game::{Archived, Clock, Explored, Game, Seat};
use crate::messages::tournament::{BoardView, Tournament};

/// A message to the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Answer {
    /// The current state of the room. It replaces the page's state.
    Room(Box<RoomView>),
    /// A request was rejected. Nothing has changed.
    Refused {
        /// Id of the request, if it has one.
        id: Option<u32>,
        /// Reason.
        message: Message,
    },
    /// The scene of a requested game.
    Scene {
        /// Id of the request.
        id: u32,
        /// The scene.
        scene: Box<Scene>,
    },
    /// A game that was parsed from a text.
    Game {
        /// Id of the request.
        id: u32,
        /// The game with its main line.
        game: Game,
        /// Start and moves, with variations.
        nodes: Vec<Node>,
        /// Message about the skipped moves of the text: illegal moves, and the moves after them.
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<Message>,
    },
    /// A game as text.
    Text {
        /// Id of the request.
        id: u32,
        /// The text.
        text: String,
    },
    /// An engine's evaluation of a position of a game.
    Thought {
        /// Id of the request.
        id: u32,
        /// Number of moves before the position.
        ply: usize,
        /// Duration of the search in seconds. For [`Request::Judge`](super::Request::Judge), seconds since the search
        /// of the first position began.
        seconds: f64,
        /// Evaluation; `None` if the game is over in that position.
        thought: Option<Thought>,
        /// For [`Request::Judge`](super::Request::Judge), the reason why the move played in the position was an error
        /// or a good move.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<Message>,
        /// `true` for the last answer to the request.
        done: bool,
    },
    /// Finished games, the newest first.
    Archive {
        /// Id of the request.
        id: u32,
        /// Requested games.
        games: Vec<Archived>,
        /// Total number of games.
        count: usize,
    },
    /// The moves played in a position, in order of decreasing frequency.
    Explored {
        /// Id of the request.
        id: u32,
        /// The moves.
        moves: Vec<Explored>,
        /// `true` while games are still being counted.
        counting: bool,
    },
    /// The user's results against each level of the engine in a game.
    Ladder {
        /// Id of the request.
        id: u32,
        /// Opponents, the weakest first.
        rungs: Vec<Rung>,
        /// Next opponent, by its index in `rungs`; `None` if all are beaten.
        next: Option<usize>,
        /// User's rating; `None` before the first game that counts.
        rating: Option<LadderRating>,
    },
    /// A part of a file with the finished games: one game in JSON per line, in the order in which the games ended.
    Exported {
        /// Id of the request.
        id: u32,
        /// The part.
        text: String,
        /// Number of games before the next part; `None` after the last part.
        next: Option<usize>,
    },
    /// Games from a file were added to the finished games.
    Imported {
        /// Id of the request.
        id: u32,
        /// Number of added games.
        added: usize,
        /// Number of games that were already in the archive.
        known: usize,
        /// Number of skipped lines, which contain no valid game.
        skipped: usize,
        /// Error of the first skipped line.
        error: Option<Message>,
    },
    /// A request that has no answer of its own was completed.
    Done {
        /// Id of the request.
        id: u32,
    },
    /// The program ends. This is its last message, and the server accepts no further connections.
    Ended,
    /// The progress of a proof.
    Proof {
        /// Id of the request.
        id: u32,
        /// Number of visited positions.
        nodes: u64,
        /// Seconds since the search began.
        seconds: f64,
        /// State of the proof.
        state: ProofState,
        /// Proven result.
        known: Option<Known>,
    },
    /// The losing side's replies in a proven position.
    Replies {
        /// Id of the request.
        id: u32,
        /// Replies, beginning with the longest defence.
        replies: Vec<Reply>,
    },
    /// The changes in a tournament.
    Tournament {
        /// `true` if this server shows a tournament.
        shown: bool,
        /// Tournament; `None` if it is unchanged.
        tournament: Option<Box<Tournament>>,
        /// Boards that have changed.
        boards: Vec<BoardView>,
        /// Keys of all boards, in order.
        keys: Vec<String>,
    },
    /// A hint.
    Hint {
        /// Number of moves before the position of the hint.
        ply: u32,
        /// Engine's evaluation, which contains the suggested move.
        thought: Option<Thought>,
    },
}

/// The user's results against one level of the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// Name of the level, for example `gentle1` or `10`.
    pub level: &'static str,
    /// Number of games that the user won.
    pub wins: usize,
    /// Number of drawn games.
    pub draws: usize,
    /// Number of games that the user lost.
    pub losses: usize,
    /// Results of the last games (at most three), the oldest first, each in half points: 0, 1 or 2.
    pub last: Vec<u8>,
    /// `true` if the user has beaten this opponent.
    pub beaten: bool,
}

/// A rating on the scale of the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LadderRating {
    /// Rating, in Elo.
    pub elo: i32,
    /// Its standard deviation, in Elo.
    pub deviation: u32,
    /// Number of games from which it is computed.
    pub games: usize,
}

/// The state of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofState {
    /// The proof waits until another proof ends.
    Waiting,
    /// The search is running.
    Searching,
    /// One side wins.
    Won,
    /// Neither side can force a win.
    Drawn,
    /// The budget is exhausted.
    Open,
}

/// The state of a room as shown on its pages.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
pub struct RoomView {
    /// Name of the room.
    pub room: String,
    /// Revision number. It increases with every change.
    pub revision: u64,
    /// Scene of the game.
    pub scene: Scene,
    /// Players of the two sides.
    pub seats: [Seat; 2],
    /// `true` if the engines are paused.
    pub paused: bool,
    /// `true` if an engine is thinking about its move.
    pub thinking: bool,
    /// Minimum time between two moves of engines, in milliseconds.
    pub pace: u64,
    /// Moves that were taken back, in the order in which they would be replayed.
    pub undone: Vec<String>,
    /// `true` if a terminal also controls the game. Pages then support only the actions of its text program.
    pub terminal: bool,
    /// Clocks, if the game has any.
    pub clock: Option<ClockView>,
    /// Shared table, if several devices share the room.
    pub table: Option<TableView>,
    /// `true` if the user was helped; see [`Archived::helped`]. Pages store this flag with the game.
    pub helped: bool,
}

/// The state of the clocks when the server wrote this message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// Time control.
    pub clock: Clock,
    /// Time that both sides have left, in milliseconds.
    pub left: [u64; 2],
    /// Side whose clock runs; `None` if both are stopped.
    pub running: Option<usize>,
    /// Server time in milliseconds, from a monotonic clock.
    pub at: u64,
}

/// A shared table as one client sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// Side of this client; `None` if it is watching.
    pub you: Option<usize>,
    /// `true` for each side whose seat is taken.
    pub taken: [bool; 2],
    /// `true` for each side whose client has lost its connection.
    pub away: [bool; 2],
    /// Number of watching clients.
    pub watching: usize,
    /// Side that asks to take its last move back. The other side agrees with [`Act::Undo`](super::Act::Undo).
    pub asks: Option<usize>,
    /// Side that offers a draw. The other side accepts it with [`Act::Draw`](super::Act::Draw).
    pub offers: Option<usize>,
    /// Names of the two players.
    pub names: [Option<String>; 2],
}
