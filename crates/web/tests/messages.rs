//! Collects the messages that the server sends and the page translates. `page/tests/messages.json` lists them, and the
//! page's own tests check that every language has all of them. New messages are added by
//! `UPDATE_MESSAGES=1 cargo nextest run -p plyhouse-web messages`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use game::{Argument, Explain as _, Message};
use games::{About, Edit, GameId, Setting};
use serde::{Deserialize, Serialize};

/// The messages of the server.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Messages {
    /// English texts with placeholders, by code.
    texts: BTreeMap<String, String>,
    /// Names and other fixed texts. The code of such a text is the text itself.
    names: BTreeSet<String>,
}

impl Messages {
    /// Adds the names in a message.
    fn add(&mut self, message: &Message) {
        if message.code == message.text {
            self.names.insert(message.text.clone());
        }
        for argument in message.args.values() {
            if let Argument::Message(message) = argument {
                self.add(message);
            }
        }
    }

    fn add_error<T>(&mut self, result: Result<T, games::SettingError>) {
        if let Err(error) = result {
            self.add(&error.message());
        }
    }

    /// Adds the codes in the source of a file.
    fn add_codes(&mut self, source: &str) {
        for after in source.split("message!(").skip(1) {
            let mut literals = after.split('"');
            let (Some(before), Some(code), Some(_), Some(text)) =
                (literals.next(), literals.next(), literals.next(), literals.next())
            else {
                continue;
            };
            // In documentation, no arguments follow the parenthesis.
            if before.trim().is_empty() {
                self.add_code(code, &text.replace("{{", "{").replace("}}", "}"));
            }
        }
    }

    fn add_code(&mut self, code: &str, text: &str) {
        let before = self.texts.insert(code.to_owned(), text.to_owned());
        assert!(before.is_none(), "the code `{code}` occurs twice");
    }
}

fn setting(game: GameId) -> Setting {
    Setting::new(game, 40)
}

/// Adds the texts in the description of a game.
fn about(game: GameId, messages: &mut Messages) {
    let About { name, title, summary, sides, counted, square_name, contents, brushes, .. } = game.about();
    messages.add_code(&format!("{name}.title"), &title);
    messages.add_code(&format!("{name}.summary"), summary);
    let names = sides.into_iter().chain(brushes.iter().copied()).chain([counted, square_name, game.title()]);
    messages.names.extend(names.map(str::to_owned));
    for (_, spoken) in &contents {
        messages.add(spoken);
    }
}

/// Adds the names in the results of games, which are played to their end by a fixed rule.
fn ends(game: GameId, messages: &mut Messages) {
    for seed in 0..40_usize {
        let mut record = setting(game).record(None, &[]).expect("the usual start");
        record.set_move_limit(400).expect("no move is made yet");
        while record.scene().end.is_none() {
            let moves = record.scene().moves;
            let number = (seed * 7919 + record.plies() as usize * 104_729) % moves.len();
            record.try_play(&moves[number].text).expect("a legal move");
        }
        messages.add(&record.scene().end.expect("the game is over").message);
    }
}

/// Adds the names in the result of a game that ends with the capture of the last piece.
fn last_capture(messages: &mut Messages) {
    let start = Some("----/-b--/w---/---- w");
    let record = setting(GameId::BREAKTHROUGH).record(start, &["a2xb3"]).expect("a legal move");
    messages.add(&record.scene().end.expect("the game is over").message);
}

/// Adds the names in the errors for illegal moves and for texts that are not moves.
fn refusals(game: GameId, messages: &mut Messages) {
    let squares = || "abcdefghABCDEFGH".chars().flat_map(|column| (1..=8).map(move |row| format!("{column}{row}")));
    let pairs =
        squares().flat_map(|from| squares().flat_map(move |to| [format!("{from}-{to}"), format!("{from}x{to}")]));
    let cells = (1..8).map(|n| format!("{n}:{n}"));
    for start in [None, Some(game.about().picture)] {
        let record = setting(game).record(start, &[]).expect("a position");
        for text in pairs.clone().chain(cells.clone()).chain(["castle".to_owned(), String::new()]) {
            messages.add_error(record.cloned().try_play(&text));
        }
    }
    let record = setting(game).record(None, &[]).expect("the usual start");
    for text in ["1. (a1-a2)", "1. }", "1. {a", ") a", "a (", "?"] {
        messages.add_error(record.read_moves(text));
    }
}

