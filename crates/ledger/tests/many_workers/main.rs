//! Tests of a ledger on a real PostgreSQL server, with threads as workers.

mod encryption;
mod unfinished;

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use devtools::Database;
use ledger::{Address, Failure, Ledger, LedgerError, News, Progress, Recorded, Shift, serve};

const LEASE: Duration = Duration::from_secs(30);

/// Begins work and offers jobs.
fn begun(address: &Address, kind: &str, count: u64) -> (Ledger, ledger::Work) {
    let mut ledger = Ledger::open(address).expect("a ledger");
    let work = ledger.begin(kind, "{}", "build").expect("work");
    ledger.offer(work.id, &jobs(count)).expect("offered");
    (ledger, work)
}

fn jobs(count: u64) -> Vec<(u64, String)> {
    (0..count).map(|number| (number, format!("input {number}"))).collect()
}

fn shift(address: Address) -> Shift {
    let (name, build) = ("a test".to_owned(), "build".to_owned());
    Shift { address, name, build, speed: 1.0, jobs: 2, lease: LEASE, until_idle: Some(Duration::ZERO) }
}

/// Runs a test case on its own database if PostgreSQL is installed.
fn on_a_database(case: impl FnOnce(&Database, &Address)) {
    if let Some(database) = Database::create().expect("a server") {
        case(&database, &database.url().parse().expect("a URL"));
    }
}

