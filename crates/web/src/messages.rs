//! What page and server say to each other, as JSON.

use games::{Scene, Thought};
use serde::{Deserialize, Serialize};

/// From the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Take a seat at a table that there is, or, if there is none of this name, at a new one; this is the first message.
    Join {
        /// The table; a new one if none is given.
        #[serde(default)]
        table: Option<String>,
    },
    /// Begin another game at this table.
    New(NewGame),
    /// Something to do with the game at the table, as the page saw it after so many moves.
    Act {
        /// The moves made that the page knows of.
        ply: u32,
        /// What to do.
        act: Act,
    },
    /// Show a game that is on no table.
    Look {
        /// Comes back with the answer.
        id: u32,
        /// The game.
        game: Line,
    },
    /// Think about a game until told otherwise.
    Analyse {
        /// Comes back with each answer.
        id: u32,
        /// The game.
        game: Line,
        /// How many lines are wanted, 1 to 5.
        lines: usize,
    },
    /// Judge every position of a game.
    Judge {
        /// Comes back with each answer.
        id: u32,
        /// The game.
        game: Line,
    },
    /// Understand a text: a file, a position, a list of moves.
    Read {
        /// Comes back with the answer.
        id: u32,
        /// The text.
        text: String,
        /// The game that a list of moves belongs to.
        game: Line,
    },
    /// Write a game as text.
    Write {
        /// Comes back with the answer.
        id: u32,
        /// The game.
        game: Line,
    },
    /// Stop thinking.
    Rest,
}

/// A game on no table: setting, start and moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Line {
    /// `loa`, `checkers` or `jump61`.
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
    /// Moves of both sides after which it is a tie.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A game to begin, or to go on with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGame {
    /// What is played.
    pub game: Line,
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
    /// Somebody at a page.
    Person,
    /// The house's engine.
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

/// Something to do at a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Act {
    /// Play a move.
    Play {
        /// In its usual notation.
        text: String,
    },
    /// Take back to the last position in which a person was to move.
    Undo,
    /// Play again what was taken back, to the next position in which a person is to move.
    Redo,
    /// A person gives up.
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
    /// Between two moves of engines there is at least so much time.
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
    /// The table as it stands. What it says wins over what the page believes.
    Table(Box<TableView>),
    /// Something that was asked for cannot be done. Nothing has changed.
    Refused {
        /// Of the question, if it had one.
        id: Option<u32>,
        /// Why, for a person to read.
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
        game: Line,
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
        /// For the position after so many moves.
        ply: u32,
        /// What it thinks.
        thought: Option<Thought>,
    },
}

/// A table as everybody at it sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableView {
    /// Its name.
    pub table: String,
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
