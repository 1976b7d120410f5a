//! A tournament on a real Slurm with a controller and two nodes on this machine. `make cluster` installs Slurm.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::tournaments::{CACHE, PLYHOUSE, TestFolder, arena, command, good, json, text};
use devtools::Database;
use tempfile::TempDir;

/// Number of short games, large enough for Slurm to notice the loss of a node before the last game.
const GAMES: u32 = 1500;

#[test]
#[ignore = "needs Slurm: `make cluster`"]
fn a_tournament_survives_the_loss_of_a_node() {
    let Some(folder) = TestFolder::on_postgres() else { panic!("PostgreSQL is missing") };
    let slurm = Slurm::start();
    let games = (GAMES / 10).to_string();
    let tournament = [
        ["run", "--game", "jump61", "--size", "4", "--opening", "4", "--games", &games, "--quiet"].as_slice(),
        &["--agent", "builtin:nodes=60", "--agent", "builtin:nodes=50", "--agent", "builtin:nodes=40"],
        &["--agent", "builtin:nodes=30", "--agent", "builtin:build=random"],
    ]
    .concat();
    let began = Instant::now();
    let log = |what: &str| log(began, what);
    let mut coordinator = command(&folder, &[&tournament[..], &["--hand-out"]].concat());
    let coordinator = coordinator.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let database = folder.database();
    let played = |count: u32| {
        let rows = database.sql("SELECT count(*) FROM plyhouse.game");
        rows.is_ok_and(|rows| rows.parse().is_ok_and(|rows: u32| rows >= count))
    };

    let array = slurm.submit(&folder);
    wait(|| slurm.nodes_of(&array).len() == 4 && played(50));
    log("four workers play");

    slurm.run("scancel", &[&format!("{array}_4")]);
    let cancelled = worker_of(&folder, 4);
    wait(|| slurm.state(&format!("{array}_4")) == "CANCELLED");
    let leases = format!("SELECT count(*) FROM plyhouse_ledger.job WHERE state = 1 AND worker = {cancelled}");
    assert_eq!(database.sql(&leases).expect("SQL"), "0", "a cancelled worker returns its jobs");
    log("one was cancelled and has returned its games");

    // The controller started the first worker on the first node.
    let (lost, other) = ("one", "two");
    let before = slurm.nodes_of(&array);
    let on_lost: Vec<&String> = before.iter().filter(|(_, node)| node == lost).map(|(task, _)| task).collect();
    assert!(!on_lost.is_empty(), "{before:?}");
    slurm.kill_node(lost);
    log(&format!("node {lost} is lost, with workers {on_lost:?}"));
    wait(|| {
        slurm.nodes_of(&array).iter().filter(|(task, node)| on_lost.contains(&task) && node == other).count()
            == on_lost.len()
    });
    assert!(!played(GAMES), "the tournament ended before the workers were back");
    log("its workers are back on the other node");

    let ended = coordinator.wait_with_output().expect("a child");
    assert!(ended.status.success(), "{}", text(&ended));
    log(&format!("{GAMES} games are played"));
    check(&folder, database, &tournament);
    // The workers exit by themselves.
    wait(|| slurm.run("squeue", &["--noheader"]).trim().is_empty());
    log("no worker is left");
}

fn log(began: Instant, what: &str) {
    let line = format!("{:>4.0} s  {what}\n", began.elapsed().as_secs_f64());
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

/// Asserts that every game was saved once, and that the standings equal those of one machine with a file.
fn check(folder: &TestFolder, database: &Database, tournament: &[&str]) {
    let sql = |query: &str| database.sql(query).expect("SQL");
    let rows = sql("SELECT count(*), count(DISTINCT number), count(*) FILTER (WHERE aside) FROM plyhouse.game");
    assert_eq!(rows, format!("{GAMES}|{GAMES}|0"));
    assert_eq!(sql("SELECT count(*) FROM plyhouse_ledger.job"), "0", "no job and no lease is left");
    good(&arena(folder, &["verify"]));
    let alone = TestFolder::with_file();
    good(&arena(&alone, tournament));
    let standings = |folder: &TestFolder| -> Vec<_> {
        let all = json(folder, &["standings", "--json"]);
        let rows = all["standings"].as_array().expect("rows").iter();
        rows.map(|row| ["agent", "games", "won", "drawn", "lost", "points"].map(|name| row[name].clone())).collect()
    };
    assert_eq!(standings(folder), standings(&alone));
}

/// Returns the worker number of a task of the array, from its Slurm log.
fn worker_of(folder: &Path, task: u32) -> u64 {
    let logs = std::fs::read_dir(folder).expect("a folder").flatten();
    let log = logs.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(&format!("_{task}.log")));
    let text = std::fs::read_to_string(log.expect("a log")).expect("a log");
    let number = text.lines().find_map(|line| line.strip_prefix("worker ")?.split_once(' '));
    number.and_then(|(number, _)| number.parse().ok()).unwrap_or_else(|| panic!("no worker in {text}"))
}