#[test]
fn a_job_is_leased_and_its_first_output_counts() {
    on_a_database(|_, address| {
        let mut ledger = Ledger::open(address).expect("a ledger");
        let work = ledger.begin("count", "{}", "build").expect("work");
        assert!(!work.is_resumed);
        ledger.offer(work.id, &jobs(3)).expect("offered");
        ledger.offer(work.id, &jobs(2)).expect("offered again, without effect");
        let [one, two] = [0, 1].map(|_| ledger.enlist("w", "build", 1.0, 1).expect("a worker"));
        let mut taken: Vec<_> =
            (0..3).map(|_| ledger.claim(one, "build", LEASE).expect("a claim").expect("a job")).collect();
        assert_eq!(taken.iter().map(|job| job.number).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(taken[1].input, "input 1");
        assert_eq!(ledger.claim(two, "build", LEASE).expect("a claim"), None, "all jobs are leased");
        assert_eq!(ledger.renew(one, &[(work.id, 0), (work.id, 2), (work.id, 7)], LEASE).expect("renewed"), 2);

        // The first output counts, whichever worker reports it.
        let job = taken.remove(0);
        assert_eq!(ledger.finish(&job, one, "a").expect("a report"), Recorded::Now);
        assert_eq!(ledger.finish(&job, two, "b").expect("a report"), Recorded::Before);
        let done = ledger.collect(work.id).expect("outputs");
        assert_eq!(
            done.iter().map(|done| (done.number, done.output.clone())).collect::<Vec<_>>(),
            [(0, Ok("a".into()))]
        );
        assert_eq!(ledger.collect(work.id).expect("outputs"), [], "each output is collected once");
        let progress = Progress { waiting: 0, leased: 2, done: 1, aside: 0 };
        assert_eq!(ledger.progress(work.id).expect("progress"), progress);

        // A program that resumes the work can collect all outputs again.
        let again = ledger.begin("count", "{}", "build").expect("work");
        assert!(again.is_resumed && again.id == work.id);
        ledger.restart(work.id).expect("restarted");
        let mut other = Ledger::open(address).expect("a ledger");
        assert!(ledger.reserve(work.id).expect("an answer") && !other.reserve(work.id).expect("an answer"));
        assert_eq!(ledger.collect(work.id).expect("outputs").len(), 1);
        ledger.end(work.id).expect("ended");
        assert_eq!(ledger.finish(&taken[0], one, "late").expect("a report"), Recorded::Before);
        assert_ne!(ledger.begin("count", "{}", "build").expect("work").id, work.id, "completed work is not resumed");
    });
}

#[test]
fn a_job_that_fails_three_times_is_set_aside() {
    on_a_database(|_, address| {
        let (mut ledger, work) = begun(address, "fail", 2);
        let worker = ledger.enlist("w", "build", 1.0, 1).expect("a worker");
        // An expired lease and two failures.
        let lost = ledger.claim(worker, "build", Duration::ZERO).expect("a claim").expect("a job");
        for _ in 0..2 {
            let job = ledger.claim(worker, "build", LEASE).expect("a claim").expect("a job");
            assert_eq!(job.number, lost.number, "the job is leased again");
            ledger.fail(&job, worker, "no room", Duration::ZERO).expect("a report");
        }
        let other = ledger.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        assert_eq!(other.number, 1, "the first job was set aside");
        let done = ledger.collect(work.id).expect("outputs");
        assert_eq!((done.len(), done[0].number, &done[0].output), (1, 0, &Err("no room".to_owned())));
        // A late output is accepted.
        assert_eq!(ledger.finish(&lost, worker, "late").expect("a report"), Recorded::Now);
        assert_eq!(ledger.collect(work.id).expect("outputs")[0].output, Ok("late".to_owned()));
        // A wrong output counts as another failure. A correct output can be deleted.
        ledger.reject(work.id, 0, "illegal").expect("rejected");
        assert_eq!(ledger.collect(work.id).expect("outputs")[0].output, Err("illegal".to_owned()));
        assert_eq!(ledger.finish(&other, worker, "right").expect("a report"), Recorded::Now);
        assert_eq!(ledger.collect(work.id).expect("outputs").len(), 2);
        ledger.forget(work.id, &[0, 1]).expect("forgotten");
        assert_eq!(ledger.progress(work.id).expect("progress"), Progress { aside: 1, ..Progress::default() });
        assert_eq!(
            ledger.open_work("fail").expect("an answer").iter().map(|work| work.id).collect::<Vec<_>>(),
            [work.id]
        );
        ledger.end(work.id).expect("ended");
    });
}

#[test]
fn other_builds_databases_and_layouts_are_refused() {
    on_a_database(|database, address| {
        let mut ledger = Ledger::open(address).expect("a ledger");
        let work = ledger.begin("count", "{}", "new").expect("work");
        ledger.offer(work.id, &jobs(1)).expect("offered");
        let worker = ledger.enlist("w", "old", 1.0, 1).expect("a worker");
        assert_eq!(ledger.claim(worker, "old", LEASE).expect("a claim"), None, "the work is for another build");
        assert!(ledger.claim(worker, "new", LEASE).expect("a claim").is_some());
        assert!(matches!(ledger.work(123_456), Err(LedgerError::NoWork(123_456))));
        ledger.end(work.id).expect("ended");
        let missing: Address = format!("{}-missing", database.url()).parse().expect("a URL");
        let error = Ledger::open(&missing).err().expect("no such database").to_string();
        assert!(
            error.contains("cannot connect to postgres://plyhouse@127.0.0.1:") && error.contains("-missing"),
            "{error}"
        );
        assert!(!error.contains(database.password()), "{error}");
        database.sql("UPDATE plyhouse_ledger.layout SET number = 99").expect("SQL");
        let error = Ledger::open(address).err().expect("another layout").to_string();
        database.sql("UPDATE plyhouse_ledger.layout SET number = 3").expect("SQL");
        assert!(error.contains("ledger layout 99, expected 3"), "{error}");
    });
}

/// Checks that a worker keeps its output while the server's disk is full, and reports it when there is space again.
#[test]
fn a_worker_keeps_its_output_while_the_disk_is_full() {
    on_a_database(|database, address| {
        let (mut ledger, work) = begun(address, "full", 2);
        let fill = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                    RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$; \
                    CREATE TRIGGER full_disk BEFORE UPDATE ON plyhouse_ledger.job FOR EACH ROW \
                    WHEN (NEW.state = 2) EXECUTE FUNCTION full_disk()";
        database.sql(fill).expect("SQL");
        let (stop, said) = (AtomicBool::new(false), AtomicU64::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let note = |note: ledger::Note<'_>| {
                    if let ledger::Note::Waits(error) = note {
                        assert!(error.to_string().contains("at the moment: no space left on device"), "{error}");
                        said.fetch_add(1, Ordering::Relaxed);
                    }
                };
                let shift = Shift { until_idle: None, ..shift(address.clone()) };
                serve(&shift, &stop, &note, &|_, job| Ok(job.number.to_string()), &|| None).expect("work");
            });
            while said.load(Ordering::Relaxed) < 3 {
                std::thread::sleep(Duration::from_millis(20));
            }
            database.sql("DROP TRIGGER full_disk ON plyhouse_ledger.job").expect("SQL");
            while ledger.progress(work.id).expect("progress").done < 2 {
                std::thread::sleep(Duration::from_millis(20));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let outputs: Vec<_> = ledger.collect(work.id).expect("outputs").into_iter().map(|done| done.output).collect();
        assert_eq!(outputs, [Ok("0".to_owned()), Ok("1".to_owned())]);
        ledger.end(work.id).expect("ended");
    });
}

