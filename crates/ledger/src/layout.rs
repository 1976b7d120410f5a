//! The tables of a ledger.

use postgres::Client;

use crate::{Address, LedgerError};

/// The number of our layout in `plyhouse_ledger.layout`.
pub(crate) const LAYOUT: i32 = 1;

/// `state` of a job: 0 waits, 1 leased, 2 done, 3 done and collected, 4 put aside.
const TABLES: &str = "
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
    state smallint NOT NULL DEFAULT 0,
    worker bigint,
    until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    why text,
    output text,
    PRIMARY KEY (work, number)
);
CREATE INDEX waiting ON plyhouse_ledger.job (work, number) WHERE state = 0;
CREATE INDEX leased ON plyhouse_ledger.job (until) WHERE state = 1;
CREATE INDEX done ON plyhouse_ledger.job (work) WHERE state = 2;
CREATE INDEX of_worker ON plyhouse_ledger.job (worker) WHERE state = 1;
";

/// Makes the tables if they are missing.
pub(crate) fn prepare(client: &mut Client, address: &Address) -> Result<(), LedgerError> {
    let mut all = client.transaction()?;
    // Two programs may come at the same time; the number is that of nothing else.
    all.execute("SELECT pg_advisory_xact_lock(7597141)", &[])?;
    let exists: bool = all.query_one("SELECT to_regclass('plyhouse_ledger.layout') IS NOT NULL", &[])?.get(0);
    if exists {
        let found: i32 = all.query_one("SELECT number FROM plyhouse_ledger.layout", &[])?.get(0);
        if found != LAYOUT {
            return Err(LedgerError::Layout { address: address.to_string(), found, expected: LAYOUT });
        }
    } else {
        all.batch_execute(
            "CREATE SCHEMA plyhouse_ledger; CREATE TABLE plyhouse_ledger.layout (number integer NOT NULL);",
        )?;
        all.execute("INSERT INTO plyhouse_ledger.layout VALUES ($1)", &[&LAYOUT])?;
        all.batch_execute(TABLES)?;
    }
    Ok(all.commit()?)
}
