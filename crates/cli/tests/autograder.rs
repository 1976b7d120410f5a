//! Packages of `plyhouse script --autograder`, run as the grading services run them.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

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

/// Runs a file of the package in a root folder that has only the system's programs, the submission, and the package.
fn in_container(autograder: &Path, file: &str) -> (String, bool) {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--tmpfs", "/tmp"]);
    for link in ["bin", "sbin", "lib", "lib64"] {
        command.args(["--symlink", &format!("usr/{link}"), &format!("/{link}")]);
    }
    command.args(["--proc", "/proc", "--dev", "/dev", "--bind"]).arg(autograder).arg("/autograder");
    command.arg("--bind").arg(autograder.join("local")).arg("/usr/local");
    command.args(["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "bash", file]);
    let output = command.output().expect("bubblewrap runs");
    (String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(), output.status.success())
}

fn has_bubblewrap() -> bool {
    let has = Command::new("bwrap").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has {
        let _ = writeln!(std::io::stderr(), "skipped: this machine has no bubblewrap");
    }
    has
}

/// Grades a submission with the package in a container, and returns the results file.
fn graded(autograder: &Path, submission: &str) -> Value {
    fs::write(autograder.join("submission/player.sh"), submission).expect("a file");
    let (output, good) = in_container(autograder, "/autograder/source/run_autograder");
    assert!(good, "{output}");
    let results = autograder.join("results/results.json");
    let text = fs::read_to_string(&results).expect("a results file");
    fs::remove_file(results).expect("removed");
    serde_json::from_str(&text).expect("JSON")
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
    let (output, good) = in_container(autograder, "/autograder/source/setup.sh");
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
    let (suite, home) = (suite(), tempfile::tempdir().expect("a folder"));
    let options = ["--service", "github-classroom", "--points", "3", "--command", "sh player.sh"];
    let (said, code) = package(suite.path(), home.path(), &options);
    assert_eq!(code, Some(0), "{said}");
    let workflow = fs::read_to_string(home.path().join(".github/workflows/classroom.yml")).expect("a workflow");
    assert_eq!(workflow.matches("max-score: 3\n").count(), 3, "{workflow}");
    assert!(workflow.contains("runners: test-1,test-2,test-3\n"), "{workflow}");
    assert!(workflow.contains("TEST-3_RESULTS: ${{ steps.test-3.outputs.result }}\n"), "{workflow}");
    // Each command runs one test of the suite.
    fs::write(home.path().join("player.sh"), STUDENT).expect("a file");
    let command = |line: &'_ str| Some(line.trim().strip_prefix("command: '")?.strip_suffix('\'')?.to_owned());
    let commands: Vec<String> = workflow.lines().filter_map(command).collect();
    let passed = commands.iter().map(|command| {
        let command = command.replace("''", "'").replace("plyhouse script", "\"$0\" script");
        let mut shell = Command::new("bash");
        shell.args(["-c", &command, PLYHOUSE]).current_dir(home.path());
        shell.output().expect("the shell runs").status.success()
    });
    assert_eq!(passed.collect::<Vec<_>>(), [true, false, true], "{workflow}");

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
