//! Tests of stores in files and in PostgreSQL databases.

use devtools::Database;

use super::*;
use crate::draft::Draft;

/// Runs a test on each kind of store that is available.
fn on_each_store(test: impl Fn(&Location)) {
    let folder = tempfile::tempdir().expect("a folder");
    test(&folder.path().join("arena.sqlite").into());
    if let Some(database) = Database::create().expect("a server") {
        test(&at(&database.url()));
    }
}

fn at(url: &str) -> Location {
    Location::try_from(std::ffi::OsString::from(url)).expect("a URL")
}

fn spec() -> Spec {
    let file = "game = 'loa'\nagent = [{ name = 'a', builtin = '' }, { name = 'b', builtin = '' }]";
    Draft::read(file, std::path::Path::new(".")).and_then(Draft::finish).expect("a tournament")
}

fn game(number: u32) -> GameLog {
    let text = format!(
        r#"{{"number":{number},"agents":[0,1],"round":0,"opening_seed":1,"seed":2,"start":"","opening":[],"moves":[],
        "result":"first","ending":"win","faults":[],"stderr":["\\u0000 ü",""],"cpu":[null,0.5],"began":"2026",
        "seconds":1.5,"version":"","machine":""}}"#
    );
    serde_json::from_str(&text).expect("a game")
}

fn begin(store: &mut Store, games: &[u32]) -> i64 {
    let entrant = Entrant { hash: "aa".to_owned(), build_output: "a\0b".to_owned(), ..Entrant::default() };
    let id = store.begin(&spec(), 4, &[entrant, Entrant::default()]).expect("saved");
    for &number in games {
        store.save(id, &game(number)).expect("saved");
    }
    id
}

fn places(store: &Store, id: i64) -> Vec<(i64, u32)> {
    store.database.places(id, Order::Saved).expect("readable")
}

#[test]
fn stored_tournaments_and_games_can_be_read_back() {
    on_each_store(|location| {
        assert!(matches!(Store::existing(location), Err(StoreError::Missing(_))));
        let mut store = Store::open(location).expect("a store");
        assert!(matches!(store.tournament(None), Err(StoreError::Empty)));
        assert!(matches!(store.tournament(Some(7)), Err(StoreError::NoTournament(7))));
        let id = begin(&mut store, &[2, 0]);
        drop(store);
        let store = Store::existing(location).expect("a store");
        let tournament = store.tournament(None).expect("a tournament");
        assert_eq!((tournament.id, tournament.planned, tournament.imported), (id, 4, false));
        assert_eq!((&*tournament.entrants[0].hash, &*tournament.entrants[0].build_output), ("aa", "a\0b"));
        assert_eq!(store.done(id).expect("readable"), [0, 2].into());
        assert_eq!(places(&store, id), [(1, 2), (2, 0)]);
        let mut games = Vec::new();
        let damaged = store.each(id, |game| {
            games.push(game);
            Ok::<_, StoreError>(())
        });
        assert_eq!((damaged.expect("readable"), games), (vec![], vec![game(0), game(2)]));
        let before = |number, limit| {
            let games = store.games_before(&tournament, number, limit).expect("readable");
            games.iter().map(|game| game.planned.number).collect::<Vec<_>>()
        };
        assert_eq!([before(u32::MAX, 9), before(2, 9), before(u32::MAX, 1)], [vec![2, 0], vec![0], vec![2]]);
        let one = |number| store.game(&tournament, number).expect("readable");
        assert_eq!([0, 1, 2, u32::MAX].map(one), [Some(game(0)), None, Some(game(2)), None]);
        let now = store.ago(Duration::ZERO).expect("a time");
        let before = store.ago(Duration::from_hours(1)).expect("a time");
        assert!(before < now && now.len() == "2026-01-01T00:00:00.000Z".len() && now.ends_with('Z'), "{now}");
        assert!(store.is_sound().expect("readable"));
    });
}

#[test]
fn a_game_is_saved_once() {
    on_each_store(|location| {
        let mut store = Store::open(location).expect("a store");
        let id = begin(&mut store, &[0, 1]);
        let head = store.head(id).expect("readable");
        let error = store.save(id, &game(1)).expect_err("it is there").to_string();
        assert!(error.starts_with("game 1 was not saved, and `resume` plays it again: store"), "{error}");
        assert_eq!(store.head(id).expect("readable"), head, "nothing was changed");
        // A game that was set aside can be saved again. Both copies stay in the chain.
        store.set_aside(id, &[Damaged { number: 1, why: String::new() }]).expect("saved");
        assert_eq!(store.done(id).expect("readable"), [0].into());
        store.save(id, &game(1)).expect("saved");
        assert_eq!(places(&store, id), [(1, 0), (2, 1), (3, 1)]);
        let last = store.database.game(id, 3).expect("readable");
        assert!(last.is_intact() && last.before == head && last.hash == store.head(id).expect("readable"));
    });
}

