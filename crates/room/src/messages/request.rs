use games::{Edit, Node};
use serde::Deserialize;

use super::{Game, NewGame, Seat};

/// A message from the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Enter a room. This is the first message. If there is no room of this name, a new room with a new name is
    /// created. The room `table` is the one that several devices share, on a server for the local network.
    Join {
        /// The name of the room; a new room if unset.
        #[serde(default)]
        room: Option<String>,
        /// A secret of this browser, by which it keeps its seat at a shared table.
        #[serde(default)]
        client: Option<String>,
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
        /// The start and the moves with variations. If there are any, they replace the moves of `game`.
        #[serde(default)]
        nodes: Vec<Node>,
        /// As what.
        #[serde(default)]
        form: Form,
    },
    /// Stop thinking.
    Rest,
    /// List the finished games, the newest first.
    Archive {
        /// A number that the answer repeats.
        id: u32,
        /// Only those of this game; all if unset.
        #[serde(default)]
        game: Option<String>,
        /// How many of the newest are left out.
        #[serde(default)]
        skip: usize,
        /// How many are wanted, at most 100.
        #[serde(default = "a_page")]
        count: usize,
    },
    /// Show one finished game.
    Archived {
        /// A number that the answer repeats.
        id: u32,
        /// Its name in the archive.
        name: String,
    },
    /// Tell which moves were played in the position after a game, and how those games ended.
    Explore {
        /// A number that the answer repeats.
        id: u32,
        /// The game.
        game: Game,
        /// Which games count; all if unset.
        #[serde(default = "all_sources")]
        sources: Vec<Source>,
    },
    /// Delete a finished game.
    Forget {
        /// A number that the answer repeats.
        id: u32,
        /// Its name in the archive.
        name: String,
    },
    /// Try to prove who wins a game, for as long as it takes within a large budget. The next request to prove or to
    /// dismiss ends it earlier.
    Prove {
        /// A number that each answer repeats.
        id: u32,
        /// The game.
        game: Game,
    },
    /// Show the losing side's replies in what was proven last, with the winner's answers.
    Replies {
        /// A number that the answer repeats.
        id: u32,
        /// The moves from the proven position; the losing side is to move after them.
        line: Vec<String>,
    },
    /// Stop proving, and forget what was proven.
    Dismiss,
    /// Tell how the tournament stands that this server shows, and from then on what changes.
    Watch,
}

impl Request {
    /// The number that its answers repeat, if it has one.
    pub fn id(&self) -> Option<u32> {
        match self {
            Self::Look { id, .. }
            | Self::Edit { id, .. }
            | Self::Analyse { id, .. }
            | Self::Judge { id, .. }
            | Self::Read { id, .. }
            | Self::Write { id, .. }
            | Self::Archive { id, .. }
            | Self::Archived { id, .. }
            | Self::Explore { id, .. }
            | Self::Forget { id, .. }
            | Self::Prove { id, .. }
            | Self::Replies { id, .. } => Some(*id),
            Self::Join { .. } | Self::New(_) | Self::Act { .. } | Self::Rest | Self::Dismiss | Self::Watch => None,
        }
    }
}

fn all_sources() -> Vec<Source> {
    Source::ALL.to_vec()
}

/// Where games come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The archive, with a person at one side or both.
    People,
    /// The archive, engines against each other.
    Engines,
    /// Files that the server was started with.
    Files,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::People, Self::Engines, Self::Files];
}

/// How many finished games are listed if no number is asked for.
fn a_page() -> usize {
    20
}

/// How a game is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// In the game's own file format if it has one, otherwise the start and the moves.
    #[default]
    File,
    /// Moves with variations.
    Moves,
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
    /// Take a seat at a shared table.
    Sit {
        /// 0 or 1.
        side: usize,
    },
    /// Give up the seat at a shared table.
    Stand,
}
