//! Threads that play the games of the ladder and practice games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arena::{Cores, GameLog};
use engine::Level;

use crate::play::{LADDER, PRACTICE, Program, Stage, counts};
use crate::service::course::{Service, lock};
use crate::service::field::Job;
use crate::service::pulse::Topic;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::players::PlayerKey;
use crate::store::practice::PracticeRequest;

/// Maximum time for which a thread without work waits.
const IDLE: Duration = Duration::from_secs(1);
/// Pause after a game that this machine could not play.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

impl Service {
    /// Plays games until the course stops. `slots` is the number of threads that do so.
    pub(super) fn play_games(self: &Arc<Self>, slot: usize, slots: usize) {
        let cores = self.cores.as_ref().and_then(|cores| cores.get(slot));
        let mut was_practice = false;
        while !self.pulse.is_stopping() {
            let seen = self.pulse.all();
            let returned = lock(&self.returned).pop_front();
            let job = returned.or_else(|| self.next_job(slots > 1 || !was_practice));
            was_practice = matches!(job, Some(Job::Practice(_)));
            let played = match job {
                None => {
                    self.pulse.wait(seen, IDLE);
                    continue;
                }
                Some(Job::Series(number, players)) => {
                    let played = self.series(number, players, cores);
                    self.end_series(number, players, &played)
                }
                Some(Job::Practice(request)) => {
                    let played = self.practice_game(&request, cores);
                    self.end_practice(&request, played)
                }
            };
            if let Err(why) = played {
                self.report(&why);
                self.pulse.pause(AFTER_FAILURE);
            }
        }
    }

    /// Returns the next job. Practice games take at most one thread, and at most every other job of a single thread.
    pub(super) fn next_job(&self, may_practise: bool) -> Option<Job> {
        if !self.is_ladder_open() {
            return None;
        }
        if may_practise && let Some(request) = self.next_practice() {
            return Some(Job::Practice(request));
        }
        let begun = {
            let mut field = lock(&self.field);
            // Read under the lock, so that no game begins after the final has found the field idle.
            if self.halt.load(Ordering::SeqCst) {
                return None;
            }
            field.begin()
        };
        if let Some((number, players)) = begun {
            let (game, keys) = (number.wrapping_mul(2), players.map(PlayerKey::Version));
            self.show(LADDER, game, keys);
            self.show(LADDER, game.wrapping_add(1), keys);
            self.pulse.tell(&[Topic::Live]);
            return Some(Job::Series(number, players));
        }
        self.next_practice().map(Job::Practice)
    }

    /// Begins the next practice game, unless one is in play.
    fn next_practice(&self) -> Option<PracticeRequest> {
        if !self.has_practice.load(Ordering::SeqCst) {
            return None;
        }
        {
            let mut field = lock(&self.field);
            if field.practising.is_some() || self.halt.load(Ordering::SeqCst) {
                return None;
            }
            // No version has this number. It keeps other threads away until the version is known.
            field.practising = Some(0);
        }
        // Cleared before the claim, so that a request that comes meanwhile sets it again.
        self.has_practice.store(false, Ordering::SeqCst);
        let claimed = self.write(CourseStore::claim_practice);
        let request = claimed.unwrap_or_else(|error| {
            self.report(&format!("practice: {error}"));
            self.has_practice.store(true, Ordering::SeqCst);
            None
        });
        lock(&self.field).practising = request.as_ref().map(|request| request.version);
        if request.is_some() {
            self.has_practice.store(true, Ordering::SeqCst);
        }
        request
    }

    /// Ends a series that was played; `None` if it was cancelled.
    ///
    /// # Errors
    /// If it could not be played or saved.
    pub(super) fn end_series(
        &self,
        number: u32,
        players: [i64; 2],
        played: &Result<Option<[GameLog; 2]>, String>,
    ) -> Result<(), String> {
        let mut field = lock(&self.field);
        field.busy -= 1;
        let saved = match played {
            Ok(Some(games)) => {
                let saved = self.write(|store| store.save_series(players, games));
                saved.map_err(|error| format!("series of uploads {} and {}: {error}", players[0], players[1]))
            }
            Ok(None) => Ok(0),
            Err(why) => Err(format!("series of uploads {} and {}: {why}", players[0], players[1])),
        };
        let counted = match (&saved, played) {
            (Ok(_), Ok(Some(games))) => field.finish(number, &counts(games)) || self.rebuild(&mut field).is_ok(),
            _ => field.ladder.cancel(number).is_some(),
        };
        if !counted {
            // The versions left meanwhile. Without this series, nothing is to be counted.
            field.ladder.cancel(number);
        }
        if let (Ok(first), Ok(Some(_))) = (&saved, played) {
            self.mark_stored(LADDER, number.wrapping_mul(2), *first);
            self.mark_stored(LADDER, number.wrapping_mul(2).wrapping_add(1), first + 1);
        }
        self.played.store(u64::from(field.played), Ordering::Relaxed);
        drop(field);
        for version in players {
            lock(&self.faults).remove(&version);
        }
        self.pulse.tell(&[Topic::Standings, Topic::Games, Topic::Live, Topic::About]);
        saved.map(drop)
    }

