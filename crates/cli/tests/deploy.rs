//! The launchers in `deploy/` start workers and courses. `make cluster` tests Slurm itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::sandbox::range::report_skipped;

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");
/// Settings of a worker. No server listens on the port.
const SETTINGS: &str = "PLYHOUSE_STORE=postgres://helper@127.0.0.1:1/cups\nPGPASSWORD=secret\n";

fn deploy(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(deploy(name)).expect("a file of deploy/")
}

/// Asserts that a command tries to connect to the server of the settings, and does not print the password.
fn assert_connects(command: &mut Command) {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().expect("it runs");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("postgres://helper@127.0.0.1:1/cups") && !said.contains("secret"), "{said}");
}

/// Returns our program with the settings in its environment, as systemd and Kubernetes start it.
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
    assert_connects(&mut script());
    // Without the file, settings in the environment are sufficient.
    let elsewhere = home.path().join("none");
    assert_connects(script().env("HOME", elsewhere).envs(SETTINGS.lines().filter_map(|line| line.split_once('='))));
}

#[test]
fn systemd_starts_a_worker() {
    let unit = read("systemd/plyhouse-work.service");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/plyhouse ")).expect("a start");
    assert_connects(&mut worker(start.split_whitespace()));
    assert!(unit.contains("\nEnvironmentFile=/etc/plyhouse/worker.env\n"));
}

#[test]
fn systemd_starts_a_course() {
    let unit = read("systemd/plyhouse-course@.service");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/plyhouse ")).expect("a start");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cs3243.toml");
    let start = start.replace("/var/lib/plyhouse/%i.toml", &file.display().to_string());
    let mut command = Command::new(PLYHOUSE);
    let output = command.args(start.split_whitespace()).stdin(Stdio::null()).output().expect("it runs");
    // The options are valid, so the missing file is the error.
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("cs3243.toml: No such file"), "{said}");
}

#[test]
fn systemd_accepts_the_units() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["plyhouse-course@.service", "plyhouse-work.service"] {
        let unit = read(&format!("systemd/{name}")).replace("/usr/local/bin/plyhouse", PLYHOUSE);
        let path = folder.path().join(name);
        std::fs::write(&path, unit).expect("written");
        let output = match Command::new("systemd-analyze").arg("verify").arg(&path).output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return report_skipped("units of systemd, because systemd-analyze is not installed");
            }
            output => output.expect("it runs"),
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("plyhouse"), "{said}");
    }
}

#[test]
fn kubernetes_starts_a_worker() {
    let job = read("kubernetes/job.yaml");
    let arguments = job.lines().find_map(|line| line.trim().strip_prefix("args: ")).expect("arguments");
    let arguments: Vec<String> = serde_json::from_str(arguments).expect("a list of texts");
    assert_connects(&mut worker(arguments.iter().map(String::as_str)));
    // The image passes the arguments unchanged.
    assert!(read("Dockerfile").contains("\nENTRYPOINT [\"plyhouse\"]\n"));
}

#[test]
fn commands_and_options_of_the_guide_exist() {
    let guide = read("README.md");
    let commands: Vec<&str> = guide.lines().filter_map(|line| line.trim().strip_prefix("$ plyhouse ")).collect();
    assert!(commands.len() >= 2, "{commands:?}");
    for command in commands {
        let output = Command::new(PLYHOUSE).args(command.split_whitespace()).arg("--help").output().expect("it runs");
        assert!(output.status.success(), "plyhouse {command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
