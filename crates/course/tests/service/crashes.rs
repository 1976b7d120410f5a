//! Crashes at random moments, limits of uploads, and another start of a course.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use course::views::{BoardKind, UploadReceipt};
use course::{CourseStore, Phase, Role, Service, SystemClock, UploadState};
use game::SplitMix64;
use rusqlite::Connection;
use serde_json::json;

use crate::support::{
    BEGIN, DEADLINE, TestClock, act, config, config_of, is_checked, open, pusher, send, send_source, store, team,
    try_open, uploads, wait_until,
};

const TEAMS: [&str; 3] = ["ann", "bob", "cat"];
const ORDERS: [&str; 4] = ["1, 0, 2", "1, 2, 0", "0, 1, 2", "2, 1, 0"];
const SETTINGS: &str = "[final]\ngames = 2\ncores = 2\n[uploads]\nper_hour = 1000\n";

/// Copies the course's files as a crash at this moment would leave them. The lock keeps all writers out, so that the
/// log is not reset meanwhile; a checkpoint may be in progress.
fn copy_as_crashed(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    let db = Connection::open(store(from)).expect("the file");
    db.busy_timeout(Duration::from_mins(1)).expect("a timeout");
    db.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    for file in CourseStore::files(&store(from)).iter().take(2) {
        std::fs::copy(file, to.join(file.file_name().expect("a name"))).expect("copied");
    }
    db.execute_batch("ROLLBACK").expect("released");
}

/// Actions that the course has acknowledged.
#[derive(Default)]
struct Acknowledged {
    uploads: Vec<(&'static str, UploadReceipt)>,
    announcements: Vec<String>,
    games: u64,
}

impl Acknowledged {
    fn check(&self, service: &Service) {
        for (id, receipt) in &self.uploads {
            let found = uploads(service, id);
            assert!(found.iter().any(|upload| (upload.id, upload.number) == (receipt.upload, receipt.number)));
            let mut file = Vec::new();
            service.upload_file(Some(&Role::Staff), receipt.upload, &mut file).expect("its bytes");
        }
        let log = service.audit(Some(&Role::Staff), None).expect("the log");
        for text in &self.announcements {
            assert!(log.entries.iter().any(|entry| entry.action == "announce" && entry.detail == *text), "{text}");
        }
        assert!(service.about(None).expect("the course").games >= self.games);
    }
}

#[test]
fn nothing_acknowledged_is_lost_in_crashes_at_random_moments() {
    let all = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let mut rng = SplitMix64::new(38);
    let mut acknowledged = Acknowledged::default();
    let place = |round: usize| all.path().join(round.to_string());
    std::fs::create_dir_all(place(0)).expect("a folder");
    for round in 0..8 {
        let service = open(&config(&place(round), &TEAMS, SETTINGS), &place(round), &clock);
        acknowledged.check(&service);
        let id = TEAMS[round % 3];
        // Somewhere in the checks and the games that follow. It is counted from before the upload: later, the checks
        // may already have ended, and without games no other change follows.
        let moment = service.changes() + rng.next_u64() % 30;
        acknowledged.uploads.push((id, send_source(&service, id, &pusher(ORDERS[round % 4]))));
        let text = format!("round {round}");
        act(&service, "announce", json!({"text": text})).expect("announced");
        acknowledged.announcements.push(text);
        if round == 5 {
            wait_until(&service, "checks", |service| is_checked(service, &TEAMS));
            clock.set(DEADLINE);
        }
        if round < 5 {
            wait_until(&service, "a moment", |service| service.changes() >= moment);
        } else if round == 5 {
            wait_until(&service, "the final", |service| service.phase() >= Phase::Final);
        }
        acknowledged.games = service.about(None).expect("the course").games;
        copy_as_crashed(&place(round), &place(round + 1));
        service.stop();
        if round >= 5 {
            break;
        }
    }
    finish(&place(6), &clock, &acknowledged);
}

/// Resumes the final, and checks the course after it.
fn finish(folder: &Path, clock: &Arc<TestClock>, acknowledged: &Acknowledged) {
    let service = open(&config(folder, &TEAMS, SETTINGS), folder, clock);
    acknowledged.check(&service);
    wait_until(&service, "the end of the final", |service| service.phase() == Phase::Done);
    assert!(is_checked(&service, &TEAMS));
    for (id, receipt) in &acknowledged.uploads {
        let upload = uploads(&service, id).into_iter().find(|upload| upload.id == receipt.upload).expect("its upload");
        assert_eq!(upload.state, UploadState::Accepted.name());
        let names: Vec<&str> = upload.steps.iter().map(|step| step.name.as_str()).collect();
        let once: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), once.len(), "a check that began again has each step once: {names:?}");
        assert!(upload.steps.iter().all(|step| step.state != "running"));
    }
    wait_until(&service, "the final's scoreboard", |service| {
        let board = service.standings(Some(&Role::Staff), Some(BoardKind::Final), 1);
        board.is_ok_and(|board| board.rows.iter().map(|row| row.games).sum::<u32>() == 12)
    });
    service.stop();
    drop(service);
    let stored = CourseStore::open(&store(folder), Arc::new(SystemClock)).expect("the file");
    assert_eq!(stored.check().expect("readable"), Vec::<String>::new());
    let tournaments = arena::Store::watch(&store(folder).into()).expect("the file").tournaments().expect("readable");
    assert_eq!(tournaments.len(), 1, "the final has begun once");
}

