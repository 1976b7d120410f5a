//! A PostgreSQL server for tests: of Debian's package or from the `PATH`, in a scratch folder, for this machine only.

use std::fs::File;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::PATIENCE;

/// Makes a server and keeps it until standard input ends, which it does with the test program, however that ends. A
/// server that was killed is started again.
const SCRIPT: &str = r#"
"$1/initdb" -D data -U plyhouse -A scram-sha-256 --pwfile=password -E UTF8 --no-locale --no-sync || exit
while ! [ -e stopping ]; do
    "$1/postgres" -D data -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off
    sleep 0.1
done < /dev/null &
cat > /dev/null
touch stopping
kill -INT "$(head -n 1 data/postmaster.pid)"
wait
cd / && rm -rf "$3"
"#;

/// The server refuses to run as root. Debian and most others have this user, `nobody`.
const NOBODY: u32 = 65534;

/// The password of the user `plyhouse`.
const PASSWORD: &str = "p@ss/word";

/// A running server, one for all tests of a program.
struct Server {
    port: u16,
    programs: PathBuf,
    folder: PathBuf,
    /// The server ends when this is closed.
    _input: ChildStdin,
}

/// A new database, for one test.
pub struct Database {
    server: &'static Server,
    name: String,
}

impl Database {
    /// A new database; `None`, with a word on standard error, where PostgreSQL is not installed.
    ///
    /// # Errors
    /// If the server does not start.
    pub fn create() -> Result<Option<Self>> {
        static SERVER: OnceLock<Result<Option<Server>, String>> = OnceLock::new();
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let start = || Server::start().map_err(|error| format!("{error:#}"));
        let server = SERVER.get_or_init(start).as_ref().map_err(|error| anyhow::anyhow!("PostgreSQL: {error}"))?;
        let Some(server) = server else {
            let _ = writeln!(std::io::stderr(), "left out: PostgreSQL (Debian: sudo apt-get install postgresql)");
            return Ok(None);
        };
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        server.psql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(Some(Self { server, name }))
    }

    /// Its URL, with the password.
    pub fn url(&self) -> String {
        self.shown_url().replacen('@', ":p%40ss%2Fword@", 1)
    }

    /// Its URL without the password.
    pub fn shown_url(&self) -> String {
        format!("postgres://plyhouse@127.0.0.1:{}/{}", self.server.port, self.name)
    }

    /// The password.
    pub fn password(&self) -> &'static str {
        PASSWORD
    }

    /// Runs SQL and returns the rows, their columns separated by `|`.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn sql(&self, statements: &str) -> Result<String> {
        self.server.psql(&self.name, statements)
    }

    /// Kills the server and all its processes, as a loss of power would, and waits until it answers again. All
    /// databases of the test program are on this server.
    ///
    /// # Errors
    /// If it does not come back.
    pub fn crash(&self) -> Result<()> {
        self.server.kill()?;
        self.server.wait(|| Ok(false))
    }

    /// Ends all connections to the database, as a restart of the server would.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn cut_off(&self) -> Result<()> {
        let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> \
                   pg_backend_pid()";
        self.sql(all).map(drop)
    }
}

/// The folder of the server's programs.
fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = debian.map(|version| version.path().join("bin")).collect();
    folders.sort();
    folders.reverse();
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    folders.into_iter().find(|folder| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).exists()))
}

impl Server {
    fn start() -> Result<Option<Self>> {
        let Some(programs) = programs() else { return Ok(None) };
        let folder = tempfile::tempdir()?.keep();
        std::fs::write(folder.join("password"), PASSWORD)?;
        let log = File::create(folder.join("log"))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(&programs).arg(port.to_string()).arg(&folder).current_dir(&folder);
        command.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log).process_group(0);
        if std::fs::metadata("/proc/self")?.uid() == 0 {
            for path in [folder.clone(), folder.join("password")] {
                chown(&path, Some(NOBODY), Some(NOBODY))?;
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut process = command.spawn()?;
        let input = process.stdin.take().context("no standard input")?;
        let server = Self { port, programs, folder, _input: input };
        server.wait(|| Ok(process.try_wait()?.is_some()))?;
        Ok(Some(server))
    }

    /// Waits until the server answers.
    fn wait(&self, mut has_ended: impl FnMut() -> Result<bool>) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while let Err(error) = self.psql("postgres", "SELECT 1") {
            if has_ended()? || Instant::now() > end {
                bail!("{error:#}; its log:\n{}", log_of(&self.folder));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Kills the server and all its processes, as a loss of power would.
    fn kill(&self) -> Result<()> {
        let first = std::fs::read_to_string(self.folder.join("data/postmaster.pid"))?;
        let main = first.lines().next().context("the server's process")?.trim().to_owned();
        let mut all = vec![main.clone()];
        for process in std::fs::read_dir("/proc")?.flatten() {
            let name = process.file_name().to_string_lossy().into_owned();
            let status = std::fs::read_to_string(process.path().join("status")).unwrap_or_default();
            if status.lines().any(|line| line.strip_prefix("PPid:").is_some_and(|parent| parent.trim() == main)) {
                all.push(name);
            }
        }
        // Some processes end with the first one.
        Command::new("kill").arg("-KILL").args(&all).stderr(Stdio::null()).status()?;
        Ok(())
    }

    fn psql(&self, database: &str, statements: &str) -> Result<String> {
        let mut command = Command::new(self.programs.join("psql"));
        command.args(["-h", "127.0.0.1", "-U", "plyhouse", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statements]);
        command.args(["-p", &self.port.to_string(), "-d", database]).env("PGPASSWORD", PASSWORD);
        let output = command.stdin(Stdio::null()).output().context("psql")?;
        ensure!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }
}

fn log_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap_or_default()
}
