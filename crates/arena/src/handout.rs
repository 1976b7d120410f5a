//! Hands out the games of a tournament to workers on other machines, checks their logs and saves them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use ledger::{Address, Desk, Done, Ledger, LedgerError, Waited};
use process::interrupt;

use crate::agenda::Agenda;
use crate::away::Terms;
use crate::job::{HANDED_OUT, longest_game, read_log};
use crate::live::Publisher;
use crate::live::{Bulletin, Showcase};
use crate::log::GameLog;
use crate::machine::describe;
use crate::planned::Planned;
use crate::play::Finished;
use crate::players::Venue;
use crate::run::RunError;
use crate::run::agenda;
use crate::starts::Absent;
use crate::store::error::StoreError;
use crate::store::hold::Hold;
use crate::store::location::Location;
use crate::store::{Store, Tournament};

/// Maximum time for attempts to reopen a lost connection.
const RECONNECT_TIMEOUT: Duration = Duration::from_mins(5);

/// A store that is reserved for this process. If the connection is lost, the store is reopened and reserved again.
pub struct HeldStore {
    location: Location,
    /// Store.
    pub store: Store,
    /// Reservation of the store.
    pub hold: Hold,
}

impl HeldStore {
    /// Wraps an open store and its reservation.
    pub fn new(location: Location, store: Store, hold: Hold) -> Self {
        Self { location, store, hold }
    }

    /// Runs an operation on the store or the ledger. If a connection is lost, reopens the store and retries for a few
    /// minutes.
    ///
    /// # Errors
    /// The error of the operation, or of reopening the store.
    pub fn ask<T>(&mut self, mut operation: impl FnMut(&mut Store) -> Result<T, RunError>) -> Result<T, RunError> {
        let until = Instant::now() + RECONNECT_TIMEOUT;
        loop {
            match operation(&mut self.store) {
                Err(error) if error.is_lost() && Instant::now() < until => self.reopen(until)?,
                answer => return answer,
            }
        }
    }

    /// Saves games. A retry after a lost connection skips the games that have been saved.
    fn save(&mut self, tournament: i64, mut games: Vec<GameLog>) -> Result<(), RunError> {
        let mut is_first = true;
        self.ask(|store| {
            if !std::mem::take(&mut is_first) {
                let done = store.done(tournament)?;
                games.retain(|game| !done.contains(&game.planned.number));
            }
            Ok(store.save_all(tournament, &games)?)
        })
    }

    fn reopen(&mut self, until: Instant) -> Result<(), StoreError> {
        loop {
            thread::sleep(Duration::from_millis(500));
            match Store::existing(&self.location).and_then(|store| Ok((store, Hold::take(&self.location)?))) {
                Ok((store, hold)) => {
                    (self.store, self.hold) = (store, hold);
                    return Ok(());
                }
                // Until the server notices that the old connection is lost, that connection holds the reservation.
                Err(StoreError::Busy(_)) if Instant::now() < until => (),
                Err(error) if error.is_lost() && Instant::now() < until => (),
                Err(error) => return Err(error),
            }
        }
    }
}

/// The workers to which a tournament is handed out.
pub struct Workers<'a> {
    /// Database of the workers.
    pub address: &'a Address,
    /// Build of this program. Workers with another build do not play.
    pub build: &'a str,
    /// Called if no worker is connected.
    pub alone: &'a mut dyn FnMut(),
}

/// Plays the remaining games of a tournament on other machines. `watch` receives each game after it was saved, and may
/// stop the tournament. If this process is killed, the next call saves the games that workers have finished meanwhile.
///
/// # Errors
/// If the game does not exist, an agent cannot be sent, or the store or the ledger fails. If games were set aside, all
/// others are played before the error is returned.
pub fn hand_out(
    held: &mut HeldStore,
    tournament: &Tournament,
    venue: &Venue,
    workers: Workers<'_>,
    watch: &mut dyn FnMut(&GameLog) -> std::io::Result<ControlFlow<()>>,
) -> Result<(), RunError> {
    let Workers { address, build, alone } = workers;
    let mut agenda = held.ask(|store| agenda(store, tournament, venue))?;
    if agenda.is_over() {
        return Ok(());
    }
    let terms = held.ask(|_| send(address, tournament, venue))?;
    let mut desk = held.ask(|_| Ok(Desk::open(address, HANDED_OUT, &terms, build)?))?;
    desk.raise_job_limit(longest_game(&tournament.spec));
    // Workers publish the games. This program only publishes that the tournament is running.
    let showcase = Showcase::default();
    let bulletin = Bulletin { tournament: tournament.id, build: Some(build.to_owned()), ..Bulletin::default() };
    thread::scope(|scope| {
        let _publisher = Publisher::start(scope, &held.hold, bulletin, &showcase);
        let (in_play, unplanned, aside) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        HandOut { held, tournament, desk, in_play, unplanned, aside }.play(&mut agenda, alone, watch)
    })
}

