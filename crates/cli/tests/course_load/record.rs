//! Record of everything that a server has acknowledged, and checks that its database contains it after a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use course::{Counts, CourseStore, Ladder, PLACEMENT, StepState, SystemClock, UploadRow, UploadState};
use rusqlite::{Connection, OpenFlags};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::served::{Served, id};
use super::students::Quality;

/// An upload that the server has acknowledged.
pub(crate) struct Received {
    /// Number of the upload.
    pub(crate) upload: i64,
    /// Number among the team's uploads.
    pub(crate) number: i64,
    /// SHA-256 of the file.
    pub(crate) hash: String,
    pub(crate) quality: Quality,
}

/// Everything that a server has acknowledged.
#[derive(Default)]
pub(crate) struct Record {
    attempts: AtomicU64,
    /// Teams by the SHA-256 of the files that they have sent, with or without an answer.
    sent: Mutex<BTreeMap<String, usize>>,
    received: Mutex<Vec<Received>>,
    announced: Mutex<Vec<String>>,
    /// Games that the server has shown, by their keys.
    games: Mutex<BTreeMap<String, Value>>,
}

impl Record {
    /// Returns a number that no other attempt has.
    pub(crate) fn next_attempt(&self) -> u64 {
        self.attempts.fetch_add(1, Ordering::Relaxed)
    }

    /// Records that a team is about to send a file, and returns its SHA-256.
    pub(crate) fn attempt(&self, team: usize, file: &[u8]) -> String {
        let hash = arena::sha256([file]);
        assert_eq!(self.sent.lock().expect("no panic").insert(hash.clone(), team), None, "each file is new");
        hash
    }

    /// Records an acknowledged upload.
    pub(crate) fn receive(&self, received: Received) {
        self.received.lock().expect("no panic").push(received);
    }

    /// Returns the number of acknowledged uploads.
    pub(crate) fn uploads(&self) -> usize {
        self.received.lock().expect("no panic").len()
    }

    /// Announces a text. It is recorded if the server acknowledges it.
    pub(crate) fn announce(&self, served: &Served, text: &str) {
        if served.try_act("announce", &json!({ "text": text })).is_some_and(|answer| answer.status == 200) {
            self.announced.lock().expect("no panic").push(text.to_owned());
        }
    }

    /// Records the games of a page of games.
    pub(crate) fn show_games(&self, page: &Value) {
        let mut games = self.games.lock().expect("no panic");
        for game in page["games"].as_array().into_iter().flatten() {
            let key = game["id"].as_str().expect("a key").to_owned();
            if let Some(before) = games.insert(key, game.clone()) {
                assert_eq!(
                    (&before["began"], &before["players"]),
                    (&game["began"], &game["players"]),
                    "a game is final"
                );
            }
        }
    }

    /// Returns the keys of the games that were shown.
    pub(crate) fn game_keys(&self) -> Vec<String> {
        self.games.lock().expect("no panic").keys().cloned().collect()
    }

    /// Kills the server, checks its database, and starts the next server. Returns the duration of the start.
    pub(crate) fn crash(&self, served: &Served) -> Duration {
        served.end(Signal::KILL);
        let (_folder, copy) = served.copy_crashed();
        self.check(&copy);
        let began = Instant::now();
        served.start();
        began.elapsed()
    }

    /// Backs up the course while no game is played, and checks the copy and the scoreboards.
    pub(crate) fn check_backup(&self, served: &Served) {
        let copy = served.store().with_file_name("copy.sqlite");
        served.command(&["backup", &copy.display().to_string()]);
        self.check(&copy);
        check_standings(served, &copy);
    }

    /// Checks that a database has everything that was acknowledged, once.
    fn check(&self, path: &Path) {
        let store = CourseStore::open(path, Arc::new(SystemClock)).expect("the database opens");
        assert_eq!(store.check().expect("readable"), Vec::<String>::new());
        let uploads = store.uploads().expect("readable");
        self.check_uploads(&store, &uploads);
        self.check_games(&store);
        self.check_audit(&store, &uploads);
    }

