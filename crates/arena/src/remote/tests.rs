use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use devtools::Database;
use ledger::Job;

use super::*;
use crate::agent_spec::AgentSpec;
use crate::away::{AgentFiles, Away, play_away};
use crate::bundle::BundleCache;
use crate::draft::Draft;
use crate::players::Venue;
use crate::run::{Means, games, run};
use crate::spec::Spec;
use crate::store::Store;
use crate::store::hold::Hold;

const BUILD: &str = "build";
const LEASE: Duration = Duration::from_mins(1);
/// Number of the program in the ledger.
const NUMBER: i64 = -9;
/// Number of the program's tournament in the showcase.
const SHOWN: i64 = 5;

/// The states of the workers, in the order in which they were reported.
type States = Arc<Mutex<Vec<RemoteState>>>;

fn spec() -> Spec {
    let file = "game = 'breakthrough'\nsize = 5\ngames = 40\nopening = 2\n\
                agent = [{ name = 'a', builtin = 'nodes=20' }, { name = 'b', builtin = 'nodes=10' }]";
    Draft::read(file, Path::new(".")).and_then(Draft::finish).expect("a tournament")
}

fn terms(number: i64) -> Terms {
    Terms::of_bundles(number, spec(), vec![AgentFiles::default(); 2], false)
}

fn address(database: &Database) -> Address {
    database.url().parse().expect("a URL")
}

fn remote(database: &Database, number: i64) -> (RemoteGames<'static>, States) {
    let states = States::default();
    let reported = Arc::clone(&states);
    let watch = move |state: &RemoteState| reported.lock().expect("no panic").push(state.clone());
    let fetch = |_: &str| Ok(None);
    let remote = RemoteGames::new(address(database), BUILD.to_owned(), terms(number), fetch, watch);
    (remote.expect("valid terms"), states)
}

/// Returns the game with this number, between agents of its own.
fn job(number: u32) -> GameJob {
    let agents = ["nodes=5", "nodes=6"].map(|builtin| AgentSpec {
        name: builtin.to_owned(),
        builtin: Some(builtin.to_owned()),
        ..AgentSpec::default()
    });
    let players = agents.map(|agent| (agent, AgentFiles::default())).to_vec();
    GameJob { planned: Planned { number, agents: [1, 0], round: 3, opening_seed: 7, seed: u64::MAX }, players }
}

/// A worker without a process.
struct Worker {
    ledger: Ledger,
    id: i64,
    cache: BundleCache,
}

impl Worker {
    fn new(database: &Database) -> Self {
        let mut ledger = Ledger::open(&address(database)).expect("a ledger");
        let id = ledger.enlist("w", BUILD, 1.0, 4).expect("a worker");
        Self { ledger, id, cache: BundleCache::new("/nowhere".into()) }
    }

    fn claim(&mut self) -> Option<Job> {
        self.ledger.claim(self.id, BUILD, LEASE).expect("a claim")
    }

    /// Plays the game of a job, and returns its log.
    fn play(&mut self, job: &Job) -> String {
        let terms: Terms = serde_json::from_str(&self.ledger.work(job.work).expect("its work").spec).expect("terms");
        let game: GameJob = serde_json::from_str(&job.input).expect("a game");
        let away = Away {
            terms: &game.terms(&terms),
            venue: &Venue::default(),
            cache: &self.cache,
            cores: None,
            at: job.taken.clone(),
            blames_start: false,
            showcase: &Showcase::default(),
        };
        let log = play_away(away, game.planned.clone(), &|_| Ok(None)).expect("played");
        serde_json::to_string(&log).expect("a log")
    }

    fn report(&mut self, job: &Job, output: &str) {
        self.ledger.finish(job, self.id, output).expect("a report");
    }

    /// Plays the game of a job, and reports its log.
    fn finish(&mut self, job: &Job) {
        let log = self.play(job);
        self.report(job, &log);
    }
}

/// Repeats a step until it returns a value, for at most a minute.
fn until<T>(event: &str, mut step: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(value) = step() {
            return value;
        }
        assert!(Instant::now() < end, "no {event} within a minute");
    }
}

/// Takes turns until games have ended.
fn ended(remote: &mut RemoteGames<'_>, showcase: &Showcase) -> Vec<RemoteEnd> {
    until("end of a game", || Some(remote.turn(showcase).ended).filter(|ended| !ended.is_empty()))
}