/// Checks for deadlocks: the heartbeat and the reports of a worker change the same rows.
#[test]
fn heartbeats_and_reports_do_not_block_each_other() {
    on_a_database(|_, address| {
        let (mut ledger, work) = begun(address, "beat", 400);
        let worker = ledger.enlist("w", "build", 1.0, 2).expect("a worker");
        let all: Vec<_> = (0..400).map(|number| (work.id, number)).collect();
        let resting = AtomicBool::new(false);
        let beat = || -> Result<(), LedgerError> {
            let mut ledger = Ledger::open(address)?;
            while !resting.load(Ordering::Relaxed) {
                ledger.renew(worker, &all, LEASE)?;
            }
            Ok(())
        };
        let report = || -> Result<(), LedgerError> {
            let mut ledger = Ledger::open(address)?;
            while let Some(job) = ledger.claim(worker, "build", LEASE)? {
                ledger.finish(&job, worker, "done")?;
            }
            Ok(())
        };
        let (heart, hands) = std::thread::scope(|scope| {
            let heart = scope.spawn(beat);
            let hands = [scope.spawn(report), scope.spawn(report)].map(|hand| hand.join().expect("no panic"));
            resting.store(true, Ordering::Relaxed);
            (heart.join().expect("no panic"), hands)
        });
        heart.expect("renewed");
        for hand in hands {
            hand.expect("reported");
        }
        ledger.end(work.id).expect("ended");
    });
}

