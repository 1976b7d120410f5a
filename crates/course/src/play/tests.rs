use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use arena::{Bundle, ResultLog, Words};

use super::*;
use crate::clock::SystemClock;

/// An agent whose moves are all illegal.
const WRONG: &str = include_str!("agents/wrong.py");

/// Returns an agent that moves the first pawn which can move straight ahead, and otherwise the first one which can move
/// diagonally. It writes its moves to standard error.
fn pusher() -> String {
    include_str!("agents/pusher.py").replace("ORDER", "(1, 0, 2)")
}

/// A course's cache and its stored bundles.
struct Course {
    folder: tempfile::TempDir,
    cache: BundleCache,
    bundles: BTreeMap<String, Vec<u8>>,
    fetched: Mutex<Vec<String>>,
    stop: AtomicBool,
    showcase: Showcase,
}

impl Course {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = BundleCache::new(folder.path().join("cup.work/bundles"));
        let (bundles, fetched) = (BTreeMap::new(), Mutex::default());
        Self { folder, cache, bundles, fetched, stop: AtomicBool::new(false), showcase: Showcase::default() }
    }

    /// Packs an agent with one file, and removes the file.
    fn accept(&mut self, name: &str, command: [&str; 2], file: &str) -> Program {
        let folder = self.folder.path().join(name);
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(folder.join(command[1]), file).expect("a file");
        let bundle = Bundle::pack(&folder, &[]).expect("a bundle");
        std::fs::remove_dir_all(&folder).expect("removed");
        let agent = AgentSpec {
            name: name.to_owned(),
            command: Some(Words::List(command.map(str::to_owned).to_vec())),
            dialect: Some("ugi".to_owned()),
            directory: Some(folder),
            ..AgentSpec::default()
        };
        self.bundles.insert(bundle.hash.clone(), bundle.bytes);
        Program { agent, bundle: Some(bundle.hash) }
    }

    fn with_stage<T>(&self, settings: &str, play: impl FnOnce(&Stage<'_>) -> T) -> T {
        let agents = "agent = [{ name = 'x', builtin = '' }, { name = 'y', builtin = '' }]";
        let file = format!("game = 'breakthrough'\nsize = 5\n{settings}\n{agents}");
        let spec = Spec::read(&file, Path::new(".")).expect("a specification");
        let fetch = |hash: &str| {
            self.fetched.lock().expect("no thread panics here").push(hash.to_owned());
            Ok(self.bundles.get(hash).cloned())
        };
        let venue = Venue::default();
        let Self { cache, showcase, stop, .. } = self;
        play(&Stage { spec: &spec, venue: &venue, cache, fetch: &fetch, clock: &SystemClock, showcase, stop })
    }
}

#[test]
fn a_series_has_one_opening_and_both_colours() {
    let mut course = Course::new();
    let pusher = course.accept("pusher", ["python3", "agent.py"], &pusher());
    let wrong = course.accept("wrong", ["python3", "agent.py"], WRONG);
    course.with_stage("opening = 2", |stage| {
        let games = stage.play_series(7, [&pusher, &wrong], None).expect("played").expect("not stopped");
        let facts = games.each_ref().map(|game| (game.planned.number, game.planned.agents, game.result));
        assert_eq!(facts, [(14, [0, 1], ResultLog::First), (15, [1, 0], ResultLog::Second)], "{games:?}");
        assert_eq!((&games[0].opening, games[0].opening.len()), (&games[1].opening, 2));
        assert_ne!(games[0].planned.seed, games[1].planned.seed);
        let faults = games.each_ref().map(|game| (game.faults.len(), game.faults[0].side));
        assert_eq!(faults, [(1, 1), (1, 0)], "{games:?}");
        // The moves of the pusher are on its own standard error.
        assert!(games[0].stderr[1].is_empty() && games[1].stderr[0].is_empty(), "{games:?}");
        assert_eq!(counts(&games), Counts { games: [2, 0, 0], pairs: [0, 0, 0, 0, 1], singles: [0; 3] });
        let again = stage.play_series(7, [&wrong, &pusher], None).expect("played").expect("not stopped");
        assert_eq!((&again[0].opening, counts(&again).games), (&games[0].opening, [0, 0, 2]));
        let other = stage.play_series(8, [&wrong, &pusher], None).expect("played").expect("not stopped");
        assert_ne!(other[0].planned.opening_seed, games[0].planned.opening_seed);
    });
    assert_eq!(course.fetched.lock().expect("no thread panics here").len(), 2, "each bundle is fetched once");
}

