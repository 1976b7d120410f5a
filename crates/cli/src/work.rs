//! `plyhouse work`.

mod kinds;
pub(crate) mod speed;
pub(crate) mod status;

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;
use ledger::{Address, Failure, Job, Ledger, Note, Shift, Work, serve};
use measure::bench;
use process::interrupt;
use process::system::{check_tournaments, host_name};

use crate::arena::away::AwayGames;
use crate::options::processors;
use speed::speed;
use status::print_status;

/// Run as a worker: execute jobs that programs on other machines queue with `--store`
///
/// Jobs are stored in a PostgreSQL database that both sides can reach. A worker may be killed at any time: its jobs are
/// then given to other workers. A worker executes only jobs of programs of its own version.
#[derive(Args)]
pub(crate) struct Options {
    /// Address of the database: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`; the password may be in `PGPASSWORD`
    /// instead
    #[arg(long, value_name = "URL", env = "PLYHOUSE_STORE", hide_env_values = true)]
    store: Address,
    /// Number of concurrent jobs; the number of processors if unset
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    jobs: Option<u64>,
    /// Exit when no job has arrived for this long, instead of waiting forever; 0 if SECONDS is omitted
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    until_idle: Option<u64>,
    /// Seconds without a heartbeat after which a worker's jobs are given to other workers
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    lease: u64,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    /// Print a JSON object for each finished job
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    check_tournaments()?;
    interrupt::end_children_on_interrupt()?;
    // Reports a wrong address before this machine is measured, which takes longer.
    Ledger::open(&options.store)?;
    let show = !options.quiet;
    if show && speed::measured().is_none() {
        writeln!(stderr(), "measuring the speed of this machine, which is done once")?;
    }
    let speed = speed()?;
    let shift = Shift {
        address: options.store.clone(),
        name: format!("{} {}", host_name(), std::process::id()),
        build: bench::build(),
        speed,
        jobs: processors(options.jobs),
        lease: Duration::from_secs(options.lease),
        until_idle: options.until_idle.map(Duration::from_secs),
    };
    let (finished, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let (sender, lines) = std::sync::mpsc::channel();
    let sender = Mutex::new(Some(sender));
    let live = stderr().is_terminal();
    let note = |note: Note<'_>| match note {
        Note::Enlisted(worker) => {
            let address = options.store.clone();
            interrupt::before_end(move || {
                // Without a connection, the leases expire.
                let _ = Ledger::open(&address).and_then(|mut ledger| ledger.release(worker));
            });
            if show {
                let Shift { jobs, build, .. } = &shift;
                print_status(&format!("worker {worker} of {}: {jobs} at a time, build {build}", options.store), false);
            }
        }
        Note::Begins(_) => (),
        Note::Finished(job, _) => {
            let count = finished.fetch_add(1, Ordering::Relaxed) + 1;
            if options.json {
                let line = serde_json::json!({"work": job.work, "job": job.number}).to_string();
                let _ = lock(&sender).as_ref().map(|sender| sender.send(line));
            }
            if show && live {
                print_status(&format!("jobs: {count} done, {} failed", failed.load(Ordering::Relaxed)), true);
            }
        }
        Note::Failed(job, Failure(why)) => {
            failed.fetch_add(1, Ordering::Relaxed);
            print_status(&format!("job {} of work {}: {why}", job.number, job.work), false);
        }
        Note::Waits(error) => print_status(&error.to_string(), false),
    };
    let away = AwayGames::new(&options.store, speed, shift.jobs);
    let perform = |work: &Work, job: &Job| kinds::perform(&away, work, job);
    std::thread::scope(|scope| -> anyhow::Result<()> {
        let serving = scope.spawn(|| {
            let served = serve(&shift, &AtomicBool::new(false), &note, &perform, &|| away.shown());
            lock(&sender).take();
            served
        });
        for line in lines {
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        match serving.join() {
            Ok(served) => Ok(served?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    if show {
        let (done, failed) = (finished.into_inner(), failed.into_inner());
        print_status(&format!("jobs: {done} done, {failed} failed; no more are available"), false);
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
