//! A folder with a tournament of attackers and victims, and with all targets of attacks. Plays the tournament and
//! examines the effects without trusting the attackers' reports.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::tournaments::{PLYHOUSE, example, link};

/// User ID of an ordinary user without a name.
const ORDINARY: u32 = 12_345;
/// File name of the example that attacks.
const ATTACKER: &str = "attacker";
/// Maximum duration of a tournament before it counts as stuck.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Sandbox of the agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    None,
    Bwrap,
    Landlock,
}

impl Tier {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bwrap => "bwrap",
            Self::Landlock => "landlock",
        }
    }
}

/// User that runs the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum User {
    Root,
    Ordinary,
}

/// Sandbox, user and dialect of a tournament.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) tier: Tier,
    pub(crate) user: User,
    pub(crate) dialect: &'static str,
}

pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}

/// Reports what a test skips. Output of `eprintln!` would be shown only if the test failed.
pub(crate) fn report_skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
}

/// Returns the users that can run the arena: both if the test runs as root, otherwise the current user.
pub(crate) fn users() -> Vec<User> {
    if is_root() {
        return vec![User::Root, User::Ordinary];
    }
    report_skipped("the arena as root, because the test does not run as root");
    vec![User::Ordinary]
}

/// Returns the sandboxes of this machine.
pub(crate) fn tiers() -> Vec<Tier> {
    let has = Command::new("bwrap").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has {
        report_skipped("the tier bwrap, because bubblewrap is not installed (Debian: apt-get install bubblewrap)");
    }
    if has { vec![Tier::Bwrap, Tier::Landlock] } else { vec![Tier::Landlock] }
}

/// A tournament with attackers, their targets, and listening sockets.
pub(crate) struct Range {
    folder: tempfile::TempDir,
    pub(crate) setup: Setup,
    game: &'static str,
    /// Number of concurrent games.
    pub(crate) jobs: u32,
    agents: String,
    tcp: [TcpListener; 2],
    udp: UdpSocket,
    by_name: (UnixListener, UnixDatagram),
    by_path: UnixListener,
}

impl Range {
    /// Creates a range with a victim and its rival, which play honestly.
    pub(crate) fn new(setup: Setup) -> Self {
        let mut range = Self::without_agents(setup, "loa");
        range.add_mock("victim", "honest");
        range.add_mock("rival", "honest");
        fs::write(range.agent("victim").join("strategy.txt"), "my secret strategy").expect("a file");
        range
    }

