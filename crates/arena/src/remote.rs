//! Games that workers on other machines play for a program that plays games itself, too.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ledger::{Address, Desk, Done, Ledger, LedgerError};

use crate::away::Terms;
use crate::job::{GameJob, HANDED_OUT, longest_game, read_log};
use crate::live::{LiveGame, Showcase};
use crate::log::GameLog;
use crate::planned::Planned;
use crate::spec::Affinity;

/// Maximum time of [`RemoteGames::turn`] while the database answers.
const TURN: Duration = Duration::from_millis(100);
/// Time between two attempts to reach the database.
const RETRY: Duration = Duration::from_secs(1);
/// Time without a worker or the database after which the games are returned unplayed.
const GRACE: Duration = Duration::from_mins(1);
/// Time between two looks at the boards of the workers.
const LOOK: Duration = Duration::from_millis(500);

/// Like [`Fetch`](crate::away::Fetch), but owned.
type OwnedFetch<'a> = Box<dyn Fn(&str) -> Result<Option<Vec<u8>>, String> + Send + Sync + 'a>;

/// Games that workers play under common rules.
///
/// All jobs belong to one work of the ledger. Its number, [`Terms::tournament`], identifies the program that hands out
/// the games: when the work begins, unfinished work with the same number is deleted, so that no game of an earlier run
/// is played or counted. A number is negative, because tournaments in stores have positive numbers.
pub struct RemoteGames<'a> {
    address: Address,
    build: String,
    terms: Terms,
    /// The terms as JSON.
    text: String,
    /// Returns the bytes of a bundle.
    fetch: OwnedFetch<'a>,
    /// Receives each new state.
    watch: Box<dyn Fn(&RemoteState) + Send + Sync + 'a>,
    state: RemoteState,
    desk: Option<Desk>,
    /// Set if the last call of the desk failed.
    is_lost: bool,
    /// Time of the next attempt to reach the database.
    retry: Instant,
    /// Beginning of the current trouble.
    troubled: Option<Instant>,
    pub(crate) grace: Duration,
    /// Games without a result, by the numbers of their jobs.
    offered: BTreeMap<u64, Offered>,
    /// Games that the next turn returns.
    ended: Vec<RemoteEnd>,
    /// Number of the next job.
    next: u32,
    /// Hashes of the bundles in the database.
    sent: BTreeSet<String>,
    /// Time of the next look at the boards of the workers.
    look: Instant,
}

/// A game that is offered to workers.
struct Offered {
    /// Number of the tournament in the showcase.
    tournament: i64,
    planned: Planned,
    /// The job. Its game has the job's number instead of its own.
    job: GameJob,
    /// Number of moves on the shown board.
    plies: Option<u32>,
}

/// The state of the workers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteState {
    /// Maximum number of games that the workers play at the same time.
    pub hands: u64,
    /// Number of games that are offered to them.
    pub offered: usize,
    /// Reason why the workers play no games at the moment.
    pub trouble: Option<String>,
}

/// A game that has ended or that the workers will not play.
#[derive(Debug)]
pub struct RemoteEnd {
    /// Number of the tournament in the showcase.
    pub tournament: i64,
    /// Game.
    pub planned: Planned,
    /// Log of the game.
    pub result: Result<GameLog, Unplayed>,
}

/// The reason why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayed {
    /// The database or all workers could not be reached for a while. The text describes the trouble.
    Unreachable(String),
    /// The workers could not play it, for this reason.
    Failed(String),
}

/// The result of [`RemoteGames::turn`].
#[derive(Debug, Default)]
pub struct Turn {
    /// Games that have ended since the last turn.
    pub ended: Vec<RemoteEnd>,
    /// Number of games that can be offered now.
    pub room: usize,
}

/// Errors of offering a game.
enum OfferError {
    Ledger(LedgerError),
    Files(String),
}

