//! Measures how many empty jobs per second the ledger hands out and receives back.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use ledger::{Address, Desk, Done, Job, Ledger, News};
use serde::Serialize;

use super::figures::{Latency, micros};
use super::machine::lock;
use super::server::Server;
use super::{BUILD, Progress};

/// Kind of the jobs.
const KIND: &str = "claims";
/// Lease of a job, as for a real worker.
const LEASE: Duration = Duration::from_mins(1);

/// Parameters of the measurement.
#[derive(Clone, Debug)]
pub struct Claiming {
    /// Address of the database.
    pub store: Address,
    /// Number of machines. Each has the two connections of a worker.
    pub machines: usize,
    /// Number of concurrent jobs per machine.
    pub jobs: usize,
    /// Duration of the measurement.
    pub time: Duration,
    /// Size of each output, in bytes.
    pub bytes: usize,
}

/// Results of the measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Claims {
    /// Number of machines.
    pub machines: usize,
    /// Number of workers: the concurrent jobs of all machines.
    pub workers: usize,
    /// Size of each output, in bytes.
    pub bytes: usize,
    /// Duration of the measurement, in seconds.
    pub seconds: f64,
    /// Claims per second that received a job.
    pub claims_a_second: f64,
    /// Claims per second that received no job.
    pub empty_a_second: f64,
    /// Reports per second.
    pub reports_a_second: f64,
    /// Latency of claims, including those without a job.
    pub claim: Latency,
    /// Latency of reports.
    pub report: Latency,
    /// Processors used by the server; `None` if it runs on another machine.
    pub server_processors: Option<f64>,
}

impl fmt::Display for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machines, workers, bytes, seconds, .. } = self;
        writeln!(f, "{workers} workers on {machines} machines, outputs of {bytes} bytes, {seconds:.0} s")?;
        writeln!(f, "claims    {:.0}/s, and {:.0}/s that got none", self.claims_a_second, self.empty_a_second)?;
        writeln!(f, "reports   {:.0}/s", self.reports_a_second)?;
        writeln!(f, "a claim   {}", self.claim)?;
        writeln!(f, "a report  {}", self.report)?;
        if let Some(processors) = self.server_processors {
            writeln!(f, "the server used {processors:.2} processors")?;
        }
        Ok(())
    }
}

/// State shared by the machines.
struct Hall<'a> {
    claiming: &'a Claiming,
    output: String,
    stop: AtomicBool,
    /// Notified when jobs are offered.
    bell: Condvar,
    offers: Mutex<u64>,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    claims: Vec<u32>,
    empty: u64,
    reports: Vec<u32>,
}