    /// Creates a range without agents.
    pub(crate) fn without_agents(setup: Setup, game: &'static str) -> Self {
        let folder = tempfile::Builder::new().prefix("plyhouse-range-").tempdir().expect("a folder");
        let path = folder.path();
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = tcp.local_addr().expect("an address").port();
        // Without IPv6, the second listener is not reachable.
        let six = TcpListener::bind(("::1", port)).or_else(|_| TcpListener::bind("127.0.0.1:0")).expect("a port");
        let udp = UdpSocket::bind(("127.0.0.1", port)).expect("a port");
        let name = format!("plyhouse-range-{port}");
        let address = |name: &str| SocketAddr::from_abstract_name(name).expect("a name");
        let stream = UnixListener::bind_addr(&address(&name)).expect("a socket");
        let datagram = UnixDatagram::bind_addr(&address(&format!("{name}-datagram"))).expect("a socket");
        let by_path = UnixListener::bind(path.join("socket")).expect("a socket");
        for listener in [&tcp, &six] {
            listener.set_nonblocking(true).expect("a listener");
        }
        udp.set_nonblocking(true).expect("a socket");
        stream.set_nonblocking(true).expect("a socket");
        datagram.set_nonblocking(true).expect("a socket");
        by_path.set_nonblocking(true).expect("a socket");
        for (file, text) in [
            ("home/.ssh/id_ed25519", "a secret key"),
            ("home/.config/secret", "a secret"),
            ("secret.txt", "a secret"),
            ("precious/keep.txt", "keep me"),
        ] {
            let file = path.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        fs::create_dir(path.join("tmp")).expect("a folder");
        link(Path::new(PLYHOUSE), &path.join("plyhouse"));
        // A folder that agents may read, like `/usr/bin` on a machine where Plyhouse is installed.
        fs::create_dir(path.join("bin")).expect("a folder");
        link(Path::new(PLYHOUSE), &path.join("bin/plyhouse"));
        let by_name = (stream, datagram);
        Self { folder, setup, game, jobs: 2, agents: String::new(), tcp: [tcp, six], udp, by_name, by_path }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the loopback port on which the test listens.
    pub(crate) fn port(&self) -> u16 {
        self.tcp[0].local_addr().expect("an address").port()
    }

    /// Creates the folder of an agent, if it does not exist, and returns it.
    pub(crate) fn agent(&self, name: &str) -> PathBuf {
        let folder = self.path().join("agents").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// Adds an agent that plays random moves with a behaviour of `arena mock`.
    pub(crate) fn add_mock(&mut self, name: &str, behaviour: &str) {
        let dialect = self.setup.dialect;
        let program = self.agent(name).join("plyhouse");
        let path = program.display().to_string();
        let words = [&path, "arena", "mock", dialect, behaviour, "--at", "2"].map(str::to_owned);
        self.add_command(name, dialect, &words);
        link(Path::new(PLYHOUSE), &program);
    }

    /// Adds an agent with a given command.
    pub(crate) fn add_command(&mut self, name: &str, dialect: &str, words: &[String]) {
        let agent = format!("command = {words:?}\ndialect = \"{dialect}\"\n");
        fs::write(self.agent(name).join("agent.toml"), &agent).expect("a file");
        writeln!(self.agents, "[[agent]]\nname = \"{name}\"\ndirectory = \"agents/{name}\"\n{agent}").expect("a text");
    }

    /// Adds an attacker for each attack, with its name.
    pub(crate) fn add_attackers(&mut self, attacks: &[&str]) {
        let (attacker, dialect) = (example("attacker", "plyhouse-cli"), self.setup.dialect);
        for attack in attacks {
            let program = self.agent(attack).join(ATTACKER);
            let [path, range] = [&program, self.path()].map(|path| path.display().to_string());
            let port = self.port().to_string();
            let words = [&path, dialect, "--attack", attack, "--range", &range, "--port", &port].map(str::to_owned);
            self.add_command(attack, dialect, &words);
            link(&attacker, &program);
        }
    }

    /// Returns the command `plyhouse arena …` for the user of the setup.
    pub(crate) fn arena(&self, arguments: &[&str]) -> Command {
        let program = self.path().join("plyhouse");
        let mut command = Command::new(program);
        command.arg("arena").args(arguments).current_dir(self.path()).env("HOME", self.path().join("home"));
        command.env("TMPDIR", self.path().join("tmp"));
        let search = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{search}", self.path().join("bin").display()));
        command.env("ARENA_SECRET", "a secret").env("PLYHOUSE_ENDGAMES", "/no/endgames").stdin(Stdio::null());
        if is_root() && self.setup.user == User::Ordinary {
            command.uid(ORDINARY).gid(ORDINARY);
        }
        command
    }

    /// Writes the tournament's file, a gauntlet of the first agent, the victim, against each of the others. The time
    /// limits are long enough that no agent reaches one on a busy machine.
    pub(crate) fn write(&self, settings: &str) {
        // Agents attack during their second move. In Lines of Action each side then makes one more move, during which
        // some attackers check the effect of their attack. Other games are played to the end.
        let short = if self.game == "loa" { "size = 6\nmove_limit = 8\n" } else { "" };
        let tier = self.setup.tier.name();
        let text = format!(
            "name = \"range\"\ngame = \"{}\"\n{short}format = \"gauntlet\"\nopening = 2\njobs = {}\n\
             after_fault = \"lose\"\nsandbox = \"{tier}\"\nreadable = [\"{}\"]\n{settings}\n[time]\nmove = 120\n\
             start = 120\n{}",
            self.game,
            self.jobs,
            self.path().join("bin").display(),
            self.agents
        );
        fs::write(self.path().join("range.toml"), text).expect("a file");
        if is_root() && self.setup.user == User::Ordinary {
            give(self.path());
        } else {
            fs::set_permissions(self.path(), fs::Permissions::from_mode(0o755)).expect("a folder");
        }
    }

    /// Starts the tournament. Its command line contains the range's path, by which attackers find the process.
    pub(crate) fn start(&self) -> Child {
        let (file, store) = (self.path().join("range.toml"), self.path().join("arena.sqlite"));
        let [file, store] = [file, store].map(|path| path.display().to_string());
        let mut command = self.arena(&["run", &file, "--store", &store, "--quiet"]);
        let errors = fs::File::create(self.path().join("errors.txt")).expect("a file");
        command.stderr(errors).stdout(Stdio::null()).spawn().expect("the program starts")
    }

    /// Plays the whole tournament.
    pub(crate) fn play(&self, settings: &str) -> Played {
        self.play_for(settings, TIMEOUT)
    }

    /// Plays the tournament until a timeout.
    pub(crate) fn play_for(&self, settings: &str, timeout: Duration) -> Played {
        self.write(settings);
        let mut child = self.start();
        let end = wait(&mut child, timeout);
        self.examine(end)
    }

    /// Returns the effects of the tournament.
    fn examine(&self, end: Option<ExitStatus>) -> Played {
        let left = self.left_behind();
        let mut reached = Vec::new();
        let mut note = |what: &str, is_reached: bool| reached.extend(is_reached.then(|| what.to_owned()));
        note("TCP", self.tcp.iter().any(|tcp| tcp.accept().is_ok()));
        note("UDP", self.udp.recv(&mut [0; 16]).is_ok());
        note("abstract socket", self.by_name.0.accept().is_ok());
        note("abstract datagram", self.by_name.1.recv(&mut [0; 16]).is_ok());
        note("socket in a folder", self.by_path.accept().is_ok());
        let errors = fs::read_to_string(self.path().join("errors.txt")).unwrap_or_default();
        let export = self.arena(&["export"]).output().expect("the program runs");
        let text = String::from_utf8_lossy(&export.stdout);
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let header = lines.next().unwrap_or_default();
        let names: Vec<String> = header["tournament"]["agent"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|agent| Some(agent["name"].as_str()?.to_owned()))
            .collect();
        let games = lines.collect();
        Played { end, errors, names, games, reached, left }
    }

    /// Returns everything in the arena's folder for temporary files.
    pub(crate) fn temporary_files(&self) -> Vec<PathBuf> {
        entries(&self.path().join("tmp"))
    }

    /// Returns the processes whose command line contains the range's path, or whose program or working directory is in
    /// the range.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let places = ["exe", "cwd"].map(|link| fs::read_link(entry.path().join(link)).unwrap_or_default());
            if line.contains(&*self.path().to_string_lossy())
                || places.iter().any(|place| place.starts_with(self.path()))
            {
                found.push(format!("{} {line}", entry.file_name().display()));
            }
        }
        found
    }
}

impl Drop for Range {
    /// Removes the processes and files that attackers leave behind without a sandbox.
    fn drop(&mut self) {
        for process in self.left_behind() {
            let number = process.split(' ').next().unwrap_or_default();
            let _ = Command::new("kill").args(["-9", number]).stderr(Stdio::null()).status();
        }
        for trace in traces() {
            let _ = fs::remove_dir_all(&trace).or_else(|_| fs::remove_file(&trace));
        }
    }
}

/// Returns the files that attackers have left in shared folders.
pub(crate) fn traces() -> Vec<PathBuf> {
    let places = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/dev", "/", "/dev/mqueue"];
    let entries = places.into_iter().flat_map(|place| entries(Path::new(place)));
    entries
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("plyhouse-attacker-")))
        .collect()
}