    fn check_uploads(&self, store: &CourseStore, uploads: &[UploadRow]) {
        let sent = self.sent.lock().expect("no panic");
        let by_hash: BTreeMap<&str, &UploadRow> = uploads.iter().map(|row| (row.sha256.as_str(), row)).collect();
        assert_eq!(by_hash.len(), uploads.len(), "no upload is stored twice");
        let mut numbers: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for row in uploads {
            let team = sent.get(&row.sha256).expect("only files that were sent are stored");
            assert_eq!(row.team, id(*team));
            numbers.entry(&row.team).or_default().push(row.number);
            check_steps(store, row);
        }
        for (team, mut numbers) in numbers {
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(1..=numbers.len() as u32), "{team}: {numbers:?}");
        }
        for received in &*self.received.lock().expect("no panic") {
            let row = by_hash.get(received.hash.as_str()).expect("no acknowledged upload is lost");
            assert_eq!((row.id, i64::from(row.number)), (received.upload, received.number));
            let expected = if received.quality == Quality::Good { UploadState::Accepted } else { UploadState::Refused };
            let is_open = matches!(row.state, UploadState::Waiting | UploadState::Checking);
            assert!(is_open || row.state == expected, "{row:?}: {:?}", store.steps(row.id));
        }
        for team in store.teams().expect("readable") {
            let own = uploads.iter().filter(|row| row.team == team.team.id && row.state == UploadState::Accepted);
            assert_eq!(team.latest, own.map(|row| row.id).max(), "the last accepted version plays");
        }
    }

    fn check_games(&self, store: &CourseStore) {
        let db = read(store.path());
        let games = rows(
            &db,
            "SELECT series, first, second, json_extract(log, '$.began') FROM course_game WHERE kind = 'ladder' \
             ORDER BY id",
        );
        let mut once = BTreeSet::new();
        for pair in games.chunks(2) {
            let [one, other] = pair else { panic!("a series of one game: {pair:?}") };
            assert_eq!((&one[0], &one[1], &one[2]), (&other[0], &other[2], &other[1]), "one series, exchanged colours");
            assert!(
                pair.iter().all(|game| once.insert(json!(game[1..]).to_string())),
                "each game is stored once: {pair:?}"
            );
        }
        let shown = self.games.lock().expect("no panic");
        for (key, shown) in &*shown {
            let Ok(number) = key.parse() else {
                let found = "SELECT json_extract(log, '$.ending') FROM game WHERE aside = 0 AND number = ";
                let found = rows(&db, &format!("{found}{}", key.trim_start_matches('f')));
                assert_eq!(found, [[shown["ending"].clone()]], "no game of the final is lost");
                continue;
            };
            let (row, _) = store.game(number).expect("no game that was shown is lost");
            let found = json!([row.saved.to_string(), row.ending, row.plies]);
            assert_eq!(found, json!([shown["began"], shown["ending"], shown["plies"]]));
        }
    }

    fn check_audit(&self, store: &CourseStore, uploads: &[UploadRow]) {
        let log = store.audit_log(None, u32::MAX).expect("readable");
        assert!(log.iter().rev().map(|entry| entry.id).eq(1..=log.len() as i64), "no entry is missing");
        let mut found: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for entry in &log {
            // `upload 7`, before the rest of the detail.
            let end = entry.detail.find([',', ':']).unwrap_or(entry.detail.len());
            let detail = if entry.detail.starts_with("upload ") { &entry.detail[..end] } else { &entry.detail };
            let detail = if entry.action == "phase" { &entry.subject } else { detail };
            *found.entry((&entry.action, detail)).or_default() += 1;
        }
        for row in uploads {
            let upload = format!("upload {}", row.id);
            let count = |action| found.get(&(action, upload.as_str())).copied().unwrap_or(0);
            let expected = match row.state {
                UploadState::Waiting | UploadState::Checking => [1, 0, 0],
                UploadState::Accepted => [1, 1, 0],
                UploadState::Refused => [1, 0, 1],
            };
            assert_eq!([count("upload") + count("upload late"), count("accept"), count("refuse")], expected, "{row:?}");
        }
        for text in &*self.announced.lock().expect("no panic") {
            assert_eq!(found.get(&("announce", text.as_str())), Some(&1), "no announcement is lost or repeated");
        }
        assert!(found.iter().all(|((action, _), count)| *action != "phase" || *count == 1), "each phase began once");
    }
}

/// Checks the steps of an upload. Only an accepted upload, which has passed all steps, has a bundle.
fn check_steps(store: &CourseStore, row: &UploadRow) {
    let steps = store.steps(row.id).expect("readable");
    let names: BTreeSet<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names.len(), steps.len(), "a check that began again has each step once: {steps:?}");
    let last = steps.last().map(|step| (step.name.as_str(), step.state));
    let is_over = steps.iter().all(|step| step.state != StepState::Running);
    match row.state {
        UploadState::Waiting => assert_eq!(steps, []),
        UploadState::Checking => assert!(row.bundle.is_none()),
        UploadState::Accepted => {
            assert!(is_over && last == Some(("pack", StepState::Passed)), "{steps:?}");
            store.bundle(row.bundle.as_deref().expect("a bundle")).expect("its files");
        }
        UploadState::Refused => {
            assert!(is_over && last.is_some_and(|(_, state)| state == StepState::Failed), "{steps:?}");
            assert!(row.bundle.is_none());
        }
    }
}

