//! Handing out jobs and collecting their outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use crate::address::Address;
use crate::error::LedgerError;
use crate::jobs::{Done, Ledger, News};
use crate::offers::Jobs;
use crate::unfinished::Leased;

/// Maximum number of jobs that are offered and not done.
const AHEAD: usize = 4096;
/// Interval between checks for workers, and so the grace period before reporting that no worker is connected. Also the
/// maximum time to wait for a program that is exiting to release the work.
const LONELY: Duration = Duration::from_secs(5);
/// Maximum time to wait for a notification before the desk checks the ledger itself. The ledger sends no notification
/// for an output that arrives while another one waits to be collected.
const TURN: Duration = Duration::from_millis(100);
/// Interval at which a desk looks for jobs that workers do not finish.
const PATROL: Duration = Duration::from_secs(1);
/// Maximum time to restore a lost connection, unless the caller sets another.
const PATIENCE: Duration = Duration::from_mins(5);

/// A client that hands out the jobs of one work and exclusively collects their outputs. It restores lost connections.
pub struct Desk {
    address: Address,
    build: String,
    work: i64,
    /// Maximum time to restore a lost connection.
    patience: Duration,
    /// Connection that reserves the work; `None` after it is lost.
    ledger: Option<Ledger>,
    /// Time of the next check for workers.
    look: Instant,
    /// `true` if the last check found no worker.
    is_alone: bool,
    /// Maximum number of concurrent jobs of all workers, and the time at which it was queried.
    hands: Option<(u64, Instant)>,
    /// Maximum time that a worker may take for a job; `None` if there is no maximum.
    job_limit: Option<Duration>,
    /// Jobs in progress, each with the time at which the desk first saw its lease.
    leased: BTreeMap<Leased, Instant>,
    /// Time of the next check for unfinished jobs.
    patrol: Instant,
}

impl Desk {
    /// Begins work, or resumes unfinished work of the same kind, specification and build. Outputs that an earlier desk
    /// of the work collected are collected again, and jobs that were set aside are offered again.
    ///
    /// # Errors
    /// Returns an error if the ledger fails, or another program hands out the same work.
    pub fn open(address: &Address, kind: &str, spec: &str, build: &str) -> Result<Self, LedgerError> {
        Self::open_within(address, kind, spec, build, PATIENCE)
    }

    /// Like [`open`](Self::open), but each call tries to restore a lost connection for at most `patience`. If that
    /// fails, the call can be repeated.
    ///
    /// # Errors
    /// Returns an error if the ledger fails, or another program hands out the same work.
    pub fn open_within(
        address: &Address,
        kind: &str,
        spec: &str,
        build: &str,
        patience: Duration,
    ) -> Result<Self, LedgerError> {
        let ledger = Some(Ledger::open(address)?);
        let look = Instant::now() + LONELY;
        let mut desk = Self {
            address: address.clone(),
            build: build.to_owned(),
            work: 0,
            patience,
            ledger,
            look,
            is_alone: false,
            hands: None,
            job_limit: None,
            leased: BTreeMap::new(),
            patrol: Instant::now(),
        };
        let work = desk.ask(|ledger| ledger.begin(kind, spec, build))?.id;
        // A program that was just killed may hold the reservation for another moment.
        let until = Instant::now() + LONELY;
        while !desk.ask(|ledger| ledger.reserve(work))? {
            if Instant::now() > until {
                return Err(LedgerError::Taken);
            }
            thread::sleep(Duration::from_millis(100));
        }
        desk.work = work;
        desk.ask(|ledger| ledger.restart(work))?;
        Ok(desk)
    }

    /// Returns the number of the work.
    pub fn work(&self) -> i64 {
        self.work
    }

    /// Sets the maximum time that a worker may take for a job to `limit`, unless it is already higher. Initially there
    /// is no maximum. A job that takes longer is offered to other workers, too, even if its lease is renewed, because
    /// the worker's machine may hang. The first output counts.
    pub fn raise_job_limit(&mut self, limit: Duration) {
        self.job_limit = self.job_limit.max(Some(limit));
    }

