//! The messages between page and server, as JSON.

use games::{Edit, Scene, Thought};
use serde::{Deserialize, Serialize};

/// A message from the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Enter a room. This is the first message. If there is no room of this name, a new room with a new name is
    /// created.
    Join {
        /// The name of the room; a new room if unset.
        #[serde(default)]
        room: Option<String>,
    },
    /// Begin another game in this room.
    New(NewGame),
    /// Do something with the game in the room.
    Act {
        /// The number of moves that the page knows. If the game has gone on since, the act is refused.
        ply: u32,
        /// What to do.
        act: Act,
    },
    /// Show a game that is in no room.
    Look {
        /// A number that the answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Change the last position of a game by hand. The answer is a scene of a game that begins there.
    Edit {
        /// A number that the answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// The change.
        edit: Edit,
    },
    /// Think about a game, longer and longer, until its value is proven or the longest search is done. The next request
    /// to analyse, to judge or to rest ends it earlier.
    Analyse {
        /// A number that each answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// How many lines are wanted, 1 to 5.
        lines: usize,
    },
    /// Judge every position of a game.
    Judge {
        /// A number that each answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Understand a text: a file, a position, a list of moves.
    Read {
        /// A number that the answer repeats.
        id: u32,
        /// The text.
        text: String,
        /// The game that a list of moves belongs to.
        game: Game,
    },
    /// Write a game as text.
    Write {
        /// A number that the answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Stop thinking.
    Rest,
}

/// A game in no room: setting, start and moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Game {
    /// The name of the game: `loa`.
    pub game: String,
    /// Squares a side; the game's usual size if unset.
    #[serde(default)]
    pub size: Option<usize>,
    /// Position text; the usual start if unset.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Moves of both sides after which the game is drawn; no limit if unset.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A game to begin, or to go on with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGame {
    /// What is played.
    pub game: Game,
    /// Who plays.
    pub seats: [Seat; 2],
    /// Whether the engines are paused: each of their moves then waits for [`Act::Step`].
    #[serde(default)]
    pub paused: bool,
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A user at a page.
    Person,
    /// One of our engines.
    Engine {
        /// 1 to 10.
        level: u8,
        /// Seconds for a move instead of the level's budget.
        #[serde(default)]
        seconds: Option<f64>,
        /// Positions for a move instead of the level's budget.
        #[serde(default)]
        nodes: Option<u64>,
    },
}

/// Something that a user does in a room.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Act {
    /// Play a move.
    Play {
        /// In its usual notation.
        text: String,
    },
    /// Take moves back, to the last position in which a user was to move.
    Undo,
    /// Play again the moves that were taken back, to the next position in which a user is to move.
    Redo,
    /// A user resigns.
    Resign,
    /// Change who plays a side.
    Seat {
        /// 0 or 1.
        side: usize,
        /// Who.
        seat: Seat,
    },
    /// Pause the engines, or let them go on.
    Pause {
        /// Whether they are paused.
        on: bool,
    },
    /// Pause the engines and let one of them make one move.
    Step,
    /// Set the shortest time between two moves of engines.
    Pace {
        /// Milliseconds.
        ms: u64,
    },
    /// Change the move limit.
    Limit {
        /// Moves of both sides; no limit if unset.
        moves: Option<u32>,
    },
    /// Ask for a move.
    Hint,
}

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
        /// The game.
        game: Game,
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
        /// Seconds that the search has taken; for [`Request::Judge`], seconds since it began with the first position.
        seconds: f64,
        /// What it thinks; `None` if the game is over in that position.
        thought: Option<Thought>,
        /// Whether this is the last answer to the request.
        done: bool,
    },
    /// A hint.
    Hint {
        /// How many moves lead to the position that it is for.
        ply: u32,
        /// What it thinks.
        thought: Option<Thought>,
    },
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
}
