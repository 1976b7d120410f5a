//! Collects every kind of sentence that the server writes and the page shows. `page/tests/sentences.txt` has an example
//! of each kind, and the page's own tests translate all of them. New sentences are added by
//! `UPDATE_SENTENCES=1 cargo test -p plyhouse-web sentences::`.

use std::collections::BTreeMap;
use std::path::Path;

use games::{About, Edit, GameId, Setting};

/// Examples by kind: a kind is the sentence without its numbers, squares and moves.
#[derive(Default)]
struct Sentences(BTreeMap<String, String>);

impl Sentences {
    fn add(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        let kind: String = sentence.split_inclusive(|c: char| !c.is_alphanumeric()).map(without_names).collect();
        self.0.entry(kind).or_insert(sentence);
    }
}

/// Removes squares and numbers from a word, such as `b6`, `12` or `G6`.
fn without_names(word: &str) -> &str {
    if word.chars().any(|c| c.is_ascii_digit()) { "#" } else { word }
}

fn setting(game: GameId) -> Setting {
    Setting { game, size: None, move_limit: 40, repetitions: None }
}

fn about(game: GameId, sentences: &mut Sentences) {
    let About { title, summary, sides, counted, square_name, contents, brushes, .. } = game.about();
    let others = contents.into_iter().map(|(_, spoken)| spoken);
    let names = sides.into_iter().chain(brushes.iter().copied()).chain([summary, counted, square_name]);
    for text in names.map(str::to_owned).chain(others).chain([title]) {
        sentences.add(text);
    }
}

/// Plays games to their end by a fixed rule, and collects the texts of their results.
fn ends(game: GameId, sentences: &mut Sentences) {
    for seed in 0..40_usize {
        let mut moves: Vec<String> = Vec::new();
        loop {
            let line: Vec<&str> = moves.iter().map(String::as_str).collect();
            let scene = Setting { move_limit: if seed < 8 { 12 } else { 400 }, ..setting(game) };
            let scene = scene.record(None, &line).map(|game| game.scene()).expect("a legal game");
            if let Some(end) = scene.end {
                sentences.add(end.text);
                break;
            }
            let number = (seed * 7919 + moves.len() * 104_729) % scene.moves.len();
            moves.push(scene.moves[number].text.clone());
        }
    }
}

/// Collects the errors for illegal moves and for texts that are not moves.
fn refusals(game: GameId, sentences: &mut Sentences) {
    let picture = game.about().picture;
    let letters = if game == GameId::CHECKERS { 'A'..='H' } else { 'a'..='h' };
    let squares: Vec<String> = letters.flat_map(|column| (1..=8).map(move |row| format!("{column}{row}"))).collect();
    let moves: Vec<String> = if game == GameId::JUMP61 {
        (1..8).map(|n| format!("{n}:{n}")).collect()
    } else {
        squares
            .iter()
            .flat_map(|a| squares.iter().flat_map(move |b| [format!("{a}-{b}"), format!("{a}x{b}")]))
            .collect()
    };
    let words = ["castle", "", "a1-a1"].map(str::to_owned);
    for start in [None, Some(picture)] {
        for text in moves.iter().chain(&words) {
            if let Err(error) = setting(game).record(start, &[text]).map(|game| game.scene()) {
                sentences.add(error.to_string());
            }
        }
    }
    for text in ["1. (a1-a2)", "1. }", "1. {a", ") a", "a (", "?"] {
        sentences.add(
            setting(game)
                .record(None, &[])
                .and_then(|game| game.read_moves(text))
                .expect_err("no list of moves")
                .to_string(),
        );
    }
}

/// Collects the errors for texts that are not positions, and for unplayable boards.
fn positions(game: GameId, sentences: &mut Sentences) {
    let start = setting(game).record(None, &[]).map(|game| game.scene()).expect("the start").start;
    let (board, _) = start.split_once(' ').unwrap_or((&start, ""));
    let texts = ["", "/", "a/b/c/d", &start[1..], &start.replace(['w', '1'], "x"), board, &format!("{board} x")];
    for text in texts {
        if let Err(error) = setting(game).record(Some(text), &[]).map(|game| game.scene()) {
            sentences.add(error.to_string());
        }
    }
    let size = Setting { size: Some(99), ..setting(game) };
    sentences.add(size.record(None, &[]).map(|game| game.scene()).expect_err("no such size").to_string());
    for edit in [Edit::Turn, Edit::Paint { place: [0, 0], brush: 1 }, Edit::Paint { place: [0, 0], brush: 99 }] {
        if let Err(error) = setting(game).record(None, &[]).and_then(|game| game.edit(edit)) {
            sentences.add(error.to_string());
        }
    }
    let empty =
        setting(game).record(None, &[]).and_then(|game| game.edit(Edit::Clear)).expect("an empty board").position;
    for first in [&empty, &start] {
        if let Err(error) = setting(game).record(Some(first), &[]).and_then(|game| game.edit(Edit::Done)) {
            sentences.add(error.to_string());
        }
    }
}

/// Collects the errors in the source of the server and of the static site.
fn in_source(sentences: &mut Sentences) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = [
        "house/src/clock.rs",
        "house/src/desk.rs",
        "house/src/explorer.rs",
        "house/src/library.rs",
        "house/src/limits.rs",
        "house/src/room.rs",
        "house/src/room/undo.rs",
        "house/src/rooms.rs",
        "house/src/table.rs",
        "house/src/task.rs",
        "house/src/terminal.rs",
        "web/page/site/house.js",
        "web/src/archive.rs",
        "web/src/socket.rs",
    ];
    for file in files {
        let text = std::fs::read_to_string(crates.join(file)).expect("a source file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (i, quoted) in code.split('"').enumerate() {
            let begins = |c: char| c.is_uppercase() || c == '{';
            let is_sentence = i % 2 == 1 && quoted.ends_with('.') && quoted.starts_with(begins);
            if is_sentence && !quoted.contains('\n') {
                sentences.add(filled(quoted));
            }
        }
    }
}

/// Returns a format string with a number in each placeholder.
fn filled(format: &str) -> String {
    let mut parts = format.split(['{', '}']);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = parts.collect();
    rest.chunks(2).fold(first, |text, pair| text + "7" + pair.get(1).copied().unwrap_or_default())
}

#[test]
fn there_is_an_example_of_every_sentence() {
    let mut sentences = Sentences::default();
    for game in GameId::BUILT_IN {
        about(game, &mut sentences);
        ends(game, &mut sentences);
        refusals(game, &mut sentences);
        positions(game, &mut sentences);
    }
    in_source(&mut sentences);
    let found = sentences.0.into_values().collect::<Vec<_>>().join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/tests/sentences.txt");
    if std::env::var_os("UPDATE_SENTENCES").is_some() {
        std::fs::write(&path, &found).expect("written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let new: Vec<&str> = found.lines().filter(|line| !known.lines().any(|other| other == *line)).collect();
    assert!(new.is_empty(), "not in {}: {new:#?}", path.display());
    assert_eq!(known.lines().count(), found.lines().count());
}
