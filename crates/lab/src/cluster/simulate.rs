//! Simulates a tournament that is handed out to simulated machines.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use arena::{Entrant, HeldStore, Hold, Location, RunError, Spec, Store, Tournament, Venue, Workers, hand_out};
use games::GameId;
use ledger::Address;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::time::{ClockId, clock_gettime};

use super::crashes::{Evening, Losses, Park, Weather};
use super::figures::Latency;
use super::machine::{Order, Tally, lock};
use super::recorded::Recorded;
use super::report::{Check, Processors, Simulation, Slots};
use super::server::Server;
use super::{BUILD, Progress};

/// Parameters of a simulation. Times are those of the simulated tournament unless they are called real.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// URL of the store.
    pub store: String,
    /// The game.
    pub game: GameId,
    /// Length of a side of the board, in squares.
    pub size: usize,
    /// Number of agents. Each agent meets every other.
    pub agents: usize,
    /// Number of games per pair of agents.
    pub games_a_pair: u32,
    /// Number of machines.
    pub machines: usize,
    /// Number of concurrent games per machine.
    pub jobs: usize,
    /// Ratio of simulated time to real time.
    pub speed_up: f64,
    /// Time per move.
    pub a_move: Duration,
    /// Mean time between crashes, over all machines; if unset, no machine crashes.
    pub crash_every: Option<Duration>,
    /// Time until another machine replaces a crashed one.
    pub absent: Duration,
    /// Real time after which the games of a crashed machine are given to other machines.
    pub lease: Duration,
    /// Number of recorded games.
    pub recorded: usize,
    /// Seed of the games and the crashes.
    pub seed: u64,
    /// `true` to read and replay all games at the end.
    pub verify: bool,
}

impl Cluster {
    /// Returns the specification of the tournament. Its agents are our engines with small, different node limits.
    fn spec(&self) -> Result<Spec> {
        let Self { game, size, games_a_pair, seed, agents, .. } = self;
        let mut text = format!(
            "name = \"cluster\"\ngame = \"{game}\"\nsize = {size}\ngames = {games_a_pair}\nopening = 4\nseed = {seed}\n"
        );
        for agent in 0..*agents {
            let nodes = 20 + 10 * (agent % 30);
            write!(text, "[[agent]]\nname = \"Agent {agent}\"\nbuiltin = \"nodes={nodes},horizon=0/0\"\n")?;
        }
        Ok(Spec::read(&text, Path::new("."))?)
    }

    fn real(&self, simulated: Duration) -> Duration {
        simulated.div_f64(self.speed_up)
    }

    /// Runs machines while `hand_out` hands out games to them.
    fn play(&self, park: &Park<'_>, server: &Server, hand_out: impl FnOnce() -> Result<Seen>) -> Result<Played> {
        let weather = Weather {
            crash_every: self.crash_every.map(|time| self.real(time)),
            absent: self.real(self.absent),
            seed: self.seed,
        };
        let evening = Evening::default();
        let (began, of_server, before_it) = (Instant::now(), server.processor_time(), used_by_this_thread()?);
        let machines = park.open(self.machines)?;
        let (seen, losses, seconds) = thread::scope(|scope| -> Result<_> {
            let running = scope.spawn(|| park.run(machines, weather, &evening));
            let seen = hand_out();
            let seconds = began.elapsed().as_secs_f64();
            evening.begin();
            let losses = running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok((seen?, losses?, seconds))
        })?;
        let processors = Processors {
            handing_out: (used_by_this_thread()? - before_it) / seconds,
            server: of_server
                .zip(server.processor_time())
                .map(|(from, to)| to.saturating_sub(from).as_secs_f64() / seconds),
            machines: used_by_children()? / seconds,
        };
        Ok(Played { seen, losses, seconds, processors })
    }

    fn order(&self) -> Order {
        Order {
            store: self.store.clone(),
            name: String::new(),
            jobs: self.jobs,
            lease: self.lease,
            a_move: self.a_move,
            speed_up: self.speed_up,
        }
    }
}

/// Totals of the saved games.
#[derive(Default)]
struct Seen {
    games: u64,
    /// Total duration in the simulated tournament, in seconds.
    seconds: f64,
    first: Option<Duration>,
}

/// The result of handing out games.
struct Played {
    seen: Seen,
    losses: Losses,
    seconds: f64,
    processors: Processors,
}