/// Checks that the served scoreboards follow from the games in a copy of the database.
fn check_standings(served: &Served, copy: &Path) {
    let store = CourseStore::open(copy, Arc::new(SystemClock)).expect("the database opens");
    let db = read(copy);
    let games = "SELECT series, first, second, result, rated FROM course_game WHERE kind = 'ladder' AND void = 0 \
                 ORDER BY id";
    let mut ladder = Ladder::restore(PLACEMENT, counts(&rows(&db, games)));
    let teams = store.teams().expect("readable");
    for (version, team) in teams.iter().filter_map(|row| Some((row.playing()?, &row.team.id))) {
        ladder.enter(version, team);
    }
    let expected = ladder.table();
    let found = served.standings("ladder");
    assert_eq!(found.len(), expected.len());
    let by_team: BTreeMap<&str, &Value> = found.iter().filter_map(|row| Some((row["team"].as_str()?, row))).collect();
    for row in &expected {
        let found = by_team[row.team.as_str()];
        assert_eq!(json!([found["won"], found["drawn"], found["lost"]]), json!(row.games), "{found}");
        let elo = row.elo.map(|elo| elo.value);
        let is_same = elo.zip(found["elo"].as_f64()).is_none_or(|(elo, found)| (elo - found).abs() < 0.1);
        assert!(is_same && elo.is_some() == found["elo"].is_f64(), "{elo:?} {found}");
    }
    assert!(found.iter().map(|row| row["rank"].as_u64()).is_sorted());
    check_final(served, &store);
}

/// Returns the results of each pair of versions from their games.
fn counts(games: &[Vec<Value>]) -> Vec<([i64; 2], Counts)> {
    use rating::GameScore::{Draw, Loss, Win};
    let number = |value: &Value| value.as_i64().expect("a number");
    let mut series: BTreeMap<i64, ([i64; 2], Vec<_>)> = BTreeMap::new();
    for game in games {
        let players = [number(&game[1]), number(&game[2])];
        let (players_of, results) = series.entry(number(&game[0])).or_insert((players, Vec::new()));
        let is_first = players_of[0] == players[0];
        let score = match (game[3].as_str().expect("a result"), is_first) {
            ("first", true) | ("second", false) => Win,
            ("second", true) | ("first", false) => Loss,
            ("tie", _) => Draw,
            _ => continue,
        };
        results.push((score, number(&game[4]) != 0));
    }
    let mut pairs: BTreeMap<[i64; 2], Counts> = BTreeMap::new();
    for ([one, other], results) in series.into_values() {
        let counts = Counts::of_series(&results);
        let counts = if one < other { counts } else { counts.reversed() };
        pairs.entry([one.min(other), one.max(other)]).or_default().add(&counts);
    }
    pairs.into_iter().collect()
}

fn check_final(served: &Served, course: &CourseStore) {
    let store = arena::Store::watch(&course.path().to_owned().into()).expect("the database opens");
    let tournament = course.final_tournament().expect("readable").expect("a final");
    let agents = store.tournament(Some(tournament)).expect("readable").spec.agents;
    let mut standings = arena::Standings::new(agents.len());
    let mut numbers = BTreeSet::new();
    let each = store.each(tournament, |game| {
        assert!(numbers.insert(game.planned.number), "each game is stored once");
        standings.add(&game);
        Ok::<_, arena::StoreError>(())
    });
    assert!(each.expect("readable").is_empty());
    let expected: BTreeMap<&str, Value> =
        standings.table().iter().map(|row| (agents[row.agent].name.as_str(), json!(row.games))).collect();
    let found = served.standings("final");
    assert_eq!(found.len(), expected.len());
    for row in &found {
        let name = row["name"].as_str().expect("a name");
        assert_eq!(json!([row["won"], row["drawn"], row["lost"]]), expected[name], "{row}");
    }
}

fn read(path: &Path) -> Connection {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the database opens")
}

/// Returns the rows of a query.
fn rows(db: &Connection, query: &str) -> Vec<Vec<Value>> {
    let mut query = db.prepare(query).expect("a query");
    let columns = query.column_count();
    let value = |row: &rusqlite::Row<'_>, column: usize| {
        Ok(match row.get_ref(column)? {
            rusqlite::types::ValueRef::Integer(number) => json!(number),
            rusqlite::types::ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
            _ => Value::Null,
        })
    };
    let rows = query.query_map([], |row| (0..columns).map(|column| value(row, column)).collect());
    rows.expect("readable").collect::<Result<_, _>>().expect("readable")
}
