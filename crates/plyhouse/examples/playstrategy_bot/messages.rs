//! The site's messages, with the fields that the bot uses. Field names are the site's. Its description names the
//! players `white` and `black`, its code `p1` and `p2`; both are accepted.

use std::time::Duration;

use plyhouse::game::Side;
use serde::Deserialize;

/// The answer to `GET /api/account`.
#[derive(Deserialize)]
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) username: String,
    pub(crate) title: Option<String>,
}

/// A line of `GET /api/stream/event`.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Event {
    Challenge {
        challenge: Challenge,
    },
    GameStart {
        game: Started,
    },
    /// The end of a game, a canceled challenge, and unknown events of later versions.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Challenge {
    pub(crate) id: String,
    pub(crate) challenger: Option<Player>,
    pub(crate) variant: Variant,
    pub(crate) time_control: TimeControl,
    pub(crate) initial_fen: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Variant {
    pub(crate) key: String,
}

/// A time control, in seconds. Without a clock the type is `correspondence` or `unlimited`.
#[derive(Deserialize)]
pub(crate) struct TimeControl {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) limit: Option<u64>,
    pub(crate) increment: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct Player {
    pub(crate) id: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Started {
    pub(crate) id: String,
}

/// A line of `GET /api/bot/game/stream/{id}`. The first one is always the whole game.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum GameLine {
    GameFull(Box<GameFull>),
    GameState(State),
    /// Chat, and unknown lines of later versions.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameFull {
    pub(crate) variant: Variant,
    #[serde(alias = "white")]
    pub(crate) p1: Player,
    #[serde(alias = "black")]
    pub(crate) p2: Player,
    pub(crate) initial_fen: Option<String>,
    pub(crate) state: State,
}

/// All moves of the game so far, and the clocks in milliseconds.
#[derive(Deserialize)]
pub(crate) struct State {
    pub(crate) moves: String,
    wtime: u64,
    btime: u64,
    winc: u64,
    binc: u64,
    pub(crate) status: String,
    pub(crate) winner: Option<String>,
}

impl State {
    pub(crate) fn is_over(&self) -> bool {
        !matches!(self.status.as_str(), "created" | "started")
    }

    /// Returns a side's remaining time and its increment.
    pub(crate) fn clock(&self, side: Side) -> (Duration, Duration) {
        let clocks = [(self.wtime, self.winc), (self.btime, self.binc)];
        let (left, increment) = clocks[side.index()];
        (Duration::from_millis(left), Duration::from_millis(increment))
    }
}
