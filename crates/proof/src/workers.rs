//! Workers that are threads: each takes the next job of the agenda, does it, and records the result.

use std::sync::{Condvar, Mutex, MutexGuard};

use search::{Host, Stop};

use crate::agenda::{Agenda, NextJob};
use crate::job::Job;
use crate::log::{Log, LogError};
use crate::tree::Tree;

/// How the work is done.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// How many work at the same time.
    pub count: usize,
    /// Size of each job's table, in MiB.
    pub table_mib: usize,
    /// The threads that the workers run on, and the clock that measures their jobs.
    pub host: Host,
}

/// Is called after each job, with the job and the tree of all results that count by then.
pub type Tell<'a> = &'a mut (dyn FnMut(&Job, &Tree) + Send);

/// Works until the agenda is over or `stop` says so. When it is over, `stop` is set, so that the other workers give up
/// their jobs. The number of workers changes neither the jobs nor their results.
///
/// # Errors
/// If the log cannot be written.
///
/// # Panics
/// If the host cannot start a thread.
pub fn work(agenda: &mut Agenda, log: &mut Log, workers: Workers, stop: &Stop, tell: Tell<'_>) -> Result<(), LogError> {
    let wins = agenda.tree().wins();
    let shared = Mutex::new(Shared { agenda, log, failure: None, tell });
    let desk = Desk { shared, changed: Condvar::new() };
    // Jobs need large stacks, which helpers have and the caller's thread may not.
    workers.host.threads.run(&mut || (), workers.count.max(1), &|_| {
        while let Some(next) = desk.next(stop) {
            let Workers { table_mib, host, .. } = workers;
            let job = Job::perform(&next.position, wins, next.budget, table_mib, host.clock, stop).ok();
            desk.finish(&next, job, stop);
        }
    });
    let shared = desk.shared.into_inner().expect("invariant: no worker panics");
    shared.failure.map_or(Ok(()), Err)
}

/// Hands out jobs and takes their results.
struct Desk<'a> {
    shared: Mutex<Shared<'a>>,
    /// Wakes waiting workers when a job ends.
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

    /// The next job. Waits while it depends on jobs of other workers; `None` if there is nothing left to do.
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

    /// Takes the result of a job; `None` if it was stopped.
    fn finish(&self, next: &NextJob, job: Option<Job>, stop: &Stop) {
        let mut shared = self.lock();
        if let Some(job) = job {
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
