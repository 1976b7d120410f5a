//! The commands of `plyhouse course`, with a server and without one.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Returns a command of `plyhouse course` in a folder.
fn course(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plyhouse"));
    command.arg("course").args(arguments).current_dir(folder).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    course(folder, arguments).output().expect("the program runs")
}

/// Returns the output of a command that succeeds.
pub(crate) fn good(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the error of a command that fails.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Writes a course of two teams into a folder.
fn write_course(folder: &Path) {
    let next = good(folder, &["new", "x.toml"]);
    assert!(next.contains("plyhouse course links x.toml") && next.contains("teams.csv"), "{next}");
    let text = fs::read_to_string(folder.join("x.toml")).expect("the file");
    fs::write(folder.join("x.toml"), text.replace("2026-11-30 18:00", "2999-11-30 18:00")).expect("written");
    fs::write(folder.join("teams.csv"), "id,name,mail\nann,\"Ann, and others\",ann@example.org\nbob,Bob,\n")
        .expect("written");
}

/// Starts a server at a free port, and returns it with what it prints.
pub(crate) fn serve(folder: &Path) -> (Child, Value) {
    let mut server = course(folder, &["serve", "x.toml", "--port", "0", "--json"]);
    let mut server = server.stderr(Stdio::inherit()).spawn().expect("the program runs");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let printed = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    (server, printed)
}

/// Stops a server as a system does.
fn stop(mut server: Child) {
    kill_process(Pid::from_child(&server), Signal::TERM).expect("sent");
    assert!(server.wait().expect("a child").success());
}

#[test]
fn a_course_is_the_same_to_commands_with_and_without_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write_course(at);
    good(at, &["links", "x.toml", "--csv", "links.csv"]);
    let links = fs::read_to_string(at.join("links.csv")).expect("the links");
    assert!(
        links.starts_with("id,name,mail,link\r\n") && links.contains("\"ann\",\"Ann, and others\",\"ann@"),
        "{links}"
    );
    assert!(refused(at, &["links", "x.toml", "--all", "--csv", "links.csv"]).contains("links.csv"), "links are kept");
    assert!(good(at, &["links", "x.toml"]).contains("every team has a link"));

    let (server, printed) = serve(at);
    assert!(printed["public"].as_str().is_some_and(|public| public.starts_with("http://127.0.0.1:")), "{printed}");
    let status: Value = serde_json::from_str(&good(at, &["status", "x.toml", "--json"])).expect("JSON");
    assert_eq!((&status["running"], &status["about"]["phase"]), (&true.into(), &"open".into()));
    good(at, &["announce", "x.toml", "Hello"]);
    good(at, &["disqualify", "x.toml", "BOB", "--reason", "a copy"]);
    good(at, &["extend", "x.toml", "ann", "2999-12-01T00:00:00Z"]);
    good(at, &["rerun", "x.toml", "--all"]);
    assert!(good(at, &["links", "x.toml", "--renew", "ann"]).contains("Ann, and others  http://127.0.0.1:"));
    assert!(refused(at, &["publish", "x.toml"]).contains("phase"));
    assert!(refused(at, &["withdraw", "x.toml", "carl"]).contains("carl"));
    assert!(refused(at, &["accept-late", "x.toml", "ann"]).contains("no late upload"));
    assert!(refused(at, &["freeze", "x.toml", "a/b"]).contains("expected an id"));
    assert!(refused(at, &["serve", "x.toml", "--port", "0", "--no-open"]).contains("x.sqlite"), "one server at a time");
    assert!(good(at, &["backup", "x.toml", "copy.sqlite"]).contains("checked"));
    stop(server);

    let status = good(at, &["status", "x.toml"]);
    assert!(status.contains("no server runs it") && status.contains("disqualified"), "{status}");
    good(at, &["reinstate", "x.toml", "bob"]);
    assert!(good(at, &["grades", "x.toml"]).starts_with("id,name,version"));
    good(at, &["grades", "x.toml", "--json", "grades.json", "--csv", "grades.csv"]);
    let grades: Value = serde_json::from_slice(&fs::read(at.join("grades.json")).expect("grades")).expect("JSON");
    assert!(grades.to_string().contains("Ann, and others") && at.join("grades.csv").exists());
    assert!(good(at, &["copies", "x.toml"]).contains("no submissions"));
    let audit = good(at, &["audit", "x.toml"]);
    let actions = ["active", "disqualif", "announce", "extend deadline", "renew link", "create"];
    assert!(actions.iter().all(|action| audit.contains(action)), "{audit}");
}

#[test]
fn a_backup_is_restored_only_where_no_course_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write_course(at);
    good(at, &["links", "x.toml", "--csv", "links.csv"]);
    good(at, &["announce", "x.toml", "Hello"]);
    good(at, &["backup", "x.toml", "copy.sqlite"]);
    assert!(refused(at, &["backup", "x.toml", "copy.sqlite"]).contains("exists already"));
    assert!(refused(at, &["restore", "x.toml", "copy.sqlite"]).contains("exists already"));
    fs::copy(at.join("x.toml"), at.join("y.toml")).expect("copied");
    good(at, &["restore", "y.toml", "copy.sqlite"]);
    assert!(good(at, &["audit", "y.toml"]).contains("Hello"));
    assert!(good(at, &["links", "y.toml"]).contains("every team has a link"));
    fs::write(at.join("damaged.sqlite"), "no database").expect("written");
    assert!(!refused(at, &["restore", "z.toml", "damaged.sqlite"]).is_empty());
    assert!(!at.join("z.sqlite").exists());
}

#[test]
fn invalid_files_and_addresses_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    assert!(refused(at, &["new", "x"]).contains("expected a name that ends in `.toml`"));
    assert!(refused(at, &["status", "x.toml"]).contains("x.toml"));
    write_course(at);
    assert!(refused(at, &["new", "x.toml"]).contains("x.toml"), "an existing file is kept");
    let all = refused(at, &["serve", "x.toml", "--address", "0.0.0.0", "--no-open"]);
    assert!(all.contains("server.public: unset"), "{all}");
    fs::remove_file(at.join("teams.csv")).expect("removed");
    assert!(refused(at, &["links", "x.toml"]).contains("teams.csv"));
}
