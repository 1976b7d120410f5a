//! Tests of uploads and their checks.

use super::setup::{DEADLINE, Setup, accept, new_upload};
use crate::store::audit::Actor;
use crate::store::error::CourseError;
use crate::store::uploads::{Lateness, NewUpload, Outcome, Step, StepState, UploadState};

fn step(number: u32, state: StepState) -> Step {
    Step { number, name: "build".to_owned(), state, detail: "make".to_owned(), remedy: String::new(), position: None }
}

#[test]
fn an_upload_is_stored_whole_or_not_at_all() {
    let mut setup = Setup::new(1);
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    let upload = setup.send("T0", &bytes).expect("received");
    let row = setup.store.upload(upload).expect("an upload");
    assert_eq!((row.team.as_str(), row.number, row.size), ("t0", 1, 3_000_000));
    assert_eq!((row.sha256, row.state), (arena::sha256([bytes.as_slice()]), UploadState::Waiting));
    let mut copied = Vec::new();
    setup.store.copy_upload(upload, &mut copied).expect("copied");
    assert!(copied == bytes);
    let short =
        setup.store.receive(&new_upload(&setup.store, "t0", 4), &mut &b"abc"[..]).expect_err("a byte is missing");
    assert_eq!(short.to_string(), "file: 3 bytes found, expected 4 bytes");
    assert_eq!(setup.store.uploads_of("t0").expect("readable").len(), 1);
    assert!(setup.send("x", b"x").is_err_and(|error| error.to_string() == "no team `x`"));
    setup.store.connection.execute("UPDATE course_file SET bytes = zeroblob(3000000)", []).expect("changed");
    assert!(setup.store.copy_upload(upload, &mut std::io::sink()).is_err());
    let problems = setup.store.check().expect("readable");
    assert_eq!(problems, [format!("upload {upload}: its bytes were changed after it was received")]);
}

#[test]
fn the_hourly_limit_says_when_the_next_upload_is_possible() {
    let mut setup = Setup::new(2);
    for _ in 0..3 {
        setup.clock.skip(600);
        setup.send_now("t0").expect("received");
    }
    let Err(CourseError::TooMany { what, limit, next }) = setup.send_now("t0") else { panic!("too many") };
    assert_eq!((what, limit, next.to_string().as_str()), ("uploads", 3, "2026-11-01T01:10:00Z"));
    setup.send_now("t1").expect("another team is not affected");
    setup.clock.set("2026-11-01T01:09:59Z");
    assert!(setup.send_now("t0").is_err());
    setup.clock.set("2026-11-01T01:10:00Z");
    setup.send_now("t0").expect("an hour after the first");
}

#[test]
fn the_deadline_is_exact_and_may_be_extended() {
    let mut setup = Setup::new(2);
    let strict = |setup: &mut Setup, team| {
        let new = NewUpload { late_allowed: false, ..new_upload(&setup.store, team, 1) };
        setup.store.receive(&new, &mut &b"x"[..])
    };
    setup.clock.set("2026-11-30T09:59:59.999999Z");
    let in_time = strict(&mut setup, "t0").expect("in time");
    assert_eq!(setup.store.upload(in_time).expect("an upload").lateness, Lateness::InTime);
    setup.clock.set(DEADLINE);
    let error = strict(&mut setup, "t0").expect_err("late").to_string();
    assert_eq!(error, "deadline: an upload at 2026-11-30T10:00:00Z found, expected one before 2026-11-30T10:00:00Z");
    let late = setup.send_now("t0").expect("received");
    assert_eq!(setup.store.upload(late).expect("an upload").lateness, Lateness::Late);
    setup.store.extend("t1", Some("2026-11-30T11:00:00Z".parse().expect("a time")), &Actor::STAFF).expect("extended");
    strict(&mut setup, "t1").expect("in the extension");
    setup.clock.set("2026-11-30T11:00:00Z");
    assert!(strict(&mut setup, "t1").is_err());
    setup.clock.set("2026-11-30T09:00:00Z");
    assert!(strict(&mut setup, "t0").is_err(), "setting the clock back does not help");
}

