//! Plays a tournament on other machines: hands out its games, checks their logs and saves them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use ledger::{Address, Desk, Done, Ledger, LedgerError, Waited};
use process::interrupt;

use crate::agenda::Agenda;
use crate::live::Herald;
use crate::machine::describe;
use crate::play::Finished;
use crate::run::agenda;
use crate::starts::Absent;
use crate::{
    Bulletin, GameLog, Hold, Location, Planned, RunError, Showcase, Spec, Store, StoreError, Terms, Tournament, Venue,
    check_game,
};

/// The kind of jobs that are games of tournaments.
pub const HANDED_OUT: &str = "tournament";

/// How long a lost connection may be away.
const PATIENCE: Duration = Duration::from_mins(5);

/// A store that is reserved for this process. If the connection is lost, both are had again.
pub struct HeldStore {
    location: Location,
    /// The store.
    pub store: Store,
    /// Its reservation.
    pub hold: Hold,
}

impl HeldStore {
    /// A store and its reservation, which both exist.
    pub fn new(location: Location, store: Store, hold: Hold) -> Self {
        Self { location, store, hold }
    }

    /// Asks the store, and the ledger, if that is asked, too. If a connection is lost meanwhile, asks again with a new
    /// one, for a few minutes.
    ///
    /// # Errors
    /// Those of `question`; or if the store cannot be had again.
    pub fn ask<T>(&mut self, mut question: impl FnMut(&mut Store) -> Result<T, RunError>) -> Result<T, RunError> {
        let until = Instant::now() + PATIENCE;
        loop {
            match question(&mut self.store) {
                Err(error) if error.is_lost() && Instant::now() < until => self.reopen(until)?,
                answer => return answer,
            }
        }
    }

    /// Saves games. If the connection is lost meanwhile, those that are there by then are not saved again.
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
                // The server may not have noticed the end of the old connection, which has the reservation.
                Err(StoreError::Busy(_)) if Instant::now() < until => (),
                Err(error) if error.is_lost() && Instant::now() < until => (),
                Err(error) => return Err(error),
            }
        }
    }
}

/// What a tournament is handed out with.
pub struct Workers<'a> {
    /// The database of the workers.
    pub address: &'a Address,
    /// The build of this program. Workers of another one do not play.
    pub build: &'a str,
    /// Called if no worker is there.
    pub alone: &'a mut dyn FnMut(),
}

/// Plays the remaining games of a tournament on other machines. `watch` sees each game after it was saved, and may stop
/// the tournament. If this process is killed and started again, games that were played meanwhile are saved then.
///
/// # Errors
/// If the game does not exist, agents cannot be sent, or the store or the ledger fails. If games were put aside, the
/// others have been played.
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
    // Workers show the games. This program only says that the tournament goes on.
    let showcase = Showcase::default();
    let bulletin = Bulletin { tournament: tournament.id, build: Some(build.to_owned()), ..Bulletin::default() };
    thread::scope(|scope| {
        let _herald = Herald::start(scope, &held.hold, bulletin, &showcase);
        let (in_play, early, aside) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        HandOut { held, tournament, desk, in_play, early, aside }.play(&mut agenda, alone, watch)
    })
}

/// Multiple of the longest game so far after which a game is also offered to other workers.
const MUCH_LONGER: f64 = 4.0;

/// Returns the time that no game should exceed: twice what the limits allow for all its moves, and at least an hour,
/// because node limits do not bound the time.
fn longest_game(spec: &Spec) -> Duration {
    const LEAST: Duration = Duration::from_hours(1);
    /// Maximum time for which a late agent is waited for after each move.
    const STOPPING: Duration = Duration::from_secs(5);
    let moves = spec.move_limit.div_ceil(2);
    let times = spec.agents.iter().map(|agent| agent.time_control(&spec.time));
    let sides = times.filter_map(|time| {
        let by_moves = time.move_time.map(|limit| limit.saturating_mul(moves));
        let by_game = time.game_time.map(|limit| limit.saturating_add(time.increment.saturating_mul(moves)));
        let limit = [by_moves, by_game].into_iter().flatten().min()?;
        Some(limit.saturating_add((time.margin + STOPPING).saturating_mul(moves)).saturating_add(time.start_time))
    });
    sides.max().map_or(LEAST, |side| side.saturating_mul(4).max(LEAST))
}

