//! Worker threads: each takes the next job of the agenda, runs it, and records the result.

use std::sync::{Condvar, Mutex, MutexGuard};

use search::{Host, Stop};

use crate::agenda::{Agenda, NextJob};
use crate::job::Job;
use crate::log::{Log, LogError};
use crate::tree::Tree;

/// The configuration of the workers.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// Number of workers that run in parallel.
    pub count: usize,
    /// Size of each job's table, in MiB.
    pub table_mib: usize,
    /// Threads that the workers run on, and the clock that measures their jobs.
    pub host: Host,
}

/// A callback that runs after each job. It receives the job and the tree of all results that count so far.
pub type Tell<'a> = &'a mut (dyn FnMut(&Job, &Tree) + Send);

/// Runs jobs until the agenda is over or `stop` is set. When the agenda is over, sets `stop`, so that the other workers
/// abandon their jobs. The number of workers changes neither the jobs nor their results.
///
/// # Errors
/// Returns an error if the log cannot be written, or if a result does not belong to its job.
///
/// # Panics
/// Panics if the host cannot start a thread.
pub fn work(agenda: &mut Agenda, log: &mut Log, workers: Workers, stop: &Stop, tell: Tell<'_>) -> Result<(), LogError> {
    let choices = agenda.tree().choices();
    let shared = Mutex::new(Shared { agenda, log, failure: None, tell });
    let desk = Desk { shared, changed: Condvar::new() };
    // Jobs need large stacks. Helper threads have them; the caller's thread may not.
    workers.host.threads.run(&mut || (), workers.count.max(1), &|_| {
        while let Some(next) = desk.next(stop) {
            let Workers { table_mib, host, .. } = workers;
            let job = Job::perform(&next.position, choices, next.budget, table_mib, host.clock, stop).ok();
            desk.finish(&next, job, stop);
        }
    });
    let shared = desk.shared.into_inner().expect("invariant: no worker panics");
    shared.failure.map_or(Ok(()), Err)
}

/// A job queue, which assigns jobs to workers and receives their results.
struct Desk<'a> {
    shared: Mutex<Shared<'a>>,
    /// Condition that wakes waiting workers when a job ends.
    changed: Condvar,
}

struct Shared<'a> {
    agenda: &'a mut Agenda,
    log: &'a mut Log,
    failure: Option<LogError>,
    tell: Tell<'a>,
}

impl<'a> Desk<'a> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a>> {
        self.shared.lock().expect("invariant: no worker panics")
    }

    /// Returns the next job, and waits while it depends on jobs of other workers. Returns `None` if nothing is left to
    /// do.
    fn next(&self, stop: &Stop) -> Option<NextJob> {
        let mut shared = self.lock();
        loop {
            if stop.check(0).is_err() {
                return None;
            }
            if shared.failure.is_some() || shared.agenda.is_over() {
                stop.stop();
                return None;
            }
            if let Some(next) = shared.agenda.take() {
                return Some(next);
            }
            shared = self.changed.wait(shared).expect("invariant: no worker panics");
        }
    }

    /// Records the result of a job; `None` if the job was stopped. After a failure, nothing is recorded: the log may
    /// end within a line.
    fn finish(&self, next: &NextJob, job: Option<Job>, stop: &Stop) {
        let mut shared = self.lock();
        if let Some(job) = job.filter(|_| shared.failure.is_none()) {
            let Shared { agenda, log, failure, tell } = &mut *shared;
            match log.add(&job).map_err(LogError::from).and_then(|()| Ok(agenda.finish(next.number, job.clone())?)) {
                Ok(_) => tell(&job, agenda.tree()),
                Err(error) => *failure = Some(error),
            }
            if failure.is_some() || agenda.is_over() {
                stop.stop();
            }
        }
        self.changed.notify_all();
    }
}
