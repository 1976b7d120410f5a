//! Simulates large tournaments: `cargo run --release -p plyhouse-lab --bin cluster -- --help`. `docs/scale.md` has the
//! commands and their results.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, Parser};
use games::GameId;
use lab::cluster::{Claiming, Cluster, claims, serve_as_told, simulate};
use serde::Serialize;

/// Simulate large tournaments on a PostgreSQL server
#[derive(Parser)]
#[command(name = "cluster")]
enum Options {
    /// Measure how many empty jobs are claimed and reported per second
    Claims(ClaimsOptions),
    /// Play a tournament on simulated machines that crash; the same command resumes an unfinished tournament
    Simulate(Box<SimulateOptions>),
    /// Run as a simulated machine that reads its orders from standard input
    #[command(hide = true)]
    Machine,
}

#[derive(Args)]
struct Common {
    /// The database: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`; the password may be in `PGPASSWORD` instead
    #[arg(long, value_name = "URL")]
    store: String,
    /// Number of simulated machines
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    machines: u16,
    /// Number of concurrent games per machine
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ClaimsOptions {
    #[command(flatten)]
    common: Common,
    /// Duration of the measurement, in seconds
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Size of each output, in bytes
    #[arg(long, default_value_t = 0)]
    bytes: usize,
}

#[derive(Args)]
struct SimulateOptions {
    #[command(flatten)]
    common: Common,
    /// The game
    #[arg(long, value_parser = lab::game(), default_value = "loa")]
    game: GameId,
    /// Squares per side
    #[arg(long, default_value_t = 8)]
    size: usize,
    /// Number of agents in the round robin
    #[arg(long, default_value_t = 300, value_parser = agents)]
    agents: usize,
    /// Number of games per pair of agents
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
    games_a_pair: u32,
    /// Ratio of simulated time to real time
    #[arg(long, value_name = "FACTOR", default_value_t = 100.0, value_parser = positive)]
    speed_up: f64,
    /// Simulated time per move, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = positive)]
    move_time: f64,
    /// Mean simulated time between crashes, over all machines, in seconds; if unset, no machine crashes
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    crash_every: Option<f64>,
    /// Simulated time until another machine replaces a crashed one, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0, value_parser = positive)]
    absent: f64,
    /// Real time after which the games of a crashed machine are given to other machines, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = positive)]
    lease: f64,
    /// Number of games that our engines play at the start; simulated workers return these games
    #[arg(long, value_name = "GAMES", default_value_t = 300)]
    recorded: usize,
    /// Seed of the games and the crashes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Do not read and replay all games at the end
    #[arg(long)]
    no_verify: bool,
}

fn agents(text: &str) -> Result<usize, String> {
    let expected = "expected a number from 2 to 10000";
    text.parse().ok().filter(|agents| (2..=10_000).contains(agents)).ok_or_else(|| expected.to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let expected = "expected a number above 0 and up to 1000000000";
    text.parse().ok().filter(|number| *number > 0.0 && *number <= 1e9).ok_or_else(|| expected.to_owned())
}

fn main() -> Result<ExitCode> {
    match Options::parse() {
        Options::Machine => serve_as_told(stdin().lock(), stdout()).map(|()| ExitCode::SUCCESS),
        Options::Claims(ClaimsOptions { common, seconds, bytes }) => {
            let claiming = Claiming {
                store: common.store.parse()?,
                machines: common.machines.into(),
                jobs: common.jobs.into(),
                time: Duration::from_secs(seconds),
                bytes,
            };
            let claims = claims(&claiming, &bar(common.quiet))?;
            print(&claims, common.json).map(|()| ExitCode::SUCCESS)
        }
        Options::Simulate(options) => {
            let simulation = simulate(&options.cluster(), &std::env::current_exe()?, &bar(options.common.quiet))?;
            print(&simulation, options.common.json)?;
            Ok(if simulation.check.is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

impl SimulateOptions {
    fn cluster(&self) -> Cluster {
        let Common { store, machines, jobs, .. } = &self.common;
        Cluster {
            store: store.clone(),
            game: self.game,
            size: self.size,
            agents: self.agents,
            games_a_pair: self.games_a_pair,
            machines: (*machines).into(),
            jobs: (*jobs).into(),
            speed_up: self.speed_up,
            a_move: Duration::from_secs_f64(self.move_time),
            crash_every: self.crash_every.map(Duration::from_secs_f64),
            absent: Duration::from_secs_f64(self.absent),
            lease: Duration::from_secs_f64(self.lease),
            recorded: self.recorded,
            seed: self.seed,
            verify: !self.no_verify,
        }
    }
}

fn print<T: Display + Serialize>(figures: &T, json: bool) -> Result<()> {
    let text = if json { serde_json::to_string(figures)? + "\n" } else { figures.to_string() };
    Ok(stdout().write_all(text.as_bytes())?)
}

/// Returns a function that shows a progress line on standard error, if that is a terminal.
fn bar(quiet: bool) -> impl Fn(u64, u64, &str) {
    let (shown, last) = (!quiet && stderr().is_terminal(), Mutex::new(None::<Instant>));
    move |done, all, what| {
        let is_last = done == all;
        let Ok(mut last) = last.lock() else { return };
        if shown && (is_last || last.is_none_or(|last| last.elapsed() > Duration::from_millis(200))) {
            *last = Some(Instant::now());
            let filled = (20 * done / all.max(1)).min(20) as usize;
            let bar = ["#".repeat(filled), ".".repeat(20 - filled)].concat();
            let end = if is_last { "\r\x1b[K" } else { "" };
            let _ = write!(stderr(), "\r\x1b[K[{bar}] {done} of {all} {what}{end}");
        }
    }
}
