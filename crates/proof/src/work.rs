//! Workers: each takes the next job of the tree, does it, and writes down what came of it.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Instant;

use search::Stop;

use crate::fold::Code;
use crate::log::{Job, Log, LogError, Outcome};
use crate::search::{Choices, Search};
use crate::tree::{Task, Tree};

/// How the work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// How many at a time.
    pub count: usize,
    /// Table of each job, in MiB.
    pub table_mib: usize,
}

/// Is told of every job that was done, and of the tree after it.
pub type Tell<'a> = &'a mut (dyn FnMut(&Job, &Tree) + Send);

struct Shared<'a> {
    tree: &'a mut Tree,
    log: &'a mut Log,
    taken: HashSet<Code>,
    failure: Option<LogError>,
    tell: Tell<'a>,
}

/// Works until the root is settled, when it tells the others to stop, or it is told to stop itself. What a job finds does not depend on the number of workers; which
/// jobs are done does.
///
/// # Errors
/// If the log cannot be written.
///
/// # Panics
/// If no thread can be started.
pub fn work(tree: &mut Tree, log: &mut Log, workers: Workers, stop: &Stop, tell: Tell<'_>) -> Result<(), LogError> {
    let shared = Mutex::new(Shared { tree, log, taken: HashSet::new(), failure: None, tell });
    std::thread::scope(|scope| {
        for _ in 0..workers.count.max(1) {
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, || one(&shared, workers.table_mib, stop))
                .expect("invariant: a thread can be started");
        }
    });
    let shared = shared.into_inner().expect("invariant: no worker panics");
    shared.failure.map_or(Ok(()), Err)
}

fn one(shared: &Mutex<Shared<'_>>, table_mib: usize, stop: &Stop) {
    let lock = || shared.lock().expect("invariant: no worker panics");
    loop {
        if stop.check(0).is_err() {
            return;
        }
        let task = {
            let mut shared = lock();
            if shared.failure.is_some() || shared.tree.numbers().is_settled() {
                stop.stop();
                return;
            }
            let Some(task) = shared.tree.next(&shared.taken) else {
                let nothing_left = shared.taken.is_empty();
                drop(shared);
                if nothing_left {
                    return;
                }
                // Others are at all there is; one of them will make more.
                std::thread::sleep(std::time::Duration::from_millis(20));
                continue;
            };
            shared.taken.insert(Code::of(&task.position));
            task
        };
        let job = attempt(&task, table_mib, stop);
        let mut shared = lock();
        shared.taken.remove(&Code::of(&task.position));
        let Some(job) = job else { return };
        let Shared { tree, log, failure, tell, .. } = &mut *shared;
        if let Err(error) = log.add(&job).map_err(LogError::from).and_then(|()| tree.add(job.clone())) {
            *failure = Some(error);
            return;
        }
        tell(&job, tree);
    }
}

/// Does a job; nothing if it was stopped.
fn attempt(task: &Task, table_mib: usize, stop: &Stop) -> Option<Job> {
    let began = Instant::now();
    let p = &task.position;
    let mut search = Search::new(Choices::default(), p.size(), table_mib, stop.clone());
    let finding = search.solve(p, task.budget).ok()?;
    Some(Job {
        position: p.to_string(),
        budget: task.budget,
        mib: table_mib,
        outcome: Outcome::of(&finding),
        expansions: search.expansions(),
        ms: began.elapsed().as_millis() as u64,
    })
}