/// Returns the paths of everything in a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Gives a folder and its content to the ordinary user. Programs stay root's, because they are hard links.
fn give(path: &Path) {
    chown(path, Some(ORDINARY), Some(ORDINARY)).expect("root may change the owner");
    let kind = fs::symlink_metadata(path).expect("a file").file_type();
    if kind.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            if entry.file_name() != "plyhouse" && entry.file_name() != ATTACKER {
                give(&entry.path());
            }
        }
    }
}

/// Waits for a program to exit. Kills it after the timeout and returns `None`.
fn wait(child: &mut Child, timeout: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + timeout;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child");
    child.wait().expect("a child");
    None
}

/// A played tournament and what it left behind.
#[derive(Debug)]
pub(crate) struct Played {
    /// Exit status, or `None` if the tournament was stuck.
    pub(crate) end: Option<ExitStatus>,
    pub(crate) errors: String,
    names: Vec<String>,
    pub(crate) games: Vec<Value>,
    /// The test's sockets that an attacker has reached.
    pub(crate) reached: Vec<String>,
    /// Processes that still exist.
    pub(crate) left: Vec<String>,
}

/// An agent's report of its attack in one move.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) succeeded: bool,
    pub(crate) line: String,
}

impl Played {
    fn name(&self, game: &Value, side: usize) -> &str {
        game["agents"][side].as_u64().and_then(|index| self.names.get(index as usize)).map_or("?", String::as_str)
    }

    /// Returns the reports of each attacker.
    pub(crate) fn reports(&self) -> BTreeMap<String, Vec<Report>> {
        let mut found: BTreeMap<String, Vec<Report>> = BTreeMap::new();
        for game in &self.games {
            for side in 0..2 {
                let errors = game["stderr"][side].as_str().unwrap_or_default();
                for line in errors.lines().filter(|line| line.starts_with("attack ")) {
                    let succeeded = line.contains(": succeeded ");
                    found
                        .entry(self.name(game, side).to_owned())
                        .or_default()
                        .push(Report { succeeded, line: line.to_owned() });
                }
            }
        }
        found
    }

    /// Returns all faults, each with the agent's name, the kind of fault and the detail.
    pub(crate) fn faults(&self) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        for game in &self.games {
            for fault in game["faults"].as_array().into_iter().flatten() {
                let side = fault["side"].as_u64().unwrap_or_default() as usize;
                let text = |field: &str| fault[field].as_str().unwrap_or_default().to_owned();
                found.push((self.name(game, side).to_owned(), text("kind"), text("detail")));
            }
        }
        found
    }
}
