//! The thread that hands out games of the ladder and practice games to workers on other machines.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arena::{AgentFiles, GameJob, GameLog, Planned, RemoteEnd, RemoteGames, RemoteState, Spec, Terms, Unplayed};
use games::GameId;
use jiff::SignedDuration;
use ledger::Address;
use serde::Serialize;

use crate::clock::Clock;
use crate::play::{LADDER, PRACTICE, Program, practice, series};
use crate::service::course::{Service, lock};
use crate::service::field::Job;
use crate::service::pulse::Topic;
use crate::store::error::CourseError;
use crate::store::practice::PracticeRequest;

/// Key of the number of the course in the workers' database.
const NUMBER: &str = "number for workers";
/// Maximum time for which the thread waits while the ladder is closed.
const IDLE: Duration = Duration::from_secs(1);
/// Pause after a panic.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// The workers as the staff sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkersView {
    /// Address of their database, without the password.
    pub address: String,
    /// Maximum number of games that they play at the same time.
    pub jobs: u64,
    /// Number of games that they play or that wait for them.
    pub offered: usize,
    /// Reason why they play no games at the moment.
    pub trouble: Option<String>,
}

/// The games that are handed out.
struct HandedOut<'a> {
    service: &'a Service,
    remote: RemoteGames<'a>,
    /// Series by number, each with its versions and its finished games.
    series: BTreeMap<u32, ([i64; 2], [Option<GameLog>; 2])>,
    practice: BTreeMap<u32, PracticeRequest>,
}

impl Service {
    /// Hands out games until the course stops.
    pub(super) fn play_on_workers(self: &Arc<Self>) {
        let files = vec![AgentFiles::default(); 2];
        let remote = match self.remote_games(&self.spec, files) {
            Ok(Some(remote)) => remote,
            Ok(None) => return,
            Err(why) => return self.report(&format!("workers: {why}")),
        };
        let mut out = HandedOut { service: self, remote, series: BTreeMap::new(), practice: BTreeMap::new() };
        while !self.pulse.is_stopping() {
            let seen = self.pulse.all();
            if self.halt.load(Ordering::SeqCst) || !self.is_ladder_open() {
                out.cancel();
                self.pulse.wait(seen, IDLE);
            } else if catch_unwind(AssertUnwindSafe(|| out.turn())).is_err() {
                self.report("workers: a panic; their games are cancelled");
                out.cancel();
                self.pulse.pause(AFTER_FAILURE);
            }
        }
        out.cancel();
    }

    /// Returns the workers under these rules; `None` if the course has none. `files` has an item for each agent.
    pub(super) fn remote_games(&self, spec: &Spec, files: Vec<AgentFiles>) -> Result<Option<RemoteGames<'_>>, String> {
        let Some(url) = &self.config.server.workers else { return Ok(None) };
        let address = url.parse::<Address>().map_err(|error| error.to_string())?;
        let number = self.number_for_workers().map_err(|error| error.to_string())?;
        let is_checkers = spec.game.parse() == Ok(GameId::CHECKERS);
        let endgames = is_checkers && self.venue.resources.has_endgames();
        let terms = Terms::of_bundles(number, spec.clone(), files, endgames);
        let (fetch, watch) = (|hash: &str| self.bundle(hash), |state: &RemoteState| self.note_workers(state));
        RemoteGames::new(address, self.options.build.clone(), terms, fetch, watch).map(Some)
    }

    /// Returns the number of the course in the workers' database. It is random, because several courses may share the
    /// database.
    fn number_for_workers(&self) -> Result<i64, CourseError> {
        let known = self.read(|store| store.meta(NUMBER))?.and_then(|text| text.parse().ok());
        if let Some(number) = known {
            return Ok(number);
        }
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|error| CourseError::Io(error.into()))?;
        // Tournaments of a store in the same database have positive numbers.
        let number = i64::from_le_bytes(bytes) | i64::MIN;
        self.write(|store| store.set_meta(NUMBER, &number.to_string()))?;
        Ok(number)
    }

    fn note_workers(&self, state: &RemoteState) {
        let before = std::mem::replace(&mut *lock(&self.workers), state.clone());
        match (&before.trouble, &state.trouble) {
            (None, Some(trouble)) => self.report(&format!("workers: {trouble}")),
            (Some(_), None) if state.hands > 0 => {
                self.report(&format!("workers: they play again, up to {} games at a time", state.hands));
            }
            _ if before.hands != state.hands => self.pulse.tell(&[Topic::Staff]),
            _ => (),
        }
    }

    /// Returns the workers as the staff sees them.
    pub(super) fn workers_view(&self) -> Option<WorkersView> {
        let address = self.config.server.workers.as_ref().filter(|_| self.options.threads)?;
        let address = address.parse::<Address>().ok()?.to_string();
        let RemoteState { hands, offered, trouble } = lock(&self.workers).clone();
        Some(WorkersView { address, jobs: hands, offered, trouble })
    }
}