    fn series(&self, number: u32, players: [i64; 2], cores: Option<&Cores>) -> Result<Option<[GameLog; 2]>, String> {
        let [one, other] = [self.program(players[0])?, self.program(players[1])?];
        self.on_stage(|stage| stage.play_series(number, [&one, &other], cores))
    }

    /// Ends a practice game that was played; `None` if it was cancelled.
    ///
    /// # Errors
    /// If it could not be played or saved.
    pub(super) fn end_practice(
        &self,
        request: &PracticeRequest,
        played: Result<Option<GameLog>, String>,
    ) -> Result<(), String> {
        let played = played.map(|game| game.map(|game| with_version_first(request, game)));
        // A game that the end of the program interrupts is played after the next start.
        let ended = match &played {
            Ok(Some(game)) => self.write(|store| store.end_practice(request.id, Ok(std::slice::from_ref(game)))),
            Ok(None) if self.pulse.is_stopping() => Ok(()),
            Ok(None) => {
                let why = "the final began before the game was over";
                self.write(|store| store.end_practice(request.id, Err(why)))
            }
            Err(_) => self.write(|store| store.end_practice(request.id, Err("the server could not play the game"))),
        };
        lock(&self.field).practising = None;
        self.pulse.tell(&[Topic::Own, Topic::Games, Topic::Live]);
        ended.map_err(|error: CourseError| format!("practice game {}: {error}", request.id))?;
        played.map(drop).map_err(|why| format!("practice game {}: {why}", request.id))
    }

    fn practice_game(&self, request: &PracticeRequest, cores: Option<&Cores>) -> Result<Option<GameLog>, String> {
        let [one, other] = self.begin_practice(request)?;
        self.on_stage(|stage| stage.play_practice(request.id as u32, [&one, &other], cores))
    }

    /// Shows the board of a practice game, and returns the programs of its first and second side. Requests alternate
    /// between the sides.
    pub(super) fn begin_practice(&self, request: &PracticeRequest) -> Result<[Program; 2], String> {
        let mut programs = [self.program(request.version)?, Program::level(request.level)];
        let mut keys = [PlayerKey::Version(request.version), PlayerKey::Level(request.level)];
        if is_second(request) {
            programs.reverse();
            keys.reverse();
        }
        self.show(PRACTICE, request.id as u32, keys);
        self.pulse.tell(&[Topic::Live, Topic::Own]);
        Ok(programs)
    }

    /// Returns the program of an accepted version.
    pub(super) fn program(&self, version: i64) -> Result<Program, String> {
        self.info(version).map(|info| info.program.clone()).map_err(|error| error.to_string())
    }

    /// Returns the bytes of a bundle; `None` if it does not exist.
    pub(super) fn bundle(&self, hash: &str) -> Result<Option<Vec<u8>>, String> {
        match self.read(|store| store.bundle(hash)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(CourseError::Unknown { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    fn on_stage<T>(&self, play: impl FnOnce(&Stage<'_>) -> Result<T, String>) -> Result<T, String> {
        let stage = Stage {
            spec: &self.spec,
            venue: &self.venue,
            cache: &self.cache,
            fetch: &|hash| self.bundle(hash),
            clock: &self.clock,
            showcase: &self.showcase,
            stop: &self.halt,
        };
        let played = catch_unwind(AssertUnwindSafe(|| play(&stage)));
        played.unwrap_or_else(|_| Err("the game ended with a panic".to_owned()))
    }

    /// Returns a level that teams can play.
    pub(super) fn level(&self, name: &str) -> Option<Level> {
        self.config.practice.levels.iter().map(|level| level.0).find(|level| level.name() == name)
    }
}

/// Returns `true` if the version has the second side in a practice game.
fn is_second(request: &PracticeRequest) -> bool {
    request.id % 2 == 0
}

/// Numbers the agents of a practice game so that agent 0 is the version.
fn with_version_first(request: &PracticeRequest, mut game: GameLog) -> GameLog {
    if is_second(request) {
        game.planned.agents = [1, 0];
    }
    game
}