impl From<LedgerError> for OfferError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl<'a> RemoteGames<'a> {
    /// Prepares to hand out games under these terms to workers of this build. `fetch` returns the bytes of a bundle,
    /// and `watch` receives each new state.
    ///
    /// # Errors
    /// If the terms cannot be written as JSON.
    pub fn new(
        address: Address,
        build: String,
        mut terms: Terms,
        fetch: impl Fn(&str) -> Result<Option<Vec<u8>>, String> + Send + Sync + 'a,
        watch: impl Fn(&RemoteState) + Send + Sync + 'a,
    ) -> Result<Self, String> {
        // The cores are those of this machine.
        (terms.spec.jobs, terms.spec.affinity) = (None, Affinity::All(false));
        let text = serde_json::to_string(&terms).map_err(|error| error.to_string())?;
        let now = Instant::now();
        // Workers may still show boards of an earlier run, so its numbers must not be used again.
        let first = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u32 >> 1;
        Ok(Self {
            address,
            build,
            terms,
            text,
            fetch: Box::new(fetch),
            watch: Box::new(watch),
            state: RemoteState::default(),
            desk: None,
            is_lost: false,
            retry: now,
            troubled: None,
            grace: GRACE,
            offered: BTreeMap::new(),
            ended: Vec::new(),
            next: first,
            sent: BTreeSet::new(),
            look: now,
        })
    }

    /// Waits for results for about 100 ms, and updates the boards of the games. It blocks for some seconds if the
    /// machine of the database cannot be reached.
    ///
    /// Games are returned unplayed if no worker has been reachable for a minute, or if the workers failed to play them.
    pub fn turn(&mut self, showcase: &Showcase) -> Turn {
        let mut state = self.state.clone();
        let pause = self.retry.saturating_duration_since(Instant::now());
        if pause.is_zero() {
            let exchanged = self.exchange(showcase);
            self.is_lost = exchanged.is_err();
            (state.hands, state.trouble) = match exchanged {
                Ok(0) => (0, Some(no_worker(&self.address))),
                Ok(hands) => (hands, None),
                Err(error) => {
                    self.retry = Instant::now() + RETRY;
                    let trouble = described(&error);
                    if !error.may_pass() {
                        self.give_back(&trouble, showcase);
                    }
                    (0, Some(trouble))
                }
            };
        } else {
            thread::sleep(pause.min(TURN));
        }
        match &state.trouble {
            None => self.troubled = None,
            Some(trouble) => {
                let since = *self.troubled.get_or_insert_with(Instant::now);
                if since.elapsed() >= self.grace && !self.offered.is_empty() {
                    self.give_back(trouble, showcase);
                }
            }
        }
        // A worker begins its next game while the result of the last one is on its way.
        let max_offered = (state.hands + state.hands.div_ceil(4)) as usize;
        state.offered = self.offered.len();
        self.set_state(state);
        Turn { ended: std::mem::take(&mut self.ended), room: max_offered.saturating_sub(self.offered.len()) }
    }

    /// Offers a game to the workers. [`turn`](Self::turn) returns its result, or the reason why it cannot be offered.
    /// `tournament` is the number of its tournament in the showcase.
    pub fn offer(&mut self, tournament: i64, game: GameJob) {
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        let planned = game.planned.clone();
        let job = GameJob { planned: Planned { number, ..planned.clone() }, ..game };
        match self.send(&job) {
            Ok(()) => drop(self.offered.insert(number.into(), Offered { tournament, planned, job, plies: None })),
            Err(OfferError::Ledger(error)) => {
                // The job may have been recorded nevertheless. Its output is then ignored.
                (self.is_lost, self.retry) = (true, Instant::now() + RETRY);
                let result = Err(Unplayed::Unreachable(described(&error)));
                self.ended.push(RemoteEnd { tournament, planned, result });
            }
            Err(OfferError::Files(why)) => {
                self.ended.push(RemoteEnd { tournament, planned, result: Err(Unplayed::Failed(why)) });
            }
        }
    }