#[test]
fn an_upload_has_the_time_of_its_last_byte_although_it_is_stored_later() {
    let mut setup = Setup::new(1);
    setup.clock.set("2026-11-30T09:59:59Z");
    let new = NewUpload { late_allowed: false, ..new_upload(&setup.store, "t0", 1) };
    setup.clock.set("2026-11-30T10:00:20Z");
    let upload = setup.store.receive(&new, &mut &b"x"[..]).expect("in time");
    let row = setup.store.upload(upload).expect("an upload");
    assert_eq!((row.received, row.lateness), (new.received, Lateness::InTime));
    // A last byte in the future, because the clock was set back meanwhile: the course's time continues there.
    let ahead = NewUpload { received: "2026-11-30T10:05:00Z".parse().expect("a time"), ..new };
    assert!(setup.store.receive(&ahead, &mut &b"x"[..]).is_err());
    assert_eq!(setup.store.now(), ahead.received);
}

#[test]
fn checks_are_fair_and_survive_crashes() {
    let mut setup = Setup::new(3);
    let order = ["t0", "t0", "t0", "t1", "t2", "t1"];
    let sent = order.map(|team| setup.send_now(team).expect("received"));
    let claim = |setup: &mut Setup| setup.store.claim().expect("readable").map(|claim| claim.upload);
    assert_eq!([0; 4].map(|_| claim(&mut setup)), [sent[0], sent[3], sent[4], sent[1]].map(Some));
    assert_eq!(setup.store.queue_before(sent[2]).expect("readable"), 5);
    setup.store.record_step(sent[0], &step(0, StepState::Running)).expect("recorded");
    let path = setup.path.clone();
    setup.store = setup.open(&path);
    assert_eq!(claim(&mut setup), Some(sent[5]), "another connection does not disturb running checks");
    setup.store.requeue_interrupted().expect("requeued");
    assert!(setup.store.steps(sent[0]).expect("readable").is_empty());
    assert!(accept(&mut setup.store, sent[0]).is_err(), "its check must begin again");
    let all = [0; 6].map(|_| claim(&mut setup));
    assert_eq!(all, [0, 3, 4, 1, 5, 2].map(|index| Some(sent[index])));
    assert_eq!(claim(&mut setup), None);
}

#[test]
fn a_finished_check_frees_the_slot_of_its_team() {
    let mut setup = Setup::new(2);
    let sent = ["t0", "t0", "t1"].map(|team| setup.send_now(team).expect("received"));
    let store = &mut setup.store;
    for expected in [sent[0], sent[2], sent[1]] {
        let claimed = store.claim().expect("readable").expect("an upload").upload;
        assert_eq!(claimed, expected, "the first upload of a team comes before the second of another");
        store.decide(claimed, &Outcome::Refused { notes: &[] }).expect("decided");
    }
}

#[test]
fn steps_and_outcomes_are_recorded_in_order() {
    let mut setup = Setup::new(1);
    let upload = setup.send("t0", b"x").expect("received");
    assert!(setup.store.record_step(upload, &step(0, StepState::Running)).is_err(), "its check has not begun");
    setup.store.claim().expect("readable").expect("an upload");
    for (number, state) in [(1, StepState::Running), (0, StepState::Passed), (1, StepState::Failed)] {
        setup.store.record_step(upload, &step(number, state)).expect("recorded");
    }
    assert_eq!(setup.store.steps(upload).expect("readable"), [step(0, StepState::Passed), step(1, StepState::Failed)]);
    let notes = ["the build failed".to_owned()];
    setup.store.decide(upload, &Outcome::Refused { notes: &notes }).expect("refused");
    assert!(
        accept(&mut setup.store, upload).is_err_and(|error| error.to_string().contains("refused found, expected ch"))
    );
    let row = setup.store.upload(upload).expect("an upload");
    assert_eq!((row.state, row.notes.as_slice(), row.agent), (UploadState::Refused, &notes[..], None));
    assert_eq!(setup.store.team("t0").expect("a team").playing(), None);

    setup.store.check_again(upload, &Actor::STAFF).expect("queued");
    assert!(setup.store.steps(upload).expect("readable").is_empty());
    setup.store.claim().expect("readable").expect("an upload");
    accept(&mut setup.store, upload).expect("accepted");
    let row = setup.store.upload(upload).expect("an upload");
    assert_eq!((row.identify.as_deref(), row.notes.as_slice()), (Some("I am"), &["flattened".to_owned()][..]));
    assert_eq!(row.agent.map(|agent| agent.name).as_deref(), Some("Agent"));
    let bytes = setup.store.bundle(&row.bundle.expect("a bundle")).expect("its bytes");
    assert_eq!(bytes, arena::Bundle::empty().bytes);
    assert!(setup.store.check_again(upload, &Actor::STAFF).is_err());
}

