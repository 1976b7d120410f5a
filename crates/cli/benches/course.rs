//! Benchmark of `plyhouse course serve` with 300 teams and 300 open pages: an hour of the ladder on a fast clock, an
//! upload of every team in the last minute, the final, and twenty kills of the server at random moments; then the same
//! pages with 100,000 games in the database. Every kill is followed by a check that nothing acknowledged was lost.
//!
//! The number of teams, the speed of the clock and the seed of the moments can be given as arguments.

#[path = "../tests/course_load/record.rs"]
mod record;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/course_load/served.rs"]
mod served;
#[path = "../tests/course_load/students.rs"]
mod students;

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arena::{Entrant, Format, GameLog, Plan, Planned, Spec};
use course::{CourseStore, Kind, SystemClock};
use devtools::Browser;
use game::SplitMix64;
use jiff::{SignedDuration, Timestamp};
use rustix::process::Signal;

use record::Record;
use served::{Sender, Served, settings};
use students::{Quality, upload};

/// Number of students who upload at the same time.
const STUDENTS: usize = 16;
/// Number of kills of the server.
const KILLS: usize = 20;
/// Number of open pages.
const PAGES: usize = 300;
/// Number of threads that request the data of the pages.
const THREADS: usize = 12;
/// Pause of each page between two rounds of requests.
const PAUSE: Duration = Duration::from_secs(4);
/// Number of games in the large database.
const GAMES: i64 = 100_000;
/// Duration of the ladder before the last minute.
const HOUR: SignedDuration = SignedDuration::from_mins(60);
const MINUTE: SignedDuration = SignedDuration::from_secs(60);

/// Response times by kind of request.
type Times = Mutex<BTreeMap<&'static str, Vec<Duration>>>;

/// A course under load.
struct Bench {
    served: Served,
    record: Record,
    times: Times,
    /// `true` while no server runs. Response times are not recorded then.
    is_away: AtomicBool,
    rng: Mutex<SplitMix64>,
    kills: AtomicUsize,
    starts: Mutex<Vec<Duration>>,
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse::<u32>().ok());
    let (teams, speed) = (numbers.next().unwrap_or(300) as usize, numbers.next().unwrap_or(20));
    let seed = numbers.next().unwrap_or(1);
    let deadline = Timestamp::now().checked_add(HOUR + MINUTE * 2).expect("a time");
    let settings = settings(&deadline.strftime("%Y-%m-%d %H:%M").to_string());
    let bench = Bench {
        served: Served::new(teams, &settings, speed),
        record: Record::default(),
        times: Times::default(),
        is_away: AtomicBool::new(false),
        rng: Mutex::new(SplitMix64::new(u64::from(seed))),
        kills: AtomicUsize::new(0),
        starts: Mutex::default(),
    };
    let began = Instant::now();
    bench.under_load(Bench::play_course);
    say(&format!("a course of {teams} teams in {:.0} s, with {} kills", began.elapsed().as_secs_f64(), bench.kills()));
    bench.report();
    bench.check_end();
    for fill in [Bench::fill_ladder, Bench::fill_final] {
        fill(&bench);
        bench.under_load(Bench::play_large);
        bench.report();
    }
}

fn say(line: &str) {
    writeln!(stdout(), "{line}").expect("standard output");
}