/// Measures the ledger: simulated machines claim and report empty jobs as fast as they can, while a desk offers new
/// ones.
///
/// # Errors
/// Returns an error if the ledger fails.
pub fn claims(claiming: &Claiming, show: Progress<'_>) -> Result<Claims> {
    // One connection is for the desk, and one for queries about the server.
    let server = Server::open(&claiming.store, 2 * claiming.machines + 2)?;
    let hall = Hall {
        claiming,
        output: "x".repeat(claiming.bytes),
        stop: AtomicBool::new(false),
        bell: Condvar::new(),
        offers: Mutex::default(),
        calls: Mutex::default(),
    };
    // Delete the jobs of an interrupted measurement, which would otherwise be counted as new.
    Ledger::open(&claiming.store)?;
    server.forget(KIND)?;
    let mut desk = Desk::open(&claiming.store, KIND, "", BUILD)?;
    let (took, used) = thread::scope(|scope| -> Result<_> {
        let work = |number| hall.work(number);
        let machines: Vec<_> = (0..claiming.machines).map(|number| scope.spawn(move || work(number))).collect();
        let began = Instant::now();
        let before = server.processor_time();
        let handed_out = hand_out(&mut desk, &hall, began, show);
        let took = began.elapsed();
        let used = before.zip(server.processor_time()).map(|(before, after)| after.saturating_sub(before));
        hall.stop.store(true, Ordering::Relaxed);
        hall.bell.notify_all();
        for machine in machines {
            machine.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        handed_out?;
        Ok((took.as_secs_f64(), used))
    })?;
    desk.end()?;
    server.forget(KIND)?;
    let Calls { claims, empty, reports } = hall.calls.into_inner().unwrap_or_default();
    let rate = |count: u64| count as f64 / took;
    Ok(Claims {
        machines: claiming.machines,
        workers: claiming.machines * claiming.jobs,
        bytes: claiming.bytes,
        seconds: took,
        claims_a_second: rate(claims.len() as u64 - empty),
        empty_a_second: rate(empty),
        reports_a_second: rate(reports.len() as u64),
        claim: Latency::of(claims),
        report: Latency::of(reports),
        server_processors: used.map(|used| used.as_secs_f64() / took),
    })
}

/// Keeps as many jobs on offer as a tournament does, and deletes the completed jobs.
fn hand_out(desk: &mut Desk, hall: &Hall<'_>, began: Instant, show: Progress<'_>) -> Result<()> {
    let Claiming { machines, jobs, time, .. } = *hall.claiming;
    let most = 32 + 2 * machines * jobs;
    let (mut next, mut out, mut done) = (0_u64, 0, 0);
    while began.elapsed() < time {
        let fresh: Vec<_> = (next..).take(most - out).map(|number| (number, format!("job {number}"))).collect();
        if !fresh.is_empty() {
            desk.offer(&fresh)?;
        }
        (next, out) = (next + fresh.len() as u64, most);
        let collected: Vec<u64> = desk.collect()?.into_iter().map(|Done { number, .. }| number).collect();
        if collected.is_empty() {
            desk.wait(Duration::from_millis(100))?;
        } else {
            desk.forget(&collected)?;
        }
        out -= collected.len();
        done += collected.len() as u64;
        show(began.elapsed().as_millis() as u64, time.as_millis() as u64, &format!("{done} jobs"));
    }
    Ok(())
}

impl Hall<'_> {
    /// Runs a machine: one connection for claims and reports, and one for the heartbeat.
    fn work(&self, number: usize) -> Result<()> {
        let Claiming { store, jobs, .. } = self.claiming;
        let mut ledger = Ledger::open(store)?;
        let worker = ledger.enlist(&format!("machine {number}"), BUILD, 1.0, *jobs)?;
        let doing: Mutex<VecDeque<Job>> = Mutex::default();
        thread::scope(|scope| {
            let beating = scope.spawn(|| self.beat(worker, &doing));
            let mut calls = Calls::default();
            let worked = self.claim_and_report(&mut ledger, worker, &doing, &mut calls);
            let mut all = lock(&self.calls);
            all.claims.append(&mut calls.claims);
            all.reports.append(&mut calls.reports);
            all.empty += calls.empty;
            drop(all);
            worked.and(beating.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Claims jobs until all slots are full. From then on, reports the oldest job before each claim.
    fn claim_and_report(
        &self,
        ledger: &mut Ledger,
        worker: i64,
        doing: &Mutex<VecDeque<Job>>,
        calls: &mut Calls,
    ) -> Result<()> {
        while !self.stop.load(Ordering::Relaxed) {
            let offers = *lock(&self.offers);
            let began = Instant::now();
            let claimed = ledger.claim(worker, BUILD, LEASE)?;
            calls.claims.push(micros(began.elapsed()));
            let is_empty = claimed.is_none();
            calls.empty += u64::from(is_empty);
            let mut held = lock(doing);
            held.extend(claimed);
            let is_full = held.len() >= self.claiming.jobs;
            let finished = if is_full || is_empty { held.pop_front() } else { None };
            drop(held);
            if let Some(job) = finished {
                let began = Instant::now();
                ledger.finish(&job, worker, &self.output)?;
                calls.reports.push(micros(began.elapsed()));
            } else if is_empty {
                let came = |count: &mut u64| *count == offers && !self.stop.load(Ordering::Relaxed);
                drop(self.bell.wait_timeout_while(lock(&self.offers), Duration::from_secs(2), came));
            }
        }
        Ok(ledger.release(worker)?)
    }

    /// Renews the leases, and notifies `bell` when jobs are offered.
    fn beat(&self, worker: i64, doing: &Mutex<VecDeque<Job>>) -> Result<()> {
        let mut ledger = Ledger::open(&self.claiming.store)?;
        let mut next = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            if Instant::now() >= next {
                let held: Vec<_> = lock(doing).iter().map(|job| (job.work, job.number)).collect();
                ledger.renew(worker, &held, LEASE)?;
                next = Instant::now() + LEASE / 4;
            }
            if ledger.wait(News::Offered, Duration::from_millis(250))? {
                *lock(&self.offers) += 1;
                self.bell.notify_all();
            }
        }
        Ok(())
    }
}
