//! A course whose server is killed again and again. The benchmark `course` does the same with a large class.

#[allow(dead_code, reason = "the benchmark uses the rest")]
pub(crate) mod record;
#[allow(dead_code, reason = "the benchmark uses the rest")]
pub(crate) mod served;
#[allow(dead_code, reason = "the benchmark uses the rest")]
pub(crate) mod students;

use std::thread;

use rustix::process::Signal;
use serde_json::Value;

use record::{Record, check_standings};
use served::{Served, settings};
use students::{Quality, upload};

const TEAMS: usize = 12;
/// Number of students who upload at the same time.
const STUDENTS: usize = 3;

/// Kills the server, checks what the next one will find, and starts that one.
fn crash(served: &Served, record: &Record) {
    served.end(Signal::KILL);
    let (_folder, copy) = served.copy_crashed();
    record.check(&copy);
    served.start();
}

/// Waits until the server shows at least this number of games, and records them.
fn show_games(served: &Served, record: &Record, kind: &str, least: usize) {
    let path = format!("/course/games?kind={kind}");
    let games = served.wait_for(&path, |page| page["games"].as_array().is_some_and(|games| games.len() >= least));
    record.show_games(&games);
}

fn phase(about: &Value, phase: &str) -> bool {
    about["phase"] == phase
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let served = Served::new(TEAMS, &settings("2999-11-30 18:00"), 60);
    let record = Record::default();
    thread::scope(|scope| {
        for student in 0..STUDENTS {
            let (served, record) = (&served, &record);
            scope.spawn(move || {
                for team in (student..TEAMS).step_by(STUDENTS) {
                    let quality = if team == 4 { Quality::Bad } else { Quality::Good };
                    assert_eq!(upload(served, record, team, quality).status, 202);
                }
            });
        }
        served.wait_for("/course/staff/teams", |_| record.uploads() >= TEAMS / 2);
        crash(&served, &record);
    });
    record.announce(&served, "Hello");
    show_games(&served, &record, "ladder", 10);
    crash(&served, &record);
    assert!(served.view("/course/about")["games"].as_u64() >= Some(10));
    served.act("close");
    served.wait_for("/course/about", |about| phase(about, "final"));
    show_games(&served, &record, "final", 1);
    crash(&served, &record);
    served.wait_for("/course/about", |about| phase(about, "done"));
    served.act("publish");
    show_games(&served, &record, "final", 2 * 2 * (TEAMS / 2 - 1));
    let grades = served.view("/course/staff/grades.json");
    let marks: Vec<f64> = grades.as_array().expect("grades").iter().filter_map(|team| team["total"].as_f64()).collect();
    assert_eq!((marks.len(), marks.iter().sum()), (TEAMS, 10.0 * (TEAMS - 1) as f64), "{grades}");
    let copy = served.store().with_file_name("copy.sqlite");
    served.command(&["backup", &copy.display().to_string()]);
    record.check(&copy);
    check_standings(&served, &copy);
    served.end(Signal::TERM);
}