/// A Slurm controller and the nodes `one` and `two`, with four processors each.
struct Slurm {
    folder: TempDir,
    daemons: Vec<(&'static str, Child)>,
}

impl Slurm {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        std::fs::create_dir(path.join("state")).expect("a folder");
        std::fs::write(path.join("slurm.conf"), configuration(path)).expect("a file");
        let mut slurm = Self { folder, daemons: Vec::new() };
        slurm.start_munge();
        slurm.start_daemon("slurmctld", &["-D"]);
        slurm.start_daemon("one", &["-D", "-N", "one"]);
        slurm.start_daemon("two", &["-D", "-N", "two"]);
        wait(|| {
            slurm.try_run("sinfo", &["--noheader", "--format=%D %t"]).is_some_and(|nodes| nodes.trim() == "2 idle")
        });
        slurm
    }

    /// Starts munge, which signs messages, with a new key.
    fn start_munge(&mut self) {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        let munge = self.folder.path().join("munge");
        std::fs::DirBuilder::new().mode(0o755).create(&munge).expect("a folder");
        let mut key = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(munge.join("key"));
        let mut random = std::io::Read::take(File::open("/dev/urandom").expect("random bytes"), 1024);
        std::io::copy(&mut random, key.as_mut().expect("a file")).expect("a key");
        let file = |option: &str, name: &str| format!("--{option}={}", munge.join(name).display());
        let mut command = Command::new("munged");
        command.args(["--foreground", "--force"]).arg(file("key-file", "key")).arg(file("socket", "socket"));
        command.arg(file("pid-file", "pid")).arg(file("seed-file", "seed")).arg(file("log-file", "log"));
        let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("munged runs");
        self.daemons.push(("munged", child));
        wait(|| munge.join("socket").exists());
    }

    fn start_daemon(&mut self, name: &'static str, arguments: &[&str]) {
        let program = if name == "slurmctld" { name } else { "slurmd" };
        let log = File::create(self.folder.path().join(format!("{name}.out"))).expect("a file");
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.daemons.push((name, command.spawn().expect("Slurm runs")));
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command
    }

    fn try_run(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let output = self.command(program).args(arguments).output().expect("Slurm runs");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().expect("Slurm runs");
        good(&output)
    }

    /// Submits four workers with the script for users, and returns the number of the array.
    fn submit(&self, folder: &TestFolder) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/slurm/plyhouse-work.sbatch");
        let mut command = self.command("sbatch");
        command.args(["--parsable", "--array=1-4", "--cpus-per-task=1"]).arg(script).args(["--lease", "10"]);
        command
            .current_dir(&**folder)
            .env("PLYHOUSE", PLYHOUSE)
            .env("PLYHOUSE_IDLE", "10")
            .env("XDG_CACHE_HOME", CACHE);
        command.env("PLYHOUSE_STORE", folder.database().shown_url()).env("PGPASSWORD", folder.database().password());
        command.env("PLYHOUSE_ENDGAMES", "/no/endgames");
        good(&command.output().expect("Slurm runs")).trim().to_owned()
    }

    /// Returns the running tasks of an array with their nodes.
    fn nodes_of(&self, array: &str) -> Vec<(String, String)> {
        let rows = self.run("squeue", &["--noheader", "--states=RUNNING", "--format=%K %N", "--job", array]);
        rows.lines().filter_map(|row| row.trim().split_once(' ')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
    }

    fn state(&self, job: &str) -> String {
        let all = self.run("scontrol", &["show", "job", job]);
        let state = all.split_whitespace().find_map(|word| word.strip_prefix("JobState="));
        state.expect("a state").to_owned()
    }

    /// Kills a node and all its processes, like a power failure. Supervisors are killed before the processes that they
    /// would report as ended.
    fn kill_node(&self, node: &str) {
        let daemon = &self.daemons.iter().find(|(name, _)| *name == node).expect("a node").1;
        let of_node = format!("SLURMD_NODENAME={node}");
        let mut pids = vec![daemon.id()];
        for process in std::fs::read_dir("/proc").expect("processes").flatten() {
            let Ok(number) = process.file_name().to_string_lossy().parse::<u32>() else { continue };
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|variable| variable == of_node.as_bytes()) {
                pids.extend(parent(number).filter(|&parent| is_step(parent)));
                pids.push(number);
            }
        }
        let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
        let _ = Command::new("kill").arg("-KILL").args(pids).stderr(Stdio::null()).status();
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _ = self.try_run("scancel", &["--user=root"]);
        std::thread::sleep(Duration::from_secs(2));
        while let Some((_, mut daemon)) = self.daemons.pop() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).stderr(Stdio::null()).status();
            let _ = daemon.wait();
        }
    }
}

fn parent(process: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Returns `true` if a process is Slurm's supervisor of a job step.
fn is_step(process: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/comm")).is_ok_and(|name| name.trim() == "slurmstepd")
}

fn configuration(folder: &Path) -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let host = host.split('.').next().unwrap_or(&host);
    let at = folder.display();
    let [controller, one, two] = devtools::free_ports();
    format!(
        "ClusterName=plyhouse
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={at}/munge/socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU,CR_LLN
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=10
MinJobAge=3600
SchedulerParameters=batch_sched_delay=1,sched_interval=2
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool-%n
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/slurmd-%n.pid
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={one} CPUs=4
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={two} CPUs=4
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
"
    )
}

fn wait(mut is_true: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_mins(3);
    while !is_true() {
        assert!(Instant::now() < until, "the condition does not hold after three minutes");
        std::thread::sleep(Duration::from_millis(200));
    }
}
