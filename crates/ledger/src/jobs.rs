//! Work, jobs, leases and outputs, as SQL statements.

use std::collections::BTreeMap;
use std::time::Duration;

use fallible_iterator::FallibleIterator;
use postgres::types::{FromSqlOwned, ToSql};
use postgres::{Client, Row, Statement};

use crate::address::Address;
use crate::error::{LedgerError, why};
use crate::layout;
use crate::state::{ASIDE, COLLECTED, DONE, LEASED, WAITING};

/// A notification of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Jobs are available.
    Offered,
    /// Outputs are available.
    Done,
}

impl News {
    /// Returns the channel of the notification.
    fn channel(self) -> &'static str {
        match self {
            Self::Offered => "plyhouse_offered",
            Self::Done => "plyhouse_done",
        }
    }
}

/// A connection to a ledger.
pub struct Ledger {
    client: Client,
    /// Prepared statements, by call.
    statements: BTreeMap<&'static str, Statement>,
    listens: Option<News>,
    /// `true` once this connection has offered many jobs and the server has updated its statistics of the table.
    is_counted: bool,
}

/// A group of jobs with a common specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Number of the work.
    pub id: i64,
    /// Kind of its jobs, such as `match`.
    pub kind: String,
    /// Specification shared by all its jobs, as written by the program that offers them.
    pub spec: String,
    /// `true` if the work existed before and continues.
    pub is_resumed: bool,
}

/// A leased job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Number of the work.
    pub work: i64,
    /// Number of the job in the work.
    pub number: u64,
    /// Input of this job.
    pub input: String,
    /// Number of workers that failed at it before.
    pub failures: u32,
    /// Time of the claim by the server's clock, in UTC, in ISO 8601 format with milliseconds.
    pub taken: String,
}

/// A worker in the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Worker {
    /// Number of the worker.
    pub id: i64,
    /// Name of the worker: its machine and process.
    pub name: String,
    /// Number of completed jobs.
    pub done: u64,
    /// Number of failed jobs.
    pub failed: u64,
    /// Speed, in nodes per second.
    pub speed: f64,
    /// Maximum number of concurrent jobs.
    pub jobs: u64,
    /// Number of jobs in progress.
    pub busy: u64,
    /// Time since its last message.
    pub silent: Duration,
}

/// The result of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The output was recorded.
    Now,
    /// The job was already done. Its first output is kept.
    Before,
}

/// A job that is done or set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Number of the job in the work.
    pub number: u64,
    /// Output, or the reason why the job was set aside.
    pub output: Result<String, String>,
}

/// The progress of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of jobs that no worker has claimed.
    pub waiting: u64,
    /// Number of jobs in progress.
    pub leased: u64,
    /// Number of completed jobs.
    pub done: u64,
    /// Number of jobs that were set aside.
    pub aside: u64,
}

/// Retries a query a few times if the connection is lost or the server is busy.
pub(crate) fn again<T>(mut question: impl FnMut() -> Result<T, LedgerError>) -> Result<T, LedgerError> {
    for _ in 0..4 {
        match question() {
            Err(LedgerError::Lost(_) | LedgerError::Busy(_)) => std::thread::sleep(Duration::from_millis(250)),
            answer => return answer,
        }
    }
    question()
}

fn number(row: &Row, column: &str) -> u64 {
    row.get::<_, i64>(column).cast_unsigned()
}

pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

impl Ledger {
    /// Connects, and creates the tables if they are missing.
    ///
    /// # Errors
    /// Returns an error if the connection fails, or the tables are those of another version.
    pub fn open(address: &Address) -> Result<Self, LedgerError> {
        again(|| Self::connect(address))
    }

    fn connect(address: &Address) -> Result<Self, LedgerError> {
        let refused = |error| LedgerError::Connect { address: address.to_string(), why: why(&error) };
        let mut client = address.connect().map_err(refused)?;
        layout::prepare(&mut client, address)?;
        // Between two tournaments the table of jobs is empty. The server's plans for an empty table read and sort the
        // whole table, and remain in use after thousands of jobs have been added, so such plans are disabled. Any plan
        // that still needs a sort then gets such a high cost estimate that the server would compile it at each call.
        // That takes 30 ms, so `jit` is disabled, too.
        client.batch_execute("SET enable_seqscan = off; SET enable_sort = off; SET jit = off")?;
        Ok(Self { client, statements: BTreeMap::new(), listens: None, is_counted: false })
    }

