//! The main loop of a worker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::address::Address;
use crate::error::LedgerError;
use crate::jobs::again;
use crate::jobs::{Job, Ledger, News, Recorded, Work};
use crate::unfinished::EXCLUSION;

/// Maximum delay before a worker looks for jobs again.
const PAUSE: Duration = Duration::from_secs(2);
/// Delay before a worker reconnects.
const BREATH: Duration = Duration::from_millis(500);
/// Maximum time for the last reports after `stop` is set.
const LAST: Duration = Duration::from_secs(10);

/// The configuration of a worker.
#[derive(Clone, Debug)]
pub struct Shift {
    /// Address of the database.
    pub address: Address,
    /// Name of the worker.
    pub name: String,
    /// Build of this program.
    pub build: String,
    /// Speed of this machine, in nodes per second.
    pub speed: f64,
    /// Maximum number of concurrent jobs.
    pub jobs: usize,
    /// Time after which a job is given to another worker if its lease is not renewed.
    pub lease: Duration,
    /// Time without a job after which the worker ends; `None` to wait forever.
    pub until_idle: Option<Duration>,
}

/// The reason why a job failed here. Another worker may succeed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// Creates a failure with this reason.
    pub fn of(why: impl std::fmt::Display) -> Self {
        Self(why.to_string())
    }
}

/// An event of a worker.
#[derive(Debug)]
pub enum Note<'a> {
    /// The worker is connected and has this number.
    Enlisted(i64),
    /// The worker begins a job.
    Begins(&'a Job),
    /// The worker has reported a job.
    Finished(&'a Job, Recorded),
    /// The worker has failed at a job and returned it.
    Failed(&'a Job, &'a Failure),
    /// The ledger failed. The worker retries, unless the error is permanent.
    Waits(&'a LedgerError),
}

/// Performs jobs until `stop` is set, or until no job has been available for [`Shift::until_idle`]. It restores a lost
/// connection and then reports the outputs of jobs completed in the meantime.
///
/// A worker has two connections regardless of its number of concurrent jobs: one for claims and reports, and one for
/// the heartbeat. The heartbeat also receives notifications of new jobs, and publishes the results of `show`, which
/// returns `None` if nothing has changed.
///
/// # Errors
/// Returns an error if the first connection fails.
///
/// # Panics
/// If `perform` panics. `stop` is then set, and the other jobs end first.
pub fn serve(
    shift: &Shift,
    stop: &AtomicBool,
    note: &(dyn Fn(Note<'_>) + Sync),
    perform: &(dyn Fn(&Work, &Job) -> Result<String, Failure> + Sync),
    show: &(dyn Fn() -> Option<String> + Sync),
) -> Result<(), LedgerError> {
    let enlist = || Ledger::open(&shift.address)?.enlist(&shift.name, &shift.build, shift.speed, shift.jobs);
    let worker = again(enlist)?;
    note(Note::Enlisted(worker));
    let crew = Crew {
        shift,
        worker,
        stop,
        note,
        perform,
        counter: Mutex::default(),
        bell: Condvar::new(),
        works: Mutex::default(),
        doing: Mutex::default(),
    };
    let resting = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| crew.beat(&resting, show));
        // After a panic in a job, the other threads and the heartbeat end too, and the scopes propagate the panic.
        let _ends_heartbeat = OnDrop(|| resting.store(true, Ordering::Relaxed));
        thread::scope(|hands| {
            for _ in 0..shift.jobs {
                hands.spawn(|| {
                    let _ends_others = OnDrop(|| stop.fetch_or(thread::panicking(), Ordering::Relaxed));
                    crew.work();
                });
            }
        });
    });
    Ok(())
}

/// Calls a function when it is dropped, also while a panic unwinds.
struct OnDrop<R, F: Fn() -> R>(F);

impl<R, F: Fn() -> R> Drop for OnDrop<R, F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// State shared by the threads of a worker.
struct Crew<'a> {
    shift: &'a Shift,
    worker: i64,
    stop: &'a AtomicBool,
    note: &'a (dyn Fn(Note<'_>) + Sync),
    perform: &'a (dyn Fn(&Work, &Job) -> Result<String, Failure> + Sync),
    counter: Mutex<Counter>,
    /// Notified when jobs may be available.
    bell: Condvar,
    /// Cache of work that was read before.
    works: Mutex<BTreeMap<i64, Work>>,
    /// Jobs in progress, by work and number.
    doing: Mutex<BTreeSet<(i64, u64)>>,
}

/// The shared connection through which the threads claim and report jobs, one at a time.
#[derive(Default)]
struct Counter {
    ledger: Option<Ledger>,
    /// Time before which no thread claims a job, because the last claim found none.
    empty_until: Option<Instant>,
    /// Time since which no thread has had a job.
    idle_since: Option<Instant>,
    /// Number of consecutive failed jobs.
    failures: u32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Renews the leases until the threads have ended, notifies `bell` when jobs are offered, and publishes the results
    /// of `show`.
    fn beat(&self, resting: &AtomicBool, show: &dyn Fn() -> Option<String>) {
        /// Maximum delay until this thread detects that the others have ended.
        const TURN: Duration = Duration::from_millis(250);
        let (mut ledger, mut next) = (None, Instant::now());
        while !resting.load(Ordering::Relaxed) {
            let turn = connected(&mut ledger, &self.shift.address).and_then(|ledger| {
                if Instant::now() >= next {
                    let doing: Vec<_> = lock(&self.doing).iter().copied().collect();
                    ledger.renew(self.worker, &doing, self.shift.lease)?;
                    next = Instant::now() + self.shift.lease / 4;
                }
                if let Some(shown) = show() {
                    ledger.show(self.worker, &shown)?;
                }
                ledger.wait(News::Offered, TURN.min(self.shift.lease / 4))
            });
            match turn {
                Ok(true) => {
                    lock(&self.counter).empty_until = None;
                    self.bell.notify_all();
                }
                Ok(false) => (),
                Err(_) => {
                    ledger = None;
                    thread::sleep(TURN);
                }
            }
        }
    }