#[test]
fn an_unfinished_transaction_leaves_nothing() {
    on_each_store(|location| {
        let mut store = Store::open(location).expect("a store");
        let begun = Transaction::begin(&*store.database, Access::Write).expect("begun");
        store.database.insert_tournament("{}", None, true).expect("saved");
        drop(begun);
        assert_eq!(store.tournaments().expect("readable"), Vec::<i64>::new());
        assert_eq!(begin(&mut store, &[]), 1, "numbers have no gaps");
        assert_eq!(begin(&mut store, &[]), 2);
    });
}

#[test]
fn several_writers_do_not_fork_the_chain() {
    on_each_store(|location| {
        let mut store = Store::open(location).expect("a store");
        let id = begin(&mut store, &[]);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                scope.spawn(move || {
                    let mut store = Store::open(location).expect("a store");
                    for number in (writer..40).step_by(4) {
                        store.save(id, &game(number)).expect("saved");
                    }
                });
            }
        });
        let mut before = store.tournament(Some(id)).expect("a tournament").genesis;
        for (place, _) in places(&store, id) {
            let saved = store.database.game(id, place).expect("readable");
            assert!(saved.is_intact() && saved.before == before, "place {place}");
            before = saved.hash;
        }
        assert_eq!((before, store.done(id).expect("readable").len()), (store.head(id).expect("readable"), 40));
    });
}

#[test]
fn one_process_holds_a_store() {
    on_each_store(|location| {
        let hold = Hold::take(location).expect("free");
        let error = Hold::take(location).err().expect("held").to_string();
        assert_eq!(error, format!("store {location}: another process is playing a tournament of it"));
        drop(hold);
        Hold::take(location).expect("free again");
    });
}

/// Any user of a database, including a worker, can take any advisory lock.
#[test]
fn locks_of_workers_do_not_block_a_store() {
    let Some(database) = Database::create().expect("a server") else { return };
    let location = at(&database.url());
    let role = format!("locker_{}", database.name());
    drop(Store::open(&location).expect("a store"));
    let address: ledger::Address = database.url().parse().expect("a URL");
    ledger::Ledger::open(&address).expect("a ledger").admit(&role, "password").expect("a user for workers");
    let mut worker =
        address.for_user(&role, Some("password")).parse::<ledger::Address>().expect("a URL").connect().expect("in");
    // The locks that earlier versions took, and the lock that a program takes while it creates the tables.
    for lock in [0x706c_7968_6f75_7301_i64, 0x706c_7968_6f75_7302, 0x706c_7968_6f75_7303, 7_597_141] {
        worker.execute("SELECT pg_advisory_lock($1)", &[&lock]).expect("allowed to any user");
    }
    for table in ["plyhouse.meta", "plyhouse.tournament"] {
        worker.batch_execute(&format!("LOCK TABLE {table} IN ACCESS SHARE MODE")).expect_err("refused to workers");
    }
    let _hold = Hold::take(&location).expect("free");
    assert!(Hold::take(&location).is_err_and(|error| error.to_string().contains("another process")));
    let mut store = Store::open(&location).expect("a store");
    assert_eq!(begin(&mut store, &[0, 1]), 1);
    ledger::Ledger::open(&address).expect("a ledger");
    drop(worker);
    database.sql(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).expect("SQL");
}

#[test]
fn a_lost_connection_is_not_reported_as_a_damaged_game() {
    let Some(database) = Database::create().expect("a server") else { return };
    let mut store = Store::open(&at(&database.url())).expect("a store");
    let id = begin(&mut store, &[0]);
    database.cut_off().expect("cut off");
    let error = store.save(id, &game(1)).expect_err("no connection").to_string();
    let shown = database.shown_url();
    let start = format!("game 1 was not saved, and `resume` plays it again: store {shown}: the connection was lost: ");
    assert!(error.starts_with(&start), "{error}");
    assert!(store.each(id, |_| Ok::<_, StoreError>(())).is_err());
    let store = Store::open(&at(&database.url())).expect("a store");
    assert_eq!(store.done(id).expect("readable"), [0].into());
}

#[test]
fn a_newer_layout_and_an_unknown_schema_are_refused() {
    let Some(database) = Database::create().expect("a server") else { return };
    let location = at(&database.url());
    database.sql("CREATE SCHEMA plyhouse; CREATE TABLE public.game (mine TEXT)").expect("an empty schema is no store");
    drop(Store::open(&location).expect("a store"));
    database.sql("UPDATE plyhouse.meta SET layout = 9").expect("SQL");
    let error = Store::open(&location).err().expect("refused").to_string();
    assert!(error.ends_with("layout 9 found, expected 1; the store is of another version or program"), "{error}");
    assert_eq!(database.sql("SELECT count(*) FROM public.game").expect("left alone"), "0");
    database
        .sql("DROP SCHEMA plyhouse CASCADE; CREATE SCHEMA plyhouse; CREATE TABLE plyhouse.game (a TEXT)")
        .expect("SQL");
    let error = Store::open(&location).err().expect("refused").to_string();
    assert!(error.contains("\"game\" already exists"), "{error}");
    assert_eq!(database.sql("SELECT to_regclass('plyhouse.meta') IS NULL").expect("nothing was made"), "t");
}

