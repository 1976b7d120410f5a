use core::time::Duration;

use engine::{Build, Level, PlayerOptions};
use serde::{Deserialize, Serialize};

use super::{build_name, level_name};

/// A game outside rooms: setting, start and moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Game {
    /// Name of the game: `loa`.
    pub game: String,
    /// Board size, in squares per side; the usual size of the game if unset.
    #[serde(default)]
    pub size: Option<usize>,
    /// Position text; the usual start if unset.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves from the start.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Number of moves of both sides after which the game is drawn; no limit if unset.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A new game, or a game to continue.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGame {
    /// Game to play.
    pub game: Game,
    /// Players of the two sides.
    pub seats: [Seat; 2],
    /// `true` to pause the engines: each of their moves then waits for [`Act::Step`](super::Act::Step).
    #[serde(default)]
    pub paused: bool,
    /// Time control; no clocks if unset.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Time that both sides have left, in milliseconds, if the game was begun elsewhere.
    #[serde(default)]
    pub left: Option<[u64; 2]>,
    /// `true` to exchange the sides of the two users at a shared table.
    #[serde(default)]
    pub swap: bool,
    /// `true` if the user had help with the moves so far; see [`Archived::helped`]. If unset, a game with moves counts
    /// as helped, because its moves may come from an analysis.
    #[serde(default)]
    pub helped: Option<bool>,
}

impl NewGame {
    /// Creates a game without clocks.
    pub fn of(game: Game, seats: [Seat; 2]) -> Self {
        Self { game, seats, paused: false, clock: None, left: None, swap: false, helped: None }
    }
}

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Clock {
    /// Time for the whole game.
    Game {
        /// Time of each side, in milliseconds.
        ms: u64,
        /// Time added after each move, in milliseconds.
        #[serde(default)]
        increment: u64,
    },
    /// Time for each move.
    Move {
        /// Time, in milliseconds.
        ms: u64,
    },
}

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A user at a page.
    Person,
    /// One of our engines.
    Engine {
        /// Name of the level, for example `gentle1` or `10`.
        #[serde(with = "level_name")]
        level: Level,
        /// Seconds per move, instead of the level's budget.
        #[serde(default)]
        seconds: Option<f64>,
        /// Positions per move, instead of the level's budget.
        #[serde(default)]
        nodes: Option<u64>,
        /// Name of the engine build; the current build if unset.
        #[serde(default, with = "build_name")]
        build: Build,
    },
}

impl Seat {
    /// Returns the current engine at a level.
    pub const fn engine(level: Level) -> Self {
        Self::Engine { level, seconds: None, nodes: None, build: Build::Current }
    }

    /// Returns the options of the engine; `None` for a person.
    pub(crate) fn player(&self) -> Option<PlayerOptions> {
        let Self::Engine { level, seconds, nodes, build } = *self else { return None };
        let movetime = seconds.map(Duration::from_secs_f64);
        Some(PlayerOptions { level, movetime, nodes, build, ..PlayerOptions::default() })
    }
}

/// A finished game in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Archived {
    /// Name in the archive.
    pub id: String,
    /// Time at which the game ended, in UTC, for example `2025-11-21T20:14:56Z`.
    pub date: String,
    /// Name of the game: `loa`.
    pub game: String,
    /// Board size, in squares per side.
    #[serde(default)]
    pub size: Option<usize>,
    /// Position text; the usual start if unset.
    #[serde(default)]
    pub start: Option<String>,
    /// All moves.
    pub moves: Vec<String>,
    /// Number of moves of both sides after which the game would have been drawn.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Time control.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Players at the end of the game.
    pub seats: [Who; 2],
    /// Winning side, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// Name of the reason for the end; see [`Cause`](games::Cause).
    pub reason: String,
    /// `true` if the game does not count for the ladder, because the user took a hint, took a move back, changed a
    /// player or started from the moves of an analysis, or because the board was shared. Earlier versions did not
    /// record this flag.
    #[serde(default, skip_serializing_if = "is_false")]
    pub helped: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Archived {
    /// Returns the result for the only person in the game. For a game of two people or two engines,
    /// returns `Draw` if the game was drawn, and `None` otherwise.
    pub fn own_result(&self) -> Option<OwnResult> {
        let Some(winner) = self.winner else { return Some(OwnResult::Draw) };
        match self.seats {
            [Who::Person { .. }, Who::Engine { .. }] => {
                Some(if winner == 0 { OwnResult::Won } else { OwnResult::Lost })
            }
            [Who::Engine { .. }, Who::Person { .. }] => {
                Some(if winner == 1 { OwnResult::Won } else { OwnResult::Lost })
            }
            _ => None,
        }
    }
}

/// A move in a position, and the results of the games in which it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explored {
    /// Move in its usual notation.
    pub text: String,
    /// Moves that are equivalent by symmetry. The counts include their games.
    pub same: Vec<String>,
    /// Number of games won by the side that made the move.
    pub wins: u32,
    /// Number of drawn games.
    pub draws: u32,
    /// Number of games lost by the side that made the move.
    pub losses: u32,
}

impl Explored {
    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// A result for the only person in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OwnResult {
    /// The person won.
    Won,
    /// The person lost.
    Lost,
    /// The game was drawn. The players may also be two people or two engines.
    Draw,
}

/// The player of a side of a finished game. Unknown fields of later versions are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Who {
    /// A person.
    Person {
        /// Name at a shared table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// An engine.
    Engine {
        /// Name of its level, if it is one of the page's levels.
        #[serde(default)]
        level: Option<String>,
        /// `true` if it had its own budget for a move instead of the level's budget.
        #[serde(default, skip_serializing_if = "is_false")]
        budget: bool,
    },
}

impl Who {
    /// A person without a name.
    pub const PERSON: Self = Self::Person { name: None };

    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Self::Person { .. })
    }
}

impl From<Seat> for Who {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::Person => Self::PERSON,
            Seat::Engine { level, seconds, nodes, build } => Self::Engine {
                level: (build == Build::Current).then(|| level.to_string()),
                budget: seconds.is_some() || nodes.is_some(),
            },
        }
    }
}