/// Takes turns until games can be offered, and returns their number.
fn wait_for_room(remote: &mut RemoteGames<'_>, showcase: &Showcase) -> usize {
    until("room", || Some(remote.turn(showcase).room).filter(|room| *room > 0))
}

/// Returns the first reported reason why no worker plays.
fn trouble(states: &States) -> String {
    states.lock().expect("no panic")[0].trouble.clone().expect("a reason")
}

fn count(database: &Database, table: &str) -> String {
    database.sql(&format!("SELECT count(*) FROM plyhouse_ledger.{table}")).expect("SQL")
}

/// Returns the numbers of works and of jobs.
fn counts(database: &Database) -> [String; 2] {
    ["work", "job"].map(|table| count(database, table))
}

#[test]
fn a_worker_plays_the_game_of_a_job_with_its_own_agents() {
    let Some(database) = Database::create().expect("a server") else { return };
    let ((mut remote, states), showcase) = (remote(&database, NUMBER), Showcase::default());
    assert_eq!(remote.turn(&showcase).room, 0, "no worker is connected");
    let trouble = trouble(&states);
    assert!(trouble.contains("no worker of this version") && trouble.contains("plyhouse work --store"), "{trouble}");
    let mut worker = Worker::new(&database);
    remote.offer(SHOWN, job(8));
    let claimed = worker.claim().expect("a job");
    let log = worker.play(&claimed);

    // A wrong log is not accepted.
    worker.report(&claimed, &log.replace("\"result\":\"", "\"result\":\"x"));
    database.sql("UPDATE plyhouse_ledger.worker SET seen = now() - interval '2 minutes'").expect("SQL");
    let mut other = Worker::new(&database);
    let again = until("rejected job", || {
        assert!(remote.turn(&showcase).ended.is_empty());
        other.claim()
    });
    assert_eq!((again.number, again.failures), (claimed.number, 1));
    other.report(&again, &log);
    let ended = ended(&mut remote, &showcase);
    let [RemoteEnd { tournament: SHOWN, planned, result: Ok(game) }] = ended.as_slice() else { panic!("{ended:?}") };
    assert_eq!((planned, &game.planned), (&job(8).planned, &job(8).planned));
    let boards = showcase.games();
    let [Some(board)] = boards.as_slice() else { panic!("{boards:?}") };
    assert_eq!((board.tournament, board.number, board.agents), (SHOWN, 8, [1, 0]));
    assert!(board.end.is_some() && board.plies as usize == game.all_moves().count(), "{board:?}");
    assert_eq!(count(&database, "job"), "0");
    assert_eq!(wait_for_room(&mut remote, &showcase), 5, "four games for four hands, and one ahead");
}

#[test]
fn boards_of_workers_are_shown_until_their_games_are_cancelled() {
    let Some(database) = Database::create().expect("a server") else { return };
    let ((mut remote, _), showcase) = (remote(&database, NUMBER), Showcase::default());
    let mut worker = Worker::new(&database);
    remote.turn(&showcase);
    remote.offer(SHOWN, job(8));
    let claimed = worker.claim().expect("a job");
    let sent: GameJob = serde_json::from_str(&claimed.input).expect("a game");
    let board = |tournament, number| LiveGame { tournament, number, plies: 3, ..LiveGame::default() };
    // Games of other programs have other numbers.
    let boards = [Some(board(NUMBER, sent.planned.number)), None, Some(board(1, sent.planned.number))];
    worker.ledger.show(worker.id, &serde_json::to_string(&boards).expect("JSON")).expect("shown");
    let boards = until("board", || {
        remote.turn(&showcase);
        Some(showcase.games()).filter(|boards| !boards.is_empty())
    });
    let shown: Vec<_> = boards.into_iter().flatten().map(|game| (game.tournament, game.number)).collect();
    assert_eq!(shown, [(SHOWN, 8)]);
    remote.cancel(SHOWN, 8, &showcase);
    assert_eq!(showcase.games(), [None]);
    worker.finish(&claimed);
    assert!(remote.turn(&showcase).ended.is_empty(), "a cancelled game does not count");
    assert_eq!(count(&database, "job"), "0");
    remote.close(&showcase);
    assert_eq!(count(&database, "work"), "0");
}