/// Hands out a tournament to simulated machines, which `program machine` starts. An unfinished tournament of the same
/// specification is resumed.
///
/// # Errors
/// Returns an error if the store or the ledger fails, or a machine does not start.
pub fn simulate(cluster: &Cluster, program: &Path, show: Progress<'_>) -> Result<Simulation> {
    // The coordinator needs some connections, too.
    let address: Address = cluster.store.parse()?;
    let server = Server::open(&address, 2 * cluster.machines + 8)?;
    let location = Location::try_from(std::ffi::OsString::from(&cluster.store))?;
    let hold = Hold::take(&location)?;
    let mut store = Store::open(&location)?;
    let (tournament, before) = begun(&mut store, &cluster.spec()?)?;
    let recorded = Recorded::play(&tournament, cluster.recorded)?;
    let mut held = HeldStore::new(location, store, hold);
    let (order, games, tally) = (cluster.order(), recorded.to_lines()?, Arc::new(Mutex::new(Tally::default())));
    let park = Park { program, order: &order, games: &games, tally: &tally };
    let Played { seen, losses, seconds, processors } = cluster.play(&park, &server, || {
        handed_out(&mut held, &tournament, &address, &mut |seen| {
            show(before + seen.games, u64::from(tournament.planned), "games");
        })
    })?;
    let workers = cluster.machines * cluster.jobs;
    let tally = std::mem::take(&mut *lock(&tally));
    let slots = Slots::new(workers as f64 * seconds, seen.seconds / cluster.speed_up, &tally, losses, cluster.jobs);
    Ok(Simulation {
        agents: cluster.agents,
        machines: cluster.machines,
        workers,
        games: tournament.planned,
        before,
        speed_up: cluster.speed_up,
        moves: recorded.moves(),
        game_seconds: recorded.moves() * cluster.a_move.as_secs_f64(),
        seconds,
        first_after: seen.first.unwrap_or_default().as_secs_f64(),
        games_a_second: seen.games as f64 / seconds,
        claims_a_second: tally.claims.len() as f64 / seconds,
        claim: Latency::of(tally.claims),
        report: Latency::of(tally.reports),
        troubles: tally.troubles,
        losses,
        slots,
        processors,
        peak_memory: peak_memory(),
        tables: server.tables()?,
        check: check(cluster, &server, &held.store, &tournament, show)?,
    })
}

/// Returns an unfinished tournament of this specification or a new one, and the number of its games that were played.
fn begun(store: &mut Store, spec: &Spec) -> Result<(Tournament, u64)> {
    for id in store.tournaments()? {
        let known = store.tournament(Some(id))?;
        let played = store.done(id)?.len();
        if known.spec == *spec && played < known.planned as usize {
            return Ok((known, played as u64));
        }
    }
    let planned = arena::games(spec, &Venue::default())?.planned();
    let id = store.begin(spec, planned, &vec![Entrant::default(); spec.agents.len()])?;
    Ok((store.tournament(Some(id))?, 0))
}

/// Hands out games until all are played. A game that is interrupted by three crashes is set aside and then handed out
/// again, as `resume` does.
fn handed_out(
    held: &mut HeldStore,
    tournament: &Tournament,
    address: &Address,
    show: &mut dyn FnMut(&Seen),
) -> Result<Seen> {
    const MOST_ROUNDS: u32 = 10;
    let (began, mut seen) = (Instant::now(), Seen::default());
    for _ in 0..MOST_ROUNDS {
        let workers = Workers { address, build: BUILD, alone: &mut || () };
        let handed_out = hand_out(held, tournament, &Venue::default(), workers, &mut |game| {
            seen.games += 1;
            seen.seconds += game.seconds;
            seen.first.get_or_insert_with(|| began.elapsed());
            show(&seen);
            Ok(ControlFlow::Continue(()))
        });
        match handed_out {
            Err(RunError::Aside(_)) => (),
            ended => return Ok(ended.map(|()| seen)?),
        }
    }
    bail!("games are set aside repeatedly")
}

/// Checks that every game is stored exactly once, and that no job or lease is left.
fn check(
    cluster: &Cluster,
    server: &Server,
    store: &Store,
    tournament: &Tournament,
    show: Progress<'_>,
) -> Result<Check> {
    let rows = server.rows(tournament.id)?;
    let mut check = Check { rows, is_whole: rows.are_of(tournament.planned), ..Check::default() };
    if cluster.verify {
        let began = Instant::now();
        let planned = tournament.planned.into();
        let audit = arena::verify(store, tournament, None, &mut |done| show(done, planned, "games verified"))?;
        check.verify_seconds = Some(began.elapsed().as_secs_f64());
        check.findings =
            audit.findings.iter().map(|finding| format!("{:?}: {}", finding.game, finding.detail)).collect();
        check.is_whole &= check.findings.is_empty() && audit.missing.is_empty() && audit.by_rules == tournament.planned;
    }
    Ok(check)
}

/// Returns the processor time of the calling thread, in seconds.
fn used_by_this_thread() -> Result<f64> {
    Ok(Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?).as_secs_f64())
}

/// Returns the processor time of the children that this process has waited for, in seconds.
fn used_by_children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// Returns the peak memory of this process in bytes; 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}
