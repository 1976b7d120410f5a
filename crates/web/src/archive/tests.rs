//! Tests of archives in temporary folders.

use std::sync::{Arc, Mutex};
use std::thread;

use house::messages::Who;

use super::*;

fn game(id: &str) -> Archived {
    Archived {
        id: id.into(),
        date: "2025-11-21T20:14:56Z".into(),
        game: if id.starts_with('j') { "jump61" } else { "loa" }.into(),
        size: Some(6),
        start: None,
        moves: vec!["b1-b3".into()],
        limit: None,
        clock: None,
        seats: [Who::PERSON, Who::Engine { level: Some("3".into()), budget: false }],
        winner: Some(0),
        reason: "resigned".into(),
        helped: false,
    }
}

type Told = Arc<Mutex<Vec<String>>>;

fn open(path: &Path) -> (Archive, Told) {
    let told = Told::default();
    let hear = Arc::clone(&told);
    let report = move |what: &str| hear.lock().expect("no panic").push(what.to_owned());
    (Archive::open(path.to_owned(), Box::new(report)), told)
}

fn ids(archive: &Archive) -> Vec<String> {
    archive.all().iter().rev().map(|game| game.id.clone()).collect()
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/er/games.jsonl");
    (folder, path)
}

#[test]
fn games_are_listed_newest_first_and_outlive_the_server() {
    let (_folder, path) = folder();
    let (archive, told) = open(&path);
    for id in ["1", "j2", "3", "j4"] {
        archive.add(game(id));
    }
    assert_eq!(ids(&archive), ["j4", "3", "j2", "1"]);
    let (again, _) = open(&path);
    assert_eq!(ids(&again), ["j4", "3", "j2", "1"]);
    assert_eq!(*again.all()[2], game("3"));
    // A game that continued after its end replaces its earlier version.
    again.add(Archived { winner: None, ..game("3") });
    assert_eq!(ids(&archive), ["3", "j4", "j2", "1"], "the other server sees it");
    assert_eq!(archive.all().last().and_then(|game| game.winner), None);
    assert_eq!(fs::read_to_string(&path).expect("a file").lines().count(), 5);
    assert!(told.lock().expect("no panic").is_empty());
}

#[test]
fn bad_lines_are_skipped_reported_once_and_kept() {
    let (_folder, path) = folder();
    let (archive, _) = open(&path);
    archive.add(game("1"));
    let whole = fs::read_to_string(&path).expect("a file");
    let torn = whole.trim_end().len() / 2;
    fs::write(&path, format!("{whole}\nnonsense\n{{\"id\":7}}\n{}", &whole[..torn])).expect("written");
    let (archive, told) = open(&path);
    let lines = |told: &Told| -> Vec<String> {
        let told = told.lock().expect("no panic");
        told.iter().map(|text| text.split(": ").nth(1).unwrap_or_default().to_owned()).collect()
    };
    let expected = ["line 3", "line 4", "line 5"].map(|line| format!("{line} is not a game and is skipped"));
    assert_eq!(lines(&told), expected);
    archive.add(game("2"));
    assert_eq!(ids(&archive), ["2", "1"]);
    archive.remove("1").expect("deleted");
    assert_eq!(ids(&archive), ["2"]);
    assert_eq!(lines(&told), expected, "each line is reported once");
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains("nonsense\n") && text.contains(&format!("{}\n", &whole[..torn])), "{text}");
    assert_eq!(archive.remove("1"), Err(house::no_game()));
    assert!(!path.with_extension("part").exists());
}

#[test]
fn two_servers_append_and_delete_at_once_without_losses() {
    let (_folder, path) = folder();
    let writers = (0..2).map(|server| {
        let path = path.clone();
        thread::spawn(move || {
            let (archive, told) = open(&path);
            for number in 0..40 {
                archive.add(game(&format!("{server}-{number}")));
                archive.add(game(&format!("{server}-{number}-gone")));
                archive.remove(&format!("{server}-{number}-gone")).expect("deleted");
            }
            assert_eq!(*told.lock().expect("no panic"), Vec::<String>::new());
        })
    });
    let writers: Vec<_> = writers.collect();
    for writer in writers {
        writer.join().expect("no panic");
    }
    let mut found = ids(&open(&path).0);
    found.sort();
    let mut expected: Vec<String> = (0..80).map(|i| format!("{}-{}", i % 2, i / 2)).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn games_stay_in_memory_while_the_folder_is_unusable() {
    let folder = tempfile::tempdir().expect("a folder");
    let blocked = folder.path().join("file");
    fs::write(&blocked, "no folder").expect("written");
    let (archive, told) = open(&blocked.join("games.jsonl"));
    archive.add(game("1"));
    assert_eq!((ids(&archive), archive.all().len()), (vec!["1".to_owned()], 1));
    assert!(told.lock().expect("no panic").iter().any(|text| text.contains("kept in memory")));
    fs::remove_file(&blocked).expect("removed");
    archive.flush();
    assert_eq!(ids(&open(&blocked.join("games.jsonl")).0), ["1"]);
}

#[test]
fn an_export_of_an_arena_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("export.jsonl");
    let header = r#"{"tournament":{"game":"loa","size":4},"planned":2,"began":"x","version":"1","machine":"m"}"#;
    let line = r#"{"number":0,"agents":[0,1],"start":"-bb-/w--w/w--w/-bb- b","opening":["b1-b3"],"moves":[{"text":"a2-c2","seconds":0.1}],"result":"second","ending":"board","cpu":[null,null],"began":"2025-01-01","seconds":1.0,"version":"1","machine":"m"}"#;
    fs::write(&path, format!("{header}\n{line}\n")).expect("written");
    let games = games_in(&path).expect("games");
    assert_eq!((games.len(), games[0].moves.len(), games[0].winner, games[0].size), (1, 2, Some(1), Some(4)));
    fs::write(&path, "{}\n").expect("written");
    assert!(games_in(&path).is_err());
}
