//! Tests of games and their counters.

use std::time::Instant;

use arena::{GameLog, ResultLog};
use engine::Level;
use rusqlite::params;

use super::setup::{Setup, game, series};
use crate::ladder::Counts;
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::games::{FAULTS, GAME, GameRow, LAST, PAGE, PAGE_OF_TEAM, Series};
use crate::store::pairs::{OF_PAIR, PAIRS};
use crate::store::players::{Kind, PlayerKey};
use crate::store::teams::Standing;
use crate::store::uploads::NEXT;
use crate::store::void::{CANCEL, MARK, PAIRS_OF_TEAM};

fn counts(store: &CourseStore, versions: [i64; 2]) -> Counts {
    let wanted = versions.map(PlayerKey::Version);
    let pairs = store.pairs(Kind::Ladder).expect("readable");
    pairs.into_iter().find(|(players, _)| *players == wanted).map(|(_, counts)| counts).unwrap_or_default()
}

fn sound(store: &CourseStore) {
    assert_eq!(store.check().expect("readable"), Vec::<String>::new());
}

#[test]
fn results_are_counted_for_the_smaller_number() {
    let mut setup = Setup::new(3);
    let [a, b, c] = ["t0", "t1", "t2"].map(|team| setup.version(team));
    let store = &mut setup.store;
    assert_eq!(store.save_series([a, b], &series(3)).expect("saved"), 1);
    assert_eq!(store.save_series([b, a], &series(4)).expect("saved"), 3);
    assert_eq!(counts(store, [a, b]), Counts { games: [1, 1, 2], pairs: [1, 0, 0, 1, 0], singles: [0; 3] });
    // A side that does not start loses points, and its rating is not affected. A void game counts for nothing.
    let mut forfeit = game([0, 1], ResultLog::Second, 1);
    "no start".clone_into(&mut forfeit.ending);
    store.save_series([a, c], &[forfeit, game([1, 0], ResultLog::Draw, 0)]).expect("saved");
    assert_eq!(counts(store, [a, c]), Counts { games: [0, 1, 1], pairs: [0; 5], singles: [0, 1, 0] });
    store.save_series([b, c], &[game([0, 1], ResultLog::Void, 0), game([1, 0], ResultLog::Second, 2)]).expect("saved");
    assert_eq!(counts(store, [b, c]), Counts { games: [1, 0, 0], pairs: [0; 5], singles: [0, 0, 1] });
    assert_eq!(store.faults(c, Kind::Ladder).expect("readable"), [("illegal move".to_owned(), 2)].into());
    assert_eq!(store.faults(a, Kind::Ladder).expect("readable"), [("illegal move".to_owned(), 1)].into());
    sound(store);
}

#[test]
fn games_are_paged_with_the_latest_first() {
    let mut setup = Setup::new(3);
    let [a, b, c] = ["t0", "t1", "t2"].map(|team| setup.version(team));
    for players in [[a, b], [b, c], [a, c]] {
        setup.store.save_series(players, &series(2)).expect("saved");
    }
    let store = &setup.store;
    let ids = |games: Vec<GameRow>| games.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(store.games(Kind::Ladder, None, 4).expect("readable")), [6, 5, 4, 3]);
    assert_eq!(ids(store.games(Kind::Ladder, Some(3), 4).expect("readable")), [2, 1]);
    assert_eq!(ids(store.games(Kind::Practice, None, 4).expect("readable")), [0; 0]);
    assert_eq!(ids(store.games_of("t0", Kind::Ladder, None, 3).expect("readable")), [6, 5, 2]);
    assert_eq!(ids(store.games_of("t0", Kind::Ladder, Some(2), 3).expect("readable")), [1]);
    let (row, log) = store.game(2).expect("a game");
    assert_eq!((row.series, row.players, row.plies), (1, [b, a].map(PlayerKey::Version), 2));
    assert_eq!((row.result, log), (ResultLog::Draw, game([1, 0], ResultLog::Draw, 0)));
    assert!(matches!(store.game(7), Err(CourseError::Unknown { .. })));
}

