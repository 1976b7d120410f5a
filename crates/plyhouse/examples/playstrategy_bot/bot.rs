//! Which challenges are accepted, and how a game is played to its end.
//!
//! The site begins each stream with all that it has to say: open challenges and running games, the whole game. So a
//! stream that ends, falls silent or says something unreadable is opened again, and nothing is lost.

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

/// Games at the same time. Further challengers hear that they should come back later.
const MOST_GAMES: usize = 2;
/// How often the site may refuse our moves in one position before the game is resigned.
const MOST_REFUSALS: u32 = 2;
/// Stack of a game's thread, in bytes: a search may be as deep as a game is long.
const STACK: usize = 64 << 20;

pub(crate) struct Bot {
    site: Site,
    account: Account,
    player: PlayerOptions,
    /// The games that a thread plays.
    games: Mutex<HashSet<String>>,
}

impl Bot {
    /// Asks the site who we are. An account of a person must not be played by a program.
    pub(crate) fn sign_in(site: Site, player: PlayerOptions) -> anyhow::Result<Self> {
        let account: Account = site.get("/api/account")?;
        let is_bot = account.title.as_deref() == Some("BOT");
        ensure!(is_bot, "the account `{}` is no bot: see the first lines of this program", account.username);
        Ok(Self { site, account, player, games: Mutex::default() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.account.username
    }

    /// Plays until the site refuses the token or the stream of events, and says how.
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
            // The challenge was taken back meanwhile.
            Err(error @ SiteError::Refused { .. }) => eprintln!("{error}"),
            other => other?,
        }
        Ok(())
    }

    /// Plays a game to its end. What goes wrong is reported and tried again; a game that cannot be played is resigned.
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
                break "given up until the site names it again".to_owned();
            }
        };
        eprintln!("game {id}: {end}");
        self.games().remove(id);
    }
}

/// Reads a line. A damaged one ends the stream, because nobody knows what it said. One that is whole but has another
/// shape than expected is left out: it would be the same in the next stream.
fn read<T: DeserializeOwned>(line: &str, lines: &Lines) -> Result<Option<T>, SiteError> {
    match serde_json::from_str(line) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_data() => {
            eprintln!("left out: {error}, in {line}");
            Ok(None)
        }
        Err(error) => Err(lines.broken(&error.to_string())),
    }
}

/// The reason for which a challenge is declined, one of the site's words.
fn refusal(challenge: &Challenge) -> Option<&'static str> {
    let time = &challenge.time_control;
    // Bots may not play faster than "bullet", which the site measures in this way.
    let seconds = time.limit.unwrap_or(0) + 40 * time.increment.unwrap_or(0);
    if !is_playable(&challenge.variant.key, challenge.initial_fen.as_deref()) {
        Some("variant")
    } else if time.kind != "clock" {
        Some("timeControl")
    } else {
        (seconds < 30).then_some("tooFast")
    }
}

/// Each game has its own random part, which stays the same if the program is started again.
fn seed(id: &str) -> u64 {
    id.bytes().fold(0, |seed, byte| seed.wrapping_mul(257).wrapping_add(byte.into()))
}

/// Whether this may be a part of a path.
fn is_id(text: &str) -> bool {
    (1..=16).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// A game, over all the streams that it may take.
struct Game<'a> {
    bot: &'a Bot,
    id: &'a str,
    waits: Waits,
    /// The moves of the position in which we have moved.
    answered: Option<String>,
    /// The plies that have been played.
    plies: usize,
    /// How often the site has refused our moves in this position.
    refusals: u32,
}

impl Game<'_> {
    /// Follows one stream. `None` if it ends before the game does.
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

    /// Moves if it is our turn and we have not moved here yet. `Some` if the game is given up.
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
            // It may have arrived at the second try, or the game is over: a new stream tells.
            Err(error @ SiteError::Refused { .. }) if self.refusals < MOST_REFUSALS => {
                self.refusals += 1;
                Err(lines.broken(&error.to_string()))
            }
            Err(error @ SiteError::Refused { .. }) => self.resign(&error.into()),
            Err(error) => Err(error),
        }
    }

    /// The site aborts a game that has hardly begun.
    fn resign(&self, why: &anyhow::Error) -> Result<Option<String>, SiteError> {
        self.bot.site.post(&format!("/api/bot/game/{}/resign", self.id), &[])?;
        Ok(Some(format!("resigned: {why:#}")))
    }
}
