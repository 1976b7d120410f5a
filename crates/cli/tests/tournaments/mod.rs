//! `plyhouse arena` in a folder of its own, for the tests of tournaments.

#![allow(unreachable_pub, dead_code)] // each test file uses some of it

use std::ffi::OsString;
use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use arena::Location;
use devtools::Database;
use serde_json::Value;
use tempfile::TempDir;

pub const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// Where workers keep the speed of this machine and agents' files. It outlives the tests, so that the machine is
/// measured once.
pub const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// The command `plyhouse arena …` in a folder. Every process that it starts without a sandbox inherits
/// `PLYHOUSE_TEST_MARK`, however it hides.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.arg("arena").args(arguments).current_dir(folder).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.env("PLYHOUSE_TEST_MARK", folder).stdin(Stdio::null());
    let names_store = !KEEP_STORES.iter().any(|name| arguments.first() == Some(name)) || arguments.contains(&"--store");
    if let (false, Ok(url)) = (names_store, std::fs::read_to_string(folder.join(URL))) {
        command.args(["--store", &url]);
    }
    command
}

/// The commands that open a store.
const KEEP_STORES: [&str; 9] = ["run", "resume", "list", "standings", "verify", "report", "export", "import", "watch"];

/// The file of a folder that has the URL of its store, if that is a database.
const URL: &str = "store.url";

/// A folder with a store, which is a file or a database. [`command`] knows which.
pub struct Stage {
    folder: TempDir,
    database: Option<Database>,
}

/// Runs a test with a file, and with a database where PostgreSQL can be had.
pub fn on_each_store(test: impl Fn(&Stage)) {
    test(&Stage::alone());
    if let Some(stage) = Stage::on_postgres() {
        test(&stage);
    }
}

impl Deref for Stage {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.folder.path()
    }
}

impl Stage {
    /// A folder whose store is a file.
    pub fn alone() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), database: None }
    }

    /// A folder with a database; `None` where PostgreSQL is not installed.
    pub fn on_postgres() -> Option<Self> {
        Some(Self::on(Database::create().expect("a server")?))
    }

    /// A folder with a database on a server of its own, which the test may kill.
    pub fn on_own_postgres() -> Option<Self> {
        Some(Self::on(Database::alone().expect("a server")?))
    }

    fn on(database: Database) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(URL), database.url()).expect("a file");
        Self { folder, database: Some(database) }
    }

    pub fn database(&self) -> &Database {
        self.database.as_ref().expect("a database")
    }

    /// Where the store is.
    pub fn location(&self) -> Location {
        match &self.database {
            Some(database) => Location::try_from(OsString::from(database.url())).expect("a URL"),
            None => self.join("arena.sqlite").into(),
        }
    }

    /// Changes the store behind the program's back.
    pub fn sql(&self, statements: &str) {
        match &self.database {
            Some(database) => {
                database.sql(&format!("SET search_path TO plyhouse; {statements}")).expect("SQL");
            }
            None => {
                let store = rusqlite::Connection::open(self.join("arena.sqlite")).expect("a store");
                store.execute_batch(statements).expect("SQL");
            }
        }
    }

    /// Remembers the store, for [`restore`](Self::restore).
    pub fn keep(&self) {
        match &self.database {
            Some(_) => self.sql("CREATE TABLE kept AS TABLE game; CREATE TABLE kept_head AS TABLE tournament"),
            None => drop(std::fs::copy(self.join("arena.sqlite"), self.join("kept.sqlite")).expect("a copy")),
        }
    }

    pub fn restore(&self) {
        match &self.database {
            Some(_) => self.sql(
                "DELETE FROM game; INSERT INTO game SELECT * FROM kept; \
                 UPDATE tournament SET header = kept_head.header FROM kept_head WHERE kept_head.id = tournament.id",
            ),
            None => drop(std::fs::copy(self.join("kept.sqlite"), self.join("arena.sqlite")).expect("a copy")),
        }
    }

    /// The number of the game that was saved at a place.
    pub fn number_at(&self, place: u32) -> u64 {
        if let Some(database) = &self.database {
            let number = database.sql(&format!("SELECT number FROM plyhouse.game WHERE place = {place}"));
            return number.expect("SQL").parse().expect("a number");
        }
        let store = rusqlite::Connection::open(self.join("arena.sqlite")).expect("a store");
        let number: u32 =
            store.query_row("SELECT number FROM game WHERE place = ?", [place], |row| row.get(0)).expect("a game");
        number.into()
    }
}

pub fn arena(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program runs")
}

/// All that a program has printed.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The standard output of a program that has succeeded.
pub fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program that has failed has printed.
pub fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", text(output));
    text(output)
}

/// The JSON that a command prints.
pub fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&good(&arena(folder, arguments))).expect("JSON")
}

/// The games of the latest tournament by number. An export has them in the order of saving, after its header.
pub fn games(folder: &Path) -> Vec<Value> {
    let lines = good(&arena(folder, &["export"]));
    let mut games: Vec<Value> = lines.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    games.sort_by_key(|game| game["number"].as_u64());
    games
}

/// A line of an export without its place in the chain of hashes.
pub fn unchained(line: &str) -> Value {
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    let fields = line.as_object_mut().expect("an object");
    for chained in ["hash", "head", "games"] {
        fields.remove(chained);
    }
    line
}

/// A folder for a student's submission, with our program in it: a submission starts only programs of its own and of
/// the system.
pub fn submission(folder: &Path, name: &str) -> std::path::PathBuf {
    let own = folder.join("submissions").join(name);
    std::fs::create_dir_all(&own).expect("a folder");
    let program = own.join("plyhouse");
    if !program.exists() {
        link(Path::new(PLYHOUSE), &program);
    }
    own
}

/// Waits at most two minutes for a condition. Returns whether it holds.
pub fn until(condition: impl FnMut() -> bool) -> bool {
    within(Duration::from_mins(2), condition)
}

/// Waits for a condition.
///
/// # Panics
/// If it does not hold within three minutes.
pub fn wait(condition: impl FnMut() -> bool) {
    assert!(within(Duration::from_mins(3), condition), "it did not happen within three minutes");
}

fn within(patience: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + patience;
    while !condition() {
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// A second name for a file, or a copy where there can be none.
pub fn link(from: &Path, to: &Path) {
    if std::fs::hard_link(from, to).is_err() {
        std::fs::copy(from, to).expect("a copy");
    }
}