#[test]
fn errors_of_a_server_do_not_contain_the_password() {
    let Some(database) = Database::create().expect("a server") else { return };
    let url = database.url();
    let name = url.rsplit('/').next().expect("a name");
    let credentials = url.split("://").nth(1).and_then(|rest| rest.split('@').next()).expect("credentials");
    for (wrong, part) in [
        (url.replacen(name, "nowhere", 1), "cannot connect: database \"nowhere\" does not exist"),
        (
            url.replacen(credentials, "plyhouse:p%40ss%2Fworm", 1),
            "password authentication failed for user \"plyhouse\"",
        ),
        (url.replacen(credentials, "plyhouse", 1), "password"),
        (format!("postgres://{credentials}@127.0.0.1:1/{name}"), "127.0.0.1:1/"),
        (format!("postgres://{credentials}@no-such-host.invalid/{name}"), "no-such-host.invalid"),
        (format!("{url}?sslmode=require"), "TLS"),
    ] {
        let error = Store::open(&at(&wrong)).err().expect("refused").to_string();
        assert!(error.contains(part) && error.contains(": cannot connect: "), "{error}");
        assert!(!error.contains("p%40ss") && !error.contains("p@ss"), "{error}");
    }
}

#[test]
fn an_invalid_byte_damages_at_most_one_game() {
    for (change, damaged) in [
        ("UPDATE game SET hash = CAST(x'ff22' AS TEXT) WHERE place = 2", vec![1]),
        ("UPDATE game SET before = CAST(x'ff22' AS TEXT) WHERE place = 2", vec![1]),
        ("UPDATE agent SET files = CAST(x'ff' AS TEXT), build_output = CAST(x'ff' AS TEXT)", vec![]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("arena.sqlite");
        let mut store = Store::open(&path.clone().into()).expect("a store");
        let id = begin(&mut store, &[0, 1, 2]);
        rusqlite::Connection::open(&path).expect("a file").execute_batch(change).expect("changed");
        store.tournament(Some(id)).expect("readable");
        let mut file = Vec::new();
        let found = store.export(id, &mut file).expect(change);
        assert_eq!(found.iter().map(|game| game.number).collect::<Vec<_>>(), damaged, "{change}");
        let lines = String::from_utf8(file).expect("UTF-8");
        let json = lines.lines().map(serde_json::from_str::<serde_json::Value>);
        assert_eq!(json.flatten().count(), 4, "{lines}");
        let hashes = lines.lines().skip(1).filter(|line| line.len() > 64 && line.ends_with("\"}"));
        assert_eq!(hashes.count(), 3, "{lines}");
    }
}

#[test]
fn the_error_of_a_truncated_store_names_the_recovery_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.sqlite");
    let mut store = Store::open(&path.clone().into()).expect("a store");
    let id = begin(&mut store, &(0..60).collect::<Vec<_>>());
    let head = store.head(id).expect("readable");
    drop(store);
    let file = std::fs::File::options().write(true).open(&path).expect("a file");
    file.set_len(file.metadata().expect("a size").len() - 4096).expect("truncated");
    let location = path.clone().into();
    for error in [Store::existing(&location).err(), Store::watch(&location).err()] {
        let error = error.expect("it is damaged").to_string();
        let remedy = format!("`plyhouse arena recover NEW.sqlite --store {}`", path.display());
        assert!(error.starts_with(&format!("store {}: ", path.display())) && error.contains(&remedy), "{error}");
    }
    let new = folder.path().join("new.sqlite");
    let [tournaments, agents, games] = salvage(&path, &new).expect("most of it is readable");
    assert!((tournaments, agents) == (1, 2) && (1..60).contains(&games), "{games}");
    let saved = Store::existing(&new.into()).expect("a store");
    assert_eq!((saved.done(id).expect("readable").len() as u64, saved.head(id).expect("readable")), (games, head));
    assert_eq!(saved.results(id).expect("readable").1, vec![], "no game is damaged");
    std::fs::write(&path, "no database, but a text that is longer than a header of a hundred bytes ".repeat(9))
        .expect("written");
    let error = Store::existing(&location).err().expect("it is no store").to_string();
    assert_eq!(error, format!("store {}: file is not a database", path.display()));
}