/// Time after which a game is also offered to other workers, as a multiple of the longest game so far.
const JOB_LIMIT_FACTOR: f64 = 4.0;

/// Stores the agents' files in the ledger, and returns the terms as JSON.
fn send(address: &Address, tournament: &Tournament, venue: &Venue) -> Result<String, RunError> {
    let mut ledger = Ledger::open(address)?;
    let mut failed = None;
    let terms = Terms::new(tournament, venue, |bundle| {
        let sent = match ledger.has_bundle(&bundle.hash) {
            Ok(false) => ledger.add_bundle(&bundle.hash, &bundle.bytes),
            found => found.map(drop),
        };
        sent.map_err(|error| {
            let why = error.to_string();
            failed = Some(error);
            why
        })
    });
    let terms = terms.map_err(|why| failed.map_or(RunError::Terms(why), RunError::Ledger))?;
    let terms = serde_json::to_string(&terms).map_err(StoreError::from)?;
    end_outdated(&mut ledger, tournament.id, &terms)?;
    Ok(terms)
}

/// Ends jobs of this tournament that were handed out with different terms, such as another sandbox.
fn end_outdated(ledger: &mut Ledger, tournament: i64, terms: &str) -> Result<(), LedgerError> {
    for work in ledger.open_work(HANDED_OUT)? {
        let is_same = serde_json::from_str::<Terms>(&work.spec).is_ok_and(|terms| terms.tournament == tournament);
        if is_same && work.spec != terms {
            ledger.end(work.id)?;
        }
    }
    Ok(())
}

/// The state of handing out a tournament.
struct HandOut<'a> {
    held: &'a mut HeldStore,
    tournament: &'a Tournament,
    desk: Desk,
    /// Games that are offered to workers.
    in_play: BTreeMap<u32, Planned>,
    /// Outputs of games that an earlier process offered and that this process has not planned yet.
    unplanned: BTreeMap<u32, String>,
    /// Games that were set aside, with reasons.
    aside: BTreeMap<u32, String>,
}

