//! Accepts challenges, and plays each game to its end.
//!
//! Each stream of the site begins with the complete state: all open challenges and running games, or the whole game. A
//! stream that ends, is silent or sends an unreadable line is therefore reopened without any loss.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use anyhow::ensure;
use plyhouse::engine::PlayerOptions;
use plyhouse::game::Side;
use serde::de::DeserializeOwned;

use crate::messages::{Account, Challenge, Event, GameFull, GameLine, State};
use crate::seat::{Seat, is_playable, sit};
use crate::site::{Lines, Site, SiteError, Waits};

/// Maximum number of simultaneous games. Further challenges are declined with the reason "later".
const MOST_GAMES: usize = 2;
/// Maximum number of moves that the site may refuse in one position before the bot resigns.
const MOST_REFUSALS: u32 = 2;
/// Stack of a game's thread, in bytes: a search can be as deep as the longest game.
const STACK: usize = 64 << 20;

pub(crate) struct Bot {
    site: Site,
    account: Account,
    player: PlayerOptions,
    /// Games that have a thread.
    games: Mutex<HashSet<String>>,
}

impl Bot {
    /// Fetches the account and checks that it is a bot. A program must not play with a person's account.
    pub(crate) fn sign_in(site: Site, player: PlayerOptions) -> anyhow::Result<Self> {
        let account: Account = site.get("/api/account")?;
        let is_bot = account.title.as_deref() == Some("BOT");
        ensure!(is_bot, "the account `{}` is no bot: see the first lines of this program", account.username);
        Ok(Self { site, account, player, games: Mutex::default() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.account.username
    }

    /// Plays until the site refuses the token or the stream of events, and returns that error.
    pub(crate) fn run(&self) -> SiteError {
        thread::scope(|scope| {
            let mut waits = self.site.waits();
            loop {
                match self.follow_events(scope, &mut waits) {
                    Err(error @ (SiteError::Token { .. } | SiteError::Refused { .. })) => return error,
                    Err(error) => eprintln!("{error}"),
                    Ok(()) => eprintln!("the stream of events has ended"),
                }
                waits.wait();
            }
        })
    }

    fn follow_events<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        waits: &mut Waits,
    ) -> Result<(), SiteError> {
        let mut lines = self.site.stream("/api/stream/event")?;
        while let Some(line) = lines.next()? {
            waits.reset();
            match read(&line, &lines)?.unwrap_or(Event::Other) {
                Event::Challenge { challenge } => self.reply(&challenge)?,
                Event::GameStart { game } if is_id(&game.id) && self.games().insert(game.id.clone()) => {
                    let thread = thread::Builder::new().stack_size(STACK);
                    let started = thread.spawn_scoped(scope, move || self.play(&game.id));
                    started.map_err(|error| lines.broken(&error.to_string()))?;
                }
                Event::GameStart { .. } | Event::Other => (),
            }
        }
        Ok(())
    }

    fn games(&self) -> MutexGuard<'_, HashSet<String>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reply(&self, challenge: &Challenge) -> Result<(), SiteError> {
        let from = challenge.challenger.as_ref().and_then(|player| player.id.as_deref());
        if !is_id(&challenge.id) || from == Some(&*self.account.id) {
            return Ok(());
        }
        let is_busy = self.games().len() >= MOST_GAMES;
        let replied = match refusal(challenge).or(is_busy.then_some("later")) {
            None => self.site.post(&format!("/api/challenge/{}/accept", challenge.id), &[]),
            Some(reason) => self.site.post(&format!("/api/challenge/{}/decline", challenge.id), &[("reason", reason)]),
        };
        match replied {
            // The challenge was canceled in the meantime.
            Err(error @ SiteError::Refused { .. }) => eprintln!("{error}"),
            other => other?,
        }
        Ok(())
    }

    /// Plays a game to its end. Errors are reported and retried; a game that cannot be played is resigned.
    fn play(&self, id: &str) {
        let mut game = Game { bot: self, id, waits: self.site.waits(), answered: None, plies: 0, refusals: 0 };
        let end = loop {
            match game.follow() {
                Ok(Some(end)) => break end,
                Ok(None) => eprintln!("game {id}: the stream has ended"),
                Err(error @ (SiteError::Token { .. } | SiteError::Refused { .. })) => break error.to_string(),
                Err(error) => eprintln!("game {id}: {error}"),
            }
            if !game.waits.wait() {
                break "abandoned until the site lists it again".to_owned();
            }
        };
        eprintln!("game {id}: {end}");
        self.games().remove(id);
    }
}

/// Parses a line. A damaged line ends the stream, because its content is lost. A valid line with unexpected content is
/// skipped, because the next stream would contain the same line.
fn read<T: DeserializeOwned>(line: &str, lines: &Lines) -> Result<Option<T>, SiteError> {
    match serde_json::from_str(line) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_data() => {
            eprintln!("skipped: {error}, in {line}");
            Ok(None)
        }
        Err(error) => Err(lines.broken(&error.to_string())),
    }
}

