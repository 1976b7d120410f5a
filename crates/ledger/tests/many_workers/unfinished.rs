//! Tests of jobs that a worker does not finish, or finishes with a wrong output.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ledger::{Address, Desk, Done, Failure, Ledger, Recorded, Shift, serve};

use crate::{LEASE, begun, jobs, on_a_database, shift};

/// Opens a desk and offers jobs.
fn desk(address: &Address, kind: &str, count: u64) -> (Desk, Ledger) {
    let mut desk = Desk::open(address, kind, "{}", "build").expect("a desk");
    desk.offer(&jobs(count)).expect("offered");
    (desk, Ledger::open(address).expect("a ledger"))
}

/// Checks that a worker that fails at every job gets each job only once, and that another worker then gets these jobs.
#[test]
fn a_failing_worker_gets_no_job_twice_if_there_is_another_worker() {
    on_a_database(|database, address| {
        let (mut desk, mut ledger) = desk(address, "bad", 3);
        let good = ledger.enlist("good", "build", 1.0, 1).expect("a worker");
        let bad = || {
            let (lease, until_idle) = (Duration::from_secs(1), Some(Duration::from_secs(1)));
            let shift = Shift { jobs: 1, lease, until_idle, ..shift(address.clone()) };
            let perform = |_: &ledger::Work, _: &ledger::Job| Err(Failure("no room".to_owned()));
            serve(&shift, &AtomicBool::new(false), &|_| (), &perform, &|| None).expect("work");
        };
        bad();
        let failed = "SELECT sum(failed) FROM plyhouse_ledger.worker";
        assert_eq!(database.sql(failed).expect("SQL"), "3");
        assert_eq!(desk.collect().expect("outputs"), [], "none is set aside");
        for _ in 0..3 {
            let job = ledger.claim(good, "build", LEASE).expect("a claim").expect("a job");
            assert_eq!((job.failures, ledger.finish(&job, good, "done").expect("a report")), (1, Recorded::Now));
        }
        assert!(desk.collect().expect("outputs").iter().all(|Done { output, .. }| output == &Ok("done".to_owned())));

        // If there is no other worker, the same worker gets the job again after a while.
        database.sql("UPDATE plyhouse_ledger.worker SET seen = now() - interval '2 minutes'").expect("SQL");
        desk.offer(&[(3, String::new())]).expect("offered");
        let lonely = ledger.enlist("lonely", "build", 1.0, 1).expect("a worker");
        let job = ledger.claim(lonely, "build", LEASE).expect("a claim").expect("a job");
        ledger.fail(&job, lonely, "no room", LEASE).expect("a report");
        assert_eq!(ledger.claim(lonely, "build", LEASE).expect("a claim"), None);
        wait(|| {
            desk.collect().expect("outputs");
            ledger.claim(lonely, "build", LEASE).expect("a claim").is_some()
        });
        desk.end().expect("ended");
    });
}

