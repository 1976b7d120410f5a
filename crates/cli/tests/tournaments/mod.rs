//! Fixtures for tests of tournaments: `plyhouse arena` in a temporary folder.

#![allow(unreachable_pub, dead_code)] // each test file uses some of it

use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use arena::Location;
use devtools::Database;
use serde_json::Value;
use tempfile::TempDir;

pub const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// Cache folder of workers, with the speed of this machine and agents' files. It outlives the tests, so the machine is
/// measured only once.
pub const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// Returns the command `plyhouse arena …` in a folder. Every process that it starts without a sandbox inherits
/// `PLYHOUSE_TEST_MARK`, even if it detaches.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.arg("arena").args(arguments).current_dir(folder).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.env("PLYHOUSE_TEST_MARK", folder).stdin(Stdio::null());
    let needs_store =
        STORE_COMMANDS.iter().any(|name| arguments.first() == Some(name)) && !arguments.contains(&"--store");
    if let (true, Ok(url)) = (needs_store, std::fs::read_to_string(folder.join(URL_FILE))) {
        command.args(["--store", &url]);
    }
    command
}

/// A process that is killed when this value is dropped.
pub struct Running(pub Child);

impl Running {
    /// Starts a program and discards its output.
    pub fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs"))
    }

    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Commands that open a store.
const STORE_COMMANDS: [&str; 9] =
    ["run", "resume", "list", "standings", "verify", "report", "export", "import", "watch"];

/// Name of the file that contains the URL of the store, in a folder whose store is a database.
const URL_FILE: &str = "store.url";

/// A temporary folder with a store, which is a file or a database. Programs that [`command`] starts use this store.
pub struct TestFolder {
    folder: TempDir,
    database: Option<Database>,
}

/// Runs a test with a file, and with a database if PostgreSQL is installed.
pub fn on_each_store(test: impl Fn(&TestFolder)) {
    test(&TestFolder::with_file());
    if let Some(folder) = TestFolder::on_postgres() {
        test(&folder);
    }
}

impl Deref for TestFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.folder.path()
    }
}

impl TestFolder {
    /// Creates a folder whose store is a file.
    pub fn with_file() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), database: None }
    }

    /// Creates a folder whose store is a database. Returns `None` if PostgreSQL is not installed.
    pub fn on_postgres() -> Option<Self> {
        Some(Self::with_database(Database::create().expect("a server")?))
    }

    /// Creates a folder whose store is a database on a separate server, which the test may kill.
    pub fn on_own_postgres() -> Option<Self> {
        Some(Self::with_database(Database::alone().expect("a server")?))
    }

    fn with_database(database: Database) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(URL_FILE), database.url()).expect("a file");
        Self { folder, database: Some(database) }
    }

    pub fn database(&self) -> &Database {
        self.database.as_ref().expect("a database")
    }

    /// Returns the location of the store.
    pub fn location(&self) -> Location {
        match &self.database {
            Some(database) => Location::try_from(OsString::from(database.url())).expect("a URL"),
            None => self.join("arena.sqlite").into(),
        }
    }

    /// Executes SQL statements on the store, bypassing the program.
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

    /// Backs up the store for [`restore`](Self::restore).
    pub fn back_up(&self) {
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

    /// Returns the number of the game at a place in the order of saving.
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

/// Returns the standard output and standard error of a program.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Asserts that a program succeeded, and returns its standard output.
pub fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Asserts that a program failed, and returns its standard output and standard error.
pub fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", text(output));
    text(output)
}

/// Runs a command and returns the JSON that it prints.
pub fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&good(&arena(folder, arguments))).expect("JSON")
}

/// Returns the games of the latest tournament, sorted by number. An export has them in the order of saving, after its
/// header.
pub fn games(folder: &Path) -> Vec<Value> {
    let lines = good(&arena(folder, &["export"]));
    let mut games: Vec<Value> = lines.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    games.sort_by_key(|game| game["number"].as_u64());
    games
}

/// Returns a line of an export without the fields of the hash chain.
pub fn unchained(line: &str) -> Value {
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    let fields = line.as_object_mut().expect("an object");
    for chained in ["hash", "head", "games"] {
        fields.remove(chained);
    }
    line
}

/// Creates a folder for a student's submission, with our program in it, because a submission may start only its own
/// programs and those of the system.
pub fn submission(folder: &Path, name: &str) -> PathBuf {
    let own = folder.join("submissions").join(name);
    std::fs::create_dir_all(&own).expect("a folder");
    let program = own.join("plyhouse");
    if !program.exists() {
        link(Path::new(PLYHOUSE), &program);
    }
    own
}

/// Waits at most two minutes for a condition, and returns `true` if it holds.
pub fn until(condition: impl FnMut() -> bool) -> bool {
    within(Duration::from_mins(2), condition)
}

/// Waits for a condition.
///
/// # Panics
/// If the condition does not hold within three minutes.
pub fn wait(condition: impl FnMut() -> bool) {
    assert!(within(Duration::from_mins(3), condition), "the condition does not hold after three minutes");
}

fn within(timeout: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + timeout;
    while !condition() {
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Returns the program of an example of a package. A run of all tests has built it; otherwise it is built here.
pub fn example(name: &str, package: &str) -> PathBuf {
    let path = Path::new(PLYHOUSE).with_file_name("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !path.exists() {
        let build = ["build", "--quiet", "--locked", "--package", package, "--example", name];
        let built = Command::new(env!("CARGO")).args(build).status().expect("cargo runs");
        assert!(built.success() && path.exists(), "the example is built");
    }
    path
}

/// Creates a hard link, or a copy where hard links are not possible.
pub fn link(from: &Path, to: &Path) {
    if std::fs::hard_link(from, to).is_err() {
        std::fs::copy(from, to).expect("a copy");
    }
}
