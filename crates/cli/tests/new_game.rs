//! The example `new_game` of the package `plyhouse`: a game in one file, with the commands of `plyhouse`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::tournaments;

/// Returns the example's program.
pub(crate) fn example() -> PathBuf {
    tournaments::example("new_game", "plyhouse")
}

/// Runs a command of the example and returns its output.
fn said(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(example());
    command.args(arguments).current_dir(folder).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn good(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = said(folder, arguments, input);
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    out
}

#[test]
fn the_game_fits_in_150_lines() {
    let file = include_str!("../../plyhouse/examples/new_game.rs");
    let count = file.lines().count();
    assert!(count <= 150, "{count} lines");
    assert!(file.lines().all(|line| line.chars().count() <= 120));
}

/// The counts of move sequences are those of an implementation of the rules in another language.
#[test]
fn move_counts_agree_with_another_implementation() {
    let folder = tempfile::tempdir().expect("a folder");
    for (size, counts) in [
        ("4", &[4, 12, 16, 52, 120, 376][..]),
        ("5", &[3, 8, 16, 76, 288, 1404]),
        ("6", &[4, 12, 28, 156, 668]),
        ("8", &[4, 12, 28, 172, 892]),
    ] {
        let depth = counts.len().to_string();
        let out = good(folder.path(), &["perft", "konane", "--size", size, "--depth", &depth], "");
        let found: Vec<u32> = out.lines().filter_map(|line| line.split_once(' ')?.1.parse().ok()).collect();
        assert_eq!(found, counts, "size {size}");
    }
    let moves = good(
        folder.path(),
        &["moves", "konane"],
        "-wbw/wbwb/bwbw/wbwb w\nb-bw/w--b/bwbw/wbwb b\n---b/--w-/----/---- w\n",
    );
    assert_eq!(moves, "a2 b1\nb4-b2\nblack wins\n");
}

#[test]
fn the_game_is_played_evaluated_and_proven() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let conversation = "ugi\nposition startpos moves a1 b1\ngo nodes 200\nquit\n";
    let replies = good(folder, &["engine", "konane", "--size", "6"], conversation);
    assert!(replies.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{replies}");
    let players = ["--first", "nodes=100", "--second", "build=random", "--pairs", "2", "--opening", "2", "--json"];
    let result = good(folder, &[&["match", "konane", "--size", "4"][..], &players].concat(), "");
    assert!(result.contains("\"pairs\""), "{result}");
    let proof = good(folder, &["prove", "konane", "--size", "4", "--certificate", "k4.win"], "");
    assert!(proof.starts_with("White wins bwbw/wbwb/bwbw/wbwb b within "), "{proof}");
    assert!(good(folder, &["verify", "k4.win"], "").starts_with("White wins konane: "));
    let unrated = good(folder, &["eval", "konane"], "");
    assert!(unrated.contains("evaluation"), "{unrated}");
}

#[test]
fn the_game_is_played_in_tournaments() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let engine = example().display().to_string();
    let cup = format!(
        "game = 'konane'\nsize = 4\ngames = 2\nopening = 2\n\
         [[agent]]\nname = 'a'\nbuiltin = 'level=2'\n\
         [[agent]]\nname = 'b'\ncommand = ['{engine}', 'engine', 'konane', '--size', '4', '--player', 'level=1']\n\
         dialect = 'ugi'\n"
    );
    std::fs::write(folder.join("cup.toml"), cup).expect("a file");
    good(folder, &["arena", "run", "cup.toml", "--quiet"], "");
    let standings = good(folder, &["arena", "standings"], "");
    assert!(standings.contains(" a ") && standings.contains(" b "), "{standings}");
    good(folder, &["arena", "verify"], "");
}

/// `puzzles` and `suite` support built-in games only.
#[test]
fn unsupported_commands_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [["puzzles", "konane"], ["suite", "konane"]] {
        let output = said(folder.path(), &arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
