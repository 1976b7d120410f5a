//! A store in a schema of a PostgreSQL database.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ::postgres::error::SqlState;
use ::postgres::types::ToSql;
use ::postgres::{Client, Error, Row};
use ledger::{Address, is_lost, why};

use super::database::{Access, AgentRow, Database, NewGame, Order, Saved, TournamentRow};
use super::location::Location;
use crate::store::error::{StoreError, Trouble};

/// Version of the table layout, stored in the table `meta`.
const LAYOUT: i64 = 1;

/// SQL that creates the tables, in the schema `plyhouse`, separate from other tables of the database.
const SCHEMA: &str = "
CREATE TABLE plyhouse.meta (layout BIGINT NOT NULL);
CREATE TABLE plyhouse.tournament (
    id BIGINT PRIMARY KEY,
    header TEXT NOT NULL,              -- JSON: the specification, and the conditions at the start
    genesis TEXT,                      -- hash of the header; NULL: the games are not chained
    head TEXT,                         -- hash of the game saved last, or of the header
    imported BOOLEAN NOT NULL
);
CREATE TABLE plyhouse.agent (
    tournament BIGINT NOT NULL REFERENCES plyhouse.tournament,
    number BIGINT NOT NULL,            -- index in the specification
    files TEXT NOT NULL,               -- JSON: files with their hashes
    build_output BYTEA NOT NULL,       -- UTF-8; not TEXT, which cannot contain NUL
    PRIMARY KEY (tournament, number)
);
CREATE TABLE plyhouse.game (
    tournament BIGINT NOT NULL REFERENCES plyhouse.tournament,
    place BIGINT NOT NULL,             -- position in the order of saving, from 1
    number BIGINT NOT NULL,            -- number in the plan
    log TEXT NOT NULL,                 -- JSON; not JSONB, because the hash covers the exact text
    before TEXT,                       -- hash of the game saved before this one, or of the header
    hash TEXT,                         -- SHA-256 of `before` and `log`; NULL: not chained
    aside BOOLEAN NOT NULL,            -- damaged, and set aside so that the game can be played again
    PRIMARY KEY (tournament, place)
);
CREATE UNIQUE INDEX game_number ON plyhouse.game (tournament, number) WHERE NOT aside;
";

/// Key of the advisory lock under which the tables are created. Later locks are on tables and rows, because any user of
/// the database could hold an advisory lock indefinitely, whereas the users of workers are not allowed to lock tables.
const SETUP_LOCK: i64 = 0x706c_7968_6f75_7302;

/// A connection to a database with the tables of a store.
pub(super) struct Postgres {
    // Queries need `&mut Client`, but the methods of `Database` take `&self`.
    client: RefCell<Client>,
    location: Location,
}

fn connect(location: &Location, address: &Address) -> Result<Client, StoreError> {
    address.connect().map_err(|error| failed(location, &error, true))
}

fn failed(location: &Location, error: &Error, connecting: bool) -> StoreError {
    let trouble = match error.code() {
        _ if connecting => Trouble::Connect,
        _ if is_lost(error) => Trouble::Lost,
        Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => Trouble::Damage,
        _ => Trouble::Refused,
    };
    StoreError::Postgres { location: location.clone(), trouble, why: why(error) }
}

impl Postgres {
    /// Connects to a database. If it has no store, creates one, or fails if `must_exist` is set.
    pub(super) fn open(location: &Location, address: &Address, must_exist: bool) -> Result<Self, StoreError> {
        let store = Self { client: RefCell::new(connect(location, address)?), location: location.clone() };
        store.begin(Access::Write)?;
        if !store.exists()? {
            // Two programs may find the database empty at the same time. The second one waits here for the first.
            store.execute("SELECT pg_advisory_xact_lock($1)", &[&SETUP_LOCK])?;
        }
        if store.exists()? {
            store.check()?;
        } else if must_exist {
            return Err(StoreError::Missing(location.clone()));
        } else {
            store.create_tables()?;
        }
        store.commit()?;
        Ok(store)
    }