impl Bench {
    /// Runs a part while pages are open.
    fn under_load(&self, part: impl FnOnce(&Self)) {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let is_over = &is_over;
                scope.spawn(move || self.keep_pages(thread, is_over));
            }
            // A panic ends the other threads, too.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| part(self)));
            is_over.store(true, Ordering::Relaxed);
            if let Err(panic) = done {
                std::panic::resume_unwind(panic);
            }
        });
    }

    /// Requests the data of every page of a thread again and again, as the pages do.
    fn keep_pages(&self, thread: usize, is_over: &AtomicBool) {
        let mut tags: BTreeMap<(usize, String), String> = BTreeMap::new();
        while !is_over.load(Ordering::Relaxed) {
            let (began, pages) = (Instant::now(), (thread..PAGES).step_by(THREADS));
            let count = pages.len() as u32;
            for (number, page) in pages.enumerate() {
                for (kind, sender, path) in self.requests(page) {
                    self.request(kind, sender, (page, path), &mut tags);
                }
                let due = PAUSE * (number as u32 + 1) / count;
                thread::sleep(due.saturating_sub(began.elapsed()));
            }
        }
    }

    /// Returns the requests of a page.
    fn requests(&self, page: usize) -> Vec<(&'static str, Sender, String)> {
        let team = page % self.served.teams();
        let own = Sender::Team(team);
        let about = |sender| ("about", sender, "/course/about".to_owned());
        let games = self.record.game_keys();
        let game = games.get((page * 7919) % games.len().max(1)).cloned();
        match page % 10 {
            0..=3 => vec![
                about(own),
                ("uploads", own, "/course/uploads".to_owned()),
                ("games", own, format!("/course/games?team={}", served::id(team))),
                ("standings", own, "/course/standings".to_owned()),
            ],
            4..=6 => vec![
                about(Sender::Visitor),
                ("standings", Sender::Visitor, format!("/course/standings?page={}", 1 + page % 6)),
                ("live", Sender::Visitor, "/course/live".to_owned()),
                ("games", Sender::Visitor, "/course/games".to_owned()),
            ],
            7 => vec![about(own), ("advice", own, "/course/advice".to_owned())],
            8 => game.map(|id| ("game", Sender::Visitor, format!("/course/games/{id}"))).into_iter().collect(),
            _ if page == 9 => vec![
                about(Sender::Staff),
                ("staff", Sender::Staff, "/course/staff/teams".to_owned()),
                ("audit", Sender::Staff, "/course/staff/audit".to_owned()),
            ],
            _ => vec![("team", Sender::Visitor, format!("/course/teams/{}", served::id(team)))],
        }
    }

    fn request(
        &self,
        kind: &'static str,
        sender: Sender,
        key: (usize, String),
        tags: &mut BTreeMap<(usize, String), String>,
    ) {
        let (began, was_away) = (Instant::now(), self.is_away.load(Ordering::Relaxed));
        let Some(answer) = self.served.get(sender, &key.1, tags.get(&key).map(String::as_str)) else { return };
        let time = began.elapsed();
        assert!([200, 304, 403].contains(&answer.status), "{}: {answer:?}", key.1);
        if !was_away && !self.is_away.load(Ordering::Relaxed) {
            self.times.lock().expect("no panic").entry(kind).or_default().push(time);
        }
        if kind == "games" && answer.status == 200 {
            self.record.show_games(&answer.json());
        }
        tags.extend(answer.tag.map(|tag| (key, tag)));
    }

    /// Returns a random duration below `most`.
    fn moment(&self, most: Duration) -> Duration {
        most.mul_f64(self.rng.lock().expect("no panic").fraction())
    }

    fn kills(&self) -> usize {
        self.kills.load(Ordering::Relaxed)
    }

    /// Kills the server at a random moment within `most`, checks its database, and starts the next server.
    fn crash_within(&self, most: Duration) {
        thread::sleep(self.moment(most));
        self.is_away.store(true, Ordering::Relaxed);
        let start = self.record.crash(&self.served);
        self.starts.lock().expect("no panic").push(start);
        self.is_away.store(false, Ordering::Relaxed);
        let kill = self.kills.fetch_add(1, Ordering::Relaxed) + 1;
        self.record.announce(&self.served, &format!("after kill {kill}"));
    }

    /// Uploads an agent of each of these teams.
    fn upload_all(&self, teams: impl Iterator<Item = usize> + Send) {
        let teams = Mutex::new(teams);
        thread::scope(|scope| {
            for _ in 0..STUDENTS {
                scope.spawn(|| {
                    loop {
                        let Some(team) = teams.lock().expect("no panic").next() else { break };
                        let quality = if team % 20 == 7 { Quality::Bad } else { Quality::Good };
                        let sent = upload(&self.served, &self.record, team, quality);
                        let kind = if sent.status == 202 { "upload" } else { "late upload" };
                        assert!([202, 403, 409].contains(&sent.status), "{}", sent.status);
                        self.times.lock().expect("no panic").entry(kind).or_default().push(sent.time);
                    }
                });
            }
        });
    }

    /// Returns the time until the deadline, on the course's clock.
    fn left(&self) -> SignedDuration {
        let about = self.served.view("/course/about");
        let time = |field: &str| about[field].as_str().expect("a time").parse::<Timestamp>().expect("a time");
        time("deadline").duration_since(time("now"))
    }

    fn phase(&self) -> String {
        self.served.view("/course/about")["phase"].as_str().expect("a phase").to_owned()
    }

    /// Plays the course to its published end.
    fn play_course(&self) {
        let teams = self.served.teams();
        thread::scope(|scope| {
            scope.spawn(|| self.upload_all((0..teams).step_by(3)));
            for _ in 0..3 {
                self.crash_within(Duration::from_secs(4));
            }
        });
        while self.left() > MINUTE {
            if self.kills() < 8 && self.left() > MINUTE * 5 {
                self.crash_within(Duration::from_secs(30));
            }
            thread::sleep(Duration::from_millis(20));
        }
        say(&format!("{} uploads and {} games before the last minute", self.record.uploads(), self.served.games()));
        // The last minute is a real one.
        self.served.set_speed(1);
        self.crash_within(Duration::ZERO);
        thread::scope(|scope| {
            scope.spawn(|| self.upload_all(0..teams));
            for _ in 0..4 {
                self.crash_within(Duration::from_secs(10));
            }
        });
        say(&format!("{} uploads after it; {:.0} s are left", self.record.uploads(), self.left().as_secs_f64()));
        self.served.wait_for("/course/about", |about| about["phase"] != "open");
        for _ in 0..2 {
            self.crash_within(Duration::from_millis(500));
        }
        self.served.wait_for("/course/about", |about| about["phase"] != "closing");
        while self.kills() < KILLS && self.phase() == "final" {
            self.crash_within(Duration::from_secs(8));
        }
        self.served.wait_for_phase("done");
        self.served.act("publish");
        self.served.wait_for_phase("published");
    }

    /// Prints the response times and the memory of the server, and clears the times.
    fn report(&self) {
        let times = std::mem::take(&mut *self.times.lock().expect("no panic"));
        let mut pages = Vec::new();
        for (kind, times) in times {
            if !kind.ends_with("upload") {
                pages.extend_from_slice(&times);
            }
            say_times(kind, times);
        }
        say_times("all pages", pages);
        say(&format!("{:<12} {:>6.1} MiB at most; bar 300 MB", "memory", self.served.peak_memory() as f64 / 1024.0));
        let bytes = std::fs::metadata(self.served.store()).map_or(0, |file| file.len());
        say(&format!("{:<12} {:>6.1} MiB", "database", bytes as f64 / f64::from(1 << 20)));
        let mut starts = std::mem::take(&mut *self.starts.lock().expect("no panic"));
        starts.sort();
        if let Some(longest) = starts.last() {
            say(&format!("{:<12} {:>6.1} ms at most after a kill", "start", in_ms(*longest)));
        }
    }

    /// Checks the course after its end.
    fn check_end(&self) {
        self.record.check_backup(&self.served);
        let began = Instant::now();
        let grades = self.served.view("/course/staff/grades.json");
        let graded = began.elapsed();
        let copies = self.served.view("/course/staff/copies");
        assert!(copies["groups"].is_array(), "{copies}");
        let compared = began.elapsed().saturating_sub(graded);
        say(&format!("grades {:.0} ms, copies {:.0} ms", in_ms(graded), in_ms(compared)));
        assert_eq!(grades.as_array().map(Vec::len), Some(self.served.teams()));
        say(&format!("nothing lost, nothing twice: {} uploads, {} games", self.record.uploads(), self.served.games()));
        self.served.end(Signal::TERM);
    }

    /// Adds games between the versions that play, until the database has a hundred thousand.
    fn fill_ladder(&self) {
        let mut store = CourseStore::open(&self.served.store(), Arc::new(SystemClock)).expect("the database opens");
        let played = store.games(Kind::Ladder, None, 200).expect("readable");
        let logs: Vec<_> = played
            .chunks(2)
            .map(|pair| {
                let log = |game: &course::GameRow| store.game(game.id).expect("readable").1;
                [log(&pair[1]), log(&pair[0])]
            })
            .collect();
        let versions: Vec<i64> = store.teams().expect("readable").iter().filter_map(course::TeamRow::playing).collect();
        let series = (GAMES - played[0].id).max(0) / 2;
        let mut rng = SplitMix64::new(2);
        let began = Instant::now();
        for _ in 0..series {
            let (one, other) = (rng.below(versions.len()), rng.below(versions.len() - 1));
            let other = if other >= one { other + 1 } else { other };
            store.save_series([versions[one], versions[other]], rng.choose(&logs).expect("a series")).expect("saved");
        }
        say(&format!("{series} series are added in {:.0} s", began.elapsed().as_secs_f64()));
        drop(store);
        self.served.reopen_ladder();
        self.start_cold("ladder");
    }

    /// Starts the server, and prints the times of the start and of the first scoreboard.
    fn start_cold(&self, kind: &str) {
        let began = Instant::now();
        self.served.start();
        let started = began.elapsed();
        let path = format!("/course/standings?kind={kind}");
        assert_eq!(self.served.get(Sender::Visitor, &path, None).expect("a server").status, 200);
        let shown = began.elapsed().saturating_sub(started);
        say(&format!("start {:.0} ms, first scoreboard {:.0} ms", in_ms(started), in_ms(shown)));
    }

    /// Replaces the final by a round robin of all versions that took part, whose games are all played.
    fn fill_final(&self) {
        self.served.end(Signal::TERM);
        let path = self.served.store();
        let course = CourseStore::open(&path, Arc::new(SystemClock)).expect("the database opens");
        let played = course.games(Kind::Ladder, None, 200).expect("readable");
        let logs: Vec<GameLog> = played.iter().map(|game| course.game(game.id).expect("readable").1).collect();
        let earlier = course.final_tournament().expect("readable");
        drop(course);
        let mut store = arena::Store::open(&path.clone().into()).expect("the database opens");
        let spec = store.tournament(earlier).expect("readable").spec;
        let spec = Spec { format: Format::RoundRobin, rounds: None, games: 2, ..spec };
        let plan = Plan::new(&spec, |seed| seed.to_string()).expect("a plan");
        let entrants = vec![Entrant::default(); spec.agents.len()];
        let id = store.begin(&spec, plan.planned(), &entrants).expect("begun");
        let games: Vec<Planned> = plan.games().collect();
        for games in games.chunks(1000) {
            let log = |planned: &Planned| {
                let log = logs[planned.number as usize % logs.len()].clone();
                GameLog { planned: planned.clone(), ..log }
            };
            store.save_all(id, &games.iter().map(log).collect::<Vec<_>>()).expect("saved");
        }
        let db = rusqlite::Connection::open(&path).expect("the database opens");
        db.execute("UPDATE course_meta SET value = ? WHERE key = 'final'", [id.to_string()]).expect("written");
        drop((db, store));
        say(&format!("a final of {} games:", games.len()));
        self.start_cold("final");
    }

    /// Opens the scoreboard in a browser while the ladder plays with a hundred thousand games.
    fn play_large(&self) {
        let mut browser = Browser::start().expect("a browser");
        let mut times = Vec::new();
        for _ in 0..9 {
            browser.open("about:blank", 1280, 900).expect("a page");
            browser.open(&self.served.address(), 1280, 900).expect("the page");
            let shown = "document.querySelectorAll('.standings-table tbody tr').length >= 50";
            browser.wait_for(shown).expect("the scoreboard");
            let now = browser.eval("performance.now()").expect("a number").as_f64().expect("a number");
            times.push(Duration::from_secs_f64(now / 1e3));
        }
        say_times("in a browser", times);
        thread::sleep(Duration::from_secs(30));
        say(&format!("{} games on the ladder", self.served.games()));
    }
}

fn in_ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Prints response times.
fn say_times(kind: &str, mut times: Vec<Duration>) {
    times.sort();
    let at =
        |share: f64| times.get(((times.len().max(1) - 1) as f64 * share) as usize).map_or(0.0, Duration::as_secs_f64);
    let [half, most, longest] = [0.5, 0.99, 1.0].map(|share| at(share) * 1e3);
    let count = times.len();
    say(&format!(
        "{kind:<12} {count:>6} answers: {half:>6.1} ms (median) {most:>7.1} ms (99 %) {longest:>7.1} ms (longest)"
    ));
}
