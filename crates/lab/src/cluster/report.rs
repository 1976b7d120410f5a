//! The report of a simulation.

use std::fmt;

use serde::Serialize;

use super::crashes::Losses;
use super::figures::Latency;
use super::machine::Tally;
use super::server::{Rows, Table};

/// Results of a simulation. Times are real unless they are called simulated.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    /// Number of agents.
    pub agents: usize,
    /// Number of machines.
    pub machines: usize,
    /// Number of concurrent games of all machines.
    pub workers: usize,
    /// Number of games of the tournament.
    pub games: u32,
    /// Number of games that were played before this run.
    pub before: u64,
    /// Ratio of simulated time to real time.
    pub speed_up: f64,
    /// Mean number of moves of the recorded games.
    pub moves: f64,
    /// Mean simulated time of a game, in seconds.
    pub game_seconds: f64,
    /// Time from the start of the machines to the last game, in seconds.
    pub seconds: f64,
    /// Time to the first game, in seconds. It includes reading the games that were played before.
    pub first_after: f64,
    /// Saved games per second.
    pub games_a_second: f64,
    /// Claimed games per second.
    pub claims_a_second: f64,
    /// Time from the report of a game to the start of the next game in the same slot.
    pub claim: Latency,
    /// Time from the end of a game to the end of its report.
    pub report: Latency,
    /// Number of failed connections and games, and the last error.
    pub troubles: (u64, String),
    /// Losses due to crashes.
    pub losses: Losses,
    /// Use of the slots of the machines.
    pub slots: Slots,
    /// Use of processors.
    pub processors: Processors,
    /// Peak memory of the coordinator, in bytes.
    pub peak_memory: u64,
    /// Tables of the database.
    pub tables: Vec<Table>,
    /// Check that no game is lost or stored twice.
    pub check: Check,
}

/// Use of the machines' slots, as shares of the total time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Slots {
    /// Share spent on games that were saved.
    pub played: f64,
    /// Share spent on games that a crash aborted.
    pub thrown_away: f64,
    /// Share during which the slot's machine was absent.
    pub absent: f64,
    /// Share spent waiting for games.
    pub claiming: f64,
    /// Share spent waiting for reports of games.
    pub reporting: f64,
}

impl Slots {
    /// Computes the shares of a total of `all` seconds.
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

/// Mean number of processors used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Processors {
    /// Processors used by the coordinator.
    pub handing_out: f64,
    /// Processors used by the database server; `None` if it runs on another machine.
    pub server: Option<f64>,
    /// Processors used by the simulated machines.
    pub machines: f64,
}

/// The result of the check that no game is lost or stored twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Check {
    /// Counts of rows in the database.
    pub rows: Rows,
    /// Findings of `plyhouse arena verify`.
    pub findings: Vec<String>,
    /// Duration of the verification, in seconds; `None` if it was skipped.
    pub verify_seconds: Option<f64>,
    /// `true` if every game is stored exactly once, no job and no lease is left, and the verification, if any, found no
    /// error.
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
            "crashes   {crashes}, which aborted {broken} games after {:.1} h of play; machines were absent for {:.1} h",
            simulated(played),
            simulated(absent)
        )?;
        let percent = |share: f64| 100.0 * share;
        writeln!(
            f,
            "slots     played {:.1} %, discarded {:.2} %, machine absent {:.2} %, claiming {:.1} %, reporting {:.1} %",
            percent(slots.played),
            percent(slots.thrown_away),
            percent(slots.absent),
            percent(slots.claiming),
            percent(slots.reporting)
        )?;
        let Processors { handing_out, server, machines } = self.processors;
        let server = server.map_or("?".to_owned(), |server| format!("{server:.2}"));
        writeln!(f, "processors  handing out {handing_out:.2}, server {server}, machines {machines:.2}")?;
        writeln!(f, "memory    {:.0} MB at most, of the coordinator", megabytes(self.peak_memory))?;
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
        writeln!(f, "{}", if self.is_whole { "no game is lost or stored twice" } else { "SOMETHING IS WRONG" })
    }
}