#[test]
fn a_new_run_cancels_the_games_of_the_last_one_but_not_those_of_a_running_program() {
    let Some(database) = Database::create().expect("a server") else { return };
    let showcase = Showcase::default();
    let ((mut last, _), (mut other, _)) = (remote(&database, NUMBER), remote(&database, NUMBER - 1));
    for remote in [&mut last, &mut other] {
        remote.turn(&showcase);
        remote.offer(SHOWN, job(8));
    }
    let (mut next, states) = remote(&database, NUMBER);
    next.turn(&showcase);
    let trouble = trouble(&states);
    assert!(trouble.starts_with("a second server of the same course"), "{trouble}");
    assert_eq!(counts(&database), ["2", "2"]);

    // Dropped without `close`, as if its program were killed.
    drop(last);
    let mut worker = Worker::new(&database);
    let claimed = worker.claim().expect("a job of the last run");
    worker.finish(&claimed);
    wait_for_room(&mut next, &showcase);
    assert_eq!(counts(&database), ["2", "1"]);
    assert!(next.turn(&showcase).ended.is_empty());
}

#[test]
fn games_are_returned_if_the_workers_cannot_be_reached_or_cannot_play_them() {
    let Some(database) = Database::create().expect("a server") else { return };
    let ((mut remote, _), showcase) = (remote(&database, NUMBER), Showcase::default());
    let mut worker = Worker::new(&database);
    remote.turn(&showcase);

    remote.offer(SHOWN, job(7));
    for _ in 0..ledger::MOST_FAILURES {
        let claimed = worker.claim().expect("a job");
        worker.ledger.fail(&claimed, worker.id, "no python3", Duration::ZERO).expect("a report");
    }
    let failed = ended(&mut remote, &showcase);
    let result = failed[0].result.as_ref().map(|_| ());
    assert_eq!((failed.len(), result), (1, Err(&Unplayed::Failed("no python3".to_owned()))));
    let mut missing = job(6);
    missing.players[0].1.bundle = Some("0".repeat(64));
    remote.offer(SHOWN, missing);
    let failed = ended(&mut remote, &showcase);
    assert!(matches!(&failed[0].result, Err(Unplayed::Failed(why)) if why.contains("not in the store")), "{failed:?}");

    remote.offer(SHOWN, job(8));
    database.close().expect("SQL");
    let turn = remote.turn(&showcase);
    assert!(turn.ended.is_empty() && turn.room == 0, "the connection may come back: {turn:?}");
    remote.grace = Duration::ZERO;
    let returned = ended(&mut remote, &showcase);
    assert_eq!(returned[0].planned, job(8).planned);
    assert!(matches!(returned[0].result, Err(Unplayed::Unreachable(_))), "{returned:?}");

    database.reopen().expect("SQL");
    wait_for_room(&mut remote, &showcase);
    assert_eq!(count(&database, "job"), "0", "the returned game is not offered any more");
}

#[test]
fn a_tournament_is_played_here_and_by_workers() {
    let Some(database) = Database::create().expect("a server") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let location = folder.path().join("arena.sqlite").into();
    let (spec, venue, stop) = (spec(), Venue::default(), AtomicBool::new(false));
    let hold = Hold::take(&location).expect("a free store");
    let mut store = Store::open(&location).expect("a store");
    let planned = games(&spec, &venue).expect("a plan").planned();
    for jobs in [0, 1] {
        let id = store.begin(&spec, planned, &[]).expect("begun");
        let tournament = store.tournament(Some(id)).expect("a tournament");
        let (mut remote, _) = remote(&database, NUMBER);
        let done = AtomicBool::new(false);
        let by_workers = thread::scope(|scope| {
            let playing = scope.spawn(|| {
                let (mut worker, mut count) = (Worker::new(&database), 0);
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    match worker.claim() {
                        Some(job) => {
                            worker.finish(&job);
                            count += 1;
                        }
                        None => thread::yield_now(),
                    }
                }
                count
            });
            let means = Means { jobs, venue: &venue, remote: Some(&mut remote), stop: &stop };
            let played = run((&mut store, &hold), &tournament, means, &mut |_| Ok(ControlFlow::Continue(())));
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            played.expect("played");
            playing.join().expect("no panic")
        });
        assert_eq!(store.done(id).expect("readable").len(), planned as usize);
        if jobs == 0 {
            assert_eq!(by_workers, planned);
        }
        assert_eq!(counts(&database), ["0", "0"]);
    }
}