    /// Connects read-only to a database that has a store.
    pub(super) fn watch(location: &Location, address: &Address) -> Result<Self, StoreError> {
        let store = Self { client: RefCell::new(connect(location, address)?), location: location.clone() };
        store.batch("SET default_transaction_read_only = on")?;
        if !store.exists()? {
            return Err(StoreError::Missing(location.clone()));
        }
        store.check()?;
        Ok(store)
    }

    /// Returns `true` if the tables exist. Queries the catalog: a session caches the result of `to_regclass`, and would
    /// miss tables that another program has created since.
    fn exists(&self) -> Result<bool, StoreError> {
        let tables = "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables \
                      WHERE schemaname = 'plyhouse' AND tablename = 'meta')";
        Ok(self.one(tables, &[])?.get(0))
    }

    /// Checks the layout of the tables.
    fn check(&self) -> Result<(), StoreError> {
        let found: i64 = self.one("SELECT max(layout) FROM plyhouse.meta", &[])?.try_get(0).unwrap_or(0);
        if found == LAYOUT {
            Ok(())
        } else {
            Err(StoreError::Layout { location: self.location.clone(), found, expected: LAYOUT })
        }
    }

    fn create_tables(&self) -> Result<(), StoreError> {
        let encoding: String = self.one("SHOW server_encoding", &[])?.get(0);
        if !["UTF8", "SQL_ASCII"].contains(&encoding.as_str()) {
            let why = format!("the database's encoding is {encoding}, expected UTF8");
            return Err(StoreError::Postgres { location: self.location.clone(), trouble: Trouble::Refused, why });
        }
        // If this user may not create schemas, an administrator must have created this one.
        let has_schema: bool = self.one("SELECT to_regnamespace('plyhouse') IS NOT NULL", &[])?.get(0);
        if !has_schema {
            self.batch("CREATE SCHEMA plyhouse")?;
        }
        self.batch(SCHEMA)?;
        self.execute("INSERT INTO plyhouse.meta (layout) VALUES ($1)", &[&LAYOUT])
    }

    fn failed(&self, error: &Error) -> StoreError {
        failed(&self.location, error, false)
    }

    fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.client.borrow_mut().batch_execute(sql).map_err(|error| self.failed(&error))
    }

    fn execute(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<(), StoreError> {
        self.client.borrow_mut().execute(sql, values).map(drop).map_err(|error| self.failed(&error))
    }

    fn rows(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StoreError> {
        self.client.borrow_mut().query(sql, values).map_err(|error| self.failed(&error))
    }

    fn one(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Row, StoreError> {
        self.client.borrow_mut().query_one(sql, values).map_err(|error| self.failed(&error))
    }

    /// Returns the row of a tournament.
    fn found(&self, sql: &str, id: i64) -> Result<Row, StoreError> {
        let found = self.client.borrow_mut().query_opt(sql, &[&id]).map_err(|error| self.failed(&error))?;
        found.ok_or(StoreError::NoTournament(id))
    }
}

impl Database for Postgres {
    fn begin(&self, access: Access) -> Result<(), StoreError> {
        self.batch(match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Access::Write => "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        })
    }

    fn commit(&self) -> Result<(), StoreError> {
        self.batch("COMMIT")
    }

    fn roll_back(&self) {
        // Errors are ignored: if the connection is lost, the server rolls the transaction back.
        let _ = self.batch("ROLLBACK");
    }

    fn ago(&self, time: Duration) -> Result<String, StoreError> {
        // All machines use the server's clock.
        let row = self.one(
            "SELECT to_char((clock_timestamp() - make_interval(secs => $1)) AT TIME ZONE 'UTC', \
             'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')",
            &[&time.as_secs_f64()],
        )?;
        Ok(row.get(0))
    }

    fn is_sound(&self) -> Result<bool, StoreError> {
        // If page checksums are enabled, the server verifies them as this query scans the table. Long logs are stored
        // out of line (TOAST), and counting does not read them.
        self.one("SELECT count(log), count(hash) FROM plyhouse.game", &[]).map(|_| true)
    }

    fn insert_tournament(&self, header: &str, genesis: Option<&str>, imported: bool) -> Result<i64, StoreError> {
        // No sequence is used, because a rolled-back transaction would leave a gap in the numbers.
        self.batch("LOCK TABLE plyhouse.tournament IN SHARE ROW EXCLUSIVE MODE")?;
        let row = self.one(
            "INSERT INTO plyhouse.tournament (id, header, genesis, head, imported) \
             SELECT 1 + coalesce(max(id), 0), $1, $2, $2, $3 FROM plyhouse.tournament RETURNING id",
            &[&header, &genesis, &imported],
        )?;
        Ok(row.get(0))
    }

    fn insert_agent(&self, tournament: i64, agent: &AgentRow) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO plyhouse.agent (tournament, number, files, build_output) VALUES ($1, $2, $3, $4)",
            &[&tournament, &(agent.number as i64), &agent.files, &agent.build_output.as_bytes()],
        )
    }

    fn tournaments(&self) -> Result<Vec<i64>, StoreError> {
        let rows = self.rows("SELECT id FROM plyhouse.tournament ORDER BY id", &[])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn tournament(&self, id: i64) -> Result<TournamentRow, StoreError> {
        let row = self.found("SELECT header, genesis, head, imported FROM plyhouse.tournament WHERE id = $1", id)?;
        Ok(TournamentRow { header: row.get(0), genesis: row.get(1), head: row.get(2), imported: row.get(3) })
    }

    fn agents(&self, tournament: i64) -> Result<Vec<AgentRow>, StoreError> {
        let rows =
            self.rows("SELECT number, files, build_output FROM plyhouse.agent WHERE tournament = $1", &[&tournament])?;
        let agent = |row: &Row| AgentRow {
            number: row.get::<_, i64>(0) as usize,
            files: row.get(1),
            build_output: String::from_utf8_lossy(row.get(2)).into_owned(),
        };
        Ok(rows.iter().map(agent).collect())
    }

    fn head_to_extend(&self, tournament: i64) -> Result<Option<String>, StoreError> {
        // Locks the row, so that several writers cannot fork the chain.
        Ok(self.found("SELECT head FROM plyhouse.tournament WHERE id = $1 FOR UPDATE", tournament)?.get(0))
    }

    fn append(&self, tournament: i64, games: &[NewGame<'_>]) -> Result<(), StoreError> {
        /// Maximum number of games per statement. It keeps statements far below the server's limit of 1 GB.
        const BATCH_SIZE: usize = 64;
        let Some(last) = games.last() else { return Ok(()) };
        for games in games.chunks(BATCH_SIZE) {
            let numbers: Vec<i64> = games.iter().map(|game| game.number.into()).collect();
            let logs: Vec<&str> = games.iter().map(|game| game.log).collect();
            let befores: Vec<Option<&str>> = games.iter().map(|game| game.before).collect();
            let hashes: Vec<Option<&str>> = games.iter().map(|game| game.hash).collect();
            let asides: Vec<bool> = games.iter().map(|game| game.aside).collect();
            self.execute(
                "INSERT INTO plyhouse.game (tournament, place, number, log, before, hash, aside) \
                 SELECT $1, last + nth, number, log, before, hash, aside \
                 FROM (SELECT coalesce(max(place), 0) AS last FROM plyhouse.game WHERE tournament = $1) AS before_it, \
                 unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::boolean[]) \
                 WITH ORDINALITY AS new (number, log, before, hash, aside, nth)",
                &[&tournament, &numbers, &logs, &befores, &hashes, &asides],
            )?;
        }
        self.execute("UPDATE plyhouse.tournament SET head = $1 WHERE id = $2", &[&last.hash, &tournament])
    }

    fn set_aside(&self, tournament: i64, number: u32) -> Result<(), StoreError> {
        self.execute(
            "UPDATE plyhouse.game SET aside = true WHERE tournament = $1 AND number = $2",
            &[&tournament, &i64::from(number)],
        )
    }

    fn numbers(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError> {
        let rows = self.rows("SELECT number FROM plyhouse.game WHERE tournament = $1 AND NOT aside", &[&tournament])?;
        Ok(rows.iter().map(|row| row.get::<_, i64>(0) as u32).collect())
    }

    fn places(&self, tournament: i64, order: Order) -> Result<Vec<(i64, u32)>, StoreError> {
        let sql = match order {
            Order::Plan => {
                "SELECT place, number FROM plyhouse.game WHERE tournament = $1 AND NOT aside ORDER BY number"
            }
            Order::Saved => "SELECT place, number FROM plyhouse.game WHERE tournament = $1 ORDER BY place",
        };
        let rows = self.rows(sql, &[&tournament])?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1) as u32)).collect())
    }

    fn places_after(&self, tournament: i64, place: i64) -> Result<Vec<(i64, u32)>, StoreError> {
        let rows = self.rows(
            "SELECT place, number FROM plyhouse.game WHERE tournament = $1 AND place > $2 AND NOT aside ORDER BY place",
            &[&tournament, &place],
        )?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1) as u32)).collect())
    }

    fn places_before(&self, tournament: i64, number: u32, limit: u32) -> Result<Vec<(i64, u32)>, StoreError> {
        let rows = self.rows(
            "SELECT place, number FROM plyhouse.game WHERE tournament = $1 AND number < $2 AND NOT aside \
             ORDER BY number DESC LIMIT $3",
            &[&tournament, &i64::from(number), &i64::from(limit)],
        )?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1) as u32)).collect())
    }

    fn snapshot(&self) -> Result<Option<(String, Duration)>, StoreError> {
        // The first program that publishes a snapshot creates the table.
        let exists: bool = self.one("SELECT to_regclass('plyhouse.live') IS NOT NULL", &[])?.get(0);
        if !exists {
            return Ok(None);
        }
        let sql = "SELECT snapshot, extract(epoch FROM clock_timestamp() - seen)::double precision FROM plyhouse.live";
        let age = |row: &Row| Duration::try_from_secs_f64(row.get(1)).unwrap_or_default();
        Ok(self.rows(sql, &[])?.first().map(|row| (row.get(0), age(row))))
    }

    fn game(&self, tournament: i64, place: i64) -> Result<Saved, StoreError> {
        let row = self.one(
            "SELECT number, log, before, hash, aside FROM plyhouse.game WHERE tournament = $1 AND place = $2",
            &[&tournament, &place],
        )?;
        Ok(saved(&row))
    }

    fn games(&self, tournament: i64, places: &[i64]) -> Result<Vec<Saved>, StoreError> {
        let rows = self.rows(
            "SELECT number, log, before, hash, aside \
             FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (place, nth) JOIN plyhouse.game USING (place) \
             WHERE tournament = $1 ORDER BY nth",
            &[&tournament, &places],
        )?;
        Ok(rows.iter().map(saved).collect())
    }
}

