//! The tables of a ledger, and the functions that workers call.

use postgres::Client;

use crate::address::Address;
use crate::error::LedgerError;
use crate::state::with_numbers;

/// Number of the current layout in `plyhouse_ledger.layout`.
pub(crate) const LAYOUT: i32 = 3;

/// Tables of layout 1. For a waiting job, `until` is the time before which the last worker that failed at it does not
/// receive it again.
const FIRST: &str = "
CREATE TABLE plyhouse_ledger.work (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    spec text NOT NULL,
    build text NOT NULL,
    is_over boolean NOT NULL DEFAULT false,
    began timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE plyhouse_ledger.worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    build text NOT NULL,
    speed double precision NOT NULL,
    began timestamptz NOT NULL DEFAULT now(),
    seen timestamptz NOT NULL DEFAULT now(),
    done bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0
);
CREATE TABLE plyhouse_ledger.job (
    work bigint NOT NULL REFERENCES plyhouse_ledger.work ON DELETE CASCADE,
    number bigint NOT NULL,
    input text NOT NULL,
    state smallint NOT NULL DEFAULT {WAITING},
    worker bigint,
    until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    why text,
    output text,
    PRIMARY KEY (work, number)
);
CREATE INDEX waiting ON plyhouse_ledger.job (work, number) WHERE state = {WAITING};
CREATE INDEX leased ON plyhouse_ledger.job (until) WHERE state = {LEASED};
CREATE INDEX done ON plyhouse_ledger.job (work) WHERE state = {DONE};
CREATE INDEX of_worker ON plyhouse_ledger.job (worker) WHERE state = {LEASED};
";

/// Additions of layout 2. The table of boards in play is unlogged: its rows may be lost if the server crashes.
const SECOND: &str = "
ALTER TABLE plyhouse_ledger.worker ADD COLUMN jobs integer NOT NULL DEFAULT 1;
CREATE TABLE plyhouse_ledger.bundle (hash text PRIMARY KEY, bytes bytea NOT NULL);
ALTER TABLE plyhouse_ledger.bundle ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE UNLOGGED TABLE plyhouse_ledger.live (
    worker bigint PRIMARY KEY,
    seen timestamptz NOT NULL,
    snapshot text NOT NULL
);
CREATE INDEX aside ON plyhouse_ledger.job (work) WHERE state = {ASIDE};
CREATE INDEX work_of_build ON plyhouse_ledger.work (build) WHERE NOT is_over;
";

/// Functions for workers. They differ between layouts 2 and 3. Each function runs with the rights of the owner of the
/// tables, so a worker needs no rights on the tables, except to read `layout`.
const FUNCTIONS: &str = include_str!("functions.sql");

/// Functions that a worker may call.
pub(crate) const FOR_WORKERS: [&str; 9] = [
    "enlist(text, text, double precision, integer)",
    "task(bigint)",
    "claim(bigint, text, double precision)",
    "renew(bigint, bigint[], bigint[], double precision)",
    "finish(bigint, bigint, bigint, text)",
    "fail(bigint, bigint, bigint, text, double precision)",
    "release(bigint)",
    "bundle(text)",
    "show(bigint, text)",
];

/// Query that returns whether the tables exist. It reads the catalog, which is always current. `to_regclass` may be
/// outdated: a session caches unknown names, even while it waits for another program to create the tables.
const EXISTS: &str = "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables \
                      WHERE schemaname = 'plyhouse_ledger' AND tablename = 'layout')";

/// Creates the tables if they are missing.
pub(crate) fn prepare(client: &mut Client, address: &Address) -> Result<(), LedgerError> {
    if matches!(is_there(client, address), Ok(true)) {
        // Avoid the lock below, because any user of the database can hold it forever.
        return Ok(());
    }
    let mut all = client.transaction()?;
    // Two programs may start at the same time. No other lock uses this number.
    all.execute("SELECT pg_advisory_xact_lock(7597141)", &[])?;
    let exists: bool = all.query_one(EXISTS, &[])?.get(0);
    let found = if exists { all.query_one("SELECT number FROM plyhouse_ledger.layout", &[])?.get(0) } else { 0 };
    match found {
        LAYOUT => (),
        0 => {
            all.batch_execute(
                "CREATE SCHEMA plyhouse_ledger; CREATE TABLE plyhouse_ledger.layout (number integer NOT NULL);",
            )?;
            all.execute("INSERT INTO plyhouse_ledger.layout VALUES ($1)", &[&LAYOUT])?;
            all.batch_execute(&with_numbers(&[FIRST, SECOND, FUNCTIONS].concat()))?;
        }
        1 | 2 => {
            all.batch_execute(&with_numbers(&[if found == 1 { SECOND } else { "" }, FUNCTIONS].concat()))?;
            all.execute("UPDATE plyhouse_ledger.layout SET number = $1", &[&LAYOUT])?;
        }
        _ => return Err(LedgerError::Layout { address: address.to_string(), found, expected: LAYOUT }),
    }
    Ok(all.commit()?)
}

/// Returns `true` if the tables exist.
///
/// # Errors
/// Returns an error if the tables are those of another version.
pub(crate) fn is_there(client: &mut Client, address: &Address) -> Result<bool, LedgerError> {
    let exists: bool = client.query_one(EXISTS, &[])?.get(0);
    if !exists {
        return Ok(false);
    }
    let found: i32 = client.query_one("SELECT number FROM plyhouse_ledger.layout", &[])?.get(0);
    if found == LAYOUT {
        Ok(true)
    } else {
        Err(LedgerError::Layout { address: address.to_string(), found, expected: LAYOUT })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Ledger;
    use devtools::Database;

    #[test]
    fn a_ledger_of_the_first_layout_goes_on() {
        let Some(database) = Database::create().expect("a server") else { return };
        let first = "CREATE SCHEMA plyhouse_ledger; CREATE TABLE plyhouse_ledger.layout (number integer NOT NULL); \
                     INSERT INTO plyhouse_ledger.layout VALUES (1);";
        database.sql(&with_numbers(&[first, FIRST].concat())).expect("SQL");
        let job = "INSERT INTO plyhouse_ledger.work (kind, spec, build) VALUES ('a', 'b', 'c'); \
                   INSERT INTO plyhouse_ledger.job (work, number, input) VALUES (1, 7, 'i')";
        database.sql(job).expect("SQL");
        let mut ledger = Ledger::open(&database.url().parse().expect("a URL")).expect("a ledger");
        let worker = ledger.enlist("w", "c", 1.0, 1).expect("a worker");
        let job = ledger.claim(worker, "c", std::time::Duration::from_secs(9)).expect("a claim").expect("a job");
        assert_eq!((job.number, job.input.as_str()), (7, "i"));

        // Sorts have a very high cost estimate here. The server must nevertheless not compile such short queries.
        let sorted = "EXPLAIN (ANALYZE) SELECT number, why FROM plyhouse_ledger.job ORDER BY why, number";
        let plan = ledger.client().query(sorted, &[]).expect("a plan");
        let plan: Vec<String> = plan.iter().map(|line| line.get(0)).collect();
        assert!(plan.iter().any(|line| line.contains("Sort")), "{plan:?}");
        assert!(!plan.iter().any(|line| line.contains("JIT")), "{plan:?}");
    }
}
