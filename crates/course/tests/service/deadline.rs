//! The deadline: uploads around it, extensions, late uploads, and a deadline that moves.

use std::sync::Arc;

use course::{GamesQuery, Phase, Role, Service};
use serde_json::json;

use crate::support::{
    BEGIN, TestClock, act, config, is_checked, open, pusher, send, send_source, team, uploads, wait_until,
};

const TEAMS: [&str; 2] = ["ann", "bob"];
const AFTER: &str = "2026-11-30T10:00:01Z";
const DEADLINE_WAS: &str = "The deadline was 2026-11-30 18:00 (Asia/Singapore).";
const LATER: &str = "2026-11-30T12:00:00Z";

fn begin(more: &str) -> (tempfile::TempDir, Arc<TestClock>, Arc<Service>) {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let service = open(&config(folder.path(), &TEAMS, more), folder.path(), &clock);
    (folder, clock, service)
}

#[test]
fn the_time_of_the_last_byte_decides() {
    let (_folder, clock, service) = begin("");
    let mut in_time = service.begin_upload(Some(&team("ann")), "agent.py", None).expect("begun");
    let mut late = service.begin_upload(Some(&team("bob")), "agent.py", None).expect("begun");
    in_time.write(pusher("1, 0, 2").as_bytes()).expect("written");
    in_time.received();
    late.write(b"print()").expect("written");
    clock.set(AFTER);
    late.received();
    let refused = late.finish().expect_err("too late");
    assert_eq!((refused.message.code, refused.to_string().as_str()), ("late", DEADLINE_WAS));
    assert_eq!(service.phase(), Phase::Open, "the course waits until the received upload is stored");
    in_time.finish().expect("in time");
    assert!(!uploads(&service, "ann")[0].late);
    wait_until(&service, "the deadline", |service| service.phase() > Phase::Open);
    service.stop();
}

#[test]
fn an_extension_holds_the_final_back_and_a_moved_deadline_opens_the_course_again() {
    let (folder, clock, service) = begin("");
    for until in ["tomorrow", "2026-11-31 18:00", "20:00"] {
        let refused = act(&service, "extend", json!({"team": "ann", "until": until})).expect_err("no time");
        assert!(refused.to_string().contains("Asia/Singapore, such as 2026-12-01 18:00"), "{refused}");
    }
    for until in ["2026-11-30 20:00", LATER] {
        let answer = act(&service, "extend", json!({"team": "ann", "until": until})).expect("extended");
        assert_eq!(answer.until.as_deref(), Some(LATER), "{until}");
    }
    send_source(&service, "bob", &pusher("1, 2, 0"));
    clock.set(AFTER);
    wait_until(&service, "the deadline", |service| service.phase() == Phase::Closing);
    assert_eq!(send(&service, Some(&team("bob")), "a.py", b"x").expect_err("too late").message.code, "late");
    assert_eq!(act(&service, "startFinal", json!({})).expect_err("an extension").message.code, "conflict");
    assert_eq!(service.about(Some(&team("ann"))).expect("the course").deadline, LATER);
    service.stop();
    drop(service);
    let text_of = |hour: &str| {
        let mut course = config(folder.path(), &TEAMS, "");
        course.deadline = format!("2026-11-30T{hour}:00[UTC]").parse().expect("a time");
        course
    };
    let service = open(&text_of("10:00"), folder.path(), &clock);
    assert_eq!(service.phase(), Phase::Closing, "the same deadline");
    service.stop();
    drop(service);
    let service = open(&text_of("11:00"), folder.path(), &clock);
    assert_eq!(service.phase(), Phase::Open, "a later deadline");
    send_source(&service, "bob", &pusher("0, 1, 2"));
    clock.set("2026-11-30T11:00:00Z");
    wait_until(&service, "the other deadline", |service| service.phase() == Phase::Closing);
    send_source(&service, "ann", &pusher("1, 0, 2"));
    wait_until(&service, "checks", |service| is_checked(service, &TEAMS));
    assert!(uploads(&service, "ann").iter().all(|upload| !upload.late));
    clock.set(LATER);
    wait_until(&service, "the end of the final", |service| service.phase() == Phase::Done);
    let rows = service.standings(Some(&Role::Staff), None, 1).expect("the final").rows;
    assert_eq!(rows.len(), 2, "the version of the extended team is in the final");
    service.stop();
}

