//! What a simulation shows.

use std::fmt;

use serde::Serialize;

use super::crashes::Losses;
use super::figures::Latency;
use super::machine::Tally;
use super::server::{Rows, Table};

/// What was measured. Times are real unless they are called simulated.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    /// Agents.
    pub agents: usize,
    /// Machines.
    pub machines: usize,
    /// Games that all machines can play at the same time.
    pub workers: usize,
    /// Games of the tournament.
    pub games: u32,
    /// Games that had been played before.
    pub before: u64,
    /// How many times faster time passed.
    pub speed_up: f64,
    /// Mean number of moves of the recorded games.
    pub moves: f64,
    /// Mean simulated time of a game.
    pub game_seconds: f64,
    /// The time from the start of the machines to the last game.
    pub seconds: f64,
    /// The time to the first game, in which the games that were played before are read.
    pub first_after: f64,
    /// Games that were saved in a second.
    pub games_a_second: f64,
    /// Games that were claimed in a second.
    pub claims_a_second: f64,
    /// The time from the report of a game to the start of the next one in the same slot.
    pub claim: Latency,
    /// The time from the end of a game to the end of its report.
    pub report: Latency,
    /// How often a worker had no connection or could not play a game, and the last reason.
    pub troubles: (u64, String),
    /// What crashes cost.
    pub losses: Losses,
    /// What the slots of the machines did.
    pub slots: Slots,
    /// Processors that were used.
    pub processors: Processors,
    /// The most memory of the program that hands out, in bytes.
    pub peak_memory: u64,
    /// What lies in the database.
    pub tables: Vec<Table>,
    /// Whether nothing is lost and nothing is there twice.
    pub check: Check,
}

/// What the slots of the machines did, in shares of the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Slots {
    /// They played games that were saved.
    pub played: f64,
    /// They played games that a crash broke off.
    pub thrown_away: f64,
    /// Their machine was gone.
    pub absent: f64,
    /// They waited for games.
    pub claiming: f64,
    /// They waited until games were reported.
    pub reporting: f64,
}

impl Slots {
    /// Shares of `all` seconds.
    pub(super) fn new(all: f64, played: f64, tally: &Tally, losses: Losses, jobs: usize) -> Self {
        let sum = |micros: &[u32]| micros.iter().map(|&micros| f64::from(micros)).sum::<f64>() / 1e6 / all;
        Self {
            played: played / all,
            thrown_away: losses.played / all,
            absent: losses.absent * jobs as f64 / all,
            claiming: sum(&tally.claims),
            reporting: sum(&tally.reports),
        }
    }
}

/// Processors that were used, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Processors {
    /// By the program that hands out.
    pub handing_out: f64,
    /// By the database server; `None` if it runs on another machine.
    pub server: Option<f64>,
    /// By the simulated machines.
    pub machines: f64,
}

/// Whether nothing is lost and nothing is there twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Check {
    /// What is in the database.
    pub rows: Rows,
    /// What `plyhouse arena verify` finds wrong.
    pub findings: Vec<String>,
    /// How long that took; `None` if it was left out.
    pub verify_seconds: Option<f64>,
    /// Whether every game is there once, the chain holds, and no job and no lease is left.
    pub is_whole: bool,
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

impl fmt::Display for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agents, machines, workers, games, before, speed_up, seconds, losses, slots, .. } = self;
        writeln!(f, "{agents} agents, {games} games ({before} before), {workers} workers on {machines} machines")?;
        let hours = seconds * speed_up / 3600.0;
        writeln!(
            f,
            "{seconds:.0} s, {speed_up} times as fast as {hours:.1} h; first game after {:.1} s",
            self.first_after
        )?;
        writeln!(f, "a game    {:.1} moves, {:.0} s in the simulated tournament", self.moves, self.game_seconds)?;
        writeln!(f, "rates     {:.0} games/s saved, {:.0} claims/s", self.games_a_second, self.claims_a_second)?;
        writeln!(f, "claim     {}", self.claim)?;
        writeln!(f, "report    {}", self.report)?;
        let Losses { crashes, games: broken, played, absent } = *losses;
        let simulated = |seconds: f64| seconds * speed_up / 3600.0;
        writeln!(
            f,
            "crashes   {crashes}, which broke off {broken} games after {:.1} h of play; machines were gone for {:.1} h",
            simulated(played),
            simulated(absent)
        )?;
        let percent = |share: f64| 100.0 * share;
        writeln!(
            f,
            "slots     played {:.1} %, thrown away {:.2} %, machine gone {:.2} %, claiming {:.1} %, reporting {:.1} %",
            percent(slots.played),
            percent(slots.thrown_away),
            percent(slots.absent),
            percent(slots.claiming),
            percent(slots.reporting)
        )?;
        let Processors { handing_out, server, machines } = self.processors;
        let server = server.map_or("?".to_owned(), |server| format!("{server:.2}"));
        writeln!(f, "processors  handing out {handing_out:.2}, server {server}, machines {machines:.2}")?;
        writeln!(f, "memory    {:.0} MB at most, of the program that hands out", megabytes(self.peak_memory))?;
        for table in self.tables.iter().filter(|table| table.bytes > 1_000_000) {
            let each = table.bytes / table.rows.max(1);
            writeln!(
                f,
                "table     {}: {} rows, {:.1} MB, {each} bytes a row",
                table.name,
                table.rows,
                megabytes(table.bytes)
            )?;
        }
        let (count, last) = &self.troubles;
        if *count > 0 {
            writeln!(f, "troubles  {count}, the last one: {last}")?;
        }
        self.check.fmt(f)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rows { games, numbers, aside, jobs, leases } = self.rows;
        writeln!(
            f,
            "store     {games} games, {numbers} different, {aside} aside; {jobs} jobs and {leases} leases left"
        )?;
        match self.verify_seconds {
            Some(seconds) => writeln!(f, "verify    {} findings in {seconds:.0} s", self.findings.len())?,
            None => writeln!(f, "verify    left out")?,
        }
        self.findings.iter().take(20).try_for_each(|finding| writeln!(f, "          {finding}"))?;
        writeln!(
            f,
            "{}",
            if self.is_whole { "nothing is lost and nothing is there twice" } else { "SOMETHING IS WRONG" }
        )
    }
}
