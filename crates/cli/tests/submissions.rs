//! Submissions as students deliver them, through the whole path of a course: upload, unpacking, corrections, build and
//! checks, in the best sandbox of this machine. Each row of the tables is judged.

pub(crate) mod files;
mod rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use course::views::UploadView;
use course::{Course, Options, Role, Service, SystemClock, UploadState};
use process::sandbox::{Tier, best};

use crate::sandbox::range::report_skipped;
use crate::submissions::files::Kit;
use crate::submissions::rows::{Outcome, Row};

/// Maximum time for all checks of a course.
const TIMEOUT: Duration = Duration::from_mins(10);
const STAFF: Option<&Role> = Some(&Role::Staff);

/// Returns a course of these teams. `rules` are the sections after `[course]`.
fn read(folder: &Path, rows: &[Row], rules: &str) -> Course {
    let teams = rows.iter().map(|row| format!("{},Team {},", row.team, row.team));
    let roster: Vec<String> = std::iter::once("id,name,mail".to_owned()).chain(teams).collect();
    std::fs::write(folder.join("teams.csv"), roster.join("\n")).expect("written");
    let text = format!(
        "[course]\nname = 'Test'\nroster = 'teams.csv'\ndeadline = '2999-11-30 18:00'\ntime_zone = 'UTC'\n{rules}"
    );
    Course::read(&text, folder).expect("a course")
}

fn open(course: Course, folder: &Path) -> Arc<Service> {
    let log = |line: &str| drop(writeln!(std::io::stderr(), "{line}"));
    let options = Options { launcher: Some(launcher()), log: Arc::new(log), ..Options::default() };
    let options = Options { checkers: Some(4), ..options };
    Service::open(course, &folder.join("course.sqlite"), Arc::new(SystemClock), options).expect("the course opens")
}

fn launcher() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_plyhouse"))
}

/// Returns `true` if agents can play in a sandbox, and otherwise reports that the test is skipped.
fn has_sandbox() -> bool {
    let has = best(&launcher()) != Tier::None;
    if !has {
        report_skipped("submissions, because this machine has no sandbox");
    }
    has
}

/// The judgement of a submission, as its team reads it.
struct Judged {
    outcome: Outcome,
    text: String,
}

/// Uploads the file of a row. Returns the judgement if it is refused at once.
fn upload(service: &Arc<Service>, row: &Row, kit: &Kit) -> Option<Judged> {
    let bytes = (row.make)(kit);
    let who = Role::Team(row.team.to_owned());
    let send = || {
        let mut writer = service.begin_upload(Some(&who), row.file, Some(bytes.len() as u64))?;
        writer.write(&bytes)?;
        writer.finish()
    };
    send().err().map(|refused| Judged { outcome: Outcome::Refused, text: refused.message.to_string() })
}

/// Returns the upload of a team if it is checked.
fn checked(service: &Service, team: &str) -> Option<UploadView> {
    let upload = service.uploads(STAFF, Some(team)).expect("its uploads").uploads.remove(0);
    let is_open = [UploadState::Waiting, UploadState::Checking].iter().any(|state| state.name() == upload.state);
    (!is_open).then_some(upload)
}

/// Waits until the upload of a team is checked.
fn wait_for(service: &Service, team: &str) -> UploadView {
    let end = Instant::now() + TIMEOUT;
    loop {
        let seen = service.changes();
        if let Some(upload) = checked(service, team) {
            return upload;
        }
        assert!(Instant::now() < end, "{team} is not checked within {TIMEOUT:?}");
        service.wait_for_change(seen, Duration::from_secs(1));
    }
}

fn judged(upload: &UploadView) -> Judged {
    if upload.state == UploadState::Accepted.name() {
        let outcome = if upload.notes.is_empty() { Outcome::Accepted } else { Outcome::Noted };
        return Judged { outcome, text: upload.notes.join("\n") };
    }
    let last = upload.steps.last().expect("a refused upload has a step");
    assert_eq!(last.state, "failed", "{upload:?}");
    let reached = last.position.as_ref().map(|game| format!("\n(position after {:?})", game.moves)).unwrap_or_default();
    Judged { outcome: Outcome::Refused, text: format!("{}: {}\n{}{reached}", last.name, last.detail, last.remedy) }
}