    /// Connects for reading only: it creates nothing, and writes are rejected. Returns `None` if there is no ledger.
    ///
    /// # Errors
    /// Returns an error if the connection fails, or the tables are those of another version.
    pub fn watch(address: &Address) -> Result<Option<Self>, LedgerError> {
        let refused = |error| LedgerError::Connect { address: address.to_string(), why: why(&error) };
        let mut client = address.connect().map_err(refused)?;
        client.batch_execute("SET default_transaction_read_only = on")?;
        let is_there = layout::is_there(&mut client, address)?;
        Ok(is_there.then(|| Self { client, statements: BTreeMap::new(), listens: None, is_counted: false }))
    }

    pub(crate) fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Begins work, or resumes unfinished work of the same kind, specification and build.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn begin(&mut self, kind: &str, spec: &str, build: &str) -> Result<Work, LedgerError> {
        let mut all = self.client.transaction()?;
        all.execute("LOCK TABLE plyhouse_ledger.work IN SHARE ROW EXCLUSIVE MODE", &[])?;
        let known = all.query_opt(
            "SELECT id FROM plyhouse_ledger.work WHERE kind = $1 AND spec = $2 AND build = $3 AND NOT is_over \
             ORDER BY id LIMIT 1",
            &[&kind, &spec, &build],
        )?;
        let is_resumed = known.is_some();
        let row = match known {
            Some(row) => row,
            None => all.query_one(
                "INSERT INTO plyhouse_ledger.work (kind, spec, build) VALUES ($1, $2, $3) RETURNING id",
                &[&kind, &spec, &build],
            )?,
        };
        all.commit()?;
        Ok(Work { id: row.get("id"), kind: kind.to_owned(), spec: spec.to_owned(), is_resumed })
    }

    /// Returns the work with this number.
    ///
    /// # Errors
    /// Returns an error if there is no such work.
    pub fn work(&mut self, id: i64) -> Result<Work, LedgerError> {
        let row = self.call("task($1)", &[&id])?;
        let row = row.ok_or(LedgerError::NoWork(id))?;
        Ok(Work { id, kind: row.get("kind"), spec: row.get("spec"), is_resumed: true })
    }

