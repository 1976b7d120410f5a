//! The launchers in `deploy/` start workers as they should. `make cluster` tries Slurm itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");
/// No server is there.
const SETTINGS: &str = "PLYHOUSE_STORE=postgres://helper@127.0.0.1:1/cups\nPGPASSWORD=secret\n";

fn deploy(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(deploy(name)).expect("a file of deploy/")
}

/// Runs a command that has the settings of a worker, and looks for the server that they name.
fn looks_for_the_server(command: &mut Command) {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().expect("it runs");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("postgres://helper@127.0.0.1:1/cups") && !said.contains("secret"), "{said}");
}

/// Our program with the settings in its environment, as systemd and Kubernetes start it.
fn worker<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.args(arguments);
    command.envs(SETTINGS.lines().filter_map(|line| line.split_once('=')));
    command
}

#[test]
fn slurm_starts_a_worker() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join(".config/plyhouse");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("worker.env"), SETTINGS).expect("a file");
    let script = || {
        let mut command = Command::new("bash");
        command.arg(deploy("slurm/plyhouse-work.sbatch"));
        command.env("HOME", home.path()).env("PLYHOUSE", PLYHOUSE).env("SLURM_CPUS_PER_TASK", "3");
        command
    };
    looks_for_the_server(&mut script());
    // What the environment has is enough.
    let elsewhere = home.path().join("none");
    looks_for_the_server(
        script().env("HOME", elsewhere).envs(SETTINGS.lines().filter_map(|line| line.split_once('='))),
    );
}

#[test]
fn systemd_starts_a_worker() {
    let unit = read("systemd/plyhouse-work.service");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/plyhouse ")).expect("a start");
    looks_for_the_server(&mut worker(start.split_whitespace()));
    assert!(unit.contains("\nEnvironmentFile=/etc/plyhouse/worker.env\n"));
}

#[test]
fn kubernetes_starts_a_worker() {
    let job = read("kubernetes/job.yaml");
    let arguments = job.lines().find_map(|line| line.trim().strip_prefix("args: ")).expect("arguments");
    let arguments: Vec<String> = serde_json::from_str(arguments).expect("a list of texts");
    looks_for_the_server(&mut worker(arguments.iter().map(String::as_str)));
    // The image gets the arguments as they are.
    assert!(read("Dockerfile").contains("\nENTRYPOINT [\"plyhouse\"]\n"));
}

/// The commands of the guide have options that exist.
#[test]
fn the_guide_has_commands_that_exist() {
    let guide = read("README.md");
    let commands: Vec<&str> = guide.lines().filter_map(|line| line.trim().strip_prefix("$ plyhouse ")).collect();
    assert!(commands.len() >= 2, "{commands:?}");
    for command in commands {
        let output = Command::new(PLYHOUSE).args(command.split_whitespace()).arg("--help").output().expect("it runs");
        assert!(output.status.success(), "plyhouse {command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
