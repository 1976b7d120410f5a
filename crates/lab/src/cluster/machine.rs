//! A simulated machine: a separate process with a real worker, which can be killed like a real machine.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use arena::Planned;
use ledger::{Address, Failure, Job, Ledger, Note, Shift, Work, serve};
use serde::{Deserialize, Serialize};

use super::BUILD;
use super::figures::micros;
use super::recorded::Recorded;

/// The first line of a machine's standard input. The recorded games follow, one per line, up to an empty line. The
/// machine works until the input ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// URL of the store.
    pub(super) store: String,
    /// Name of the worker.
    pub(super) name: String,
    /// Number of concurrent games.
    pub(super) jobs: usize,
    /// Time after which a job is given to another worker if its lease is not renewed.
    pub(super) lease: Duration,
    /// Simulated time per move.
    pub(super) a_move: Duration,
    /// Ratio of simulated time to real time.
    pub(super) speed_up: f64,
}

/// Statistics of all machines.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Waiting times of slots before each game, in microseconds.
    pub(super) claims: Vec<u32>,
    /// Durations of reports of games, in microseconds.
    pub(super) reports: Vec<u32>,
    /// Number of failed connections and games, and the last error.
    pub(super) troubles: (u64, String),
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A machine of the cluster.
pub(super) struct Machine {
    process: Child,
    /// Closing it stops the machine.
    input: Option<ChildStdin>,
    /// Thread that reads the machine's events. It returns the games that began but were not reported.
    follower: JoinHandle<BTreeMap<u64, Instant>>,
}

impl Machine {
    /// Starts `program machine`.
    pub(super) fn start(program: &Path, order: &Order, games: &str, tally: &Arc<Mutex<Tally>>) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("machine").stdin(Stdio::piped()).stdout(Stdio::piped());
        // The process group keeps Ctrl-C away from the machines. They stop when their input ends.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().with_context(|| program.display().to_string())?;
        let output = process.stdout.take().context("no standard output")?;
        let mut input = process.stdin.take().context("no standard input")?;
        let tally = Arc::clone(tally);
        let follower = thread::spawn(move || follow(BufReader::new(output), &tally));
        input.write_all([&serde_json::to_string(order)?, "\n", games, "\n\n"].concat().as_bytes())?;
        Ok(Self { process, input: Some(input), follower })
    }

    /// Kills the machine to simulate a power failure. Returns how long each unfinished game had been played.
    pub(super) fn crash(mut self) -> Result<Vec<Duration>> {
        self.process.kill()?;
        let now = Instant::now();
        self.process.wait()?;
        let begun = self.follower.join().unwrap_or_default();
        Ok(begun.into_values().map(|begun| now.saturating_duration_since(begun)).collect())
    }

    /// Stops the machine. It releases its jobs.
    pub(super) fn end(mut self) -> Result<()> {
        drop(self.input.take());
        let status = self.process.wait()?;
        ensure!(status.success(), "a simulated machine ended with {status}");
        Ok(())
    }
}

/// Reads the events of a machine until the machine stops.
fn follow(events: impl BufRead, tally: &Mutex<Tally>) -> BTreeMap<u64, Instant> {
    let mut begun = BTreeMap::new();
    for line in events.lines().map_while(Result::ok) {
        let (kind, rest) = line.split_once(' ').unwrap_or_default();
        let (number, took) = rest.split_once(' ').unwrap_or_default();
        match (kind, number.parse(), took.parse()) {
            ("begins", Ok(number), Ok(took)) => {
                begun.insert(number, Instant::now());
                lock(tally).claims.push(took);
            }
            ("reported", Ok(number), Ok(took)) => {
                begun.remove(&number);
                lock(tally).reports.push(took);
            }
            _ => {
                let (count, last) = &mut lock(tally).troubles;
                *count += 1;
                rest.clone_into(last);
            }
        }
    }
    begun
}

thread_local! {
    /// Time at which this slot completed its last game or its last report.
    static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Runs a simulated worker with the orders in `input`, and writes its events to `output`, until the input ends. This
/// implements `cluster machine`.
///
/// # Errors
/// Returns an error if the input is not that of a machine, or the ledger fails.
pub fn serve_as_told(mut input: impl BufRead, output: impl Write + Send + 'static) -> Result<()> {
    let mut first = String::new();
    input.read_line(&mut first)?;
    let order: Order = serde_json::from_str(&first).context("the first line, with the orders for the machine")?;
    let games: Vec<String> = input.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let recorded = Recorded::read(games.iter().map(String::as_str))?;
    let address: Address = order.store.parse()?;
    let worker = Arc::new(AtomicI64::new(0));
    let (its_address, its_number) = (address.clone(), Arc::clone(&worker));
    thread::spawn(move || work(its_address, &order, &recorded, &its_number, output));
    // Wait until the other side closes the input or exits.
    std::io::copy(&mut input, &mut std::io::sink())?;
    // Release all jobs, as a real worker does after Ctrl-C.
    Ok(Ledger::open(&address)?.release(worker.load(Ordering::Relaxed))?)
}

/// Works until the process ends, and stores the worker's number in `worker`.
fn work(address: Address, order: &Order, recorded: &Recorded, worker: &AtomicI64, mut output: impl Write + Send) {
    let shift = Shift {
        address,
        name: order.name.clone(),
        build: BUILD.to_owned(),
        speed: 1.0,
        jobs: order.jobs,
        lease: order.lease,
        until_idle: None,
    };
    let (output, began) = (Mutex::new(&mut output), Instant::now());
    // Write errors are ignored: if the reading process has exited, the input ends and this machine stops, too.
    let say = |line: String| drop(lock(&output).write_all((line + "\n").as_bytes()));
    let waited = || micros(SINCE.replace(Some(Instant::now())).unwrap_or(began).elapsed());
    let note = |note: Note<'_>| match note {
        Note::Enlisted(number) => worker.store(number, Ordering::Relaxed),
        Note::Begins(job) => say(format!("begins {} {}", job.number, waited())),
        Note::Finished(job, _) => say(format!("reported {} {}", job.number, waited())),
        Note::Failed(_, Failure(why)) => say(format!("trouble {why}")),
        Note::Waits(error) => say(format!("trouble {error}")),
    };
    let perform = |_: &Work, job: &Job| {
        let answer = perform(recorded, order, job).map_err(|error| Failure(format!("{error:#}")));
        SINCE.set(Some(Instant::now()));
        answer
    };
    if let Err(error) = serve(&shift, &AtomicBool::new(false), &note, &perform, &|| None) {
        say(format!("trouble {error}"));
    }
}

/// Sleeps for the duration of the game, and returns its log.
fn perform(recorded: &Recorded, order: &Order, job: &Job) -> Result<String> {
    let planned: Planned = serde_json::from_str(&job.input)?;
    let answer = recorded.answer(planned, &job.taken, order.a_move).context("no game with this opening is recorded")?;
    thread::sleep(Duration::from_secs_f64(answer.seconds / order.speed_up));
    Ok(serde_json::to_string(&answer)?)
}