impl HandOut<'_> {
    fn play(
        mut self,
        agenda: &mut Agenda,
        alone: &mut dyn FnMut(),
        watch: &mut dyn FnMut(&GameLog) -> std::io::Result<ControlFlow<()>>,
    ) -> Result<(), RunError> {
        while !interrupt::is_ending() {
            let mut absent = self.offer(agenda)?;
            absent.extend(self.withdraw(agenda)?);
            let mut games = self.forfeit(absent)?;
            if games.is_empty() && self.in_play.len() == self.aside.len() {
                break;
            }
            let played = self.collect()?;
            let numbers: Vec<u64> = played.iter().map(|game| game.planned.number.into()).collect();
            games.extend(played);
            if games.is_empty() {
                if self.desk.wait(Duration::from_secs(1))? == Waited::Alone {
                    alone();
                }
                continue;
            }
            self.held.save(self.tournament.id, games.clone())?;
            self.desk.forget(&numbers)?;
            for game in games {
                agenda.record(&game);
                if watch(&game)?.is_break() {
                    return Ok(self.desk.end()?);
                }
            }
        }
        // After an interrupt, workers finish their games, which `resume` saves.
        interrupt::wait_if_ending();
        self.desk.end()?;
        if self.aside.is_empty() { Ok(()) } else { Err(RunError::Aside(self.aside.into_iter().collect())) }
    }

    /// Offers games until the number of offered games is 32 plus twice the workers' capacity. With more, an interrupted
    /// tournament would be left with an unbalanced set of games. Returns the games that are forfeited because an agent
    /// is withdrawn.
    fn offer(&mut self, agenda: &mut Agenda) -> Result<Vec<(Planned, Absent)>, RunError> {
        const MIN_OFFERED: usize = 32;
        /// Maximum number of forfeited games that are saved at a time.
        const MAX_FORFEITS: usize = 1000;
        let max_offered = MIN_OFFERED + 2 * self.desk.hands()? as usize;
        let (mut jobs, mut forfeits) = (Vec::new(), Vec::new());
        while self.in_play.len() - self.aside.len() < max_offered
            && forfeits.len() < MAX_FORFEITS
            && let Some(planned) = agenda.take()
        {
            if let Some(absent) = agenda.absent(&planned) {
                forfeits.push((planned, absent));
                continue;
            }
            let input = serde_json::to_string(&planned).map_err(StoreError::from)?;
            jobs.push((planned.number.into(), input));
            self.in_play.insert(planned.number, planned);
        }
        if !jobs.is_empty() {
            self.desk.offer(&jobs)?;
        }
        Ok(forfeits)
    }

    /// Withdraws the offered games of withdrawn agents, unless a worker has begun them. Returns the withdrawn games.
    fn withdraw(&mut self, agenda: &Agenda) -> Result<Vec<(Planned, Absent)>, RunError> {
        let absent = |planned: &Planned| Some((u64::from(planned.number), agenda.absent(planned)?));
        let waiting: BTreeMap<u64, Absent> = self.in_play.values().filter_map(absent).collect();
        if waiting.is_empty() {
            return Ok(Vec::new());
        }
        let numbers: Vec<u64> = waiting.keys().copied().collect();
        let mut forfeits = Vec::new();
        for number in self.desk.withdraw(&numbers)? {
            let planned = u32::try_from(number).ok().and_then(|number| self.in_play.remove(&number));
            if let Some((planned, &absent)) = planned.zip(waiting.get(&number)) {
                self.aside.remove(&planned.number);
                forfeits.push((planned, absent));
            }
        }
        Ok(forfeits)
    }

    /// Ends games without playing them, because at least one agent of each is withdrawn.
    fn forfeit(&mut self, games: Vec<(Planned, Absent)>) -> Result<Vec<GameLog>, RunError> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let spec = &self.tournament.spec;
        let at = self.held.ask(|store| Ok(store.ago(Duration::ZERO)?))?;
        let machine = describe(spec.pace(None));
        let log = |(planned, absent)| Ok(Finished::forfeit(spec, planned, absent)?.log(at.clone(), &machine));
        games.into_iter().map(log).collect::<Result<_, _>>().map_err(RunError::Spec)
    }

    /// Raises the job limit after a long valid game.
    fn raise_limit(&mut self, game: &GameLog) {
        if let Ok(limit) = Duration::try_from_secs_f64(game.seconds * JOB_LIMIT_FACTOR) {
            self.desk.raise_job_limit(limit);
        }
    }

    /// Returns the games that workers have finished. A game with an invalid log is offered to other workers again.
    fn collect(&mut self) -> Result<Vec<GameLog>, RunError> {
        let mut outputs: BTreeMap<u32, String> = BTreeMap::new();
        let mut unknown = Vec::new();
        for Done { number, output } in self.desk.collect()? {
            match (u32::try_from(number), output) {
                (Ok(number), Ok(output)) => drop(outputs.insert(number, output)),
                (Ok(number), Err(why)) if self.in_play.contains_key(&number) => drop(self.aside.insert(number, why)),
                _ => unknown.push(number),
            }
        }
        outputs.append(&mut self.unplanned);
        let done = if outputs.keys().all(|number| self.in_play.contains_key(number)) {
            BTreeSet::new()
        } else {
            self.held.ask(|store| Ok(store.done(self.tournament.id)?))?
        };
        let mut games = Vec::new();
        for (number, output) in outputs {
            let Some(planned) = self.in_play.get(&number) else {
                if done.contains(&number) {
                    unknown.push(number.into());
                } else {
                    self.unplanned.insert(number, output);
                }
                continue;
            };
            match read_log(&self.tournament.spec, planned, &output) {
                Ok(game) => {
                    self.in_play.remove(&number);
                    self.aside.remove(&number);
                    self.raise_limit(&game);
                    games.push(game);
                }
                Err(why) => self.desk.reject(number.into(), &format!("its log is invalid: {why}"))?,
            }
        }
        if !unknown.is_empty() {
            self.desk.forget(&unknown)?;
        }
        Ok(games)
    }
}
