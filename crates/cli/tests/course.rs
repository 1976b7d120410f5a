//! The commands of `plyhouse course`, with a server and without one.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::str::FromStr;
use std::sync::Arc;

use arena::{AgentSpec, Bundle};
use course::{CourseStore, NewUpload, Outcome, SystemClock};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Error of a second server of a course.
const BUSY: &str = "course x.sqlite: another server or command is using it";

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
    let (_, rest) = text.split_once("deadline = \"").expect("a deadline");
    let (deadline, _) = rest.split_once('"').expect("a deadline");
    let day = jiff::civil::DateTime::from_str(deadline).expect("a time").date();
    let today = jiff::Timestamp::now().to_zoned_datetime(jiff::tz::TimeZone::UTC).date();
    assert!((27..=28).contains(&(day - today).get_days()), "{deadline} is in four weeks");
    fs::write(folder.join("x.toml"), text.replace(deadline, "2999-11-30 18:00")).expect("written");
    fs::write(folder.join("teams.csv"), "id,name,mail\nann,\"Ann, and others\",ann@example.org\nbob,Bob,\n")
        .expect("written");
}

/// Starts a server with options, at a free port unless they name one. Returns it with what it prints.
pub(crate) fn serve(folder: &Path, options: &[&str]) -> (Child, Value) {
    let mut server = course(folder, &["serve", "x.toml", "--json"]);
    if !options.contains(&"--port") {
        server.args(["--port", "0"]);
    }
    let mut server = server.args(options).stderr(Stdio::inherit()).spawn().expect("the program runs");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let printed = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    (server, printed)
}

/// Stops a server as a system does.
pub(crate) fn stop(mut server: Child) {
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

    let (server, printed) = serve(at, &[]);
    assert!(printed["public"].as_str().is_some_and(|public| public.starts_with("http://127.0.0.1:")), "{printed}");
    let status: Value = serde_json::from_str(&good(at, &["status", "x.toml", "--json"])).expect("JSON");
    assert_eq!((&status["running"], &status["about"]["phase"]), (&true.into(), &"open".into()));
    good(at, &["announce", "x.toml", "Hello"]);
    good(at, &["disqualify", "x.toml", "BOB", "--reason", "a copy"]);
    let extended = "team ann can upload until 2999-12-01 08:00 (Asia/Singapore)\n";
    assert_eq!(good(at, &["extend", "x.toml", "ann", "2999-12-01T00:00:00Z"]), extended);
    assert_eq!(good(at, &["extend", "x.toml", "ann", "2999-12-01 08:00"]), extended);
    good(at, &["rerun", "x.toml", "--all"]);
    assert!(good(at, &["links", "x.toml", "--renew", "ann"]).contains("Ann, and others  http://127.0.0.1:"));
    assert_eq!(refused(at, &["publish", "x.toml"]), "Error: the final is not over\n");
    assert!(refused(at, &["withdraw", "x.toml", "carl"]).contains("carl"));
    assert!(refused(at, &["accept-late", "x.toml", "ann"]).contains("no late upload"));
    assert!(refused(at, &["freeze", "x.toml", "a/b"]).contains("expected an id"));
    assert!(refused(at, &["serve", "x.toml", "--port", "0", "--no-open"]).contains(BUSY), "one server at a time");
    assert!(refused(at, &["restore", "x.toml", "copy.sqlite"]).contains(BUSY));
    assert!(good(at, &["backup", "x.toml", "copy.sqlite"]).contains("checked"));
    stop(server);

    let status = good(at, &["status", "x.toml"]);
    assert!(status.contains("no server runs it") && status.contains("disqualified"), "{status}");
    assert!(status.contains("\ndeadline 2999-11-30 18:00 (Asia/Singapore)\n"), "{status}");
    assert!(status.contains("extension: 2999-12-01 08:00 (Asia/Singapore)"), "{status}");
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

/// Receives an upload of a team, and decides about it.
fn decide(store: &mut CourseStore, team: &str, outcome: &Outcome<'_>) {
    let received = store.now();
    let deadline = received + jiff::SignedDuration::from_hours(1);
    let new = NewUpload { team, file_name: "a.py", size: 1, received, deadline, late_allowed: false, per_hour: 10 };
    let upload = store.receive(&new, &mut &b"x"[..]).expect("received");
    assert_eq!(store.claim().expect("readable").map(|claim| claim.upload), Some(upload));
    store.decide(upload, outcome).expect("decided");
}

#[test]
fn commands_report_uploads() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write_course(at);
    good(at, &["links", "x.toml", "--csv", "links.csv"]);
    let mut store = CourseStore::open(&at.join("x.sqlite"), Arc::new(SystemClock)).expect("the course");
    let files = at.join("files");
    fs::create_dir(&files).expect("a folder");
    fs::write(files.join("agent.py"), "print('hello')\n").expect("written");
    let bundle = Bundle::pack(&files, &[]).expect("a bundle");
    let agent = AgentSpec { name: "A".to_owned(), dialect: Some("ugi".to_owned()), ..AgentSpec::default() };
    let accepted = Outcome::Accepted { agent: &agent, bundle: &bundle, identify: None, notes: &[] };
    decide(&mut store, "ann", &accepted);
    decide(&mut store, "bob", &accepted);
    decide(&mut store, "ann", &Outcome::Refused { notes: &["the build failed".to_owned()] });
    drop(store);
    assert_eq!(good(at, &["copies", "x.toml"]), "identical: ann (version 1), bob (version 1)\n", "listed once");
    let again = good(at, &["check-again", "x.toml", "ann"]);
    assert_eq!(again, "upload 2 of team ann is queued for another check\n");
}