/// Waits until a condition is true, for at most a minute.
fn wait(mut condition: impl FnMut() -> bool) {
    let until = std::time::Instant::now() + Duration::from_mins(1);
    while !condition() {
        assert!(std::time::Instant::now() < until, "the condition was not true within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_worker_whose_output_is_wrong_leaves_the_job_to_others() {
    on_a_database(|_, address| {
        let (mut ledger, work) = begun(address, "wrong", 1);
        let [wrong, right] = [0, 1].map(|_| ledger.enlist("w", "build", 1.0, 1).expect("a worker"));
        let job = ledger.claim(wrong, "build", LEASE).expect("a claim").expect("a job");
        assert_eq!(ledger.finish(&job, wrong, "2 + 2 = 5").expect("a report"), Recorded::Now);
        assert_eq!(ledger.collect(work.id).expect("outputs").len(), 1);
        ledger.reject(work.id, job.number, "wrong").expect("rejected");
        assert_eq!(ledger.claim(wrong, "build", LEASE).expect("a claim"), None);
        assert!(ledger.claim(right, "build", LEASE).expect("a claim").is_some());
        ledger.end(work.id).expect("ended");
    });
}

/// Tests a job on a machine that hangs but still renews its leases.
#[test]
fn a_job_that_takes_too_long_is_given_to_another_worker() {
    on_a_database(|_, address| {
        let (mut desk, mut ledger) = desk(address, "long", 1);
        desk.raise_job_limit(Duration::ZERO);
        let [stuck, other] = [0, 1].map(|_| ledger.enlist("w", "build", 1.0, 1).expect("a worker"));
        let job = ledger.claim(stuck, "build", LEASE).expect("a claim").expect("a job");
        let mut again = None;
        wait(|| {
            ledger.renew(stuck, &[(job.work, job.number)], LEASE).expect("renewed");
            assert_eq!(desk.collect().expect("outputs"), []);
            again = ledger.claim(other, "build", LEASE).expect("a claim");
            again.is_some()
        });
        let again = again.expect("a job");
        assert_eq!((again.number, again.failures), (job.number, 1));
        assert_eq!(
            ledger.renew(stuck, &[(job.work, job.number)], LEASE).expect("renewed"),
            0,
            "the lease has moved to the other worker"
        );
        assert_eq!(ledger.finish(&again, other, "done").expect("a report"), Recorded::Now);
        assert_eq!(ledger.finish(&job, stuck, "late").expect("a report"), Recorded::Before);
        assert_eq!(desk.collect().expect("outputs"), [Done { number: 0, output: Ok("done".to_owned()) }]);
        desk.end().expect("ended");
    });
}

#[test]
fn jobs_that_no_worker_has_taken_can_be_withdrawn() {
    on_a_database(|_, address| {
        let (mut desk, mut ledger) = desk(address, "withdrawn", 3);
        let worker = ledger.enlist("w", "build", 1.0, 1).expect("a worker");
        ledger.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        assert_eq!(desk.withdraw(&[0, 2]).expect("withdrawn"), [2]);
        let next = ledger.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        assert_eq!((next.number, ledger.claim(worker, "build", LEASE).expect("a claim")), (1, None));
        desk.end().expect("ended");
    });
}

/// The server records that outputs were collected, even if the connection is lost before the answer arrives.
#[test]
fn outputs_of_a_lost_answer_are_collected_again() {
    on_a_database(|database, address| {
        let (mut desk, mut ledger) = desk(address, "lost", 2);
        let worker = ledger.enlist("w", "build", 1.0, 1).expect("a worker");
        let job = ledger.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        ledger.finish(&job, worker, "done").expect("a report");
        let outputs = [Done { number: 0, output: Ok("done".to_owned()) }];
        assert_eq!(ledger.collect(desk.work()).expect("outputs"), outputs);
        assert_eq!(desk.collect().expect("outputs"), []);
        database.cut_off().expect("SQL");
        assert_eq!(desk.collect().expect("outputs"), outputs);
        desk.forget(&[0]).expect("forgotten");
        database.cut_off().expect("SQL");
        assert_eq!(desk.collect().expect("outputs"), []);
        desk.end().expect("ended");
    });
}

#[test]
fn work_is_deleted_unless_another_program_hands_it_out() {
    on_a_database(|database, address| {
        let (desk, mut ledger) = desk(address, "deleted", 2);
        let worker = ledger.enlist("w", "build", 1.0, 1).expect("a worker");
        let job = ledger.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        assert!(!ledger.discard(desk.work()).expect("an answer"), "the desk hands it out");
        desk.discard().expect("deleted");
        let left = "SELECT (SELECT count(*) FROM plyhouse_ledger.work), (SELECT count(*) FROM plyhouse_ledger.job)";
        assert_eq!(database.sql(left).expect("SQL"), "0|0");
        assert_eq!(ledger.finish(&job, worker, "late").expect("a report"), Recorded::Before);
    });
}

/// A desk that does not retry reports the loss of the database at once, and continues when the database is back.
#[test]
fn a_desk_without_patience_returns_errors_and_can_be_used_again() {
    on_a_database(|database, address| {
        let mut desk = Desk::open_within(address, "brief", "{}", "build", Duration::ZERO).expect("a desk");
        desk.offer(&jobs(1)).expect("offered");
        database.close().expect("SQL");
        for _ in 0..2 {
            assert!(desk.collect().expect_err("no database").may_pass());
        }
        database.reopen().expect("SQL");
        desk.check_work().expect("the work exists");
        assert_eq!(desk.withdraw(&[0]).expect("withdrawn"), [0]);
        Ledger::open(address).expect("a ledger").end(desk.work()).expect("ended");
        desk.discard().expect("deleted");
    });
}
