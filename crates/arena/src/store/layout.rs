//! The tables of a store in a SQLite file, and the conversion of stores of an earlier layout.

use std::path::Path;

use rusqlite::{Connection, Row, Transaction, params};

use crate::store::error::StoreError;

/// Layout of the tables, which `PRAGMA user_version` records.
pub(super) const LAYOUT: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    header TEXT NOT NULL,              -- JSON: the specification and how the tournament began
    genesis TEXT,                      -- hash of the header; NULL: the games are not chained
    head TEXT,                         -- hash of the game that was saved last, or of the header
    imported INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE agent (
    tournament INTEGER NOT NULL REFERENCES tournament(id),
    number INTEGER NOT NULL,           -- as in the specification
    files TEXT NOT NULL,               -- JSON: its files with their hashes
    build_output TEXT NOT NULL,
    PRIMARY KEY (tournament, number)
) STRICT;
CREATE TABLE game (
    tournament INTEGER NOT NULL REFERENCES tournament(id),
    place INTEGER NOT NULL,            -- in the order in which games were saved, from 1
    number INTEGER NOT NULL,           -- as in the plan
    log TEXT NOT NULL,                 -- JSON
    before TEXT,                       -- hash of the game that was saved before, or of the header
    hash TEXT,                         -- SHA-256 of `before` and `log`; NULL: not chained
    aside INTEGER NOT NULL DEFAULT 0,  -- 1: damaged, and left aside so that it can be played again
    PRIMARY KEY (tournament, place)
) STRICT;
CREATE UNIQUE INDEX game_number ON game (tournament, number) WHERE aside = 0;
";

/// Creates the tables in an empty file, and converts a file of an earlier layout.
pub(super) fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let begun = connection.transaction()?;
    let layout: i64 = begun.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = begun.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (layout, tables) {
        (0, 0) => begun.execute_batch(SCHEMA)?,
        (1, _) => convert_layout_1(&begun)?,
        (LAYOUT, _) => (),
        _ => return Err(StoreError::Layout { location: path.to_owned().into(), found: layout, expected: LAYOUT }),
    }
    if layout != LAYOUT {
        begun.pragma_update(None, "user_version", LAYOUT)?;
    }
    Ok(begun.commit()?)
}

/// Checks that a file has the current layout.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == LAYOUT {
        Ok(())
    } else {
        Err(StoreError::Layout { location: path.to_owned().into(), found, expected: LAYOUT })
    }
}

/// Converts a store of the first layout, whose tables had a column for each field. Texts are copied unchanged, so a
/// damaged game stays damaged and does not affect the others.
fn convert_layout_1(store: &Transaction<'_>) -> Result<(), StoreError> {
    store.execute_batch(
        "ALTER TABLE game RENAME TO game1; ALTER TABLE agent RENAME TO agent1; \
         ALTER TABLE tournament RENAME TO tournament1;",
    )?;
    store.execute_batch(SCHEMA)?;
    copy(store)?;
    Ok(store.execute_batch("DROP TABLE game1; DROP TABLE agent1; DROP TABLE tournament1;")?)
}

fn copy(store: &Transaction<'_>) -> Result<(), StoreError> {
    let mut tournaments = store.prepare("SELECT * FROM tournament1 ORDER BY id")?;
    let mut rows = tournaments.query([])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get("id")?;
        store.execute("INSERT INTO tournament (id, header) VALUES (?, ?)", params![id, header(store, id, row)?])?;
    }
    store.execute(
        "INSERT INTO agent (tournament, number, files, build_output) \
         SELECT tournament, number, '{}', build_output FROM agent1",
        [],
    )?;
    let mut games = store.prepare("SELECT *, rowid AS place FROM game1 ORDER BY rowid")?;
    let mut rows = games.query([])?;
    while let Some(row) = rows.next()? {
        let place: i64 = row.get("place")?;
        let (tournament, number): (i64, i64) = (row.get("tournament")?, row.get("number")?);
        store.execute(
            "INSERT INTO game (tournament, place, number, log) VALUES (?, ?, ?, ?)",
            params![tournament, place, number, log(row)?],
        )?;
    }
    Ok(())
}

fn header(store: &Transaction<'_>, id: i64, row: &Row<'_>) -> Result<String, StoreError> {
    let mut agents = store.prepare("SELECT hash, title FROM agent1 WHERE tournament = ? ORDER BY number")?;
    let agent = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let agents: Vec<(String, String)> = agents.query_map([id], agent)?.collect::<Result<_, _>>()?;
    let agents: Vec<_> =
        agents.into_iter().map(|(hash, title)| serde_json::json!({"hash": hash, "title": title})).collect();
    Ok(format!(
        r#"{{"tournament":{},"planned":{},"began":{},"version":{},"machine":{},"agents":{}}}"#,
        row.get::<_, String>("spec")?,
        row.get::<_, i64>("planned")?,
        text(row, "began")?,
        text(row, "version")?,
        text(row, "machine")?,
        serde_json::to_string(&agents)?,
    ))
}