/// Returns the status of the rehearsal, and its time in seconds since 1970.
fn rehearsed(folder: &Path) -> (Value, i64) {
    let status: Value =
        serde_json::from_str(&good(folder, &["status", "x.toml", "--rehearse", "--json"])).expect("JSON");
    let now: jiff::Timestamp = status["about"]["now"].as_str().and_then(|now| now.parse().ok()).expect("a time");
    (status, now.as_second())
}

#[test]
fn a_rehearsal_has_a_fast_clock_and_leaves_the_course_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write_course(at);
    let text = fs::read_to_string(at.join("x.toml")).expect("the file");
    assert!(text.contains("[server]\n"));
    let public = "[server]\npublic = 'https://course.example.org'\n";
    fs::write(at.join("x.toml"), text.replace("[server]\n", public)).expect("written");
    good(at, &["announce", "x.toml", "Real"]);
    let real = jiff::Timestamp::now().as_second();
    let (server, printed) = serve(at, &["--rehearse", "1000000"]);
    assert!(printed["public"].as_str().is_some_and(|public| public.starts_with("http://127.0.0.1:")), "{printed}");
    good(at, &["announce", "x.toml", "Tried", "--rehearse"]);
    let (status, later) = rehearsed(at);
    assert_eq!((&status["running"], &status["about"]["rehearsal"]), (&true.into(), &1e6.into()));
    // A command takes more than a millisecond.
    assert!(later > real + 1_000, "{later} {real}");
    stop(server);

    // The announcement has stored a time.
    let (status, stored) = rehearsed(at);
    assert_eq!((&status["running"], &status["clockLag"]), (&false.into(), &Value::Null));
    assert!(real + 1_000 < stored && stored <= later, "{stored} {later}");
    let (server, _) = serve(at, &["--rehearse", "1"]);
    let (status, again) = rehearsed(at);
    assert!((stored..stored + 600).contains(&again), "{stored} {again}");
    assert_eq!(status["about"]["announcements"][0]["text"], "Tried");
    stop(server);
    let status: Value = serde_json::from_str(&good(at, &["status", "x.toml", "--json"])).expect("JSON");
    let about = &status["about"];
    assert_eq!((&about["rehearsal"], &about["announcements"][0]["text"]), (&Value::Null, &"Real".into()));
    assert_eq!(about["announcements"].as_array().map(Vec::len), Some(1));
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
    let missing = refused(at, &["backup", "x.toml", "missing/copy.sqlite"]);
    assert_eq!(missing, "Error: course missing/copy.sqlite: No such file or directory (os error 2)\n");
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
