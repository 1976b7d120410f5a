//! Tournaments in a PostgreSQL database: how they differ from tournaments in a file.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::tournaments::{PLYHOUSE, TestFolder, arena, command, good, refused};

const AGENTS: [&str; 4] = ["--agent", "builtin:level=4", "--agent", "builtin:build=random"];

/// Starts a tournament of 150 games.
fn start_tournament(folder: &TestFolder) -> (Child, impl Iterator<Item = String> + use<>) {
    let run = ["run", "--game", "loa", "--size", "6", "--opening", "4", "--games", "150", "--json", "--jobs", "2"];
    spawn_and_wait(folder, &[&run[..], &AGENTS].concat())
}

/// Starts a command that plays, and waits for three games.
fn spawn_and_wait(folder: &TestFolder, arguments: &[&str]) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut command = command(folder, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    for _ in 0..3 {
        lines.next().expect("a game");
    }
    (child, lines)
}

/// Returns the number of saved games and the number of distinct games among them, separated by `|`.
fn game_counts(folder: &TestFolder) -> String {
    folder.database().sql("SELECT count(*), count(DISTINCT number) FROM plyhouse.game").expect("SQL")
}

/// The error reports the game that may not have been saved. After `resume` it is saved exactly once.
#[test]
fn a_lost_connection_is_an_error_and_resume_continues() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    let (child, lines) = start_tournament(&folder);
    folder.database().cut_off().expect("cut off");
    assert!(lines.count() < 147, "it continued without a store");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("the connection was lost: "), "{said}");
    assert!(said.contains("was not saved, and `resume`") || said.contains("may or may not have been saved"), "{said}");
    good(&arena(&folder, &["resume", "--quiet"]));
    assert_eq!(game_counts(&folder), "150|150");
    good(&arena(&folder, &["verify"]));
}

#[test]
fn an_interrupt_does_not_show_the_password() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    let (child, lines) = start_tournament(&folder);
    interrupt(&folder, child, lines);
    // An interrupted `resume` prints the same command again.
    let (child, lines) = spawn_and_wait(&folder, &["resume", "--json", "--jobs", "2"]);
    let next = interrupt(&folder, child, lines);
    let mut resume = Command::new("sh");
    resume.args(["-c", &next]).current_dir(&*folder).env("PGPASSWORD", folder.database().password());
    good(&resume.output().expect("a shell"));
    assert_eq!(game_counts(&folder), "150|150");
}

/// Interrupts a tournament and returns the command to continue it.
fn interrupt(folder: &TestFolder, child: Child, lines: impl Iterator<Item = String>) -> String {
    good(&Command::new("kill").args(["-TERM", &child.id().to_string()]).output().expect("kill"));
    assert!(lines.last().expect("the standings").contains("standings"));
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    let (_, rest) = said.split_once("interrupted; resume with:\n    ").expect(&said);
    let (command, note) = rest.split_once('\n').expect(rest);
    assert!(command.contains(&format!("--store {}", folder.database().shown_url())), "{said}");
    assert!(note.contains("PGPASSWORD") && !said.contains("p%40ss") && !said.contains("p@ss"), "{said}");
    command.to_owned()
}

#[test]
fn an_invalid_store_is_rejected_without_showing_the_password() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    for name in ["list", "standings", "resume"] {
        let said = refused(&arena(&folder, &[name]));
        assert!(said.contains("the database has no store") && !said.contains("p%40ss"), "{said}");
    }
    let is_missing = folder.database().sql("SELECT to_regnamespace('plyhouse') IS NULL").expect("SQL");
    assert_eq!(is_missing, "t", "no schema was created");
    for (store, part) in [
        ("mysql://ann:secret@host/cups", "expected a file or postgres://"),
        ("postgres://ann:secret@host:port/cups", "port"),
        ("postgres://ann:secret@127.0.0.1:1/cups", "store postgres://ann@127.0.0.1:1/cups: cannot connect: "),
    ] {
        let said = refused(&arena(&folder, &["standings", "--store", store]));
        assert!(said.contains(part) && !said.contains("secret"), "{said}");
    }
    let mut list = Command::new(PLYHOUSE);
    list.args(["arena", "list", "--store", &folder.database().shown_url()]);
    assert!(refused(&list.output().expect("it runs")).contains("password"));
    assert!(
        refused(&list.env("PGPASSWORD", folder.database().password()).output().expect("it runs")).contains("no store")
    );
}
