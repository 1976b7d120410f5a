//! A course whose server is killed again and again. The benchmark `course` does the same with a large class.

#[allow(dead_code, reason = "the benchmark uses the rest")]
pub(crate) mod record;
#[allow(dead_code, reason = "the benchmark uses the rest")]
pub(crate) mod served;
#[allow(dead_code, reason = "the benchmark uses the rest")]
pub(crate) mod students;

use std::thread;

use rustix::process::Signal;

use record::Record;
use served::{Served, settings};
use students::{Quality, upload};

const TEAMS: usize = 12;
/// Number of students who upload at the same time.
const STUDENTS: usize = 3;

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
        record.crash(&served);
    });
    record.announce(&served, "Hello");
    record.show_games(&served.wait_for_games("ladder", 10));
    record.crash(&served);
    assert!(served.games() >= 10);
    served.act("close");
    served.wait_for_phase("final");
    record.show_games(&served.wait_for_games("final", 1));
    record.crash(&served);
    served.wait_for_phase("done");
    served.act("publish");
    record.show_games(&served.wait_for_games("final", 2 * 2 * (TEAMS / 2 - 1)));
    let grades = served.view("/course/staff/grades.json");
    let marks: Vec<f64> = grades.as_array().expect("grades").iter().filter_map(|team| team["total"].as_f64()).collect();
    assert_eq!((marks.len(), marks.iter().sum()), (TEAMS, 10.0 * (TEAMS - 1) as f64), "{grades}");
    record.check_backup(&served);
    served.end(Signal::TERM);
}