impl HandedOut<'_> {
    /// Takes results, and offers as many games as the workers can play.
    fn turn(&mut self) {
        let turn = self.remote.turn(&self.service.showcase);
        for end in turn.ended {
            if let Err(why) = self.take(end) {
                self.service.report(&why);
            }
        }
        let mut room = turn.room;
        while room > 0
            && let Some(job) = self.service.next_job(true)
        {
            let offered = match job {
                Job::Series(number, players) => self.offer_series(number, players),
                Job::Practice(request) => self.offer_practice(request),
            };
            if let Err(why) = offered {
                self.service.report(&why);
                break;
            }
            room = room.saturating_sub(2);
        }
    }

    fn offer_series(&mut self, number: u32, players: [i64; 2]) -> Result<(), String> {
        let programs = players.map(|version| self.service.program(version));
        let [one, other] = match programs {
            [Ok(one), Ok(other)] => [one, other],
            [Err(why), _] | [_, Err(why)] => return self.service.end_series(number, players, &Err(why)),
        };
        for planned in series(&self.service.spec, number) {
            self.offer(LADDER, planned, [&one, &other]);
        }
        self.series.insert(number, (players, [None, None]));
        Ok(())
    }

    fn offer_practice(&mut self, request: PracticeRequest) -> Result<(), String> {
        let [one, other] = match self.service.begin_practice(&request) {
            Ok(programs) => programs,
            Err(why) => return self.service.end_practice(&request, Err(why)),
        };
        let number = request.id as u32;
        self.offer(PRACTICE, practice(&self.service.spec, number), [&one, &other]);
        self.practice.insert(number, request);
        Ok(())
    }

    fn offer(&mut self, kind: i64, planned: Planned, programs: [&Program; 2]) {
        let players = programs.map(|program| (program.agent.clone(), program.files())).to_vec();
        self.remote.offer(kind, GameJob { planned, players });
    }

    fn take(&mut self, end: RemoteEnd) -> Result<(), String> {
        let RemoteEnd { tournament, planned, result } = end;
        let result = result.map(|game| self.in_time_of_course(game));
        if tournament == PRACTICE {
            let Some(request) = self.practice.remove(&planned.number) else { return Ok(()) };
            return self.end_practice(request, result);
        }
        let number = planned.round;
        let Some((_, games)) = self.series.get_mut(&number) else { return Ok(()) };
        let played = match result {
            Ok(game) => {
                games[planned.agents[0]] = Some(game);
                let [Some(first), Some(second)] = games else { return Ok(()) };
                Ok([first.clone(), second.clone()])
            }
            Err(unplayed) => {
                for game in series(&self.service.spec, number) {
                    self.remote.cancel(LADDER, game.number, &self.service.showcase);
                }
                Err(unplayed)
            }
        };
        let Some((players, _)) = self.series.remove(&number) else { return Ok(()) };
        self.end_series(number, players, played)
    }

    fn end_series(&self, number: u32, players: [i64; 2], played: Result<[GameLog; 2], Unplayed>) -> Result<(), String> {
        let is_final = played.as_ref().is_ok_and(|games| !games.iter().any(GameLog::is_forfeit));
        if self.is_left_to_slots(is_final) {
            self.give_back(Job::Series(number, players));
            return Ok(());
        }
        let played = match played {
            Ok(games) => Ok(Some(games)),
            Err(Unplayed::Unreachable(_)) => Ok(None),
            Err(Unplayed::Failed(why)) => Err(format!("no worker could play it: {why}")),
        };
        self.service.end_series(number, players, &played)
    }

    fn end_practice(&self, request: PracticeRequest, played: Result<GameLog, Unplayed>) -> Result<(), String> {
        let is_final = played.as_ref().is_ok_and(|game| !game.is_forfeit());
        if self.is_left_to_slots(is_final) {
            self.give_back(Job::Practice(request));
            return Ok(());
        }
        let played = match played {
            Ok(game) => Ok(Some(game)),
            Err(Unplayed::Failed(why) | Unplayed::Unreachable(why)) => Err(format!("no worker could play it: {why}")),
        };
        self.service.end_practice(&request, played)
    }

    /// Returns `true` if games without a final result are played here. A program that does not start on a worker may
    /// lack an interpreter there: it has started here, when it was checked.
    fn is_left_to_slots(&self, is_final: bool) -> bool {
        !is_final && self.service.slots > 0
    }

    /// Leaves games to the threads that play games here.
    fn give_back(&self, job: Job) {
        lock(&self.service.returned).push_back(job);
        self.service.pulse.tell(&[]);
    }

    /// Sets the beginning of a game to a time of the course's clock, which may differ from that of the database.
    fn in_time_of_course(&self, mut game: GameLog) -> GameLog {
        let took = SignedDuration::try_from_secs_f64(game.seconds).unwrap_or_default();
        let now = self.service.clock.now();
        game.began = format!("{:.3}", now.checked_sub(took).unwrap_or(now));
        game
    }

    /// Cancels all games, also those that the workers did not play.
    fn cancel(&mut self) {
        self.remote.close(&self.service.showcase);
        let series = std::mem::take(&mut self.series).into_iter();
        let practice = std::mem::take(&mut self.practice).into_values();
        let jobs = series.map(|(number, (players, _))| Job::Series(number, players)).chain(practice.map(Job::Practice));
        let returned = std::mem::take(&mut *lock(&self.service.returned));
        for job in jobs.chain(returned) {
            let ended = match job {
                Job::Series(number, players) => self.service.end_series(number, players, &Ok(None)),
                Job::Practice(request) => self.service.end_practice(&request, Ok(None)),
            };
            if let Err(why) = ended {
                self.service.report(&why);
            }
        }
    }
}