#[test]
fn impossible_series_are_refused() {
    let mut setup = Setup::new(2);
    let [a, b, other] = ["t0", "t1", "t0"].map(|team| setup.version(team));
    let waiting = setup.send("t1", b"x").expect("received");
    let draw = |agents| game(agents, ResultLog::Draw, 0);
    let endless = GameLog { seconds: 1e300, ..draw([0, 1]) };
    let cases: [([i64; 2], &[GameLog], &str); 7] = [
        ([a, other], &series(2), "two versions of team t0 found"),
        ([a, waiting], &series(2), "no accepted version `4`"),
        ([a, 99], &series(2), "no accepted version `99`"),
        ([a, b], &[], "games of [] found, expected one game, or two with exchanged colours"),
        ([a, b], &[draw([0, 1]), draw([0, 1])], "games of [[0, 1], [0, 1]]"),
        ([a, b], &[draw([0, 2])], "games of [[0, 2]]"),
        ([a, b], &[endless], "s found, expected 0 to"),
    ];
    for (players, games, part) in cases {
        let error = setup.store.save_series(players, games).expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(setup.store.games(Kind::Ladder, None, 9).expect("readable"), []);
    sound(&setup.store);
}

#[test]
fn games_of_teams_without_part_do_not_count_until_they_are_reinstated() {
    let mut setup = Setup::new(3);
    let [a, b, c] = ["t0", "t1", "t2"].map(|team| setup.version(team));
    let store = &mut setup.store;
    for players in [[a, b], [b, c], [a, c]] {
        store.save_series(players, &series(3)).expect("saved");
    }
    store.save_series([a, b], &[game([0, 1], ResultLog::Second, 1)]).expect("saved");
    let all = store.pairs(Kind::Ladder).expect("readable");
    let set = |store: &mut CourseStore, team, standing| {
        store.set_standing(team, standing, "", &Actor::STAFF).expect("changed");
    };
    set(store, "t0", Standing::Disqualified);
    assert_eq!((counts(store, [a, b]), counts(store, [b, c])), (Counts::default(), Counts::of_series_of(3)));
    assert!(store.faults(a, Kind::Ladder).expect("readable").is_empty());
    store.save_series([a, c], &series(4)).expect("the series in play ends");
    assert_eq!(counts(store, [a, c]), Counts::default());
    set(store, "t1", Standing::Withdrawn);
    set(store, "t0", Standing::Active);
    assert_eq!((counts(store, [a, b]), counts(store, [b, c])), (Counts::default(), Counts::default()));
    let mut both = Counts::of_series_of(3);
    both.add(&Counts::of_series_of(4));
    assert_eq!(counts(store, [a, c]), both, "the game that ended meanwhile counts too");
    set(store, "t1", Standing::Active);
    assert_eq!(counts(store, [a, b]), all[0].1);
    assert_eq!(store.games(Kind::Ladder, None, 99).expect("readable").iter().filter(|row| row.is_void).count(), 0);

    assert_eq!(store.cancel_games(Some([b, a]), &Actor::STAFF).expect("cancelled"), 3);
    assert_eq!((counts(store, [a, b]), counts(store, [a, c])), (Counts::default(), both));
    set(store, "t0", Standing::Withdrawn);
    set(store, "t0", Standing::Active);
    assert_eq!(counts(store, [a, b]), Counts::default(), "cancelled games stay void");
    assert_eq!(store.cancel_games(None, &Actor::STAFF).expect("cancelled"), 6);
    assert!(store.pairs(Kind::Ladder).expect("readable").iter().all(|(_, counts)| *counts == Counts::default()));
    sound(store);
}

impl Counts {
    /// Counts the games of [`series`].
    fn of_series_of(half_points: usize) -> Self {
        let scores = series(half_points).map(|log| (log.result.score(log.planned.agents[0]).expect("a score"), true));
        Self::of_series(&scores)
    }
}

#[test]
fn every_change_of_a_game_is_found() {
    let changes = [
        ("UPDATE course_game SET log = replace(log, 'b1-b3', 'b1-d1') WHERE id = 2", "game 2: it was changed"),
        ("UPDATE course_game SET first = second, second = first WHERE id = 2", "game 2: it was changed"),
        ("UPDATE course_game SET saved = saved + 1 WHERE id = 2", "game 2: it was changed"),
        (
            "DELETE FROM course_side WHERE game = 2; DELETE FROM course_game WHERE id = 2",
            "game 3: it does not continue",
        ),
        ("DELETE FROM course_side WHERE game = 4; DELETE FROM course_game WHERE id = 4", "the last games are missing"),
        ("UPDATE course_game SET result = 'first' WHERE id = 2", "pair 1: its counters differ"),
        ("UPDATE course_pair SET counts = replace(counts, '2', '3')", "pair 1: its counters differ"),
    ];
    for (change, expected) in changes {
        let mut setup = Setup::new(2);
        let [a, b] = ["t0", "t1"].map(|team| setup.version(team));
        for _ in 0..2 {
            setup.store.save_series([a, b], &series(2)).expect("saved");
        }
        sound(&setup.store);
        setup.store.connection.execute_batch(change).expect("changed");
        let problems = setup.store.check().expect("readable");
        assert!(problems.iter().any(|problem| problem.starts_with(expected)), "{change}: {problems:?}");
    }
}

#[test]
fn practice_games_are_limited_and_survive_crashes() {
    let mut setup = Setup::new(3);
    let level: Level = "3".parse().expect("a level");
    assert!(setup.store.ask_practice("t0", level, 2).is_err_and(|error| error.to_string().contains("no version")));
    let [version, _] = ["t0", "t1"].map(|team| setup.version(team));
    let store = &mut setup.store;
    let [one, two, three] = ["t0", "t0", "t1"].map(|team| store.ask_practice(team, level, 2).expect("queued"));
    let Err(CourseError::TooMany { limit: 2, .. }) = store.ask_practice("t0", level, 2) else { panic!("too many") };
    assert!(store.ask_practice("t1", level, 0).is_err());
    let claim = |store: &mut CourseStore| store.claim_practice().expect("readable").map(|request| request.id);
    assert_eq!([claim(store), claim(store), claim(store), claim(store)], [Some(one), Some(three), Some(two), None]);
    store.requeue_interrupted().expect("requeued");
    assert!(store.end_practice(one, Ok(&series(4))).is_err(), "it must begin again");
    assert_eq!(claim(store), Some(one));
    store.end_practice(one, Ok(&[game([1, 0], ResultLog::Second, 1)])).expect("saved");
    assert_eq!(claim(store), Some(two));
    store.end_practice(two, Err("no sandbox")).expect("ended");
    let states: Vec<_> =
        store.practice_of("t0", 9).expect("readable").into_iter().map(|r| (r.state, r.detail)).collect();
    assert_eq!(states, [("failed".to_owned(), "no sandbox".to_owned()), ("played".to_owned(), String::new())]);
    let pairs = store.pairs(Kind::Practice).expect("readable");
    let beaten = Counts { games: [0, 0, 1], pairs: [0; 5], singles: [1, 0, 0] };
    assert_eq!(pairs, [([PlayerKey::Level(level), PlayerKey::Version(version)], beaten)]);
    assert_eq!(store.games_of("t0", Kind::Practice, None, 9).expect("readable").len(), 1);
    assert!(store.games(Kind::Ladder, None, 9).expect("readable").is_empty());
    assert!(store.faults(version, Kind::Practice).expect("readable").is_empty(), "the engine was at fault");
    sound(store);
}

#[test]
fn players_keep_their_numbers() {
    for key in Level::all().map(PlayerKey::Level).chain([1, 77].map(PlayerKey::Version)) {
        assert_eq!(PlayerKey::of_number(key.number()), Some(key));
    }
    assert_eq!(PlayerKey::Level("gentle1".parse().expect("a level")).number(), -1);
    assert_eq!(PlayerKey::of_number(-99), None);
}

#[test]
fn no_query_of_games_reads_a_whole_table() {
    let store = Setup::new(1).store;
    let plan = |query: &str| {
        let mut plan = store.connection.prepare(&format!("EXPLAIN QUERY PLAN {query}")).expect("a query");
        let unbound: Vec<Option<i64>> = vec![None; plan.parameter_count()];
        let lines = plan.query_map(rusqlite::params_from_iter(unbound), |row| row.get(3)).expect("a plan");
        let lines: Vec<String> = lines.collect::<Result<_, _>>().expect("texts");
        assert!(!lines.is_empty() && lines.iter().all(|line| !line.starts_with("SCAN")), "{query}: {lines:?}");
        lines
    };
    plan(NEXT);
    for query in [PAGE, PAGE_OF_TEAM, GAME, PAIRS, FAULTS, OF_PAIR, LAST, MARK, PAIRS_OF_TEAM, CANCEL] {
        let lines = plan(query);
        assert!(!lines.iter().any(|line| line.contains("TEMP B-TREE FOR ORDER BY")), "{query}: {lines:?}");
    }
}

/// Measures the scoreboard's queries with 300 teams and 100,000 games.
#[test]
#[ignore = "takes a minute; it prints times for the documentation"]
#[expect(clippy::print_stderr, reason = "the times are its result")]
fn a_large_course_is_read_quickly() {
    let mut setup = Setup::new(300);
    let versions: Vec<i64> = (0..300).map(|n| setup.version(&format!("t{n}"))).collect();
    let change = setup.store.change().expect("a transaction");
    for n in 0..50_000_usize {
        let (one, other) = (n % 300, (n % 300 + 1 + n / 300 % 150) % 300);
        let players = [versions[one], versions[other]].map(PlayerKey::Version);
        Series { kind: Kind::Ladder, players, games: &series(n % 5) }.save(&change).expect("saved");
    }
    change.commit().expect("saved");
    let store = &setup.store;
    let timed = |name: &str, read: &dyn Fn() -> usize| {
        let began = Instant::now();
        let rows = read();
        eprintln!("{name}: {rows} rows in {:?}", began.elapsed());
        rows
    };
    assert!(timed("pairs", &|| store.pairs(Kind::Ladder).expect("readable").len()) > 20_000);
    assert_eq!(timed("teams", &|| store.teams().expect("readable").len()), 300);
    assert_eq!(timed("page", &|| store.games(Kind::Ladder, Some(50_000), 50).expect("readable").len()), 50);
    assert_eq!(timed("team", &|| store.games_of("t7", Kind::Ladder, None, 50).expect("readable").len()), 50);
    let began = Instant::now();
    setup.store.set_standing("t7", Standing::Withdrawn, "", &Actor::STAFF).expect("withdrawn");
    eprintln!("withdraw a team: {:?}", began.elapsed());
    let marked = "SELECT count(*) FROM course_game WHERE void != 0";
    let marked: i64 = setup.store.connection.query_row(marked, params![], |row| row.get(0)).expect("a number");
    assert!(marked > 600, "{marked}");
}