    /// Cancels a game. A worker that has begun it finishes it, and its output is ignored.
    pub fn cancel(&mut self, tournament: i64, game: u32, showcase: &Showcase) {
        let is_it = |offered: &Offered| (offered.tournament, offered.planned.number) == (tournament, game);
        let found = self.offered.iter().find(|(_, offered)| is_it(offered)).map(|(&number, _)| number);
        if let Some(number) = found {
            self.offered.remove(&number);
            showcase.remove(tournament, game);
            // If the job cannot be withdrawn, its output is ignored.
            if let Some(desk) = self.desk.as_mut().filter(|_| !self.is_lost) {
                let _ = desk.withdraw(&[number]);
            }
        }
    }

    /// Cancels all games, and ends the connection until the next turn.
    pub fn close(&mut self, showcase: &Showcase) {
        self.leave(showcase);
        self.ended.clear();
        (self.troubled, self.retry) = (None, Instant::now());
        self.set_state(RemoteState::default());
    }

    fn set_state(&mut self, state: RemoteState) {
        if self.state != state {
            self.state = state;
            (self.watch)(&self.state);
        }
    }

    /// Returns all games unplayed, and ends the work.
    fn give_back(&mut self, why: &str, showcase: &Showcase) {
        for Offered { tournament, planned, .. } in self.leave(showcase).into_values() {
            let result = Err(Unplayed::Unreachable(why.to_owned()));
            self.ended.push(RemoteEnd { tournament, planned, result });
        }
    }

    /// Ends the work, and returns its games.
    fn leave(&mut self, showcase: &Showcase) -> BTreeMap<u64, Offered> {
        if let Some(desk) = self.desk.take() {
            // If this fails, the next work deletes this one.
            let _ = desk.discard();
        }
        self.sent.clear();
        let offered = std::mem::take(&mut self.offered);
        for Offered { tournament, planned, .. } in offered.values() {
            showcase.remove(*tournament, planned.number);
        }
        offered
    }

    /// Collects outputs, and returns the maximum number of concurrent jobs of all workers.
    fn exchange(&mut self, showcase: &Showcase) -> Result<u64, LedgerError> {
        let mut desk = match self.desk.take() {
            Some(desk) => desk,
            None => self.open()?,
        };
        let exchanged = self.exchange_at(&mut desk, showcase);
        self.desk = Some(desk);
        exchanged
    }

    /// Deletes earlier work with the same number, and begins new work.
    fn open(&self) -> Result<Desk, LedgerError> {
        let mut ledger = Ledger::open(&self.address)?;
        for work in ledger.open_work(HANDED_OUT)? {
            let number = serde_json::from_str::<Terms>(&work.spec).map(|terms| terms.tournament);
            if number.is_ok_and(|number| number == self.terms.tournament) && !ledger.discard(work.id)? {
                return Err(LedgerError::Taken);
            }
        }
        let mut desk = Desk::open_within(&self.address, HANDED_OUT, &self.text, &self.build, Duration::ZERO)?;
        desk.raise_job_limit(longest_game(&self.terms.spec));
        Ok(desk)
    }

    fn exchange_at(&mut self, desk: &mut Desk, showcase: &Showcase) -> Result<u64, LedgerError> {
        if self.is_lost {
            // A second server of the same course may have deleted it meanwhile.
            desk.check_work()?;
        }
        desk.wait(TURN)?;
        let (mut stored, mut aside) = (Vec::new(), Vec::new());
        for Done { number, output } in desk.collect()? {
            match output {
                Ok(output) => match self.take(number, &output, showcase) {
                    Ok(()) => stored.push(number),
                    Err(why) => desk.reject(number, &format!("its log is invalid: {why}"))?,
                },
                Err(why) => {
                    aside.push(number);
                    self.fail(number, why, showcase);
                }
            }
        }
        if !stored.is_empty() {
            desk.forget(&stored)?;
        }
        if !aside.is_empty() {
            desk.withdraw(&aside)?;
        }
        self.look_at_boards(desk, showcase)?;
        desk.hands()
    }