#[test]
fn checks_that_end_in_another_order_leave_the_latest_upload_in_play() {
    let mut setup = Setup::new(1);
    let sent = [0; 2].map(|_| setup.send("t0", b"x").expect("received"));
    for _ in sent {
        setup.store.claim().expect("readable").expect("an upload");
    }
    for upload in [sent[1], sent[0]] {
        accept(&mut setup.store, upload).expect("accepted");
    }
    assert_eq!(setup.store.team("t0").expect("a team").playing(), Some(sent[1]));
}

#[test]
fn a_full_disk_changes_nothing() {
    let mut setup = Setup::new(1);
    setup.send("t0", b"before").expect("received");
    let pages: i64 = setup.store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("a number");
    setup.store.connection.pragma_update(None, "max_page_count", pages + 2).expect("limited");
    let error = setup.send("t0", &vec![7; 1 << 20]).expect_err("no space");
    assert!(matches!(error, CourseError::Full), "{error}");
    assert_eq!(setup.store.uploads().expect("readable").len(), 1);
    setup.store.connection.pragma_update(None, "max_page_count", pages + 1000).expect("space");
    setup.send("t0", &vec![7; 1 << 20]).expect("received");
    assert_eq!(setup.store.check().expect("readable"), Vec::<String>::new());
}

#[test]
fn a_backup_is_whole_while_the_course_runs() {
    let mut setup = Setup::new(1);
    let upload = setup.version("t0");
    let copy = setup.folder.path().join("backup.sqlite");
    setup.store.back_up(&copy).expect("copied");
    assert!(matches!(setup.store.back_up(&copy), Err(CourseError::Exists(_))));
    setup.send("t0", b"after").expect("the course runs on");
    let restored = setup.open(&copy);
    assert_eq!(restored.uploads().expect("readable").iter().map(|row| row.id).collect::<Vec<_>>(), [upload]);
    assert_eq!(restored.check().expect("readable"), Vec::<String>::new());
    let files = std::fs::read_dir(setup.folder.path()).expect("a folder").count();
    let opened = 2 * 3;
    assert_eq!(files, opened, "no unfinished copy stays");
}

#[test]
fn uploads_of_one_team_at_once_get_different_numbers() {
    let setup = Setup::new(1);
    let connections = [0; 4].map(|_| setup.open(&setup.path));
    std::thread::scope(|scope| {
        for mut store in connections {
            scope.spawn(move || {
                let bytes = vec![1; 100_000];
                for _ in 0..5 {
                    let new = NewUpload { per_hour: 100, ..new_upload(&store, "t0", bytes.len()) };
                    store.receive(&new, &mut &*bytes).expect("received");
                    store.claim().expect("readable").expect("an upload that no other thread checks");
                }
            });
        }
    });
    let rows = setup.store.uploads_of("t0").expect("readable");
    assert_eq!(rows.iter().rev().map(|row| row.number).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.state == UploadState::Checking));
    assert_eq!(setup.store.check().expect("readable"), Vec::<String>::new());
}