#[test]
fn practice_against_a_level_is_a_whole_game() {
    let mut course = Course::new();
    let pusher = course.accept("pusher", ["python3", "agent.py"], &pusher());
    let level = Program::level(Level::new(1).expect("a level"));
    course.with_stage("", |stage| {
        let game = stage.play_practice(3, [&level, &pusher], None).expect("played").expect("not stopped");
        assert!(game.faults.is_empty() && game.moves.len() > 4, "{game:?}");
        let line = format!("SECRET plays {}", game.moves[1].text);
        assert!(game.stderr[1].starts_with(&line), "{game:?}");
        assert!(game.began.ends_with('Z') && game.result != ResultLog::Void, "{game:?}");
        let live = course.showcase.games();
        let [Some(live)] = live.as_slice() else { panic!("{live:?}") };
        assert_eq!((live.tournament, live.number), (PRACTICE, 3));
    });
}

/// Both agents are wrong, and random moves replace theirs, so the game continues for seconds.
#[test]
fn a_set_flag_cancels_the_series() {
    let mut course = Course::new();
    let wrong = course.accept("wrong", ["python3", "agent.py"], WRONG);
    let other = Program { agent: AgentSpec { name: "other".to_owned(), ..wrong.agent.clone() }, ..wrong.clone() };
    course.with_stage("after_fault = 'random'", |stage| {
        let begun = Instant::now();
        let played = thread::scope(|scope| {
            scope.spawn(|| {
                while course.showcase.changes() < 3 {
                    thread::sleep(Duration::from_millis(5));
                }
                course.stop.store(true, Ordering::Relaxed);
            });
            stage.play_series(1, [&wrong, &other], None)
        });
        assert_eq!(played, Ok(None), "after {:?}", begun.elapsed());
        assert_eq!(course.showcase.games(), [None], "a cancelled game is not shown");
        let changes = course.showcase.changes();
        assert_eq!(stage.play_practice(1, [&wrong, &other], None), Ok(None));
        assert_eq!(course.showcase.changes(), changes, "no further game begins");
    });
}

#[test]
fn a_failed_start_is_a_fault_and_a_missing_bundle_is_not() {
    let mut course = Course::new();
    let dead = course.accept("dead", ["sh", "agent.sh"], "echo no module >&2; exit 3");
    let pusher = course.accept("pusher", ["python3", "agent.py"], &pusher());
    let gone = Program { bundle: Some("0".repeat(64)), ..pusher.clone() };
    course.with_stage("", |stage| {
        let games = stage.play_series(2, [&dead, &pusher], None).expect("played").expect("not stopped");
        assert!(games[0].is_forfeit() && games[0].stderr[0].contains("no module"), "{games:?}");
        assert_eq!(counts(&games), Counts { games: [0, 0, 2], ..Counts::default() });
        let error = stage.play_series(2, [&dead, &gone], None).expect_err("no bundle");
        assert!(error.contains("agent `pusher`: bundle 000") && error.contains("not in the store"), "{error}");
    });
}

#[test]
fn openings_of_a_list_are_played_in_turn() {
    let spec = |openings| {
        let agents = "agent = [{ name = 'x', builtin = '' }, { name = 'y', builtin = '' }]";
        let mut spec = Spec::read(&format!("game = 'loa'\n{agents}"), Path::new(".")).expect("a specification");
        spec.openings = openings;
        spec
    };
    let listed = spec(Some(Openings::List(["a", "b", "c"].map(str::to_owned).to_vec())));
    let found: Vec<u64> = (0..5).map(|number| seeds(&listed, 1, number).0).collect();
    assert_eq!(found, [0, 1, 2, 0, 1]);
    let random = spec(None);
    assert_ne!(seeds(&random, 1, 0).0, seeds(&random, 1, 1).0);
    assert_ne!(seeds(&random, 1, 0).0, seeds(&random, !1, 0).0, "practice does not repeat the ladder");
}
