//! A simulated machine: a process of its own with a real worker, which can be killed like one.

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

/// What a machine is told on the first line of its standard input. Recorded games follow, one a line, and an empty line
/// ends them. The machine works until the input ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// The URL of the store.
    pub(super) store: String,
    /// What the worker calls itself.
    pub(super) name: String,
    /// Games at the same time.
    pub(super) jobs: usize,
    /// How long a job stays the worker's own without a renewal.
    pub(super) lease: Duration,
    /// The time of a move in the simulated tournament.
    pub(super) a_move: Duration,
    /// How many times faster time passes than in the simulated tournament.
    pub(super) speed_up: f64,
}

/// What all machines have done.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// How long slots waited for a game, in microseconds.
    pub(super) claims: Vec<u32>,
    /// How long reports of games took, in microseconds.
    pub(super) reports: Vec<u32>,
    /// How often a worker had no connection or could not play a game, and the last reason.
    pub(super) troubles: (u64, String),
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A machine of the cluster.
pub(super) struct Machine {
    process: Child,
    /// The machine ends when this is closed.
    input: Option<ChildStdin>,
    /// Follows what it does; returns the games that it has begun and not reported.
    follower: JoinHandle<BTreeMap<u64, Instant>>,
}

impl Machine {
    /// Starts `program machine`.
    pub(super) fn start(program: &Path, order: &Order, games: &str, tally: &Arc<Mutex<Tally>>) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("machine").stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for us. Machines notice the end of their input then.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().with_context(|| program.display().to_string())?;
        let output = process.stdout.take().context("no standard output")?;
        let mut input = process.stdin.take().context("no standard input")?;
        let tally = Arc::clone(tally);
        let follower = thread::spawn(move || follow(BufReader::new(output), &tally));
        input.write_all([&serde_json::to_string(order)?, "\n", games, "\n\n"].concat().as_bytes())?;
        Ok(Self { process, input: Some(input), follower })
    }

    /// Kills the machine as a loss of power would. Returns how long its unfinished games had lasted.
    pub(super) fn crash(mut self) -> Result<Vec<Duration>> {
        self.process.kill()?;
        let now = Instant::now();
        self.process.wait()?;
        let begun = self.follower.join().unwrap_or_default();
        Ok(begun.into_values().map(|begun| now.saturating_duration_since(begun)).collect())
    }

    /// Ends the machine, which gives back what it is doing.
    pub(super) fn end(mut self) -> Result<()> {
        drop(self.input.take());
        let status = self.process.wait()?;
        ensure!(status.success(), "a simulated machine ended with {status}");
        Ok(())
    }
}

/// Reads the events of a machine until its end.
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
    /// When this slot was done with its last game, or with reporting it.
    static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Works as `input` tells, and writes what it does to standard output, until the input ends. That is what `cluster
/// machine` does.
///
/// # Errors
/// If the input is not that of a machine, or the ledger cannot be used.
pub fn serve_as_told(mut input: impl BufRead, output: impl Write + Send + 'static) -> Result<()> {
    let mut first = String::new();
    input.read_line(&mut first)?;
    let order: Order = serde_json::from_str(&first).context("the first line, which tells the machine what to do")?;
    let games: Vec<String> = input.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let recorded = Recorded::read(games.iter().map(String::as_str))?;
    let address: Address = order.store.parse()?;
    let worker = Arc::new(AtomicI64::new(0));
    let (its_address, its_number) = (address.clone(), Arc::clone(&worker));
    thread::spawn(move || work(its_address, &order, &recorded, &its_number, output));
    // Until the other side closes it, or ends.
    std::io::copy(&mut input, &mut std::io::sink())?;
    // As a real worker does after Ctrl-C.
    Ok(Ledger::open(&address)?.release(worker.load(Ordering::Relaxed))?)
}

/// Works for ever, and enters the worker's number in `worker`.
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
    // If nobody listens any more, the input ends as well.
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

/// Waits as long as the game lasts, and answers with its log.
fn perform(recorded: &Recorded, order: &Order, job: &Job) -> Result<String> {
    let planned: Planned = serde_json::from_str(&job.input)?;
    let answer = recorded.answer(planned, &job.taken, order.a_move).context("no game with this opening is recorded")?;
    thread::sleep(Duration::from_secs_f64(answer.seconds / order.speed_up));
    Ok(serde_json::to_string(&answer)?)
}
