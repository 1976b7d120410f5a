//! Packages of `plyhouse script --autograder`, run as the grading services run them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::sandbox::range::report_skipped;

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// A program with the text interface of the courses: it prints its board after `dump`.
const STUDENT: &str =
    "while read -r word; do case $word in dump) printf '===\\nb - w\\n===\\n' ;; quit) exit ;; esac; done\n";

/// Creates a suite of three tests for the program `player.sh`, of which `secret-b` fails.
fn suite() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("a file");
    for (name, board) in [("a", "b - w"), ("secret-b", "w - b"), ("secret-c", "b - w")] {
        write(&format!("{name}-1.in"), "#* sh player.sh\ndump\nquit\n");
        write(&format!("{name}-1.std"), &format!("===\n{board}\n===\n"));
    }
    folder
}

/// Writes the package of a suite.
fn package(suite: &Path, folder: &Path, more: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(PLYHOUSE);
    command.args(["script", "--autograder"]).arg(folder).args(more).arg(suite);
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout) + &text(&output.stderr), output.status.code())
}

/// Runs a command in a root folder that has only the system's programs and, at the path `place`, a folder. This folder
/// has the subfolder `local`, where programs are installed.
fn in_container(folder: &Path, place: &str, command: &str) -> (String, bool) {
    let words = ["bash", "-c", command];
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--tmpfs", "/tmp"]);
    for link in ["bin", "sbin", "lib", "lib64"] {
        command.args(["--symlink", &format!("usr/{link}"), &format!("/{link}")]);
    }
    command.args(["--proc", "/proc", "--dev", "/dev", "--bind"]).arg(folder).args([place, "--chdir", place]);
    command.arg("--bind").arg(folder.join("local")).arg("/usr/local");
    command.args(["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin"]).args(words);
    let output = command.output().expect("bubblewrap runs");
    (String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(), output.status.success())
}

fn has_bubblewrap() -> bool {
    let has = Command::new("bwrap").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has {
        report_skipped(
            "packages of autograders, because bubblewrap is not installed (Debian: apt-get install bubblewrap)",
        );
    }
    has
}

/// Grades a submission with the package in a container, and returns the results file.
fn graded(autograder: &Path, submission: &str) -> Value {
    fs::write(autograder.join("submission/player.sh"), submission).expect("a file");
    // Gradescope copies the script, and starts it in this folder.
    fs::copy(autograder.join("source/run_autograder"), autograder.join("run_autograder")).expect("copied");
    let (output, good) = in_container(autograder, "/autograder", "./run_autograder");
    assert!(good, "{output}");
    let results = autograder.join("results/results.json");
    let text = fs::read_to_string(&results).expect("a results file");
    fs::remove_file(results).expect("removed");
    let results = serde_json::from_str(&text).expect("JSON");
    check_format(&results);
    results
}