/// Returns a game as a JSON text.
fn log(row: &Row<'_>) -> Result<String, StoreError> {
    let integer = |column: &str| row.get::<_, i64>(column);
    let raw = |column: &str| row.get::<_, String>(column);
    let real = |column: &str| row.get::<_, Option<f64>>(column);
    Ok(format!(
        concat!(
            r#"{{"number":{},"agents":[{},{}],"round":{},"opening_seed":{},"seed":{},"start":{},"opening":{},"#,
            r#""moves":{},"result":{},"ending":{},"faults":{},"stderr":[{},{}],"cpu":[{},{}],"began":{},"#,
            r#""seconds":{},"version":{},"machine":{}}}"#
        ),
        integer("number")?,
        integer("first")?,
        integer("second")?,
        integer("round")?,
        // SQLite stores integers as signed.
        integer("opening_seed")? as u64,
        integer("seed")? as u64,
        text(row, "start")?,
        raw("opening")?,
        raw("moves")?,
        text(row, "result")?,
        text(row, "ending")?,
        raw("faults")?,
        text(row, "stderr_first")?,
        text(row, "stderr_second")?,
        serde_json::to_string(&real("cpu_first")?)?,
        serde_json::to_string(&real("cpu_second")?)?,
        text(row, "began")?,
        serde_json::to_string(&real("seconds")?)?,
        text(row, "version")?,
        text(row, "machine")?,
    ))
}

/// Returns the text of a column as JSON.
fn text(row: &Row<'_>, column: &str) -> Result<String, StoreError> {
    let text = String::from_utf8_lossy(row.get_ref(column)?.as_bytes().unwrap_or_default());
    Ok(serde_json::to_string(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::ResultLog;
    use crate::store::Store;

    /// A store of version 0.5.0 with an intact game and a game with truncated moves.
    const LAYOUT_1: &str = r#"
        PRAGMA user_version = 1;
        CREATE TABLE tournament (id INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL,
            planned INTEGER NOT NULL, began TEXT NOT NULL, version TEXT NOT NULL, machine TEXT NOT NULL) STRICT;
        CREATE TABLE agent (tournament INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
            hash TEXT NOT NULL, build_output TEXT NOT NULL, title TEXT NOT NULL,
            PRIMARY KEY (tournament, number)) STRICT;
        CREATE TABLE game (tournament INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL,
            second INTEGER NOT NULL, round INTEGER NOT NULL, opening_seed INTEGER NOT NULL, seed INTEGER NOT NULL,
            start TEXT NOT NULL, opening TEXT NOT NULL, moves TEXT NOT NULL, result TEXT NOT NULL,
            ending TEXT NOT NULL, faults TEXT NOT NULL, stderr_first TEXT NOT NULL, stderr_second TEXT NOT NULL,
            cpu_first REAL, cpu_second REAL, began TEXT NOT NULL, seconds REAL NOT NULL, version TEXT NOT NULL,
            machine TEXT NOT NULL, PRIMARY KEY (tournament, number)) STRICT;
        INSERT INTO tournament VALUES (1, 'old', '{"name":"old","game":"loa","agent":[{"name":"a","builtin":""},
            {"name":"b","builtin":""}]}', 2, '2024', '0.5.0', 'a machine');
        INSERT INTO agent VALUES (1, 0, 'a', 'aa', 'built', 'Ann'), (1, 1, 'b', 'bb', '', '');
        INSERT INTO game VALUES (1, 1, 1, 0, 0, -1, 5, 'x "quoted"', '["b1-b3"]', '[{"text":"a2-c2","seconds":0.25}]',
            'second', 'crash', '[]', 'said', '', 0.5, NULL, '2024', 1.5, '0.5.0', 'a machine');
        INSERT INTO game VALUES (1, 0, 0, 1, 0, 7, 5, '', '[]', '[{"text":"a2-c2"', 'tie', 'win', '[]', '', '',
            NULL, NULL, '2024', 1.5, '0.5.0', 'a machine');
    "#;

    #[test]
    fn a_store_of_the_first_layout_stays_readable_and_is_not_chained() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.sqlite");
        Connection::open(&path).expect("a file").execute_batch(LAYOUT_1).expect("the old tables");
        for _ in 0..2 {
            let store = Store::open(&path.clone().into()).expect("a store");
            let tournament = store.tournament(None).expect("a tournament");
            assert_eq!((tournament.spec.name.as_str(), tournament.planned), ("old", 2));
            assert_eq!(tournament.entrants[0].title, "Ann");
            assert_eq!((tournament.entrants[1].hash.as_str(), &*tournament.entrants[0].build_output), ("bb", "built"));
            assert!(!tournament.is_chained());
            let mut games = Vec::new();
            let damaged = store.each(1, |game| {
                games.push(game);
                Ok::<_, StoreError>(())
            });
            let damaged = damaged.expect("readable");
            assert_eq!(damaged.iter().map(|game| game.number).collect::<Vec<_>>(), [0]);
            assert_eq!(games.len(), 1);
            let game = &games[0];
            assert_eq!((game.planned.number, game.planned.opening_seed, game.result), (1, u64::MAX, ResultLog::Second));
            assert_eq!((game.start.as_str(), game.cpu, game.moves.len()), ("x \"quoted\"", [Some(0.5), None], 1));
            assert_eq!(store.done(1).expect("readable"), [0, 1].into(), "a damaged game counts as played");
        }
    }
}
