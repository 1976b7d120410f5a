use core::time::Duration;

use engine::{Build, Level, PlayerOptions};
use serde::{Deserialize, Serialize};

use super::{build_name, level_name};

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
    /// Whether the engines are paused: each of their moves then waits for
    /// [`Act::Step`](super::Act::Step).
    #[serde(default)]
    pub paused: bool,
    /// How much time the sides have; no clocks if unset.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Milliseconds that both sides have left, if the game was begun elsewhere and goes on here.
    #[serde(default)]
    pub left: Option<[u64; 2]>,
    /// Whether the two people at a shared table change sides.
    #[serde(default)]
    pub swap: bool,
}

impl NewGame {
    /// A game without clocks.
    pub fn of(game: Game, seats: [Seat; 2]) -> Self {
        Self { game, seats, paused: false, clock: None, left: None, swap: false }
    }
}

/// How much time the sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Clock {
    /// For the whole game.
    Game {
        /// Milliseconds of each side.
        ms: u64,
        /// Milliseconds that a side gets after each of its moves.
        #[serde(default)]
        increment: u64,
    },
    /// For each move.
    Move {
        /// Milliseconds.
        ms: u64,
    },
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A user at a page.
    Person,
    /// One of our engines.
    Engine {
        /// How strong it is; by its name, `gentle1` or `10`.
        #[serde(with = "level_name")]
        level: Level,
        /// Seconds for a move instead of the level's budget.
        #[serde(default)]
        seconds: Option<f64>,
        /// Positions for a move instead of the level's budget.
        #[serde(default)]
        nodes: Option<u64>,
        /// Which engine, by its name: the current one if unset.
        #[serde(default, with = "build_name")]
        build: Build,
    },
}

impl Seat {
    /// The current engine at a level.
    pub const fn engine(level: Level) -> Self {
        Self::Engine { level, seconds: None, nodes: None, build: Build::Current }
    }

    /// Who plays here; `None` if a person does.
    pub(crate) fn player(&self) -> Option<PlayerOptions> {
        let Self::Engine { level, seconds, nodes, build } = *self else { return None };
        let movetime = seconds.map(Duration::from_secs_f64);
        Some(PlayerOptions { level, movetime, nodes, build, ..PlayerOptions::default() })
    }
}

/// A finished game as the archive keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Archived {
    /// Its name in the archive.
    pub id: String,
    /// When it ended, in UTC: `2025-11-21T20:14:56Z`.
    pub date: String,
    /// The name of the game: `loa`.
    pub game: String,
    /// Squares a side.
    #[serde(default)]
    pub size: Option<usize>,
    /// Position text; the usual start if unset.
    #[serde(default)]
    pub start: Option<String>,
    /// Every move.
    pub moves: Vec<String>,
    /// Moves of both sides after which it would have been drawn.
    #[serde(default)]
    pub limit: Option<u32>,
    /// How much time the sides had.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Who played at its end.
    pub seats: [Who; 2],
    /// 0 or 1; none in a draw.
    pub winner: Option<usize>,
    /// Why it ended, in a word: see [`Cause`](games::Cause).
    pub reason: String,
}

/// A move of a position, and how the games with it ended for the side that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explored {
    /// In its usual notation.
    pub text: String,
    /// The moves that a symmetry turns into it. They are counted here.
    pub same: Vec<String>,
    /// How many games that side won.
    pub wins: u32,
    /// How many were drawn.
    pub draws: u32,
    /// How many it lost.
    pub losses: u32,
}

impl Explored {
    /// How many games there were.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// Who played a side of a finished game. What later versions know more is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Who {
    /// A person.
    Person,
    /// An engine.
    Engine {
        /// The name of its level, if it is one of the page's.
        #[serde(default)]
        level: Option<String>,
    },
}

impl From<Seat> for Who {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::Person => Self::Person,
            Seat::Engine { level, build: Build::Current, .. } => Self::Engine { level: Some(level.to_string()) },
            Seat::Engine { .. } => Self::Engine { level: None },
        }
    }
}
