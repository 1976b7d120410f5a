//! What the simulation asks of the database server, beside what programs ask of it.

use std::time::Duration;

use anyhow::{Result, ensure};
use ledger::Address;
use serde::Serialize;

/// A connection to the server.
pub(super) struct Server {
    address: Address,
    /// The process of the server, if it runs on this machine.
    process: Option<u32>,
}

/// A table with its indexes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Its name, with the schema.
    pub name: String,
    /// Its rows.
    pub rows: u64,
    /// Bytes on the disk, dead rows among them.
    pub bytes: u64,
}

/// What of a tournament is in the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// Games.
    pub games: u64,
    /// Different numbers of games.
    pub numbers: u64,
    /// Games that are set aside.
    pub aside: u64,
    /// Jobs that are left over in the ledger. Those that were put aside after three crashes do not count: their games
    /// were handed out again as other jobs.
    pub jobs: u64,
    /// Leases that are left over.
    pub leases: u64,
}

impl Rows {
    /// Whether each of so many games is there once, and nothing else is left.
    pub(super) fn are_of(&self, games: u32) -> bool {
        let games = u64::from(games);
        *self == Self { games, numbers: games, aside: 0, jobs: 0, leases: 0 }
    }
}

impl Server {
    /// Connects, and checks that so many programs may connect as well.
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

    /// The processor time of the server and all its processes; `None` if it runs on another machine.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let server = self.process?;
        let processes = std::fs::read_dir("/proc").ok()?.flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let children = numbers.filter_map(statistics).filter(|process| process.parent == server);
        let own = statistics(server)?;
        Some(children.map(|child| child.used).sum::<Duration>() + own.used + own.of_ended_children)
    }

    /// The tables of store and ledger.
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

    /// What there is of a tournament, and of what was handed out.
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

    /// Forgets the jobs of a kind, which were only for measuring.
    pub(super) fn forget(&self, kind: &str) -> Result<()> {
        let mut client = self.address.connect()?;
        client.execute("DELETE FROM plyhouse_ledger.work WHERE kind = $1", &[&kind])?;
        client.execute("DELETE FROM plyhouse_ledger.worker WHERE build = $1", &[&super::BUILD])?;
        Ok(())
    }
}

/// What the system knows of a process.
struct Statistics {
    name: String,
    parent: u32,
    used: Duration,
    of_ended_children: Duration,
}

fn statistics(process: u32) -> Option<Statistics> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in brackets and may have spaces and brackets itself. See proc_pid_stat(5).
    let (name, fields) = text.split_once('(')?.1.rsplit_once(')')?;
    let fields: Vec<u64> = fields.split_whitespace().map(|field| field.parse().unwrap_or_default()).collect();
    // Linux shows these times in hundredths of a second on every machine.
    let time = |first: usize| Some(Duration::from_millis(10 * (fields.get(first)? + fields.get(first + 1)?)));
    Some(Statistics {
        name: name.to_owned(),
        parent: *fields.get(1)? as u32,
        used: time(11)?,
        of_ended_children: time(13)?,
    })
}
