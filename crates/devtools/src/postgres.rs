//! A PostgreSQL server for tests. Its programs come from Debian's package or from the `PATH`, its files are in a
//! temporary folder, and it accepts only local connections.

use std::fs::{File, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail, ensure};

use crate::PATIENCE;
use crate::ports::free_ports;

/// Shell script that creates a server and runs it until standard input ends. Standard input ends when the program that
/// started the script ends, for any reason. The script restarts a server that was killed. The server may not have
/// started yet when it must stop, so the script repeats the signal.
const SCRIPT: &str = r#"
"$1/initdb" -D data -U plyhouse -A scram-sha-256 --pwfile=password -E UTF8 --no-locale --no-sync || exit
while ! [ -e stopping ]; do
    "$1/postgres" -D data -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \
        -c max_connections=400
    sleep 0.1
done < /dev/null &
cat > /dev/null
touch stopping
while kill -0 $!; do
    kill -INT "$(head -n 1 data/postmaster.pid)"
    sleep 0.1
done
cd / && rm -rf "$3"
"#;

/// User id of `nobody` on Debian and most other systems. The server does not run as root.
const NOBODY: u32 = 65534;

/// Password of the user `plyhouse`.
const PASSWORD: &str = "p@ss/word";

/// Environment variable that tells [`Database::create`] which server to use: its port and the folder of its programs.
const VARIABLE: &str = "PLYHOUSE_TEST_POSTGRES";

/// A server for all tests of a run. Dropping it stops the server and removes its files.
pub struct Postgres(Server);

impl Postgres {
    /// Returns the name and the value of the environment variable that makes other programs use this server.
    pub fn variable(&self) -> (&'static str, String) {
        (VARIABLE, format!("{}:{}", self.0.port, self.0.programs.display()))
    }
}

/// A running server.
struct Server {
    port: u16,
    programs: PathBuf,
    /// Process of the server; `None` if another program has started it.
    own: Option<Own>,
}

/// A server started by this program.
struct Own {
    folder: PathBuf,
    script: Child,
    /// Standard input of the script. Closing it stops the server.
    input: Option<ChildStdin>,
}

/// A new database for one test. Dropping it removes the database.
pub struct Database {
    server: Arc<Server>,
    name: String,
}

impl Database {
    /// Starts a server for the tests of other programs. Returns `None` if PostgreSQL is not installed.
    ///
    /// ```no_run
    /// let server = devtools::Database::server()?;
    /// let mut tests = std::process::Command::new("cargo");
    /// tests.args(["nextest", "run"]).envs(server.as_ref().map(|server| server.variable()));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the server does not start.
    pub fn server() -> Result<Option<Postgres>> {
        Ok(Server::start()?.map(Postgres))
    }

    /// Creates a database on the server given by [`Postgres::variable`], or else on the server of this process. Returns
    /// `None`, with a notice on standard error, if PostgreSQL is not installed.
    ///
    /// # Errors
    /// Returns an error if the server does not start or rejects the database.
    pub fn create() -> Result<Option<Self>> {
        static SERVER: OnceLock<Result<Option<Arc<Server>>, String>> = OnceLock::new();
        let open = || {
            let server = match std::env::var(VARIABLE) {
                Ok(address) => Server::at(&address).map(Some),
                Err(_) => Server::start(),
            };
            server.map(|server| server.map(Arc::new)).map_err(|error| format!("{error:#}"))
        };
        let server = SERVER.get_or_init(open).clone().map_err(|error| anyhow::anyhow!("PostgreSQL: {error}"))?;
        Self::on(server)
    }

    /// Creates a database on a separate server, for tests that [`crash`](Self::crash) the server. Returns `None`, with
    /// a notice on standard error, if PostgreSQL is not installed.
    ///
    /// # Errors
    /// Returns an error if the server does not start.
    pub fn alone() -> Result<Option<Self>> {
        Self::on(Server::start()?.map(Arc::new))
    }

