//! The tables of a course, beside those of its tournaments.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use crate::store::error::CourseError;

/// Layout of the tables, which the value `layout` of `course_meta` records. `PRAGMA user_version` is that of the
/// tournaments.
const LAYOUT: i64 = 1;

/// Times are microseconds since 1970. The large columns are the last ones of their tables, or are in tables of their
/// own, because SQLite reads and rewrites everything before a column together with it.
const SCHEMA: &str = "
CREATE TABLE course_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE course_team (
    id TEXT PRIMARY KEY COLLATE NOCASE,
    name TEXT NOT NULL,
    mail TEXT NOT NULL,
    standing TEXT NOT NULL DEFAULT 'active',   -- active, withdrawn, disqualified
    reason TEXT NOT NULL DEFAULT '',           -- of the standing
    extension INTEGER,                         -- deadline of this team
    latest INTEGER REFERENCES course_upload(id) DEFERRABLE INITIALLY DEFERRED,    -- last accepted version
    chosen INTEGER REFERENCES course_upload(id) DEFERRABLE INITIALLY DEFERRED,    -- chosen by the team
    frozen INTEGER REFERENCES course_upload(id) DEFERRABLE INITIALLY DEFERRED,    -- frozen by the staff
    entered INTEGER REFERENCES course_upload(id) DEFERRABLE INITIALLY DEFERRED    -- in the final
) STRICT;
CREATE TABLE course_token (
    hash TEXT PRIMARY KEY,                     -- SHA-256
    team TEXT REFERENCES course_team(id) ON DELETE CASCADE,    -- NULL: staff
    made INTEGER NOT NULL,
    used INTEGER,                              -- time at which the link was opened first
    revoked INTEGER
) STRICT;
CREATE INDEX course_token_team ON course_token (team) WHERE revoked IS NULL;
CREATE TABLE course_upload (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team TEXT NOT NULL REFERENCES course_team(id),
    number INTEGER NOT NULL,                   -- of the team, from 1
    file_name TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    received INTEGER NOT NULL,
    late INTEGER NOT NULL,                     -- 0: in time, 1: late, 2: late, and excused by the staff
    turn INTEGER NOT NULL,                     -- number of the team's uploads in the hour before
    state TEXT NOT NULL DEFAULT 'waiting',     -- waiting, checking, accepted, refused
    agent TEXT,                                -- JSON, if accepted
    bundle TEXT REFERENCES course_bundle(hash),
    identify TEXT,                             -- output of the program's own introduction
    notes TEXT NOT NULL DEFAULT '[]',          -- JSON: what was repaired, or why it was refused
    UNIQUE (team, number)
) STRICT;
CREATE INDEX course_upload_state ON course_upload (state, team);
CREATE INDEX course_upload_bundle ON course_upload (bundle);
CREATE TABLE course_file (
    upload INTEGER PRIMARY KEY REFERENCES course_upload(id),
    bytes BLOB NOT NULL
) STRICT;
CREATE TABLE course_step (
    upload INTEGER NOT NULL REFERENCES course_upload(id),
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,                       -- running, passed, warned, failed
    detail TEXT NOT NULL,
    remedy TEXT NOT NULL,
    at INTEGER NOT NULL,
    position TEXT,                             -- JSON: start and moves of the game, after a fault
    PRIMARY KEY (upload, number)
) STRICT;
CREATE TABLE course_bundle (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE course_practice (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team TEXT NOT NULL REFERENCES course_team(id),
    version INTEGER NOT NULL REFERENCES course_upload(id),
    level TEXT NOT NULL,
    asked INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',     -- waiting, playing, played, failed
    detail TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX course_practice_state ON course_practice (state, team);
CREATE INDEX course_practice_team ON course_practice (team, asked);
CREATE TABLE course_pair (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,                        -- ladder, practice
    a INTEGER NOT NULL,                        -- players, a < b: the number of an upload, or below 0 a level
    b INTEGER NOT NULL,
    counts TEXT NOT NULL,                      -- results of all games that are not void, for a
    UNIQUE (kind, a, b)
) STRICT;
CREATE TABLE course_game (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    series INTEGER NOT NULL,                   -- number of the first game of the same series
    pair INTEGER NOT NULL REFERENCES course_pair(id),
    first INTEGER NOT NULL,                    -- players, as in course_pair
    second INTEGER NOT NULL,
    result TEXT NOT NULL,                      -- first, second, tie, void: neither side started
    ending TEXT NOT NULL,
    rated INTEGER NOT NULL,                    -- 0: a side did not start
    faults_first INTEGER NOT NULL,
    faults_second INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    saved INTEGER NOT NULL,
    void INTEGER NOT NULL,                     -- sum of 1, 2: the first, second team is out; 4: cancelled by the staff
    before TEXT NOT NULL,                      -- hash of the previous game, or of the course
    hash TEXT NOT NULL,                        -- SHA-256 of `before` and the exported line
    log TEXT NOT NULL                          -- JSON
) STRICT;
CREATE INDEX course_game_kind ON course_game (kind);
CREATE INDEX course_game_pair ON course_game (pair);
CREATE TABLE course_side (
    team TEXT NOT NULL REFERENCES course_team(id),
    kind TEXT NOT NULL,
    game INTEGER NOT NULL REFERENCES course_game(id),
    side INTEGER NOT NULL,
    PRIMARY KEY (team, kind, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE course_fault (
    upload INTEGER NOT NULL REFERENCES course_upload(id),
    name TEXT NOT NULL,
    game INTEGER NOT NULL REFERENCES course_game(id),
    count INTEGER NOT NULL,
    PRIMARY KEY (upload, name, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE course_announcement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    removed INTEGER,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE course_audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,                       -- course, staff, team ID
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
";

/// Returns `true` if the file has the tables of a course.
///
/// # Errors
/// If they have another layout.
pub(super) fn exists(connection: &Connection, path: &Path) -> Result<bool, CourseError> {
    let name = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'course_meta'";
    if connection.query_row(name, [], |_| Ok(())).optional()?.is_none() {
        return Ok(false);
    }
    let layout = "SELECT value FROM course_meta WHERE key = 'layout'";
    let found: String = connection.query_row(layout, [], |row| row.get(0)).optional()?.unwrap_or_default();
    if found == LAYOUT.to_string() {
        return Ok(true);
    }
    Err(CourseError::Layout { path: path.to_owned(), found, expected: LAYOUT })
}

/// Creates the tables. A transaction must be open.
pub(super) fn create(connection: &Connection) -> Result<(), CourseError> {
    connection.execute_batch(SCHEMA)?;
    connection.execute("INSERT INTO course_meta (key, value) VALUES ('layout', ?)", [LAYOUT.to_string()])?;
    Ok(())
}