    /// Takes the output of a job. Outputs of cancelled games are ignored.
    fn take(&mut self, number: u64, output: &str, showcase: &Showcase) -> Result<(), String> {
        let Some(offered) = self.offered.get(&number) else { return Ok(()) };
        let spec = &offered.job.terms(&self.terms).spec;
        let mut log = read_log(spec, &offered.job.planned, output)?;
        log.planned = offered.planned.clone();
        if let Some(board) = LiveGame::last_of(offered.tournament, spec, &log) {
            showcase.mirror(board);
        }
        if let Some(Offered { tournament, planned, .. }) = self.offered.remove(&number) {
            self.ended.push(RemoteEnd { tournament, planned, result: Ok(log) });
        }
        Ok(())
    }

    /// Takes the reason why workers failed at a job.
    fn fail(&mut self, number: u64, why: String, showcase: &Showcase) {
        // A bundle may be missing in the database.
        self.sent.clear();
        if let Some(Offered { tournament, planned, .. }) = self.offered.remove(&number) {
            showcase.remove(tournament, planned.number);
            self.ended.push(RemoteEnd { tournament, planned, result: Err(Unplayed::Failed(why)) });
        }
    }

    /// Shows the boards of the workers.
    fn look_at_boards(&mut self, desk: &mut Desk, showcase: &Showcase) -> Result<(), LedgerError> {
        if self.offered.is_empty() || Instant::now() < self.look {
            return Ok(());
        }
        self.look = Instant::now() + LOOK;
        for (_, age, snapshot) in desk.shown()? {
            // A worker of another version may publish something else.
            let games = serde_json::from_str::<Vec<Option<LiveGame>>>(&snapshot).unwrap_or_default();
            let own = games.into_iter().flatten().filter(|game| game.tournament == self.terms.tournament);
            for game in own.filter(|game| game.end.is_none()) {
                let Some(offered) = self.offered.get_mut(&game.number.into()) else { continue };
                if offered.plies.replace(game.plies) != Some(game.plies) {
                    let (tournament, number) = (offered.tournament, offered.planned.number);
                    let thinking = game.thinking + age.as_secs_f64();
                    showcase.mirror(LiveGame { tournament, number, thinking, ..game });
                }
            }
        }
        Ok(())
    }

    /// Sends missing bundles of a game, and offers its job.
    fn send(&mut self, job: &GameJob) -> Result<(), OfferError> {
        let input = serde_json::to_string(job).map_err(|error| OfferError::Files(error.to_string()))?;
        let lost = || LedgerError::Lost("no connection".to_owned());
        let desk = self.desk.as_mut().filter(|_| !self.is_lost).ok_or_else(lost)?;
        let terms = job.terms(&self.terms);
        let bundles = job.planned.agents.iter().filter_map(|&agent| terms.files.get(agent)?.bundle.as_ref());
        for hash in bundles {
            if self.sent.contains(hash) {
                continue;
            }
            desk.add_bundle(hash, || {
                let bytes = (self.fetch)(hash).map_err(OfferError::Files)?;
                bytes.ok_or_else(|| OfferError::Files(format!("bundle {hash}: it is not in the store")))
            })?;
            self.sent.insert(hash.clone());
        }
        Ok(desk.offer(&[(job.planned.number.into(), input)])?)
    }
}

/// Returns the text for an organiser without workers.
fn no_worker(address: &Address) -> String {
    format!("no worker of this version is connected; start `plyhouse work --store {address}` on other machines")
}

/// Returns the text of an error for the organiser.
fn described(error: &LedgerError) -> String {
    match error {
        LedgerError::Taken => "a second server of the same course, or the connection of one that has just been \
                               killed, still hands out games to these workers"
            .to_owned(),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