    /// Offers jobs, each with its number and its input. Jobs that were offered before are unchanged.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn offer(&mut self, jobs: &[(u64, String)]) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.offer(work, jobs))
    }

    /// Returns the outputs that have arrived since the last call, in the order of their numbers, and all jobs that are
    /// set aside. After a lost connection, outputs that were not [forgotten](Self::forget) are returned again.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn collect(&mut self) -> Result<Vec<Done>, LedgerError> {
        let work = self.work;
        if Instant::now() >= self.patrol {
            self.look_after_jobs()?;
            self.patrol = Instant::now() + PATROL;
        }
        self.ask(|ledger| ledger.collect(work))
    }

    /// Offers jobs that take too long to other workers. If a worker is the only one, lets it retry the jobs that it
    /// failed at.
    fn look_after_jobs(&mut self) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.readmit(work))?;
        let Some(limit) = self.job_limit else { return Ok(()) };
        let (leased, now) = (self.ask(|ledger| ledger.leased(work))?, Instant::now());
        let since = |job: Leased| (job, self.leased.get(&job).copied().unwrap_or(now));
        self.leased = leased.into_iter().map(since).collect();
        let is_overdue = |(_, since): &(&Leased, &Instant)| now.duration_since(**since) >= limit;
        let overdue: Vec<Leased> = self.leased.iter().filter(is_overdue).map(|(&job, _)| job).collect();
        if overdue.is_empty() { Ok(()) } else { self.ask(|ledger| ledger.expire(work, &overdue, limit)) }
    }

    /// Withdraws offered jobs that no worker has claimed or completed, and returns their numbers.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be used.
    pub fn withdraw(&mut self, jobs: &[u64]) -> Result<Vec<u64>, LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.withdraw(work, jobs))
    }

    /// Deletes jobs whose outputs are now stored elsewhere.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn forget(&mut self, jobs: &[u64]) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.forget(work, jobs))
    }

    /// Rejects the output of a job, so that the job is given to another worker.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn reject(&mut self, job: u64, why: &str) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.reject(work, job, why))
    }

    /// Waits until outputs may have arrived, but no longer than `time` and no longer than 100 ms. Also checks for
    /// workers every few seconds.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn wait(&mut self, time: Duration) -> Result<Waited, LedgerError> {
        self.ask(|ledger| ledger.wait(News::Done, time.min(TURN)))?;
        if Instant::now() < self.look {
            return Ok(Waited::Here);
        }
        self.look = Instant::now() + LONELY;
        let is_alone = self.hands()? == 0;
        let was_alone = std::mem::replace(&mut self.is_alone, is_alone);
        Ok(if is_alone && !was_alone { Waited::Alone } else { Waited::Here })
    }

    /// Returns the maximum number of concurrent jobs of all workers. The value is at most two seconds old.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn hands(&mut self) -> Result<u64, LedgerError> {
        const FRESH: Duration = Duration::from_secs(2);
        if let Some((hands, asked)) = self.hands
            && asked.elapsed() < FRESH
        {
            return Ok(hands);
        }
        let build = self.build.clone();
        let hands = self.ask(|ledger| ledger.workers(&build))?.iter().map(|worker| worker.jobs).sum();
        self.hands = Some((hands, Instant::now()));
        Ok(hands)
    }

    /// Ends the work: jobs that are not done are no longer offered.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn end(mut self) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.end(work))
    }

    /// Deletes the work with all its jobs and outputs.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn discard(mut self) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.discard(work)).map(drop)
    }

    /// Checks that the work has not been deleted.
    ///
    /// # Errors
    /// Returns an error if it has been, or if the ledger fails.
    pub fn check_work(&mut self) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.work(work)).map(drop)
    }

    /// Adds a bundle, if it does not exist. `bytes` returns its content.
    ///
    /// # Errors
    /// Returns an error if the ledger or `bytes` fails.
    pub fn add_bundle<E: From<LedgerError>>(
        &mut self,
        hash: &str,
        bytes: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        if !self.ask(|ledger| ledger.has_bundle(hash))? {
            let bytes = bytes()?;
            self.ask(|ledger| ledger.add_bundle(hash, &bytes))?;
        }
        Ok(())
    }

    /// Returns what the workers have published recently, as worker number, age and snapshot.
    ///
    /// # Errors
    /// Returns an error if the ledger fails.
    pub fn shown(&mut self) -> Result<Vec<(i64, Duration, String)>, LedgerError> {
        self.ask(Ledger::shown)
    }

    /// Hands out jobs until all required outputs have arrived, and then ends the work. `alone` is called if no worker
    /// is connected.
    ///
    /// # Errors
    /// Returns an error if the ledger fails, a job is set aside, or an output is rejected. The work can then be
    /// resumed.
    pub fn hand_out<E: From<LedgerError>>(
        mut self,
        jobs: &mut dyn Jobs<Error = E>,
        alone: &mut dyn FnMut(),
    ) -> Result<(), E> {
        // Offered jobs whose outputs have not arrived.
        let mut out = BTreeSet::new();
        while !jobs.is_over() {
            let mut fresh = Vec::new();
            while out.len() + fresh.len() < AHEAD
                && let Some(job) = jobs.next()?
            {
                fresh.push(job);
            }
            if !fresh.is_empty() {
                self.offer(&fresh)?;
                out.extend(fresh.iter().map(|(number, _)| *number));
            }
            let done = self.collect()?;
            let nothing_came = done.is_empty();
            for Done { number, output } in done {
                let output = output.map_err(|why| LedgerError::Aside { work: self.work, number, why })?;
                out.remove(&number);
                jobs.take(number, &output)?;
            }
            if nothing_came && !jobs.is_over() && self.wait(Duration::from_secs(1))? == Waited::Alone {
                alone();
            }
        }
        Ok(self.end()?)
    }

    fn ask<T>(&mut self, mut question: impl FnMut(&mut Ledger) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let until = Instant::now() + self.patience;
        loop {
            let asked = match &mut self.ledger {
                Some(ledger) => question(ledger),
                none => reopened(&self.address, self.work).and_then(|ledger| question(none.insert(ledger))),
            };
            match asked {
                Err(error) if error.may_pass() => {
                    self.ledger = None;
                    if Instant::now() >= until {
                        return Err(error);
                    }
                    thread::sleep(Duration::from_millis(500));
                }
                answer => return answer,
            }
        }
    }
}

/// The result of [`Desk::wait`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Nothing to report: workers are connected, were not checked, or their absence was already reported.
    Here,
    /// No worker is connected. This is reported once each time that the last worker disconnects.
    Alone,
}

/// Opens a new connection. Reserves the work again, if it has begun.
fn reopened(address: &Address, work: i64) -> Result<Ledger, LedgerError> {
    let mut ledger = Ledger::open(address)?;
    if work != 0 && !ledger.reserve(work)? {
        // The server has not detected the end of the old connection yet.
        return Err(LedgerError::Lost("the work is still reserved for the previous connection".to_owned()));
    }
    if work != 0 {
        // The answer with these outputs may have been lost.
        ledger.offer_outputs_again(work)?;
    }
    Ok(ledger)
}