    /// Performs one job after another.
    fn work(&self) {
        while !self.is_over() {
            match self.claim() {
                Ok(Some((work, job))) => {
                    self.perform(&work, &job);
                    lock(&self.doing).remove(&(job.work, job.number));
                }
                Ok(None) if self.is_idle() => return,
                Ok(None) => (),
                Err(error) => self.wait_for_connection(&error),
            }
        }
    }

    /// Claims the next job, and returns it with its work; `None` if there is none or the worker should stop. If the
    /// last claim found no job, it first waits until jobs are offered or the pause is over.
    fn claim(&self) -> Result<Option<(Work, Job)>, LedgerError> {
        let mut counter = lock(&self.counter);
        while let Some(pause) = counter.empty_until.map(|until| until.saturating_duration_since(Instant::now()))
            && !pause.is_zero()
        {
            if self.is_over() {
                return Ok(None);
            }
            counter = self.bell.wait_timeout(counter, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
        let found = counter.ask(&self.shift.address, |ledger| {
            let Some(job) = ledger.claim(self.worker, &self.shift.build, self.shift.lease)? else { return Ok(None) };
            let known = lock(&self.works).get(&job.work).cloned();
            let work = match known {
                Some(work) => work,
                None => ledger.work(job.work)?,
            };
            Ok(Some((work, job)))
        })?;
        match &found {
            Some((work, job)) => {
                lock(&self.doing).insert((job.work, job.number));
                counter.idle_since = None;
                lock(&self.works).insert(work.id, work.clone());
            }
            None => {
                counter.empty_until = Some(Instant::now() + self.pause());
                let is_resting = lock(&self.doing).is_empty();
                counter.idle_since =
                    if is_resting { counter.idle_since.or_else(|| Some(Instant::now())) } else { None };
            }
        }
        Ok(found)
    }

    /// Returns the pause between claims after a claim found no job.
    fn pause(&self) -> Duration {
        self.shift.until_idle.map_or(PAUSE, |idle| idle.clamp(BREATH, PAUSE))
    }

    /// Returns `true` if no thread has had a job for the configured time.
    fn is_idle(&self) -> bool {
        let since = lock(&self.counter).idle_since;
        self.shift.until_idle.zip(since).is_some_and(|(idle, since)| since.elapsed() >= idle)
    }

    /// Performs a job, and reports it as soon as there is a connection.
    fn perform(&self, work: &Work, job: &Job) {
        (self.note)(Note::Begins(job));
        let output = (self.perform)(work, job);
        let mut last = None;
        loop {
            match self.report(job, &output) {
                Ok(reported) => {
                    (self.note)(reported);
                    break;
                }
                // The job was removed, or its output is rejected: a retry would not help.
                Err(error) if !error.may_pass() => {
                    (self.note)(Note::Waits(&error));
                    break;
                }
                Err(error) => self.wait_for_connection(&error),
            }
            if self.is_over() && *last.get_or_insert_with(Instant::now) + LAST < Instant::now() {
                return;
            }
        }
        if output.is_err() {
            self.rest();
        }
    }

    fn report<'a>(&self, job: &'a Job, output: &'a Result<String, Failure>) -> Result<Note<'a>, LedgerError> {
        let mut counter = lock(&self.counter);
        let reported = counter.ask(&self.shift.address, |ledger| match output {
            Ok(output) => ledger.finish(job, self.worker, output).map(|recorded| Note::Finished(job, recorded)),
            Err(failure) => ledger.fail(job, self.worker, &failure.0, EXCLUSION).map(|()| Note::Failed(job, failure)),
        })?;
        counter.failures = if output.is_ok() { 0 } else { counter.failures + 1 };
        Ok(reported)
    }

    /// Waits after a failed job. The delay grows with the number of consecutive failures, so that a faulty machine does
    /// not claim and fail all jobs.
    fn rest(&self) {
        const LONGEST: u32 = 6;
        let failures = lock(&self.counter).failures.min(LONGEST);
        let until = Instant::now() + self.shift.lease / 60 * 2_u32.pow(failures);
        while !self.is_over() && Instant::now() < until {
            thread::sleep(BREATH.min(until.saturating_duration_since(Instant::now())));
        }
    }

    fn wait_for_connection(&self, error: &LedgerError) {
        (self.note)(Note::Waits(error));
        thread::sleep(BREATH);
    }
}

impl Counter {
    /// Runs a query with the connection. It connects if there is no connection, and closes the connection on an error.
    fn ask<T>(
        &mut self,
        address: &Address,
        question: impl FnOnce(&mut Ledger) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let answer = connected(&mut self.ledger, address).and_then(question);
        if answer.is_err() {
            self.ledger = None;
        }
        answer
    }
}

/// Returns the connection, and opens it if necessary.
fn connected<'a>(ledger: &'a mut Option<Ledger>, address: &Address) -> Result<&'a mut Ledger, LedgerError> {
    if ledger.is_none() {
        *ledger = Some(Ledger::open(address)?);
    }
    ledger.as_mut().ok_or_else(|| LedgerError::Lost(String::new()))
}
