//! Handing out jobs and collecting their outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Address, Done, Jobs, Leased, Ledger, LedgerError, News};

/// Jobs that are offered and not done, at most.
const AHEAD: usize = 4096;
/// How long a desk waits for its first worker before it says that there is none, and for a program that ends.
const LONELY: Duration = Duration::from_secs(5);
/// How long a desk waits for an announcement before it looks for itself: an output that comes together with another one
/// is not announced.
const TURN: Duration = Duration::from_millis(100);
/// Interval at which a desk looks for jobs that workers do not finish.
const PATROL: Duration = Duration::from_secs(1);
/// How long a lost connection may be away.
const PATIENCE: Duration = Duration::from_mins(5);

/// Hands out the jobs of one piece of work, and is the only one that collects their outputs. A connection that is lost
/// is made again.
pub struct Desk {
    address: Address,
    build: String,
    work: i64,
    /// The connection that reserves the work.
    ledger: Option<Ledger>,
    /// When to look for workers next.
    look: Instant,
    /// Whether there was none at the last look.
    is_alone: bool,
    /// Jobs that all workers together can do at the same time, and when that was asked.
    hands: Option<(u64, Instant)>,
    /// Maximum time that a worker may take for a job; `None` if there is no maximum.
    job_limit: Option<Duration>,
    /// The jobs that workers are doing, with the time at which the desk first saw that.
    leased: BTreeMap<Leased, Instant>,
    /// When to look for jobs next that workers do not finish.
    patrol: Instant,
}

impl Desk {
    /// Begins work, or goes on with unfinished work of the same kind, specification and build. Outputs that an earlier
    /// desk of the work had collected are collected again, and jobs that were put aside are offered again.
    ///
    /// # Errors
    /// If the ledger cannot be used, or another program hands out the same work.
    pub fn open(address: &Address, kind: &str, spec: &str, build: &str) -> Result<Self, LedgerError> {
        let ledger = Some(Ledger::open(address)?);
        let look = Instant::now() + LONELY;
        let mut desk = Self {
            address: address.clone(),
            build: build.to_owned(),
            work: 0,
            ledger,
            look,
            is_alone: false,
            hands: None,
            job_limit: None,
            leased: BTreeMap::new(),
            patrol: Instant::now(),
        };
        let work = desk.ask(|ledger| ledger.begin(kind, spec, build))?.id;
        // A program that was killed just before may hold the work for another moment.
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

    /// The number of the work.
    pub fn work(&self) -> i64 {
        self.work
    }

    /// Sets the maximum time that a worker may take for a job. After it the job is offered to other workers, too, even
    /// if its lease is renewed, because the worker's machine may hang. The first output counts.
    pub fn set_job_limit(&mut self, limit: Duration) {
        self.job_limit = Some(limit);
    }

    /// Offers jobs, each with its number and its input. Those that were offered before stay as they are.
    ///
    /// # Errors
    /// If the ledger cannot be used.
    pub fn offer(&mut self, jobs: &[(u64, String)]) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.offer(work, jobs))
    }

    /// The outputs that have come since the last call, in the order of their numbers, and all jobs that are put aside.
    ///
    /// # Errors
    /// If the ledger cannot be used.
    pub fn collect(&mut self) -> Result<Vec<Done>, LedgerError> {
        let work = self.work;
        if Instant::now() >= self.patrol {
            self.look_after_jobs()?;
            self.patrol = Instant::now() + PATROL;
        }
        self.ask(|ledger| ledger.collect(work))
    }

    /// Offers jobs again that their workers do not finish.
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

    /// Withdraws offered jobs that no worker is doing or has done, and returns their numbers.
    ///
    /// # Errors
    /// If the ledger cannot be used.
    pub fn withdraw(&mut self, jobs: &[u64]) -> Result<Vec<u64>, LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.withdraw(work, jobs))
    }

    /// Forgets jobs whose outputs are kept elsewhere now.
    ///
    /// # Errors
    /// If the ledger cannot be used.
    pub fn forget(&mut self, jobs: &[u64]) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.forget(work, jobs))
    }

    /// Gives a job to another worker whose output is wrong.
    ///
    /// # Errors
    /// If the ledger cannot be used.
    pub fn reject(&mut self, job: u64, why: &str) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.reject(work, job, why))
    }

    /// Waits until outputs may have come, at most for `time`. Says whether no worker is there any more, or none has
    /// come within some seconds.
    ///
    /// # Errors
    /// If the ledger cannot be used.
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

    /// How many jobs all workers together can do at the same time, as of the last two seconds.
    ///
    /// # Errors
    /// If the ledger cannot be used.
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
    /// If the ledger cannot be used.
    pub fn end(mut self) -> Result<(), LedgerError> {
        let work = self.work;
        self.ask(|ledger| ledger.end(work))
    }

    /// Hands out jobs until all that is needed has come; then ends the work. `alone` is called if no worker is there.
    ///
    /// # Errors
    /// If the ledger cannot be used, if a job was put aside, or if an output is refused. The work can then be resumed.
    pub fn hand_out<E: From<LedgerError>>(
        mut self,
        jobs: &mut dyn Jobs<Error = E>,
        alone: &mut dyn FnMut(),
    ) -> Result<(), E> {
        // Offered jobs whose outputs have not come.
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
        let until = Instant::now() + PATIENCE;
        loop {
            let asked = match &mut self.ledger {
                Some(ledger) => question(ledger),
                none => reopened(&self.address, self.work).and_then(|ledger| question(none.insert(ledger))),
            };
            match asked {
                Err(error) if error.may_pass() && Instant::now() < until => {
                    self.ledger = None;
                    thread::sleep(Duration::from_millis(500));
                }
                answer => return answer,
            }
        }
    }
}

/// What a desk has noticed while it waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Nothing in particular.
    Here,
    /// There is no worker. This is said once each time that the last one has gone.
    Alone,
}

/// A new connection, with its work, if there is any yet, reserved again.
fn reopened(address: &Address, work: i64) -> Result<Ledger, LedgerError> {
    let mut ledger = Ledger::open(address)?;
    if work != 0 && !ledger.reserve(work)? {
        // The server has not noticed the end of the old connection yet.
        return Err(LedgerError::Lost("the work is still reserved for the connection before".to_owned()));
    }
    Ok(ledger)
}
