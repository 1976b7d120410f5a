//! Additional queries of the simulation to the database server.

use std::time::Duration;

use anyhow::{Result, ensure};
use ledger::Address;
use serde::Serialize;

/// The database server under test.
pub(super) struct Server {
    address: Address,
    /// Process id of the server, if it runs on this machine.
    process: Option<u32>,
}

/// A table with its indexes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Name, with the schema.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Size on disk, including dead rows, in bytes.
    pub bytes: u64,
}

/// Counts of the rows of a tournament in the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// Number of games.
    pub games: u64,
    /// Number of distinct game numbers.
    pub numbers: u64,
    /// Number of games that are set aside.
    pub aside: u64,
    /// Number of jobs left in the ledger, except those set aside after three crashes. The games of those jobs were
    /// handed out again as other jobs.
    pub jobs: u64,
    /// Number of leases left in the ledger.
    pub leases: u64,
}

impl Rows {
    /// Returns `true` if each of the games is stored exactly once, and no job or lease is left.
    pub(super) fn are_of(&self, games: u32) -> bool {
        let games = u64::from(games);
        *self == Self { games, numbers: games, aside: 0, jobs: 0, leases: 0 }
    }
}

impl Server {
    /// Connects, and checks that the server accepts `connections` connections.
    pub(super) fn open(address: &Address, connections: usize) -> Result<Self> {
        let mut client = address.connect()?;
        let row = client.query_one(
            "SELECT current_setting('max_connections')::bigint - \
             current_setting('superuser_reserved_connections')::bigint, pg_backend_pid()",
            &[],
        )?;
        let allowed = row.get::<_, i64>(0);
        ensure!(
            connections as i64 <= allowed,
            "the server allows {allowed} connections, expected at least {connections}: make `max_connections` larger \
             in postgresql.conf"
        );
        let is_server = |process: &u32| statistics(*process).is_some_and(|known| known.name == "postgres");
        let process = u32::try_from(row.get::<_, i32>(1)).ok().filter(is_server);
        let process = process.and_then(statistics).map(|backend| backend.parent);
        Ok(Self { address: address.clone(), process: process.filter(is_server) })
    }

    /// Returns the processor time of the server and all its processes; `None` if it runs on another machine.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let server = self.process?;
        let processes = std::fs::read_dir("/proc").ok()?.flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let children = numbers.filter_map(statistics).filter(|process| process.parent == server);
        let own = statistics(server)?;
        Some(children.map(|child| child.used).sum::<Duration>() + own.used + own.of_ended_children)
    }

    /// Returns the tables of the store and the ledger.
    pub(super) fn tables(&self) -> Result<Vec<Table>> {
        let mut client = self.address.connect()?;
        let names = client.query(
            "SELECT schemaname || '.' || tablename FROM pg_tables \
             WHERE schemaname IN ('plyhouse', 'plyhouse_ledger') ORDER BY 1",
            &[],
        )?;
        let mut tables = Vec::new();
        for name in names {
            let name: String = name.get(0);
            let row = client.query_one(
                &format!("SELECT (SELECT count(*) FROM {name}), pg_total_relation_size($1::text::regclass)"),
                &[&name],
            )?;
            tables.push(Table { name, rows: row.get::<_, i64>(0) as u64, bytes: row.get::<_, i64>(1) as u64 });
        }
        Ok(tables)
    }

    /// Counts the rows of a tournament and its jobs.
    pub(super) fn rows(&self, tournament: i64) -> Result<Rows> {
        let mut client = self.address.connect()?;
        let count = |condition: &str| {
            format!(
                "SELECT count(*) FROM plyhouse_ledger.job JOIN plyhouse_ledger.work ON work = id \
                 WHERE build = '{}' {condition}",
                super::BUILD
            )
        };
        let row = client.query_one(
            &format!(
                "SELECT count(*), count(DISTINCT number), count(*) FILTER (WHERE aside), ({}), ({}) \
                 FROM plyhouse.game WHERE tournament = $1",
                count("AND state <> 4"),
                count("AND state = 1"),
            ),
            &[&tournament],
        )?;
        let [games, numbers, aside, jobs, leases] = [0, 1, 2, 3, 4].map(|column| row.get::<_, i64>(column) as u64);
        Ok(Rows { games, numbers, aside, jobs, leases })
    }

    /// Deletes all work of a kind with its jobs, and all simulated workers.
    pub(super) fn forget(&self, kind: &str) -> Result<()> {
        let mut client = self.address.connect()?;
        client.execute("DELETE FROM plyhouse_ledger.work WHERE kind = $1", &[&kind])?;
        client.execute("DELETE FROM plyhouse_ledger.worker WHERE build = $1", &[&super::BUILD])?;
        Ok(())
    }
}

/// Statistics of a process from the operating system.
struct Statistics {
    name: String,
    parent: u32,
    used: Duration,
    of_ended_children: Duration,
}

fn statistics(process: u32) -> Option<Statistics> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in parentheses and may itself contain spaces and parentheses. See proc_pid_stat(5).
    let (name, fields) = text.split_once('(')?.1.rsplit_once(')')?;
    let fields: Vec<u64> = fields.split_whitespace().map(|field| field.parse().unwrap_or_default()).collect();
    // Linux reports these times in hundredths of a second on every machine.
    let time = |first: usize| Some(Duration::from_millis(10 * (fields.get(first)? + fields.get(first + 1)?)));
    Some(Statistics {
        name: name.to_owned(),
        parent: *fields.get(1)? as u32,
        used: time(11)?,
        of_ended_children: time(13)?,
    })
}