/// Puts the agents' files into the ledger, and returns what workers must know.
fn send(address: &Address, tournament: &Tournament, venue: &Venue) -> Result<String, RunError> {
    let mut ledger = Ledger::open(address)?;
    let mut failed = None;
    let terms = Terms::new(tournament, venue, |bundle| {
        let sent = match ledger.has_bundle(&bundle.hash) {
            Ok(false) => ledger.add_bundle(&bundle.hash, &bundle.bytes),
            is_there => is_there.map(drop),
        };
        sent.map_err(|error| {
            let why = error.to_string();
            failed = Some(error);
            why
        })
    });
    let terms = terms.map_err(|why| failed.map_or(RunError::Terms(why), RunError::Ledger))?;
    let terms = serde_json::to_string(&terms).map_err(StoreError::from)?;
    end_others(&mut ledger, tournament.id, &terms)?;
    Ok(terms)
}

/// Ends what was handed out of this tournament on other terms, such as another sandbox.
fn end_others(ledger: &mut Ledger, tournament: i64, terms: &str) -> Result<(), LedgerError> {
    for work in ledger.open_work(HANDED_OUT)? {
        let is_of_it = serde_json::from_str::<Terms>(&work.spec).is_ok_and(|terms| terms.tournament == tournament);
        if is_of_it && work.spec != terms {
            ledger.end(work.id)?;
        }
    }
    Ok(())
}

/// A tournament that is handed out.
struct HandOut<'a> {
    held: &'a mut HeldStore,
    tournament: &'a Tournament,
    desk: Desk,
    /// Games that are offered.
    in_play: BTreeMap<u32, Planned>,
    /// Outputs that an earlier process had asked for, and that this one has not come to yet.
    early: BTreeMap<u32, String>,
    /// Games that were put aside, with the reasons.
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
                agenda.enter(&game);
                if watch(&game)?.is_break() {
                    return Ok(self.desk.end()?);
                }
            }
        }
        // An interrupted tournament goes on with the games that workers have by then.
        interrupt::wait_if_ending();
        self.desk.end()?;
        if self.aside.is_empty() { Ok(()) } else { Err(RunError::Aside(self.aside.into_iter().collect())) }
    }

    /// Offers games, twice as many as workers can play at once: more would be a poor order if the tournament is cut
    /// short. Returns games that are not played, because an agent is withdrawn.
    fn offer(&mut self, agenda: &mut Agenda) -> Result<Vec<(Planned, Absent)>, RunError> {
        const LEAST: usize = 32;
        /// Maximum number of forfeited games that are saved at a time.
        const FORFEITS: usize = 1000;
        let most = LEAST + 2 * self.desk.hands()? as usize;
        let (mut jobs, mut forfeits) = (Vec::new(), Vec::new());
        while self.in_play.len() - self.aside.len() < most
            && forfeits.len() < FORFEITS
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

    /// Withdraws offered games of withdrawn agents that no worker plays, and returns them.
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
    fn learn(&mut self, game: &GameLog) {
        if let Ok(limit) = Duration::try_from_secs_f64(game.seconds * MUCH_LONGER) {
            self.desk.raise_job_limit(limit);
        }
    }

    /// The games that have come. Logs that cannot be true are given to other workers.
    fn collect(&mut self) -> Result<Vec<GameLog>, RunError> {
        let mut outputs: BTreeMap<u32, String> = BTreeMap::new();
        let mut strange = Vec::new();
        for Done { number, output } in self.desk.collect()? {
            match (u32::try_from(number), output) {
                (Ok(number), Ok(output)) => drop(outputs.insert(number, output)),
                (Ok(number), Err(why)) if self.in_play.contains_key(&number) => drop(self.aside.insert(number, why)),
                _ => strange.push(number),
            }
        }
        outputs.append(&mut self.early);
        let done = if outputs.keys().all(|number| self.in_play.contains_key(number)) {
            BTreeSet::new()
        } else {
            self.held.ask(|store| Ok(store.done(self.tournament.id)?))?
        };
        let mut games = Vec::new();
        for (number, output) in outputs {
            let Some(planned) = self.in_play.get(&number) else {
                if done.contains(&number) {
                    strange.push(number.into());
                } else {
                    self.early.insert(number, output);
                }
                continue;
            };
            match read(&self.tournament.spec, planned, &output) {
                Ok(game) => {
                    self.in_play.remove(&number);
                    self.aside.remove(&number);
                    self.learn(&game);
                    games.push(game);
                }
                Err(why) => self.desk.reject(number.into(), &format!("its log cannot be true: {why}"))?,
            }
        }
        if !strange.is_empty() {
            self.desk.forget(&strange)?;
        }
        Ok(games)
    }
}

/// Reads a game that a worker has played, and checks it by the rules.
fn read(spec: &Spec, planned: &Planned, output: &str) -> Result<GameLog, String> {
    let game: GameLog = serde_json::from_str(output).map_err(|error| error.to_string())?;
    if game.planned != *planned {
        return Err("it is another game".to_owned());
    }
    game.is_possible(spec.agents.len())?;
    check_game(spec, &game)?;
    Ok(game)
}