/// Uploads and judges all rows of a course.
fn judge(rows: &[Row], rules: &str) -> BTreeMap<&'static str, Judged> {
    let home = tempfile::tempdir().expect("a folder");
    let course = read(home.path(), rows, rules);
    let kit = Kit::new(&course);
    let service = open(course, home.path());
    let mut all = BTreeMap::new();
    let (first, later): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.after.is_none());
    for row in first.into_iter().chain(later) {
        if let Some(earlier) = row.after {
            wait_for(&service, earlier);
        }
        all.extend(upload(&service, row, &kit).map(|refused| (row.team, refused)));
    }
    for row in rows {
        all.entry(row.team).or_insert_with(|| judged(&wait_for(&service, row.team)));
    }
    if rows.iter().any(|row| rows::COPIES.contains(&row.team)) {
        rows::check_copies(&service);
    }
    service.stop();
    all
}

#[test]
fn each_awkward_submission_is_judged_with_a_reason_and_a_remedy() {
    if !has_sandbox() {
        return;
    }
    let courses = rows::courses();
    let all = std::thread::scope(|scope| {
        let threads = courses.each_ref().map(|(rows, rules)| scope.spawn(|| judge(rows, rules)));
        threads.map(|thread| thread.join().expect("no panic"))
    });
    let (mut shown, mut wrong, mut count) = (String::new(), String::new(), 0);
    for ((rows, _), judged) in courses.iter().zip(&all) {
        for row in rows {
            let Judged { outcome, text } = &judged[row.team];
            let _ = writeln!(shown, "== {}: {outcome:?}\n{text}\n", row.team);
            wrong += &row.difference(*outcome, text);
            count += 1;
        }
    }
    let _ = writeln!(std::io::stderr(), "{shown}{count} submissions");
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Runs the command line that a course shows to its teams.
fn check_offline(command: &str, file: &Path) -> (bool, String) {
    let programs = launcher().parent().expect("a folder").to_owned();
    let path = std::env::join_paths([programs, "/usr/local/bin".into(), "/usr/bin".into(), "/bin".into()]);
    let command = command.replacen("FILE", &format!("'{}'", file.display()), 1);
    let run = Command::new("sh").args(["-c", &command]).env("PATH", path.expect("a path")).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout) + &text(&run.stderr))
}

#[test]
fn the_shown_command_judges_as_the_course_does() {
    if !has_sandbox() {
        return;
    }
    let (rows, rules) = rows::offline();
    let home = tempfile::tempdir().expect("a folder");
    let course = read(home.path(), &rows, &rules);
    let kit = Kit::new(&course);
    let options = Options { threads: false, ..Options::default() };
    let service = Service::open(course, &home.path().join("course.sqlite"), Arc::new(SystemClock), options);
    let command = service.expect("the course opens").about(None).expect("the course").check_command;
    let judged = judge(&rows, &rules);
    let mut wrong = String::new();
    for row in &rows {
        let folder = home.path().join(row.team);
        std::fs::create_dir(&folder).expect("a folder");
        let file = folder.join(row.file);
        std::fs::write(&file, (row.make)(&kit)).expect("written");
        let (is_ready, text) = check_offline(&command, &file);
        let has_note = text.contains("warning ");
        let offline = match (is_ready, has_note) {
            (false, _) => Outcome::Refused,
            (true, false) => Outcome::Accepted,
            (true, true) => Outcome::Noted,
        };
        wrong += &row.difference(offline, &text);
        wrong += &row.difference(judged[row.team].outcome, &judged[row.team].text);
    }
    assert!(wrong.is_empty(), "{command}\n{wrong}");
}

#[test]
fn a_course_needs_a_sandbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let course = read(folder.path(), &rows::offline().0, "[game]\ngame = 'loa'\n");
    // This program supervises no sandbox, so none works.
    let options = Options { launcher: Some("/bin/false".into()), ..Options::default() };
    let opened = Service::open(course, &folder.path().join("course.sqlite"), Arc::new(SystemClock), options);
    let error = opened.map(drop).expect_err("no sandbox").to_string();
    assert!(error.contains("install bubblewrap") && error.contains("arena doctor"), "{error}");
    assert!(!error.contains("`any`") && !error.contains("--sandbox"), "{error}");
}
