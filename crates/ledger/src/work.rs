//! The loop of a worker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::jobs::again;
use crate::{Address, Job, Ledger, LedgerError, Recorded, Work};

/// How long a worker waits before it looks for jobs or connects again, at most.
const PAUSE: Duration = Duration::from_secs(2);

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
    /// Whether the worker ends when no job waits.
    pub until_idle: bool,
}

/// Why a job could not be done here. Another worker may be able to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

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

/// Does jobs until `stop` is set, or until none waits. A lost connection is made again; the outputs of jobs that were
/// done meanwhile are reported then.
///
/// # Errors
/// If the first connection cannot be made.
pub fn serve(
    shift: &Shift,
    stop: &AtomicBool,
    note: &(dyn Fn(Note<'_>) + Sync),
    perform: &(dyn Fn(&Work, &Job) -> Result<String, Failure> + Sync),
) -> Result<(), LedgerError> {
    let enlist = || Ledger::open(&shift.address)?.enlist(&shift.name, &shift.build, shift.speed);
    let worker = again(enlist)?;
    note(Note::Enlisted(worker));
    let hand = Hand { shift, worker, stop, note, perform, works: Mutex::default(), doing: Mutex::default() };
    let resting = AtomicBool::new(false);
    thread::scope(|scope| {
        let heart = scope.spawn(|| hand.beat(&resting));
        let hands: Vec<_> = (0..shift.jobs).map(|_| scope.spawn(|| hand.work())).collect();
        for hand in hands {
            // A panic of a hand goes on in `scope`.
            let _ = hand.join();
        }
        resting.store(true, Ordering::Relaxed);
        heart.thread().unpark();
    });
    Ok(())
}

/// What the threads of a worker share.
struct Hand<'a> {
    shift: &'a Shift,
    worker: i64,
    stop: &'a AtomicBool,
    note: &'a (dyn Fn(Note<'_>) + Sync),
    perform: &'a (dyn Fn(&Work, &Job) -> Result<String, Failure> + Sync),
    /// Work that was read before.
    works: Mutex<BTreeMap<i64, Work>>,
    /// The jobs that are being done, by work and number.
    doing: Mutex<BTreeSet<(i64, u64)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hand<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Renews the leases until the hands rest.
    fn beat(&self, resting: &AtomicBool) {
        let mut ledger = None;
        while !resting.load(Ordering::Relaxed) {
            let doing: Vec<_> = lock(&self.doing).iter().copied().collect();
            let renewed = connected(&mut ledger, &self.shift.address)
                .and_then(|ledger| ledger.renew(self.worker, &doing, self.shift.lease));
            if renewed.is_err() {
                ledger = None;
            }
            thread::park_timeout(self.shift.lease / 4);
        }
    }

    /// Does one job after the other.
    fn work(&self) {
        let mut ledger = None;
        while !self.is_over() {
            let claimed = connected(&mut ledger, &self.shift.address).and_then(|ledger| self.claim(ledger));
            match claimed {
                Ok(Some((work, job))) => {
                    lock(&self.doing).insert((job.work, job.number));
                    self.perform(&mut ledger, &work, &job);
                    lock(&self.doing).remove(&(job.work, job.number));
                }
                Ok(None) if self.shift.until_idle => return,
                Ok(None) => (),
                Err(error) => self.lose(&mut ledger, &error),
            }
        }
    }

    /// The next job, with its work. Waits a while if there is none.
    fn claim(&self, ledger: &mut Ledger) -> Result<Option<(Work, Job)>, LedgerError> {
        let Some(job) = ledger.claim(self.worker, &self.shift.build, self.shift.lease)? else {
            if !self.shift.until_idle {
                ledger.wait(PAUSE)?;
            }
            return Ok(None);
        };
        let known = lock(&self.works).get(&job.work).cloned();
        let work = match known {
            Some(work) => work,
            None => ledger.work(job.work)?,
        };
        lock(&self.works).insert(job.work, work.clone());
        Ok(Some((work, job)))
    }

    /// Does a job, and reports it as soon as there is a connection.
    fn perform(&self, ledger: &mut Option<Ledger>, work: &Work, job: &Job) {
        (self.note)(Note::Begins(job));
        let output = (self.perform)(work, job);
        // Once the worker should stop, there is a last while for the report.
        let mut last = None;
        loop {
            let reported = connected(ledger, &self.shift.address).and_then(|ledger| match &output {
                Ok(output) => ledger.finish(job, self.worker, output).map(|recorded| Note::Finished(job, recorded)),
                Err(failure) => ledger.fail(job, self.worker, &failure.0).map(|()| Note::Failed(job, failure)),
            });
            match reported {
                Ok(reported) => return (self.note)(reported),
                // The job was removed, or its output is refused: repeating would not help.
                Err(error @ (LedgerError::Refused(_) | LedgerError::NoWork(_))) => {
                    return (self.note)(Note::Waits(&error));
                }
                Err(error) => self.lose(ledger, &error),
            }
            if self.is_over() && *last.get_or_insert_with(Instant::now) + 5 * PAUSE < Instant::now() {
                return;
            }
        }
    }

    /// Gives a connection up and waits a moment.
    fn lose(&self, ledger: &mut Option<Ledger>, error: &LedgerError) {
        *ledger = None;
        (self.note)(Note::Waits(error));
        thread::sleep(PAUSE / 4);
    }
}

/// The connection, which is made if there is none.
fn connected<'a>(ledger: &'a mut Option<Ledger>, address: &Address) -> Result<&'a mut Ledger, LedgerError> {
    if ledger.is_none() {
        *ledger = Some(Ledger::open(address)?);
    }
    ledger.as_mut().ok_or_else(|| LedgerError::Lost(String::new()))
}