#[test]
fn uploads_after_an_early_end_are_refused_in_the_name_of_the_staff() {
    let (_folder, clock, service) = begin("");
    act(&service, "extend", json!({"team": "ann", "until": LATER})).expect("extended");
    let mut begun = service.begin_upload(Some(&team("bob")), "agent.py", None).expect("begun");
    begun.write(b"x").expect("written");
    act(&service, "close", json!({})).expect("closed");
    let send = || send(&service, Some(&team("bob")), "a.py", b"x").expect_err("closed");
    for refused in [begun.finish().expect_err("closed"), send()] {
        let text = "The staff has ended the time for uploads.";
        assert_eq!((refused.message.code, refused.to_string().as_str()), ("closed", text));
    }
    let unfinished = act(&service, "publish", json!({})).expect_err("no final");
    assert_eq!((unfinished.message.code, unfinished.status()), ("finalNotOver", 409));
    clock.set(AFTER);
    assert_eq!(send().to_string(), DEADLINE_WAS);
    service.stop();
}

#[test]
fn an_extension_refuses_the_final_and_keeps_the_course_open() {
    let (_folder, clock, service) = begin("");
    act(&service, "extend", json!({"team": "ann", "until": LATER})).expect("extended");
    let refused = act(&service, "startFinal", json!({})).expect_err("an extension");
    let text = "team ann: extension until 2026-11-30 20:00 (Asia/Singapore) found, expected none.";
    assert_eq!((refused.message.code, refused.to_string().as_str()), ("conflict", text));
    assert_eq!(service.phase(), Phase::Open);
    send_source(&service, "bob", &pusher("1, 2, 0"));
    clock.set(LATER);
    wait_until(&service, "the deadline", |service| service.phase() > Phase::Open);
    service.stop();
}

#[test]
fn a_final_that_the_staff_starts_waits_for_checks() {
    let (_folder, _clock, service) = begin("");
    for (id, order) in [("ann", "1, 0, 2"), ("bob", "1, 2, 0")] {
        send_source(&service, id, &pusher(order));
    }
    act(&service, "startFinal", json!({})).expect("it waits for the checks");
    wait_until(&service, "the end of the final", |service| service.phase() == Phase::Done);
    assert!(is_checked(&service, &TEAMS));
    let rows = service.standings(Some(&Role::Staff), None, 1).expect("the final").rows;
    assert_eq!(rows.iter().map(|row| row.games).sum::<u32>(), 4, "two games between two teams");
    service.stop();
}

#[test]
fn late_versions_play_on_the_ladder_after_the_final() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let mut course = config(folder.path(), &TEAMS, "[final]\npublish = 'at-once'\n");
    course.about.late = course::Late::OpenLadder;
    let service = open(&course, folder.path(), &clock);
    send_source(&service, "ann", &pusher("1, 0, 2"));
    send_source(&service, "bob", &pusher("1, 2, 0"));
    wait_until(&service, "checks", |service| is_checked(service, &TEAMS));
    clock.set(AFTER);
    wait_until(&service, "the publication", |service| service.phase() == Phase::Published);
    let query = GamesQuery { kind: Some("final".to_owned()), ..GamesQuery::default() };
    let of_final = service.games(None, &query).expect("public").games.len();
    assert_eq!(of_final, 2);
    send_source(&service, "ann", &pusher("0, 1, 2"));
    assert!(uploads(&service, "ann")[0].late);
    let plays_second = |service: &Service| {
        let rows = service.standings(None, Some(course::views::BoardKind::Ladder), 1).expect("the ladder").rows;
        rows.iter().any(|row| row.team == "ann" && row.version == 2 && row.games > 0)
    };
    wait_until(&service, "games of the late version", plays_second);
    assert_eq!(service.games(None, &query).expect("public").games.len(), of_final);
    service.stop();
}