/// Checks a results file: <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.
fn check_format(results: &Value) {
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let is_visibility =
        |value: &Value| ["visible", "hidden", "after_due_date", "after_published"].iter().any(|name| value == name);
    for key in keys(results) {
        assert!(["execution_time", "output", "stdout_visibility", "tests"].contains(&key.as_str()), "{key}");
    }
    assert!(results["execution_time"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{results}");
    assert!(is_visibility(&results["stdout_visibility"]), "{results}");
    for test in results["tests"].as_array().expect("a list") {
        assert_eq!(keys(test), ["max_score", "name", "output", "score", "status", "visibility"]);
        let [score, most] = ["score", "max_score"].map(|key| test[key].as_f64().expect("a number"));
        let expected = if test["status"] == "passed" { most } else { 0.0 };
        assert!(most >= 0.0 && score.total_cmp(&expected).is_eq() && is_visibility(&test["visibility"]), "{test}");
        assert!(test["name"].is_string() && test["output"].is_string(), "{test}");
    }
}

#[test]
fn gradescope_runs_the_package_in_its_container() {
    if !has_bubblewrap() {
        return;
    }
    let (suite, home) = (suite(), tempfile::tempdir().expect("a folder"));
    let autograder = home.path();
    for folder in ["submission", "results", "local/bin"] {
        fs::create_dir_all(autograder.join(folder)).expect("a folder");
    }
    let options = ["--points", "2", "--points", "secret-*=0.5", "--visibility", "secret-*=after_due_date"];
    let more = ["--max-output", "60", "--build", "sh -n player.sh", "--setup", "echo 'set up'"];
    let (said, code) = package(suite.path(), &autograder.join("source"), &[&options[..], &more[..]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.ends_with("zip its files and upload them as the autograder\n"), "{said}");
    let (output, good) = in_container(autograder, "/autograder", "source/setup.sh");
    assert!(good && output.contains("plyhouse ") && output.ends_with("set up\n"), "{output}");

    let results = graded(autograder, STUDENT);
    assert_eq!(results["stdout_visibility"], "hidden");
    let test = |number: usize| {
        let test = &results["tests"][number];
        (test["name"].clone(), test["score"].as_f64(), test["max_score"].as_f64(), test["visibility"].clone())
    };
    assert_eq!(test(0), ("a".into(), Some(2.0), Some(2.0), "visible".into()));
    assert_eq!(test(1), ("secret-b".into(), Some(0.0), Some(0.5), "after_due_date".into()));
    assert_eq!(test(2), ("secret-c".into(), Some(0.5), Some(0.5), "after_due_date".into()));
    let output = results["tests"][1]["output"].as_str().unwrap_or_default();
    assert!(output.starts_with("wrong output\n") && output.ends_with(" more bytes)\n"), "{output}");

    let results = graded(autograder, "while\n");
    let output = results["output"].as_str().unwrap_or_default();
    assert!(output.starts_with("the build command `sh -n player.sh` ended with exit code 2\n"), "{output}");
    assert!((0..3).all(|number| results["tests"][number]["score"] == 0.0), "{results}");
}

#[test]
fn github_classroom_gets_a_step_for_each_test() {
    if !has_bubblewrap() {
        return;
    }
    let (suite, home) = (suite(), tempfile::tempdir().expect("a folder"));
    let points = ["--points", "3", "--command", "sh player.sh", "--setup", "echo 'set up'"];
    let options = [&["--service", "github-classroom"][..], &points[..]].concat();
    let (said, code) = package(suite.path(), home.path(), &options);
    assert_eq!(code, Some(0), "{said}");
    let workflow = fs::read_to_string(home.path().join(".github/workflows/classroom.yml")).expect("a workflow");
    assert_eq!(workflow.matches("max-score: 3\n").count(), 3, "{workflow}");
    assert!(workflow.contains("runners: test-1,test-2,test-3\n"), "{workflow}");
    assert!(workflow.contains("TEST-3_RESULTS: ${{ steps.test-3.outputs.result }}\n"), "{workflow}");
    // The commands of the workflow in their order: first the setup, then one test each.
    let bin = home.path().join("local/bin");
    fs::create_dir_all(&bin).expect("a folder");
    fs::write(bin.join("sudo"), "#!/bin/sh\nexec \"$@\"\n").expect("a file");
    fs::set_permissions(bin.join("sudo"), fs::Permissions::from_mode(0o755)).expect("set");
    fs::write(home.path().join("player.sh"), STUDENT).expect("a file");
    let run = |command: &str| in_container(home.path(), "/home/runner/work", command);
    let after = |start: &'static str| workflow.lines().filter_map(move |line| line.trim().strip_prefix(start));
    let setup: Vec<&str> = after("run: ").collect();
    let [setup] = setup[..] else { panic!("{setup:?}") };
    let (output, good) = run(setup);
    assert!(good && output.contains("plyhouse ") && output.ends_with("set up\n"), "{output}");
    let command = |text: &str| Some(text.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"));
    let passed: Vec<bool> = after("command: ").map(|text| run(&command(text).expect("a quoted text")).1).collect();
    assert_eq!(passed, [true, false, true], "{workflow}");

    for (options, expected) in [
        (
            ["--visibility", "secret-*=hidden"],
            "test `secret-b`: `hidden` found, expected visible: the tests are in the",
        ),
        (["--points", "a=0.5"], "test `a`: 0.5 points found, expected a whole number"),
        (["--points", "advanced-*=2"], "rule `advanced-*=2`: no test matches, found a, secret-b, secret-c"),
    ] {
        let options = [&["--service", "github-classroom"][..], &options[..]].concat();
        let (said, code) = package(suite.path(), home.path(), &options);
        assert!(code == Some(2) && said.contains(expected), "{said}");
    }
}