#[test]
fn uploads_have_limits_and_leave_no_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let settings = "[uploads]\nsize = '2000'\nper_hour = 2\n";
    let parts = |folder: &Path| std::fs::read_dir(folder.join("course.work/uploads")).expect("a folder").count();
    std::fs::create_dir_all(folder.path().join("course.work/uploads")).expect("a folder");
    std::fs::write(folder.path().join("course.work/uploads/left"), "part").expect("written");
    let service = open(&config(folder.path(), &["ann", "bob"], settings), folder.path(), &clock);
    assert_eq!(parts(folder.path()), 0, "parts of an earlier run are removed");
    let (ann, bob) = (team("ann"), team("bob"));
    let code = |refused: course::Refused| (refused.status(), refused.message.code);
    let announced = service.begin_upload(Some(&ann), "a.py", Some(2001)).err().map(code);
    assert_eq!(announced, Some((413, "tooLarge")));
    let sent = send(&service, Some(&ann), "a.py", &[b'#'; 2000]).expect("of the maximum size");
    assert_eq!(sent.number, 1);
    let mut writer = service.begin_upload(Some(&ann), "a.py", None).expect("begun");
    let mut other = service.begin_upload(Some(&ann), "b.py", None).expect("begun");
    assert_eq!(service.begin_upload(Some(&ann), "c.py", None).err().map(code), Some((429, "busy")));
    let of_bob = service.begin_upload(Some(&bob), "c.py", None).expect("another team");
    writer.write(&[b'#'; 1999]).expect("within the limit");
    assert_eq!(writer.write(b"##").err().map(code), Some((413, "tooLarge")));
    assert_eq!(parts(folder.path()), 3);
    drop((writer, of_bob));
    assert_eq!(parts(folder.path()), 1);
    other.write(b"print()").expect("within the limit");
    assert_eq!(other.finish().expect("received").number, 2);
    assert_eq!(send(&service, Some(&ann), "a.py", b"x").err().map(code), Some((429, "tooManyUploads")));
    send(&service, Some(&bob), "a.py", b"x").expect("another team");
    assert_eq!(parts(folder.path()), 0);
    let second = Service::open(
        config(folder.path(), &["ann", "bob"], settings),
        &store(folder.path()),
        Arc::new(SystemClock),
        course::Options { launcher: None, ..course::Options::default() },
    );
    assert!(second.is_err(), "another process runs the course");
    service.stop();
    assert_eq!(service.begin_upload(Some(&bob), "a.py", None).err().map(code), Some((503, "stopping")));
}

#[test]
fn accepted_versions_keep_their_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let with = |game: &str| config_of(game, folder.path(), &["ann"], "");
    open(&with("game = 'loa'"), folder.path(), &clock).stop();
    let service = open(&with("game = 'breakthrough'\nsize = 5"), folder.path(), &clock);
    send_source(&service, "ann", &pusher("1, 0, 2"));
    wait_until(&service, "the check", |service| is_checked(service, &["ann"]));
    assert_eq!(uploads(&service, "ann")[0].state, UploadState::Accepted.name());
    service.stop();
    drop(service);
    for (game, found) in [("game = 'loa'", "loa, size 8"), ("game = 'breakthrough'", "breakthrough, size 8")] {
        let refused = try_open(&with(game), folder.path(), &clock).err().expect("another game").to_string();
        let store = store(folder.path());
        let text = format!("game: {found} found, but the agents in {} play breakthrough, size 5; ", store.display());
        assert!(refused.starts_with(&text), "{refused}");
    }
    open(&with("game = 'breakthrough'\nsize = 5\nmove_limit = 100"), folder.path(), &clock).stop();
}
