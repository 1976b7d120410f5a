//! Tournaments in a PostgreSQL database: what is different from a file.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::tournaments::{PLYHOUSE, Stage, arena, command, good, refused};

const AGENTS: [&str; 4] = ["--agent", "builtin:level=4", "--agent", "builtin:build=random"];

/// A tournament of 150 games.
fn begun(folder: &Stage) -> (Child, impl Iterator<Item = String> + use<>) {
    let run = ["run", "--game", "loa", "--size", "6", "--opening", "4", "--games", "150", "--json", "--jobs", "2"];
    spawned(folder, &[&run[..], &AGENTS].concat())
}

/// A command that plays, and has saved three games.
fn spawned(folder: &Stage, arguments: &[&str]) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut command = command(folder, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    for _ in 0..3 {
        lines.next().expect("a game");
    }
    (child, lines)
}

fn games(folder: &Stage) -> String {
    folder.database().sql("SELECT count(*), count(DISTINCT number) FROM plyhouse.game").expect("SQL")
}

/// The game that was being saved is not lost silently, and comes once.
#[test]
fn a_lost_connection_is_an_error_and_resume_goes_on() {
    let Some(folder) = Stage::on_postgres() else { return };
    let (child, lines) = begun(&folder);
    folder.database().cut_off().expect("cut off");
    assert!(lines.count() < 147, "it played on without a store");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("the connection was lost: "), "{said}");
    assert!(said.contains("was not saved, and `resume`") || said.contains("may or may not have been saved"), "{said}");
    good(&arena(&folder, &["resume", "--quiet"]));
    assert_eq!(games(&folder), "150|150");
    good(&arena(&folder, &["verify"]));
}

#[test]
fn an_interrupt_does_not_show_the_password() {
    let Some(folder) = Stage::on_postgres() else { return };
    let (child, lines) = begun(&folder);
    interrupt(&folder, child, lines);
    // A tournament that was resumed prints the command that resumed it.
    let (child, lines) = spawned(&folder, &["resume", "--json", "--jobs", "2"]);
    let next = interrupt(&folder, child, lines);
    let mut resume = Command::new("sh");
    resume.args(["-c", &next]).current_dir(&*folder).env("PGPASSWORD", folder.database().password());
    good(&resume.output().expect("a shell"));
    assert_eq!(games(&folder), "150|150");
}

/// Interrupts a tournament and returns the command that goes on.
fn interrupt(folder: &Stage, child: Child, lines: impl Iterator<Item = String>) -> String {
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
fn what_is_no_store_is_refused_without_its_password() {
    let Some(folder) = Stage::on_postgres() else { return };
    for name in ["list", "standings", "resume"] {
        let said = refused(&arena(&folder, &[name]));
        assert!(said.contains("the database has no store") && !said.contains("p%40ss"), "{said}");
    }
    let bare = folder.database().sql("SELECT to_regnamespace('plyhouse') IS NULL").expect("SQL");
    assert_eq!(bare, "t", "nothing was made");
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
