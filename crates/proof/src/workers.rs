//! Workers: each takes the next job of the tree, does it, and records the result.

use core::time::Duration;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard};

use search::{Host, Stop};

use crate::code::Code;
use crate::job::{Job, Outcome};
use crate::log::{Log, LogError};
use crate::search::{Choices, Search};
use crate::tree::{NextJob, Tree};

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

/// Is called after each job, with the job and the tree that includes it.
pub type Tell<'a> = &'a mut (dyn FnMut(&Job, &Tree) + Send);

/// Works until the root is settled or `stop` says so. When the root is settled, `stop` is set, so that the other
/// workers give up their jobs. The number of workers changes which jobs are done, but not the result of a job.
///
/// # Errors
/// If the log cannot be written.
///
/// # Panics
/// If the host cannot start a thread.
pub fn work(tree: &mut Tree, log: &mut Log, workers: Workers, stop: &Stop, tell: Tell<'_>) -> Result<(), LogError> {
    let shared = Mutex::new(Shared { tree, log, taken: HashSet::new(), failure: None, tell });
    let desk = Desk { shared, changed: Condvar::new() };
    // Jobs need large stacks, which helpers have and the caller's thread may not.
    workers.host.threads.run(&mut || (), workers.count.max(1), &|_| {
        while let Some(next) = desk.next(stop) {
            let job = attempt(&next, workers, stop);
            desk.finish(&next, job);
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
    tree: &'a mut Tree,
    log: &'a mut Log,
    /// Positions of the jobs that workers are doing.
    taken: HashSet<Code>,
    failure: Option<LogError>,
    tell: Tell<'a>,
}

impl<'a> Desk<'a> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a>> {
        self.shared.lock().expect("invariant: no worker panics")
    }

    /// The next job, which counts as taken from now on. Waits while the other workers have all jobs there are; `None`
    /// if there is nothing left to do.
    fn next(&self, stop: &Stop) -> Option<NextJob> {
        let mut shared = self.lock();
        loop {
            if stop.check(0).is_err() {
                return None;
            }
            if shared.failure.is_some() || shared.tree.numbers().is_settled() {
                stop.stop();
                return None;
            }
            if let Some(next) = shared.tree.next(&shared.taken) {
                shared.taken.insert(Code::of(&next.position));
                return Some(next);
            }
            if shared.taken.is_empty() {
                return None;
            }
            shared = self.changed.wait(shared).expect("invariant: no worker panics");
        }
    }

    /// Takes the result of a job; `None` if it was stopped.
    fn finish(&self, next: &NextJob, job: Option<Job>) {
        let mut shared = self.lock();
        shared.taken.remove(&Code::of(&next.position));
        if let Some(job) = job {
            let Shared { tree, log, failure, tell, .. } = &mut *shared;
            match log.add(&job).map_err(LogError::from).and_then(|()| Ok(tree.add(job.clone())?)) {
                Ok(()) => tell(&job, tree),
                Err(error) => *failure = Some(error),
            }
        }
        self.changed.notify_all();
    }
}

/// Does a job; `None` if it was stopped.
fn attempt(next: &NextJob, workers: Workers, stop: &Stop) -> Option<Job> {
    let now = || workers.host.clock.map_or(Duration::ZERO, |clock| clock());
    let began = now();
    let p = &next.position;
    let mut search = Search::new(Choices::default(), p.size(), workers.table_mib, stop.clone());
    let finding = search.solve(p, next.budget).ok()?;
    Some(Job {
        position: p.to_string(),
        budget: next.budget,
        mib: workers.table_mib,
        outcome: Outcome::of(&finding),
        expansions: search.expansions(),
        ms: now().saturating_sub(began).as_millis() as u64,
    })
}