/// Checks that the role for workers can claim and report jobs, and that all other access is denied.
#[test]
fn the_role_for_workers_claims_and_reports_only() {
    on_a_database(|database, address| {
        let mut owner = Ledger::open(address).expect("a ledger");
        let name = format!("hand \"of\" {}", database.name());
        owner.admit(&name, "first").expect("a role");
        owner.admit(&name, "secret").expect("another password");
        let user = name.replace(' ', "%20").replace('"', "%22");
        let with = |password| {
            let url = database.shown_url().replacen("plyhouse@", &format!("{user}:{password}@"), 1);
            url.parse::<Address>().expect("a URL")
        };
        let error = Ledger::open(&with("first")).err().expect("the old password").to_string();
        assert!(error.contains("password authentication failed"), "{error}");
        let work = owner.begin("count", "{}", "build").expect("work");
        owner.offer(work.id, &jobs(3)).expect("offered");
        owner.add_bundle("hash", b"files").expect("a bundle");

        let mut hand = Ledger::open(&with("secret")).expect("a ledger");
        let worker = hand.enlist("w", "build", 1.0, 2).expect("a worker");
        let job = hand.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        assert_eq!(hand.work(job.work).expect("its work").kind, "count");
        assert_eq!(hand.renew(worker, &[(job.work, job.number)], LEASE).expect("renewed"), 1);
        assert_eq!(hand.bundle("hash").expect("an answer"), Some(b"files".to_vec()));
        assert_eq!(hand.bundle("other").expect("an answer"), None);
        hand.show(worker, "{}").expect("shown");
        assert_eq!(hand.finish(&job, worker, "0").expect("a report"), Recorded::Now);
        let job = hand.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        hand.fail(&job, worker, "no room", Duration::ZERO).expect("a report");
        hand.claim(worker, "build", LEASE).expect("a claim").expect("a job");
        hand.wait(News::Offered, Duration::ZERO).expect("it listens");
        hand.release(worker).expect("released");
        assert_eq!(owner.progress(work.id).expect("progress"), Progress { waiting: 2, done: 1, ..Progress::default() });

        let denied = |error: Option<LedgerError>| {
            let error = error.expect("access is denied").to_string();
            assert!(error.contains("permission denied"), "{error}");
        };
        denied(hand.begin("count", "{}", "build").err());
        denied(hand.offer(work.id, &jobs(9)).err());
        denied(hand.collect(work.id).err());
        denied(hand.end(work.id).err());
        denied(hand.workers("build").err());
        denied(hand.add_bundle("other", b"evil").err());
        denied(hand.has_bundle("hash").err());
        denied(hand.admit("friend", "secret").err());
        for statement in [
            "SELECT * FROM plyhouse_ledger.job",
            "SELECT plyhouse_ledger.take_back()",
            "DELETE FROM plyhouse_ledger.worker",
            "UPDATE plyhouse_ledger.layout SET number = 7",
            "CREATE TABLE plyhouse_ledger.mine ()",
            "CREATE FUNCTION plyhouse_ledger.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        ] {
            let role = name.replace('"', "\"\"");
            let error = database.sql(&format!("SET ROLE \"{role}\"; {statement}")).expect_err(statement);
            assert!(error.to_string().contains("permission denied"), "{statement}: {error}");
        }
        // The role can take advisory locks, but programs of the owner can still reserve the work, one at a time.
        let mut locks = with("secret").connect().expect("a connection");
        let number = work.id & i64::from(i32::MAX);
        let keys = [(0x706c_7957 ^ number) << 32, (0x706c_7957_i64 << 32) ^ work.id];
        for key in keys.into_iter().flat_map(|key| key..key + 50) {
            locks.execute("SELECT pg_advisory_lock($1)", &[&key]).expect("every role may take locks");
            let halves = [(key >> 32) as i32, key as i32];
            locks
                .execute("SELECT pg_advisory_lock($1, $2)", &[&halves[0], &halves[1]])
                .expect("every role may take locks");
        }
        assert!(owner.reserve(work.id).expect("an answer"));
        let mut other = Ledger::open(address).expect("a ledger");
        assert!(!other.reserve(work.id).expect("an answer"));
        assert!(other.reserve(work.id + 1).expect("an answer"), "other work is free");
        denied(hand.reserve(work.id).err());

        let error = owner.admit("plyhouse", "secret").expect_err("the owner itself").to_string();
        assert!(error.contains("role `plyhouse`") && error.contains("not made for workers"), "{error}");
        owner.end(work.id).expect("ended");
    });
}

#[test]
fn workers_complete_every_job_although_some_attempts_fail() {
    on_a_database(|_, address| {
        let mut ledger = Ledger::open(address).expect("a ledger");
        let work = ledger.begin("square", "of", "build").expect("work");
        ledger.offer(work.id, &jobs(300)).expect("offered");
        let done = AtomicU64::new(0);
        let perform = |work: &ledger::Work, job: &ledger::Job| {
            assert_eq!((work.kind.as_str(), work.spec.as_str()), ("square", "of"));
            // Half of the attempts at jobs 0, 10, 20 and so on fail.
            if job.number.is_multiple_of(10) && done.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
                return Err(Failure("tired".to_owned()));
            }
            Ok((job.number * job.number).to_string())
        };
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let shift = Shift { until_idle: None, lease: Duration::from_secs(3), ..shift(address.clone()) };
                scope.spawn({
                    let (stop, perform) = (&stop, &perform);
                    move || serve(&shift, stop, &|_| (), perform, &|| None).expect("work")
                });
            }
            let is_over = |Progress { done, aside, .. }| done + aside == 300;
            while !is_over(ledger.progress(work.id).expect("progress")) {
                ledger.wait(News::Done, Duration::from_millis(200)).expect("a connection");
            }
            stop.store(true, Ordering::Relaxed);
        });
        // By chance, a job may fail three times. This is not an error of the ledger.
        let outputs = ledger.collect(work.id).expect("outputs");
        assert_eq!(outputs.iter().map(|done| done.number).collect::<BTreeSet<_>>(), (0..300).collect());
        for done in outputs {
            if let Ok(output) = done.output {
                assert_eq!(output, (done.number * done.number).to_string());
            }
        }
        assert!(ledger.workers("build").expect("workers").iter().map(|worker| worker.done).sum::<u64>() >= 290);
        ledger.end(work.id).expect("ended");
    });
}

