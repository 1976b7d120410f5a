//! What page and server say to each other, as JSON.

use games::{Edit, Scene, Thought};
use serde::{Deserialize, Serialize};

/// From the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Enter a room, which is created if it does not exist. This is the first message.
    Join {
        /// The name of the room; a new room if none is given.
        #[serde(default)]
        room: Option<String>,
    },
    /// Begin another game in this room.
    New(NewGame),
    /// Do something with the game in the room.
    Act {
        /// The number of moves that the page knows. An act that comes too late is refused.
        ply: u32,
        /// What to do.
        act: Act,
    },
    /// Show a game that is in no room.
    Look {
        /// Comes back with the answer.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Change the last position of a game by hand. The answer is a scene of a game that begins there.
    Edit {
        /// Comes back with the answer.
        id: u32,
        /// The game.
        game: Game,
        /// The change.
        edit: Edit,
    },
    /// Think about a game until told otherwise.
    Analyse {
        /// Comes back with each answer.
        id: u32,
        /// The game.
        game: Game,
        /// How many lines are wanted, 1 to 5.
        lines: usize,
    },
    /// Judge every position of a game.
    Judge {
        /// Comes back with each answer.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Understand a text: a file, a position, a list of moves.
    Read {
        /// Comes back with the answer.
        id: u32,
        /// The text.
        text: String,
        /// The game that a list of moves belongs to.
        game: Game,
    },
    /// Write a game as text.
    Write {
        /// Comes back with the answer.
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
    /// Squares a side; the usual ones if none are given.
    #[serde(default)]
    pub size: Option<usize>,
    /// Position text; the usual start if none is given.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Moves of both sides after which the game is a draw; no limit if none is given.
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
    /// Whether engines wait for a sign before each move.
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
    /// Take back to the last position in which a user was to move.
    Undo,
    /// Play again what was taken back, to the next position in which a user is to move.
    Redo,
    /// A user gives up.
    Resign,
    /// Change who plays a side.
    Seat {
        /// 0 or 1.
        side: usize,
        /// Who.
        seat: Seat,
    },
    /// Engines wait for a sign, or no longer.
    Pause {
        /// Whether they wait.
        on: bool,
    },
    /// The sign: one move.
    Step,
    /// Set the shortest time between two moves of engines.
    Pace {
        /// Milliseconds.
        ms: u64,
    },
    /// Change the move limit.
    Limit {
        /// Moves of both sides; no limit if none are given.
        moves: Option<u32>,
    },
    /// Ask for a move.
    Hint,
}

/// To the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Answer {
    /// The room as it stands. What it says wins over what the page believes.
    Room(Box<RoomView>),
    /// A request was refused. Nothing has changed.
    Refused {
        /// Of the question, if it had one.
        id: Option<u32>,
        /// The reason, for users.
        text: String,
    },
    /// A game that was asked for.
    Scene {
        /// Of the question.
        id: u32,
        /// The game.
        scene: Box<Scene>,
    },
    /// A game that was read from a text.
    Game {
        /// Of the question.
        id: u32,
        /// The game.
        game: Game,
    },
    /// A game as text.
    Text {
        /// Of the question.
        id: u32,
        /// The text.
        text: String,
    },
    /// What the engine thinks of a game.
    Thought {
        /// Of the question.
        id: u32,
        /// Moves made in the position it is about.
        ply: usize,
        /// Seconds that this look at the game has taken.
        seconds: f64,
        /// What it thinks; nothing if the game is over there.
        thought: Option<Thought>,
        /// Whether it will think no further.
        done: bool,
    },
    /// A hint.
    Hint {
        /// For the position after this many moves.
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
    /// Whether engines wait for a sign.
    pub paused: bool,
    /// Whether an engine is thinking about its move.
    pub thinking: bool,
    /// Milliseconds between two moves of engines.
    pub pace: u64,
    /// Moves that were taken back, the next one first.
    pub undone: Vec<String>,
    /// Whether the game is also driven from a terminal, which decides what may be changed.
    pub terminal: bool,
}
