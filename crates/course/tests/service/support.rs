//! Courses for tests: teams, agents, and a clock that tests set.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use course::{
    Clock, Course, FastClock, OpenError, Options, Refused, Role, Service, StaffAction, StaffAnswer, UploadState, Who,
    views::{UploadReceipt, UploadView},
};
use serde_json::Value;

/// Variable with the path of a `plyhouse` program. If it is set, agents play in the machine's best sandbox.
const LAUNCHER: &str = "PLYHOUSE_LAUNCHER";
/// Maximum time for an event.
const TIMEOUT: Duration = Duration::from_mins(4);

/// Beginning of all courses.
pub(crate) const BEGIN: &str = "2026-11-30T00:00:00Z";
/// Deadline of all courses.
pub(crate) const DEADLINE: &str = "2026-11-30T10:00:00Z";

/// Returns the source of a pusher that prefers these directions: `1` is straight ahead, `0` and `2` are diagonal.
pub(crate) fn pusher(order: &str) -> String {
    include_str!("../../src/play/agents/pusher.py").replace("ORDER", &format!("({order})"))
}

/// An agent whose moves are all illegal.
pub(crate) const WRONG: &str = include_str!("../../src/play/agents/wrong.py");

/// A clock that tests advance.
pub(crate) struct TestClock(Mutex<FastClock>);

impl TestClock {
    pub(crate) fn new(time: &str) -> Arc<Self> {
        Arc::new(Self(Mutex::new(FastClock::new(time.parse().expect("a time"), 10.0))))
    }

    /// Sets the time. The clock then runs ten times as fast as real time.
    pub(crate) fn set(&self, time: &str) {
        *self.0.lock().expect("no panic") = FastClock::new(time.parse().expect("a time"), 10.0);
    }
}

impl Clock for TestClock {
    fn now(&self) -> jiff::Timestamp {
        self.0.lock().expect("no panic").now()
    }
}

/// Writes the roster of these teams into a folder, and returns the course file's content with more settings.
pub(crate) fn config(folder: &Path, teams: &[&str], more: &str) -> Course {
    config_of("game = 'breakthrough'\nsize = 5", folder, teams, more)
}

/// Like [`config`], for another game.
pub(crate) fn config_of(game: &str, folder: &Path, teams: &[&str], more: &str) -> Course {
    let rows: Vec<String> = teams.iter().map(|id| format!("{id},Team {id},{id}@example.org\n")).collect();
    std::fs::write(folder.join("teams.csv"), format!("id,name,mail\n{}", rows.concat())).expect("written");
    let text = format!(
        "[course]\nname = 'Test'\nroster = 'teams.csv'\ndeadline = '2026-11-30 18:00'\ntime_zone = 'Asia/Singapore'\n\
         [game]\n{game}\n[time]\nmove = 20.0\nstart = 20.0\n\
         [agent]\ncommand = 'python3 agent.py'\ndialect = 'ugi'\n\
         [ladder]\ncores = 2\nopening = 2\n{more}"
    );
    Course::read(&text, folder).expect("a course")
}

/// Opens a course in a folder. Problems are printed.
pub(crate) fn open(config: &Course, folder: &Path, clock: &Arc<TestClock>) -> Arc<Service> {
    try_open(config, folder, clock).expect("the course opens")
}

/// Like [`open`], for a course that may be refused.
pub(crate) fn try_open(config: &Course, folder: &Path, clock: &Arc<TestClock>) -> Result<Arc<Service>, OpenError> {
    let options = Options {
        launcher: std::env::var_os(LAUNCHER).map(PathBuf::from),
        checkers: Some(2),
        log: Arc::new(|line| {
            let _ = writeln!(std::io::stderr(), "{line}");
        }),
        ..Options::default()
    };
    let end = Instant::now() + TIMEOUT;
    loop {
        let clock: Arc<dyn Clock> = Arc::clone(clock) as Arc<dyn Clock>;
        match Service::open(config.clone(), &store(folder), clock, options.clone()) {
            // A process that another test is starting has a copy of the lock until it executes its program.
            Err(OpenError::Hold(_)) if Instant::now() < end => std::thread::yield_now(),
            opened => return opened,
        }
    }
}

/// Returns the path of the course's file in a folder.
pub(crate) fn store(folder: &Path) -> PathBuf {
    folder.join("course.sqlite")
}

pub(crate) fn team(id: &str) -> Role {
    Role::Team(id.to_owned())
}

/// Uploads a file.
pub(crate) fn send(service: &Arc<Service>, who: Who<'_>, name: &str, bytes: &[u8]) -> Result<UploadReceipt, Refused> {
    let mut writer = service.begin_upload(who, name, Some(bytes.len() as u64))?;
    for piece in bytes.chunks(1000) {
        writer.write(piece)?;
    }
    writer.finish()
}

/// Uploads a source file for a team.
pub(crate) fn send_source(service: &Arc<Service>, id: &str, source: &str) -> UploadReceipt {
    send(service, Some(&team(id)), "agent.py", source.as_bytes()).expect("received")
}

/// Performs an action of the staff.
pub(crate) fn act(service: &Service, name: &str, values: Value) -> Result<StaffAnswer, Refused> {
    service.act(Some(&Role::Staff), &StaffAction::parse(name, values)?)
}

/// Returns the uploads of a team, the latest first.
pub(crate) fn uploads(service: &Service, id: &str) -> Vec<UploadView> {
    service.uploads(Some(&Role::Staff), Some(id)).expect("its uploads").uploads
}

/// Returns `true` if all uploads of these teams are checked.
pub(crate) fn is_checked(service: &Service, teams: &[&str]) -> bool {
    let open = [UploadState::Waiting.name(), UploadState::Checking.name()];
    teams.iter().all(|id| uploads(service, id).iter().all(|upload| !open.contains(&upload.state)))
}

/// Waits for an event.
pub(crate) fn wait_until(service: &Service, event: &str, is_over: impl Fn(&Service) -> bool) {
    let end = Instant::now() + TIMEOUT;
    loop {
        let seen = service.changes();
        if is_over(service) {
            return;
        }
        assert!(Instant::now() < end, "no event within {TIMEOUT:?}: {event}");
        service.wait_for_change(seen, Duration::from_secs(1));
    }
}

/// Returns a zip archive with these files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
        archive.write_all(content.as_bytes()).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}
