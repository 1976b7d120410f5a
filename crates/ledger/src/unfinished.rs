//! Handling of unfinished jobs by the program that hands them out.

use std::time::Duration;

use crate::error::LedgerError;
use crate::jobs::Ledger;
use crate::jobs::seconds;
use crate::state::{ASIDE, COLLECTED, DONE, LEASED, MOST_FAILURES, WAITING};

/// Constant that distinguishes our advisory locks from those of other programs. Its XOR with the number of a work is
/// the first key of that work's lock.
const WORK: i32 = 0x706c_7957;
/// Time during which a worker does not receive a job that it has failed at, unless there is no other worker.
pub(crate) const EXCLUSION: Duration = Duration::from_hours(24);

/// A job in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leased {
    /// The number of the job in its work.
    pub job: u64,
    /// The number of the worker.
    pub worker: i64,
}

impl Ledger {
    /// Prepares work for a new coordinator: outputs that an earlier one collected are collected again, and jobs that
    /// were set aside are offered again.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn restart(&mut self, work: i64) -> Result<(), LedgerError> {
        self.offer_outputs_again(work)?;
        self.client().execute(
            &format!(
                "UPDATE plyhouse_ledger.job SET state = {WAITING}, failures = 0 WHERE work = $1 AND state = {ASIDE}"
            ),
            &[&work],
        )?;
        Ok(())
    }

    /// Makes [`collect`](Self::collect) return all outputs again that it has returned before.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub(crate) fn offer_outputs_again(&mut self, work: i64) -> Result<(), LedgerError> {
        self.client().execute(
            &format!("UPDATE plyhouse_ledger.job SET state = {DONE} WHERE work = $1 AND state = {COLLECTED}"),
            &[&work],
        )?;
        Ok(())
    }

    /// Reserves work for this connection, so that no other program collects its outputs. The server releases it when
    /// the connection ends. Returns `true` if the work is reserved now.
    ///
    /// Any user of the database can take any advisory lock. Locks held by users who may not change work, such as users
    /// for workers, are ignored.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn reserve(&mut self, work: i64) -> Result<bool, LedgerError> {
        let first = WORK ^ (work & i64::from(i32::MAX)) as i32;
        let mut all = self.client().transaction()?;
        // Only one program at a time may check and reserve. A user for workers cannot lock this table.
        all.execute("LOCK TABLE plyhouse_ledger.work IN SHARE ROW EXCLUSIVE MODE", &[])?;
        let is_taken: bool = all
            .query_one(
                "SELECT EXISTS (SELECT FROM pg_locks AS lock JOIN pg_stat_activity AS session USING (pid) \
                 WHERE lock.locktype = 'advisory' AND lock.objsubid = 2 AND lock.classid::bigint = $1 AND lock.granted \
                 AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                 AND pid <> pg_backend_pid() \
                 AND has_table_privilege(session.usesysid, 'plyhouse_ledger.work', 'UPDATE'))",
                &[&i64::from(first)],
            )?
            .get(0);
        // The second number is random, so that no other user takes the lock first.
        let take = "SELECT pg_try_advisory_lock($1, (random() * 2147483646)::integer)";
        let is_reserved = !is_taken && all.query_one(take, &[&first])?.get::<_, bool>(0);
        all.commit()?;
        Ok(is_reserved)
    }

    /// Offers jobs again to the worker that failed at them last, if no other worker of the build has been connected
    /// within the last minute.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn readmit(&mut self, work: i64) -> Result<(), LedgerError> {
        let readmitted = self.client().execute(
            &format!(
                "UPDATE plyhouse_ledger.job SET until = NULL \
                 WHERE work = $1 AND state = {WAITING} AND until > now() AND NOT EXISTS (\
                 SELECT FROM plyhouse_ledger.work JOIN plyhouse_ledger.worker AS other ON other.build = work.build \
                 WHERE work.id = $1 AND other.id <> job.worker AND other.seen > now() - interval '1 minute')"
            ),
            &[&work],
        )?;
        if readmitted > 0 {
            self.client().execute("NOTIFY plyhouse_offered", &[])?;
        }
        Ok(())
    }

    /// Returns the jobs in progress.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn leased(&mut self, work: i64) -> Result<Vec<Leased>, LedgerError> {
        let rows = self.client().query(
            &format!(
                "SELECT number, worker FROM plyhouse_ledger.job \
                 WHERE work = $1 AND state = {LEASED} AND worker IS NOT NULL"
            ),
            &[&work],
        )?;
        let leased = |row: &postgres::Row| Leased {
            job: row.get::<_, i64>("number").cast_unsigned(),
            worker: row.get("worker"),
        };
        Ok(rows.iter().map(leased).collect())
    }

    /// Offers these jobs to other workers, because they have taken longer than `limit`, although their leases are
    /// renewed. Each of the jobs counts as a failure of its worker. An output that arrives later still counts if it is
    /// the first.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn expire(&mut self, work: i64, jobs: &[Leased], limit: Duration) -> Result<(), LedgerError> {
        let (numbers, workers): (Vec<i64>, Vec<i64>) =
            jobs.iter().map(|leased| (leased.job.cast_signed(), leased.worker)).unzip();
        self.client().execute(
            &format!(
                "UPDATE plyhouse_ledger.job SET state = CASE WHEN failures + 1 >= $2 THEN {ASIDE} ELSE {WAITING} END, \
                 failures = failures + 1, until = now() + make_interval(secs => $3), \
                 why = 'worker ' || worker || ' has not finished it within ' || $4::double precision || ' s' \
                 WHERE work = $1 AND state = {LEASED} \
                 AND (number, worker) IN (SELECT * FROM unnest($5::bigint[], $6::bigint[]))"
            ),
            &[&work, &MOST_FAILURES, &seconds(EXCLUSION), &seconds(limit), &numbers, &workers],
        )?;
        self.client().execute("NOTIFY plyhouse_offered", &[])?;
        Ok(())
    }

    /// Withdraws offered jobs that no worker has claimed or completed, and returns their numbers.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn withdraw(&mut self, work: i64, jobs: &[u64]) -> Result<Vec<u64>, LedgerError> {
        let numbers: Vec<i64> = jobs.iter().map(|number| number.cast_signed()).collect();
        let rows = self.client().query(
            &format!(
                "DELETE FROM plyhouse_ledger.job \
                 WHERE work = $1 AND number = ANY($2) AND state IN ({WAITING}, {ASIDE}) RETURNING number"
            ),
            &[&work, &numbers],
        )?;
        Ok(rows.iter().map(|row| row.get::<_, i64>(0).cast_unsigned()).collect())
    }

    /// Rejects the collected output of a job, and offers the job to other workers.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn reject(&mut self, work: i64, job: u64, why: &str) -> Result<(), LedgerError> {
        self.client().execute(
            &format!(
                "UPDATE plyhouse_ledger.job SET state = CASE WHEN failures + 1 >= $4 THEN {ASIDE} ELSE {WAITING} END, \
                 failures = failures + 1, why = $3, output = NULL, until = now() + make_interval(secs => $5) \
                 WHERE work = $1 AND number = $2 AND state = {COLLECTED}"
            ),
            &[&work, &job.cast_signed(), &why, &MOST_FAILURES, &seconds(EXCLUSION)],
        )?;
        self.client().execute("NOTIFY plyhouse_offered", &[])?;
        Ok(())
    }

    /// Reserves work and deletes it with all its jobs and outputs. Returns `false` if another program has reserved it.
    /// Workers finish the jobs that they have begun, and their reports are ignored.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn discard(&mut self, work: i64) -> Result<bool, LedgerError> {
        if !self.reserve(work)? {
            return Ok(false);
        }
        self.client().execute("DELETE FROM plyhouse_ledger.work WHERE id = $1", &[&work])?;
        Ok(true)
    }

    /// Ends work and deletes its unfinished jobs.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn end(&mut self, work: i64) -> Result<(), LedgerError> {
        let mut all = self.client().transaction()?;
        all.execute("UPDATE plyhouse_ledger.work SET is_over = true WHERE id = $1", &[&work])?;
        all.execute(
            &format!("DELETE FROM plyhouse_ledger.job WHERE work = $1 AND state IN ({WAITING}, {LEASED})"),
            &[&work],
        )?;
        Ok(all.commit()?)
    }
}