/// Returns the site's keyword for declining a challenge, or `None` if the challenge is acceptable.
fn refusal(challenge: &Challenge) -> Option<&'static str> {
    let time = &challenge.time_control;
    // Bots may not play faster than "bullet", which the site defines by this sum.
    let seconds = time.limit.unwrap_or(0) + 40 * time.increment.unwrap_or(0);
    if !is_playable(&challenge.variant.key, challenge.initial_fen.as_deref()) {
        Some("variant")
    } else if time.kind != "clock" {
        Some("timeControl")
    } else {
        (seconds < 30).then_some("tooFast")
    }
}

/// Returns a seed that differs for each game and is the same after a restart.
fn seed(id: &str) -> u64 {
    id.bytes().fold(0, |seed, byte| seed.wrapping_mul(257).wrapping_add(byte.into()))
}

/// Returns `true` if the text is valid as a part of a path.
fn is_id(text: &str) -> bool {
    (1..=16).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// A game, across all the streams that it needs.
struct Game<'a> {
    bot: &'a Bot,
    id: &'a str,
    waits: Waits,
    /// The moves that led to the position in which the bot last moved.
    answered: Option<String>,
    /// Number of plies played.
    plies: usize,
    /// Number of the bot's moves that the site has refused in this position.
    refusals: u32,
}

impl Game<'_> {
    /// Follows one stream. Returns `None` if the stream ends before the game is over.
    fn follow(&mut self) -> Result<Option<String>, SiteError> {
        let mut lines = self.bot.site.stream(&format!("/api/bot/game/stream/{}", self.id))?;
        let mut seat = None;
        while let Some(line) = lines.next()? {
            let state = match read(&line, &lines)?.unwrap_or(GameLine::Other) {
                GameLine::GameFull(full) => match self.sit(&full) {
                    Ok(taken) => {
                        seat = Some(taken);
                        full.state
                    }
                    Err(_) if full.state.is_over() => full.state,
                    Err(error) => return self.resign(&error),
                },
                GameLine::GameState(state) => state,
                GameLine::Other => continue,
            };
            if state.is_over() {
                let winner = state.winner.as_deref().unwrap_or("nobody");
                return Ok(Some(format!("over ({}), won by {winner}", state.status)));
            }
            let seat = seat.as_deref_mut().ok_or_else(|| lines.broken("the first line is not the whole game"))?;
            if let Some(end) = self.answer(seat, &state, &lines)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn sit(&self, full: &GameFull) -> anyhow::Result<Box<dyn Seat>> {
        let key = &full.variant.key;
        ensure!(is_playable(key, full.initial_fen.as_deref()), "`{key}` from {:?} is not played", full.initial_fen);
        let me = Some(&self.bot.account.id);
        let side = if full.p1.id.as_ref() == me { Side::First } else { Side::Second };
        ensure!(side == Side::First || full.p2.id.as_ref() == me, "we are not one of the players");
        sit(key, side, &self.bot.player, seed(self.id))
    }

    /// Sends a move if it is the bot's turn and it has not moved in this position yet. Returns `Some` if it resigns.
    fn answer(&mut self, seat: &mut dyn Seat, state: &State, lines: &Lines) -> Result<Option<String>, SiteError> {
        let plies = state.moves.split_whitespace().count();
        if plies > self.plies {
            (self.plies, self.refusals) = (plies, 0);
            self.waits.reset();
        }
        if self.answered.as_ref() == Some(&state.moves) {
            return Ok(None);
        }
        let m = match seat.answer(state) {
            Ok(Some(m)) => m,
            Ok(None) => return Ok(None),
            Err(error) => return self.resign(&error),
        };
        match self.bot.site.post(&format!("/api/bot/game/{}/move/{m}", self.id), &[]) {
            Ok(()) => {
                (self.answered, self.refusals) = (Some(state.moves.clone()), 0);
                Ok(None)
            }
            // A retry may have delivered the move, or the game may be over. A new stream shows the current state.
            Err(error @ SiteError::Refused { .. }) if self.refusals < MOST_REFUSALS => {
                self.refusals += 1;
                Err(lines.broken(&error.to_string()))
            }
            Err(error @ SiteError::Refused { .. }) => self.resign(&error.into()),
            Err(error) => Err(error),
        }
    }

    /// Resigns. The site aborts the game instead if it has hardly begun.
    fn resign(&self, why: &anyhow::Error) -> Result<Option<String>, SiteError> {
        self.bot.site.post(&format!("/api/bot/game/{}/resign", self.id), &[])?;
        Ok(Some(format!("resigned: {why:#}")))
    }
}