    /// Offers jobs. Jobs that were offered before are unchanged.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn offer(&mut self, work: i64, jobs: &[(u64, String)]) -> Result<(), LedgerError> {
        /// Number of waiting jobs at which notifications are no longer sent. No worker is idle then, and a notification
        /// would wake all workers needlessly.
        const PLENTY: i64 = 100;
        let waiting = self.client.query_one(
            &format!(
                "SELECT count(*) FROM (SELECT FROM plyhouse_ledger.job WHERE work = $1 AND state = {WAITING} LIMIT $2) \
                 AS first"
            ),
            &[&work, &PLENTY],
        )?;
        let numbers: Vec<i64> = jobs.iter().map(|(number, _)| number.cast_signed()).collect();
        let inputs: Vec<&str> = jobs.iter().map(|(_, input)| input.as_str()).collect();
        self.client.execute(
            "INSERT INTO plyhouse_ledger.job (work, number, input) SELECT $1, number, input \
             FROM unnest($2::bigint[], $3::text[]) AS new (number, input) ON CONFLICT DO NOTHING",
            &[&work, &numbers, &inputs],
        )?;
        // `ANALYZE` makes the server discard its plans for an empty table. Otherwise this takes up to a minute.
        if !self.is_counted && jobs.len() as i64 >= PLENTY {
            self.client.batch_execute("ANALYZE plyhouse_ledger.job")?;
            self.is_counted = true;
        }
        if waiting.get::<_, i64>(0) < PLENTY {
            self.client.execute("NOTIFY plyhouse_offered", &[])?;
        }
        Ok(())
    }

    /// Registers a worker and returns its number. `speed` is in nodes per second; `jobs` is the maximum number of
    /// concurrent jobs.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn enlist(&mut self, name: &str, build: &str, speed: f64, jobs: usize) -> Result<i64, LedgerError> {
        self.value("enlist($1, $2, $3, $4)", &[&name, &build, &speed, &(jobs as i32)])
    }

    /// Leases a job of this build for the time `lease`. Returns `None` if no job is available.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn claim(&mut self, worker: i64, build: &str, lease: Duration) -> Result<Option<Job>, LedgerError> {
        let row = self.call("claim($1, $2, $3)", &[&worker, &build, &seconds(lease)])?;
        let job = |row: Row| Job {
            work: row.get("work"),
            number: number(&row, "number"),
            input: row.get("input"),
            failures: u32::try_from(row.get::<_, i32>("failures")).unwrap_or_default(),
            taken: row.get("taken"),
        };
        Ok(row.map(job))
    }

    /// Renews a worker's leases of these jobs, each given by its work and number. Returns the number of these leases
    /// that the worker still holds. The worker's other leases are left to expire: they belong to claims whose answers
    /// were lost.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn renew(&mut self, worker: i64, jobs: &[(i64, u64)], lease: Duration) -> Result<u64, LedgerError> {
        let (works, numbers): (Vec<i64>, Vec<i64>) =
            jobs.iter().map(|&(work, number)| (work, number.cast_signed())).unzip();
        let held: i64 = self.value("renew($1, $2, $3, $4)", &[&worker, &works, &numbers, &seconds(lease)])?;
        Ok(held.cast_unsigned())
    }

    /// Records the output of a job and ends its lease. A job whose lease has expired may be reported as well: the first
    /// output counts.
    ///
    /// # Errors
    /// Returns an error if the database fails. The report can then be repeated.
    pub fn finish(&mut self, job: &Job, worker: i64, output: &str) -> Result<Recorded, LedgerError> {
        let job_number = job.number.cast_signed();
        let is_first: bool = self.value("finish($1, $2, $3, $4)", &[&job.work, &job_number, &worker, &output])?;
        Ok(if is_first { Recorded::Now } else { Recorded::Before })
    }

    /// Reports that this worker could not do a job, with the reason. The job is offered again, but not to this worker
    /// for the time `pause`, unless [`readmit`](Self::readmit) finds no other worker.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn fail(&mut self, job: &Job, worker: i64, why: &str, pause: Duration) -> Result<(), LedgerError> {
        let job_number = job.number.cast_signed();
        self.call("fail($1, $2, $3, $4, $5)", &[&job.work, &job_number, &worker, &why, &seconds(pause)]).map(drop)
    }

    /// Releases all jobs of a worker that stops, so that others can claim them. This does not count as a failure.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn release(&mut self, worker: i64) -> Result<(), LedgerError> {
        self.call("release($1)", &[&worker]).map(drop)
    }

    /// Publishes what a worker is doing, for viewers.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn show(&mut self, worker: i64, snapshot: &str) -> Result<(), LedgerError> {
        self.call("show($1, $2)", &[&worker, &snapshot]).map(drop)
    }

    /// Returns what the workers published within the last 15 seconds, as worker number, age and snapshot.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn shown(&mut self) -> Result<Vec<(i64, Duration, String)>, LedgerError> {
        let rows = self.client.query(
            "SELECT worker, extract(epoch FROM now() - seen)::double precision AS age, snapshot \
             FROM plyhouse_ledger.live WHERE seen > now() - interval '15 seconds' ORDER BY worker",
            &[],
        )?;
        let age = |row: &Row| Duration::try_from_secs_f64(row.get("age")).unwrap_or_default();
        Ok(rows.iter().map(|row| (row.get("worker"), age(row), row.get("snapshot"))).collect())
    }

    /// Returns the bundle with this hash.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn bundle(&mut self, hash: &str) -> Result<Option<Vec<u8>>, LedgerError> {
        let row = self.call("bundle($1)", &[&hash])?;
        Ok(row.map(|row| row.get("bytes")))
    }

    /// Returns `true` if a bundle with this hash exists.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn has_bundle(&mut self, hash: &str) -> Result<bool, LedgerError> {
        let row = self.client.query_opt("SELECT FROM plyhouse_ledger.bundle WHERE hash = $1", &[&hash])?;
        Ok(row.is_some())
    }

    /// Adds a bundle, if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn add_bundle(&mut self, hash: &str, bytes: &[u8]) -> Result<(), LedgerError> {
        self.client.execute(
            "INSERT INTO plyhouse_ledger.bundle (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            &[&hash, &bytes],
        )?;
        Ok(())
    }

    /// Calls one of the functions for workers. The statement is prepared once for each connection.
    fn call(&mut self, call: &'static str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, LedgerError> {
        let statement = match self.statements.get(call) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(&format!("SELECT * FROM plyhouse_ledger.{call}"))?;
                self.statements.entry(call).or_insert(statement).clone()
            }
        };
        Ok(self.client.query_opt(&statement, values)?)
    }

    /// Calls a function that returns one value.
    fn value<T: FromSqlOwned>(&mut self, call: &'static str, values: &[&(dyn ToSql + Sync)]) -> Result<T, LedgerError> {
        let row = self.call(call, values)?.ok_or_else(|| LedgerError::Refused(format!("{call}: no value found")))?;
        Ok(row.try_get(0)?)
    }

    /// Returns the outputs that have arrived since the last call, in the order of their numbers, and all jobs that were
    /// set aside.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn collect(&mut self, work: i64) -> Result<Vec<Done>, LedgerError> {
        self.client.execute("SELECT plyhouse_ledger.take_back()", &[])?;
        let rows = self.client.query(
            &format!(
                "WITH collected AS (UPDATE plyhouse_ledger.job SET state = {COLLECTED} \
                 WHERE work = $1 AND state = {DONE} RETURNING number, output, why) \
                 SELECT number, output, why FROM collected \
                 UNION ALL SELECT number, NULL, why FROM plyhouse_ledger.job WHERE work = $1 AND state = {ASIDE} \
                 ORDER BY number"
            ),
            &[&work],
        )?;
        let done = |row: &Row| Done {
            number: number(row, "number"),
            output: row
                .get::<_, Option<String>>("output")
                .ok_or_else(|| row.get::<_, Option<String>>("why").unwrap_or_default()),
        };
        Ok(rows.iter().map(done).collect())
    }

    /// Deletes jobs whose outputs have been collected and are stored elsewhere.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn forget(&mut self, work: i64, jobs: &[u64]) -> Result<(), LedgerError> {
        let numbers: Vec<i64> = jobs.iter().map(|number| number.cast_signed()).collect();
        self.client.execute(
            &format!("DELETE FROM plyhouse_ledger.job WHERE work = $1 AND number = ANY($2) AND state = {COLLECTED}"),
            &[&work, &numbers],
        )?;
        Ok(())
    }

    /// Returns all unfinished work of a kind.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn open_work(&mut self, kind: &str) -> Result<Vec<Work>, LedgerError> {
        let rows = self.client.query(
            "SELECT id, kind, spec FROM plyhouse_ledger.work WHERE kind = $1 AND NOT is_over ORDER BY id",
            &[&kind],
        )?;
        let work =
            |row: &Row| Work { id: row.get("id"), kind: row.get("kind"), spec: row.get("spec"), is_resumed: true };
        Ok(rows.iter().map(work).collect())
    }

    /// Returns the progress of work.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn progress(&mut self, work: i64) -> Result<Progress, LedgerError> {
        let rows = self.client.query(
            "SELECT state, count(*) AS jobs FROM plyhouse_ledger.job WHERE work = $1 GROUP BY state",
            &[&work],
        )?;
        let mut progress = Progress::default();
        for row in rows {
            let jobs = number(&row, "jobs");
            match row.get::<_, i16>("state") {
                WAITING => progress.waiting += jobs,
                LEASED => progress.leased += jobs,
                ASIDE => progress.aside += jobs,
                _ => progress.done += jobs,
            }
        }
        Ok(progress)
    }

    /// Returns the workers of this build that sent a message within the last minute.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn workers(&mut self, build: &str) -> Result<Vec<Worker>, LedgerError> {
        let rows = self.client.query(
            &format!(
                "SELECT id, name, done, failed, speed, jobs, \
                 extract(epoch FROM now() - seen)::double precision AS silent, \
                 (SELECT count(*) FROM plyhouse_ledger.job WHERE worker = worker.id AND state = {LEASED}) AS busy \
                 FROM plyhouse_ledger.worker \
                 WHERE seen > now() - interval '1 minute' AND build = $1 ORDER BY id"
            ),
            &[&build],
        )?;
        let worker = |row: &Row| Worker {
            id: row.get("id"),
            name: row.get("name"),
            done: number(row, "done"),
            failed: number(row, "failed"),
            speed: row.get("speed"),
            jobs: u64::try_from(row.get::<_, i32>("jobs")).unwrap_or_default(),
            busy: number(row, "busy"),
            silent: Duration::try_from_secs_f64(row.get("silent")).unwrap_or_default(),
        };
        Ok(rows.iter().map(worker).collect())
    }

    /// Waits for a notification for at most `time`. Returns `true` if one has arrived or may have been missed.
    ///
    /// # Errors
    /// Returns an error if the connection is lost.
    pub fn wait(&mut self, news: News, time: Duration) -> Result<bool, LedgerError> {
        if self.listens != Some(news) {
            // Notifications from before `LISTEN` are not delivered, so the first call returns immediately.
            self.client.batch_execute(&format!("UNLISTEN *; LISTEN {}", news.channel()))?;
            self.listens = Some(news);
            return Ok(true);
        }
        let mut notifications = self.client.notifications();
        let is_there = notifications.timeout_iter(time).next()?.is_some();
        if is_there {
            // The caller queries the tables once for all notifications that have arrived by now.
            let mut pending = notifications.iter();
            while pending.next()?.is_some() {}
        }
        Ok(is_there)
    }
}
