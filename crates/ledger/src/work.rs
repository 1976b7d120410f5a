//! The loop of a worker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::jobs::again;
use crate::unfinished::EXCLUSION;
use crate::{Address, Job, Ledger, LedgerError, News, Recorded, Work};

/// How long a worker waits before it looks for jobs again, at most.
const PAUSE: Duration = Duration::from_secs(2);
/// How long it waits before it connects again.
const BREATH: Duration = Duration::from_millis(500);
/// How long it tries to make its last reports once it should stop.
const LAST: Duration = Duration::from_secs(10);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Shift {
    /// Where the jobs are.
    pub address: Address,
    /// What the worker calls itself.
    pub name: String,
    /// The build of this program.
    pub build: String,
    /// Nodes a second of this machine.
    pub speed: f64,
    /// Jobs at the same time.
    pub jobs: usize,
    /// How long a job stays the worker's own without a renewal.
    pub lease: Duration,
    /// The worker ends when it has had no job for this long; `None` if it waits for ever.
    pub until_idle: Option<Duration>,
}

/// Why a job could not be done here. Another worker may be able to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// The failure with this reason.
    pub fn of(why: impl std::fmt::Display) -> Self {
        Self(why.to_string())
    }
}

/// What a worker tells.
#[derive(Debug)]
pub enum Note<'a> {
    /// It has a connection, and this number.
    Enlisted(i64),
    /// It begins a job.
    Begins(&'a Job),
    /// It has reported a job.
    Finished(&'a Job, Recorded),
    /// It has given a job back.
    Failed(&'a Job, &'a Failure),
    /// It has no connection, and tries again.
    Waits(&'a LedgerError),
}

/// Does jobs until `stop` is set, or until none has come for long enough. A lost connection is made again; the outputs
/// of jobs that were done meanwhile are reported then.
///
/// However many jobs it does at the same time, a worker has two connections: one for claims and reports, and one for
/// the heartbeat, which also hears of new jobs and publishes what `show` returns; `None` if there is nothing new.
///
/// # Errors
/// If the first connection cannot be made.
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
        let hands: Vec<_> = (0..shift.jobs).map(|_| scope.spawn(|| crew.work())).collect();
        for hand in hands {
            // A panic of a hand goes on in `scope`.
            let _ = hand.join();
        }
        resting.store(true, Ordering::Relaxed);
    });
    Ok(())
}

/// What the threads of a worker share.
struct Crew<'a> {
    shift: &'a Shift,
    worker: i64,
    stop: &'a AtomicBool,
    note: &'a (dyn Fn(Note<'_>) + Sync),
    perform: &'a (dyn Fn(&Work, &Job) -> Result<String, Failure> + Sync),
    counter: Mutex<Counter>,
    /// Rung when jobs may have come.
    bell: Condvar,
    /// Work that was read before.
    works: Mutex<BTreeMap<i64, Work>>,
    /// The jobs that are being done, by work and number.
    doing: Mutex<BTreeSet<(i64, u64)>>,
}

/// Where the threads of a worker get jobs and report them, one at a time.
#[derive(Default)]
struct Counter {
    ledger: Option<Ledger>,
    /// No job waited when one was asked for last, so that nobody need ask before then.
    empty_until: Option<Instant>,
    /// Since when no hand has had a job.
    idle_since: Option<Instant>,
    /// Jobs in a row that could not be done.
    failures: u32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Renews the leases until the hands rest, rings the bell when jobs are offered, and publishes what there is to
    /// show.
    fn beat(&self, resting: &AtomicBool, show: &dyn Fn() -> Option<String>) {
        /// It should notice soon that the hands rest.
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

    /// Does one job after the other.
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

    /// The next job, with its work. If none waits, looks again a while later; at once if the worker ends then.
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

    /// How long nobody asks for jobs after none has waited.
    fn pause(&self) -> Duration {
        self.shift.until_idle.map_or(PAUSE, |idle| idle.clamp(BREATH, PAUSE))
    }

    /// Whether no hand has had a job for as long as the worker waits.
    fn is_idle(&self) -> bool {
        let since = lock(&self.counter).idle_since;
        self.shift.until_idle.zip(since).is_some_and(|(idle, since)| since.elapsed() >= idle)
    }

    /// Does a job, and reports it as soon as there is a connection.
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
                // The job was removed, or its output is refused: repeating would not help.
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

    /// A machine on which job after job fails waits longer and longer, so that it does not spoil the jobs of all.
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
    /// Asks the ledger. The connection is given up if it fails, and made if there is none.
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

/// The connection, which is made if there is none.
fn connected<'a>(ledger: &'a mut Option<Ledger>, address: &Address) -> Result<&'a mut Ledger, LedgerError> {
    if ledger.is_none() {
        *ledger = Some(Ledger::open(address)?);
    }
    ledger.as_mut().ok_or_else(|| LedgerError::Lost(String::new()))
}