fn saved(row: &Row) -> Saved {
    Saved {
        number: row.get::<_, i64>(0) as u32,
        log: row.get::<_, String>(1).into_bytes(),
        before: row.get(2),
        hash: row.get(3),
        aside: row.get(4),
    }
}

/// Reserves a database until the returned connection is closed. Creates the tables if there are none.
pub(super) fn hold(location: &Location, address: &Address) -> Result<Client, StoreError> {
    /// Maximum time for retries. The server needs a moment to release the lock of a process that was killed.
    const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
    /// Takes a lock that excludes other holders of this lock, but neither readers nor writers. The transaction stays
    /// open until the connection is closed.
    const LOCK: &str = "SET idle_in_transaction_session_timeout = 0; \
                        BEGIN; LOCK TABLE plyhouse.meta IN SHARE UPDATE EXCLUSIVE MODE NOWAIT";
    drop(Postgres::open(location, address, false)?);
    let mut client = connect(location, address)?;
    let end = Instant::now() + LOCK_TIMEOUT;
    loop {
        let error = match client.batch_execute(LOCK) {
            Ok(()) => return Ok(client),
            Err(error) => error,
        };
        if error.code() != Some(&SqlState::LOCK_NOT_AVAILABLE) {
            return Err(failed(location, &error, false));
        }
        if Instant::now() > end {
            return Err(StoreError::Busy(location.clone()));
        }
        client.batch_execute("ROLLBACK").map_err(|error| failed(location, &error, false))?;
        std::thread::sleep(Duration::from_millis(50));
    }
}