    fn on(server: Option<Arc<Server>>) -> Result<Option<Self>> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let Some(server) = server else {
            let _ = writeln!(
                std::io::stderr(),
                "skipped: PostgreSQL is not installed (Debian: sudo apt-get install postgresql)"
            );
            return Ok(None);
        };
        // Several processes share the server, and process ids are reused, so the name includes the time.
        let (count, process) = (COUNT.fetch_add(1, Ordering::Relaxed), std::process::id());
        let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
        let name = format!("test_{process}_{seconds}_{count}");
        server.psql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(Some(Self { server, name }))
    }

    /// Returns the name of the database. No other database on the server has ever had this name. Roles belong to the
    /// whole server, so a test that creates a role includes this name in the role's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the URL of the database, with the password.
    pub fn url(&self) -> String {
        self.shown_url().replacen('@', ":p%40ss%2Fword@", 1)
    }

    /// Returns the URL of the database without the password.
    pub fn shown_url(&self) -> String {
        format!("postgres://plyhouse@127.0.0.1:{}/{}", self.server.port, self.name)
    }

    /// Returns the password.
    pub fn password(&self) -> &'static str {
        PASSWORD
    }

    /// Runs SQL and returns the rows, with their columns separated by `|`.
    ///
    /// # Errors
    /// Returns an error if the server rejects the SQL.
    pub fn sql(&self, statements: &str) -> Result<String> {
        self.server.psql(&self.name, statements)
    }

    /// Kills the server and all its processes, which simulates a power failure, and waits until it answers again. The
    /// database must be on a separate server ([`alone`](Self::alone)).
    ///
    /// # Errors
    /// Returns an error if the server is shared or does not restart.
    pub fn crash(&self) -> Result<()> {
        let own = self.server.own.as_ref().context("a shared server cannot be killed: expected a separate one")?;
        own.kill()?;
        self.server.wait(|| Ok(false))
    }

    /// Makes the server offer encryption with this certificate and its key, in PEM form. The database must be on a
    /// separate server ([`alone`](Self::alone)).
    ///
    /// # Errors
    /// Returns an error if the server is shared, or does not accept the certificate.
    pub fn encrypt(&self, certificate: &str, key: &str) -> Result<()> {
        let own = self
            .server
            .own
            .as_ref()
            .context("the settings of a shared server cannot be changed: expected a separate one")?;
        let owner = std::fs::metadata(own.folder.join("data"))?;
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let path = own.folder.join("data").join(name);
            std::fs::write(&path, text)?;
            std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
            chown(&path, Some(owner.uid()), Some(owner.gid()))?;
        }
        self.sql("ALTER SYSTEM SET ssl = on")?;
        self.sql("SELECT pg_reload_conf()")?;
        let end = Instant::now() + PATIENCE;
        while self.sql("SHOW ssl")? != "on" {
            ensure!(Instant::now() < end, "the server does not accept the certificate:\n{}", own.log());
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Closes all connections to the database, as a restart of the server would.
    ///
    /// # Errors
    /// Returns an error if the server rejects it.
    pub fn cut_off(&self) -> Result<()> {
        let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> \
                   pg_backend_pid()";
        self.sql(all).map(drop)
    }

    /// Closes all connections to the database and refuses new ones, as if the server were down.
    ///
    /// # Errors
    /// Returns an error if the server rejects it.
    pub fn close(&self) -> Result<()> {
        let Self { server, name } = self;
        server.psql("postgres", &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"))?;
        let all = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
        server.psql("postgres", &all).map(drop)
    }

    /// Lets programs connect again after [`close`](Self::close).
    ///
    /// # Errors
    /// Returns an error if the server rejects it.
    pub fn reopen(&self) -> Result<()> {
        self.server.psql("postgres", &format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name)).map(drop)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // The last user of the server removes the server with its files.
        if Arc::strong_count(&self.server) > 1 {
            let _ = self.server.psql("postgres", &format!("DROP DATABASE {} WITH (FORCE)", self.name));
        }
    }
}

/// Returns the folder of the server's programs.
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
        let [port] = free_ports();
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(&programs).arg(port.to_string()).arg(&folder).current_dir(&folder);
        command.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log).process_group(0);
        if std::fs::metadata("/proc/self")?.uid() == 0 {
            for path in [folder.clone(), folder.join("password")] {
                chown(&path, Some(NOBODY), Some(NOBODY))?;
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut script = command.spawn()?;
        let input = script.stdin.take();
        let mut own = Own { folder, script, input };
        let mut server = Self { port, programs, own: None };
        server
            .wait(|| Ok(own.script.try_wait()?.is_some()))
            .with_context(|| format!("the server's log:\n{}", own.log()))?;
        server.own = Some(own);
        Ok(Some(server))
    }

    /// Creates a handle to the server of another program.
    fn at(address: &str) -> Result<Self> {
        let (port, programs) = address.split_once(':').with_context(|| format!("{address}: expected PORT:FOLDER"))?;
        Ok(Self { port: port.parse()?, programs: programs.into(), own: None })
    }

    /// Waits until the server answers.
    fn wait(&self, mut has_ended: impl FnMut() -> Result<bool>) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while let Err(error) = self.psql("postgres", "SELECT 1") {
            if has_ended()? || Instant::now() > end {
                bail!(error);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
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

impl Own {
    /// Kills the server and all its processes, which simulates a power failure.
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
        // Some processes end as soon as the first one is killed, so `kill` may fail for them.
        Command::new("kill").arg("-KILL").args(&all).stderr(Stdio::null()).status()?;
        Ok(())
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

impl Drop for Own {
    /// Stops the server. The script leaves its folder behind only if it could not create the server.
    fn drop(&mut self) {
        self.input.take();
        let _ = self.script.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_server_has_no_old_database_and_leaves_no_file() {
        let Some(server) = Database::server().expect("a server") else { return };
        let (_, address) = server.variable();
        let folder = server.0.own.as_ref().expect("a server of this process").folder.clone();
        let shared = Arc::new(Server::at(&address).expect("an address"));
        let [one, two] =
            [0, 1].map(|_| Database::on(Some(Arc::clone(&shared))).expect("a database").expect("a server"));
        assert_ne!(one.name(), two.name());
        assert!(one.crash().is_err(), "the server is shared");
        drop(one);
        let names = two.sql("SELECT datname FROM pg_database WHERE datname LIKE 'test%'").expect("SQL");
        assert_eq!(names, two.name());
        drop(two);
        drop(server);
        assert!(!folder.exists(), "{}", folder.display());
    }

    #[test]
    fn a_killed_server_restarts() {
        let Some(database) = Database::alone().expect("a server") else { return };
        database.crash().expect("the server restarts");
        assert_eq!(database.sql("SELECT 1").expect("SQL"), "1");
    }
}