/// Checks that a worker that waits for more jobs performs late jobs in all its threads, and then exits by itself.
#[test]
fn a_panic_in_a_job_ends_the_worker() {
    on_a_database(|_, address| {
        let _work = begun(address, "panic", 5);
        let stop = AtomicBool::new(false);
        let perform = |_: &ledger::Work, job: &ledger::Job| match job.number {
            0 => panic!("job 0"),
            _ => Ok(String::new()),
        };
        // Without a limit on idle time, only `stop` ends the other thread.
        let shift = Shift { until_idle: None, ..shift(address.clone()) };
        let served = std::panic::catch_unwind(AssertUnwindSafe(|| serve(&shift, &stop, &|_| (), &perform, &|| None)));
        assert!(served.is_err() && stop.load(Ordering::Relaxed));
    });
}

#[test]
fn a_worker_waits_for_late_jobs_and_then_ends() {
    on_a_database(|_, address| {
        let mut ledger = Ledger::open(address).expect("a ledger");
        let work = ledger.begin("late", "{}", "build").expect("work");
        let (together, is_there) = (AtomicU64::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Each of the two jobs waits for the other.
                let perform = |_: &ledger::Work, _: &ledger::Job| {
                    together.fetch_add(1, Ordering::Relaxed);
                    while together.load(Ordering::Relaxed) < 2 {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    Ok(String::new())
                };
                let note = |note: ledger::Note<'_>| {
                    is_there.fetch_or(matches!(note, ledger::Note::Enlisted(_)), Ordering::Relaxed);
                };
                let shift = Shift { until_idle: Some(Duration::from_secs(3)), ..shift(address.clone()) };
                serve(&shift, &AtomicBool::new(false), &note, &perform, &|| None).expect("work");
            });
            while !is_there.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            // By now, the worker has looked for a job and found none.
            std::thread::sleep(Duration::from_millis(200));
            ledger.offer(work.id, &jobs(2)).expect("offered");
        });
        assert_eq!(ledger.progress(work.id).expect("progress").done, 2);
        ledger.end(work.id).expect("ended");
    });
}

/// Repeatedly closes all connections, possibly within a transaction, while workers perform jobs. No job may be lost or
/// recorded twice, and no job may stay leased to a worker that did not receive it.
#[test]
fn lost_connections_do_not_lose_or_repeat_jobs() {
    on_a_database(|database, address| {
        let (ledger, work) = begun(address, "sleep", 200);
        drop(ledger);
        let stop = AtomicBool::new(false);
        let performed = AtomicU64::new(0);
        let mut seen = BTreeSet::new();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let lease = Duration::from_secs(4);
                let shift = Shift { until_idle: None, lease, ..shift(address.clone()) };
                let (stop, performed) = (&stop, &performed);
                scope.spawn(move || {
                    let perform = |_: &ledger::Work, job: &ledger::Job| {
                        std::thread::sleep(Duration::from_millis(20));
                        performed.fetch_add(1, Ordering::Relaxed);
                        Ok(job.number.to_string())
                    };
                    serve(&shift, stop, &|_| (), &perform, &|| None).expect("work");
                });
            }
            for _ in 0..10 {
                std::thread::sleep(Duration::from_millis(100));
                database.cut_off().expect("SQL");
            }
            let mut ledger = Ledger::open(address).expect("a ledger");
            let until = std::time::Instant::now() + Duration::from_mins(3);
            while seen.len() < 200 && std::time::Instant::now() < until {
                for done in ledger.collect(work.id).expect("outputs") {
                    assert_eq!(done.output, Ok(done.number.to_string()));
                    assert!(seen.insert(done.number), "job {} was collected twice", done.number);
                }
                ledger.wait(News::Done, Duration::from_millis(200)).expect("a connection");
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(seen.len(), 200, "{} were done", performed.load(Ordering::Relaxed));
    });
}
