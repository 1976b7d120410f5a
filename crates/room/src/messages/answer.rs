use games::{Known, Node, Reply, Scene, Thought};
use serde::Serialize;

use super::{Archived, BoardView, Clock, Explored, Game, Seat, Tournament};

/// A message to the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Answer {
    /// The room as it stands. It replaces what the page knew of it.
    Room(Box<RoomView>),
    /// A request was refused. Nothing has changed.
    Refused {
        /// The number of the request, if it had one.
        id: Option<u32>,
        /// The reason, for users.
        text: String,
    },
    /// A game that was asked for.
    Scene {
        /// The number of the request.
        id: u32,
        /// The game.
        scene: Box<Scene>,
    },
    /// A game that was read from a text.
    Game {
        /// The number of the request.
        id: u32,
        /// The game with its main line.
        game: Game,
        /// The start and the moves, with variations.
        nodes: Vec<Node>,
    },
    /// A game as text.
    Text {
        /// The number of the request.
        id: u32,
        /// The text.
        text: String,
    },
    /// What the engine thinks of a game.
    Thought {
        /// The number of the request.
        id: u32,
        /// How many moves lead to the position that it is about.
        ply: usize,
        /// Seconds that the search has taken; for [`Request::Judge`](super::Request::Judge), seconds
        /// since it began with the first position.
        seconds: f64,
        /// What it thinks; `None` if the game is over in that position.
        thought: Option<Thought>,
        /// Whether this is the last answer to the request.
        done: bool,
    },
    /// Finished games, the newest first.
    Archive {
        /// The number of the request.
        id: u32,
        /// Those that were asked for.
        games: Vec<Archived>,
        /// How many there are in all.
        count: usize,
    },
    /// The moves that were played in a position, the most frequent first.
    Explored {
        /// The number of the request.
        id: u32,
        /// The moves.
        moves: Vec<Explored>,
        /// Whether games are still being counted.
        counting: bool,
    },
    /// A request was carried out that has no other answer.
    Done {
        /// The number of the request.
        id: u32,
    },
    /// The program has ended: this is its last message, and nobody will answer at this address.
    Ended,
    /// How far a proof has come.
    Proof {
        /// The number of the request.
        id: u32,
        /// Visited positions.
        nodes: u64,
        /// Seconds since the search began.
        seconds: f64,
        /// How it stands.
        state: ProofState,
        /// The proven result.
        known: Option<Known>,
    },
    /// The losing side's replies in a proven position.
    Replies {
        /// The number of the request.
        id: u32,
        /// The replies; the one that holds out longest comes first.
        replies: Vec<Reply>,
    },
    /// What is new in a tournament.
    Tournament {
        /// Whether this server shows a tournament at all.
        shown: bool,
        /// The tournament, unless it is as it was.
        tournament: Option<Box<Tournament>>,
        /// The boards that are not as they were.
        boards: Vec<BoardView>,
        /// The names of all boards, in their order.
        keys: Vec<String>,
    },
    /// A hint.
    Hint {
        /// How many moves lead to the position that it is for.
        ply: u32,
        /// What it thinks.
        thought: Option<Thought>,
    },
}

/// How a proof stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofState {
    /// It waits for another proof to end.
    Waiting,
    /// It goes on.
    Searching,
    /// One side wins.
    Won,
    /// Neither side can force a win.
    Drawn,
    /// The budget is spent.
    Open,
}

/// A room as every page in it sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoomView {
    /// Its name.
    pub room: String,
    /// Grows with every change.
    pub revision: u64,
    /// The game.
    pub scene: Scene,
    /// Who plays.
    pub seats: [Seat; 2],
    /// Whether the engines are paused.
    pub paused: bool,
    /// Whether an engine is thinking about its move.
    pub thinking: bool,
    /// Milliseconds between two moves of engines.
    pub pace: u64,
    /// Moves that were taken back, the next one first.
    pub undone: Vec<String>,
    /// Whether a terminal drives the game, too. Pages can then change only what its text program can change.
    pub terminal: bool,
    /// The clocks, if the game has any.
    pub clock: Option<ClockView>,
    /// Who sits where, if several devices share the room.
    pub table: Option<TableView>,
}

/// The clocks as they stood when the server wrote this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// What was agreed.
    pub clock: Clock,
    /// Milliseconds that both sides have left.
    pub left: [u64; 2],
    /// The side whose clock runs; none if both stand.
    pub running: Option<usize>,
    /// The server's time in milliseconds, by a clock that never goes back.
    pub at: u64,
}

/// A shared table as one client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// The side at which this client sits; none if it watches.
    pub you: Option<usize>,
    /// Whether somebody sits at each side.
    pub taken: [bool; 2],
    /// Whether the connection of who sits there is lost.
    pub away: [bool; 2],
    /// How many clients watch.
    pub watching: usize,
    /// The side that asks to take its last move back; [`Act::Undo`](super::Act::Undo) of the other
    /// one agrees.
    pub asks: Option<usize>,
}