/// Adds the names in the errors for texts that are not positions, and for unplayable boards.
fn positions(game: GameId, messages: &mut Messages) {
    let record = setting(game).record(None, &[]).expect("the usual start");
    let start = record.position();
    let (board, _) = start.split_once(' ').unwrap_or((&start, ""));
    let texts = ["", "/", "a/b/c/d", &start[1..], &start.replace(['w', '1'], "x"), board, &format!("{board} x")];
    for text in texts.into_iter().chain(["2-1-/1-1-", "b......./8/8/8/8/8/8/8 b", "bw-b/----/----/---- b"]) {
        messages.add_error(setting(game).record(Some(text), &[]));
    }
    let light = start.replacen('.', "b", 1);
    messages.add_error(setting(game).record(Some(&light), &[]));
    messages.add_error(Setting { size: Some(99), ..setting(game) }.record(None, &[]));
    for edit in [Edit::Turn, Edit::Paint { place: [0, 0], brush: 1 }, Edit::Paint { place: [0, 0], brush: 99 }] {
        messages.add_error(record.edit(edit));
    }
    let empty = record.edit(Edit::Clear).expect("an empty board").position;
    for first in [&empty, &start] {
        messages.add_error(setting(game).record(Some(first), &[]).and_then(|game| game.edit(Edit::Done)));
    }
}

/// Adds the names in the errors for invalid files.
fn files(messages: &mut Messages) {
    for text in [
        "(",
        "()",
        "(;A[1](",
        "(;GM[9]A)",
        "(;GM[9]C[x",
        "(;GM[9])x",
        "(;GM[9]])",
        "(;GM[9];B[b1-b3](;W[a2-c2]",
        "(x",
        "(;GM[9];B[b1-b3]\n(;FF[4]",
    ] {
        if let Some(Err(error)) = games::read_file(text) {
            messages.add(&error);
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    folders.iter().flat_map(|folder| sources(folder)).chain(rust).collect()
}

/// Adds the codes in the source of the server and of the static site.
fn in_source(messages: &mut Messages) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let names = ["board", "breakthrough", "checkers", "game", "games", "house", "jump61", "loa", "protocol", "web"];
    for path in names.iter().flat_map(|name| sources(&crates.join(name).join("src"))) {
        // The examples in the crate `game` never reach a page.
        if !path.ends_with("game/src/message.rs") && !path.ends_with("game/src/examples.rs") {
            messages.add_codes(&fs::read_to_string(path).expect("a source file"));
        }
    }
    let worker = fs::read_to_string(crates.join("web/page/site/house.js")).expect("a source file");
    for message in worker.split("{ code: \"").skip(1) {
        let mut literals = message.split('"');
        if let (Some(code), Some(_), Some(text)) = (literals.next(), literals.next(), literals.next()) {
            messages.add_code(code, text);
        }
    }
}

#[test]
fn every_message_is_listed_for_the_translations() {
    let mut messages = Messages::default();
    in_source(&mut messages);
    for game in GameId::BUILT_IN {
        about(game, &mut messages);
        ends(game, &mut messages);
        refusals(game, &mut messages);
        positions(game, &mut messages);
    }
    last_capture(&mut messages);
    files(&mut messages);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/tests/messages.json");
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        let text = serde_json::to_string_pretty(&messages).expect("plain data");
        fs::write(&path, text + "\n").expect("written");
    }
    let known: Messages = serde_json::from_slice(&fs::read(&path).expect("the list")).expect("the list");
    assert_eq!(known, messages, "the messages differ from {}; update it with UPDATE_MESSAGES=1", path.display());
}
