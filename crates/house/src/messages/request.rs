use games::{Edit, Node, Place};
use serde::Deserialize;

use crate::messages::game::{Game, NewGame, OwnResult, Seat};

/// A message from the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Enter a room. This is the first message. If no room has this name, a new room with a new name is created. On a
    /// server for the local network, several devices share the room `table`.
    Join {
        /// Name of the room; a new room if unset.
        #[serde(default)]
        room: Option<String>,
        /// Secret of this browser. It identifies the browser's seat at a shared table.
        #[serde(default)]
        client: Option<String>,
        /// Name of the user, shown to other users at a shared table.
        #[serde(default)]
        name: Option<String>,
    },
    /// Begin a new game in this room.
    New(NewGame),
    /// Perform an action in the room's game.
    Act {
        /// Number of moves on the page. The action is rejected if the room's game has a different number of moves.
        ply: u32,
        /// Action.
        act: Act,
    },
    /// Show a game outside rooms.
    Look {
        /// Id, which the answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Check a move in the last position of a game, without playing it. The answer is `done` if the move is legal.
    /// Otherwise it is `refused`, with the rule that the move breaks.
    Try {
        /// Id, which the answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// Squares of the move; see [`AnyRecord::try_path`](games::AnyRecord::try_path).
        path: Vec<Place>,
    },
    /// Edit the last position of a game. The answer is a scene of a game that begins with the edited position.
    Edit {
        /// Id, which the answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// Change of the position.
        edit: Edit,
    },
    /// Analyse the last position of a game with increasing search times, until its value is proven or the longest
    /// search is complete. A later request to analyse, judge or rest ends the analysis early.
    Analyse {
        /// Id, which each answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// Requested number of lines, 1 to 5.
        lines: usize,
    },
    /// Evaluate every position of a game.
    Judge {
        /// Id, which each answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Parse a text: a file, a position, or a list of moves.
    Read {
        /// Id, which the answer repeats.
        id: u32,
        /// The text.
        text: String,
        /// Game to which a list of moves belongs.
        game: Game,
    },
    /// Write a game as text.
    Write {
        /// Id, which the answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// Start and moves with variations. If set, they replace the moves of `game`.
        #[serde(default)]
        nodes: Vec<Node>,
        /// Format of the text.
        #[serde(default)]
        form: Form,
    },
    /// Stop the analysis.
    Rest,
    /// List the finished games, the newest first.
    Archive {
        /// Id, which the answer repeats.
        id: u32,
        /// Name of the game to list; all games if unset.
        #[serde(default)]
        game: Option<String>,
        /// Result of the games to list; all results if unset.
        #[serde(default)]
        result: Option<OwnResult>,
        /// Number of the newest games to skip.
        #[serde(default)]
        skip: usize,
        /// Requested number of games, at most 100.
        #[serde(default = "default_count")]
        count: usize,
    },
    /// Show one finished game.
    Archived {
        /// Id, which the answer repeats.
        id: u32,
        /// Name in the archive.
        name: String,
    },
    /// List the moves that were played in the last position of a game, and the results of those games.
    Explore {
        /// Id, which the answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// Sources of the counted games; all if unset.
        #[serde(default = "all_sources")]
        sources: Vec<Source>,
    },
    /// Delete a finished game.
    Forget {
        /// Id, which the answer repeats.
        id: u32,
        /// Name in the archive.
        name: String,
    },
    /// Show the user's results against each level of the engine in a game, and the user's rating.
    Ladder {
        /// Id, which the answer repeats.
        id: u32,
        /// Name of the game.
        game: String,
    },
    /// Send a part of the finished games as a file.
    Export {
        /// Id, which the answer repeats.
        id: u32,
        /// Number of games in the parts before this one.
        #[serde(default)]
        skip: usize,
    },
    /// Add the games in a part of an exported file to the finished games. Games that are already in the archive are
    /// skipped. No game is replaced.
    Import {
        /// Id, which the answer repeats.
        id: u32,
        /// Whole lines of the file.
        text: String,
        /// Line number of the first line in the file, from 1.
        #[serde(default = "first_line")]
        line: usize,
    },
    /// Try to prove the winner of a game. The search is limited to a number of positions, but not in time. A later
    /// request to prove or dismiss ends it early.
    Prove {
        /// Id, which each answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Show the losing side's replies in the last proven position, with the winner's answers.
    Replies {
        /// Id, which the answer repeats.
        id: u32,
        /// Moves from the proven position. The losing side is to move after them.
        line: Vec<String>,
    },
    /// Stop proving, and discard the proof.
    Dismiss,
    /// Send the state of the tournament that this server shows, and all later changes.
    Watch,
    /// Send a whole game of the tournament. The game must be on a board or among the last results.
    Replay {
        /// Id, which the answer repeats.
        id: u32,
        /// Number of the game.
        number: u32,
    },
}

impl Request {
    /// Returns the id that the answers repeat, if the request has one.
    pub fn id(&self) -> Option<u32> {
        match self {
            Self::Look { id, .. }
            | Self::Try { id, .. }
            | Self::Edit { id, .. }
            | Self::Analyse { id, .. }
            | Self::Judge { id, .. }
            | Self::Read { id, .. }
            | Self::Write { id, .. }
            | Self::Archive { id, .. }
            | Self::Archived { id, .. }
            | Self::Explore { id, .. }
            | Self::Forget { id, .. }
            | Self::Ladder { id, .. }
            | Self::Export { id, .. }
            | Self::Import { id, .. }
            | Self::Prove { id, .. }
            | Self::Replies { id, .. }
            | Self::Replay { id, .. } => Some(*id),
            Self::Join { .. } | Self::New(_) | Self::Act { .. } | Self::Rest | Self::Dismiss | Self::Watch => None,
        }
    }
}

fn all_sources() -> Vec<Source> {
    Source::ALL.to_vec()
}

/// A source of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Archived games with one or two people.
    People,
    /// Archived games between engines.
    Engines,
    /// Games from the files that the server was started with.
    Files,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::People, Self::Engines, Self::Files];
}

fn first_line() -> usize {
    1
}

/// Returns the default number of listed games.
fn default_count() -> usize {
    20
}

/// A text format of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// The game's own file format if it has one, otherwise the start and the moves.
    #[default]
    File,
    /// Moves with variations.
    Moves,
}

/// A user's action in a room.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Act {
    /// Play a move.
    Play {
        /// Move in its usual notation.
        text: String,
    },
    /// Take moves back, up to the last position with a user to move.
    Undo,
    /// Replay the moves that were taken back, up to the next position with a user to move.
    Redo,
    /// Resign.
    Resign,
    /// Change the player of a side.
    Seat {
        /// Side, 0 or 1.
        side: usize,
        /// New player.
        seat: Seat,
    },
    /// Pause the engines, or let them continue.
    Pause {
        /// `true` to pause.
        on: bool,
    },
    /// Pause the engines, and let one of them make a single move.
    Step,
    /// Set the minimum time between two moves of engines.
    Pace {
        /// Time, in milliseconds.
        ms: u64,
    },
    /// Change the move limit.
    Limit {
        /// Number of moves of both sides; no limit if unset.
        moves: Option<u32>,
    },
    /// Request a hint.
    Hint,
    /// Take a seat at a shared table.
    Sit {
        /// Side, 0 or 1.
        side: usize,
    },
    /// Give up the seat at a shared table.
    Stand,
    /// Offer a draw at a shared table, or accept the opponent's offer. A move of the opponent declines an offer.
    Draw,
    /// Change the user's name at a shared table.
    Name {
        /// Name; none if empty.
        name: String,
    },
}
