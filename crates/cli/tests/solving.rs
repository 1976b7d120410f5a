//! `plyhouse solve`, `verify` and `book` as processes, and the agent that plays by the book.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use game::Position as _;

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

fn plyhouse(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PLYHOUSE).args(arguments).current_dir(folder).output().expect("it runs")
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_board_is_solved_certified_verified_and_rebuilt() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let solve = ["solve", "loa", "--size", "5", "--log", "5.log", "--effort", "30", "--table", "1"];
    let solved = printed(&plyhouse(folder, &[&solve[..], &["--certificate", "a"]].concat()));
    assert!(solved.starts_with("Lines of Action 5x5 from the start: won, within "), "{solved}");
    let first = solved.lines().next().expect("a line");
    assert!(first.ends_with(" plies (an upper bound; `plyhouse verify --details` finds the longest line)"), "{first}");
    let verified = printed(&plyhouse(folder, &["verify", "a"]));
    assert!(verified.starts_with("Black wins from -bbb-/w---w/w---w/w---w/-bbb- b: "), "{verified}");
    let hash = verified.trim_end().rsplit_once(' ').expect("a hash").1;
    assert!(solved.contains(hash));
    // The certificate can be rebuilt from the log alone.
    let lines = fs::read_to_string(folder.join("5.log")).expect("a log").lines().count();
    let again = plyhouse(folder, &[&solve[..], &["--certificate", "b", "--rebuild", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&printed(&again)).expect("JSON");
    assert_eq!((report["verdict"].as_str(), report["hash"].as_str()), (Some("won"), Some(hash)));
    let jobs = report["jobs"].as_u64().expect("a number");
    assert!(solved.contains(&format!("\n{jobs} jobs, ")), "{jobs}: {solved}");
    assert!(jobs < lines as u64, "the log has a header and may have jobs that were not needed");
    assert_eq!(fs::read(folder.join("a")).expect("a file"), fs::read(folder.join("b")).expect("a file"));
    let book = printed(&plyhouse(folder, &["book", "a", "5.book", "--depth", "5"]));
    assert!(book.ends_with("to depth 5\n"), "{book}");
}

#[test]
fn an_immediate_win_is_certified_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "b---/--b-/---w/w--- b";
    let solve = ["solve", "loa", "--position", text, "--table", "1", "--quiet", "--certificate", "c"];
    let solved = printed(&plyhouse(folder.path(), &solve));
    assert!(solved.contains(": won, within 1 ply\n") && solved.contains("certificate: 0 records, "), "{solved}");
    let verified = printed(&plyhouse(folder.path(), &["verify", "c"]));
    let expected = format!("Black wins at once from {text}: 0 records, 0 replies, 0 wins at once, rank 0, sha256 ");
    assert!(verified.starts_with(&expected), "{verified}");
}

/// The canonical form of the position after b1-b3 is its mirror image, so the report must convert the moves.
#[test]
fn a_report_lists_moves_of_the_given_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "loa", "--size", "5", "--after", "b1-b3", "--table", "1", "--json"];
    let report = printed(&plyhouse(folder.path(), &solve));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let moves = report["moves"].as_object().expect("moves");
    let mut p = loa::Position::start(5).expect("a size");
    p.play(p.parse_move("b1-b3").expect("a move"));
    assert_eq!(moves.len(), p.legal_moves().len(), "no two replies are symmetric");
    for name in moves.keys() {
        p.parse_move(name).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_lost_first_move_has_a_certificate_with_the_colours_exchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "loa", "--size", "5", "--after", "c1-e3", "--white", "--table", "1", "--quiet"];
    let solved = printed(&plyhouse(folder.path(), &[&solve[..], &["--certificate", "c"]].concat()));
    assert!(solved.starts_with("Lines of Action 5x5 from -www-/b---b/b---w/b---b/-w-w- b: won, within "), "{solved}");
    let verified = printed(&plyhouse(folder.path(), &["verify", "c", "--details"]));
    let lines: Vec<&str> = verified.lines().collect();
    assert!(lines[0].starts_with("Black wins from -www-/b---b/b---w/b---b/-w-w- b: 9 records, "), "{verified}");
    assert_eq!(lines[1], "the longest line takes 9 plies");
    assert!(lines[2].starts_with("wins at once: "), "{verified}");
    let report = printed(&plyhouse(folder.path(), &["verify", "c", "--details", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["details"]["plies"], 9);
    // With White's reply in the question, the certificate is about the position before the reply.
    let solve = [&solve[..5], &["c1-e3,e2-c4"], &solve[6..], &["--certificate", "d"]].concat();
    let solved = printed(&plyhouse(folder.path(), &solve));
    assert!(solved.contains("from -www-/b---b/b---w/b---b/-w-w- b after e2-c4: "), "{solved}");
}

#[test]
fn a_refuted_win_has_the_certificate_of_a_defence() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "loa", "--size", "5", "--after", "c1-e3", "--table", "1", "--quiet", "--log", "log"];
    let solve = [&solve[..], &["--certificate", "c"]].concat();
    let solved = printed(&plyhouse(folder.path(), &solve));
    assert!(solved.starts_with("Lines of Action 5x5 after c1-e3: not won\n"), "{solved}");
    let position = "-www-/b---b/b---w/b---b/-w-w- b";
    let held = format!("with the colours exchanged, it is a defence: Black does not lose from {position}\n");
    assert!(solved.ends_with(&held), "{solved}");
    let verified = printed(&plyhouse(folder.path(), &["verify", "c", "--details"]));
    assert!(verified.starts_with(&format!("Black does not lose from {position}: ")), "{verified}");
    assert!(!verified.contains("rank") && !verified.contains("longest line"), "{verified}");
    let report = printed(&plyhouse(folder.path(), &["verify", "c", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert!(report["rank"].is_null(), "{report}");
    let again = printed(&plyhouse(folder.path(), &[&solve[..], &["--rebuild", "--json"]].concat()));
    let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!((&again["held"], &again["hash"]), (&position.into(), &report["hash"]));
    let refused = plyhouse(folder.path(), &["book", "c", "book"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("certificate c: a defence; a book needs a win"), "{message}");
}

#[test]
fn alone_counts_only_wins_in_which_one_side_is_connected() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "loa", "--size", "5", "--after", "b1-b3", "--table", "1", "--quiet", "--log", "log"];
    printed(&plyhouse(folder.path(), &[&solve[..], &["--alone", "--certificate", "c"]].concat()));
    let alone = printed(&plyhouse(folder.path(), &["verify", "c", "--details"]));
    assert!(alone.contains(" 0 only both sides, 0 only leave White without a move; "), "{alone}");
    assert!(alone.ends_with("\nBlack alone is connected at the end of every game\n"), "{alone}");
    // The log belongs to another question.
    let refused = plyhouse(folder.path(), &solve);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("after b1-b3, connecting Black alone, not Lines of Action 5x5 after b1-b3;"), "{message}");
}

#[test]
fn invalid_questions_and_files_are_rejected_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |arguments: &[&str]| {
        let output = plyhouse(folder.path(), arguments);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(
        refused(&["solve", "loa", "--size", "5", "--after", "b1-e4"]),
        "Error: illegal move b1-e4: 2 pieces on the diagonal, so the piece moves exactly 2 squares along it, not 3\n"
    );
    let no_win = ["solve", "loa", "--size", "5", "--after", "b1-e1", "--quiet", "--table", "1", "--certificate", "c"];
    let alone = refused(&[&no_win[..], &["--alone"]].concat());
    assert_eq!(alone, "Error: no certificate: a defence is certified only if all wins count\n");
    fs::write(folder.path().join("open"), "{\"game\":\"loa\",\"size\":5,\"moves\":[\"b1-e1\"],\"search\":2}\n")
        .expect("a file");
    let open = refused(&[&no_win[..], &["--log", "open", "--rebuild"]].concat());
    assert_eq!(open, "Error: no certificate: Lines of Action 5x5 after b1-e1 is open\n");
    fs::write(folder.path().join("x"), "not a certificate").expect("a file");
    assert!(refused(&["verify", "x"]).contains("not a certificate: expected a first line"));
    fs::write(folder.path().join("log"), "{\"game\":\"loa\"}\n").expect("a file");
    assert!(refused(&["solve", "loa", "--log", "log"]).contains("line 1: missing field"));
}

/// Earlier versions emptied a file that is not a log, lost a proof that they could not write, and wrote the certificate
/// over the log.
#[test]
fn files_that_solve_must_not_change_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |more: &[&str]| {
        let small = ["solve", "loa", "--size", "4", "--quiet", "--table", "1"];
        let output = plyhouse(folder.path(), &[&small[..], more].concat());
        assert!(!output.status.success(), "{more:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let path = folder.path().join("log");
    for content in ["{\"settings\":1}", "{\"game\":\"loa\",\"size\":5,\"moves\":[", "\u{fffd}"] {
        fs::write(&path, content).expect("a file");
        let message = refused(&["--log", "log"]);
        assert_eq!(message, "Error: log log: line 1: not a log: expected a line of JSON with the question\n");
        assert_eq!(fs::read_to_string(&path).expect("a file"), content);
    }
    fs::remove_file(&path).expect("a file");
    let message = refused(&["--log", "log", "--certificate", "missing/c"]);
    assert!(message.starts_with("Error: certificate missing/c: "), "{message}");
    let message = refused(&["--log", "log", "--certificate", "./log"]);
    assert_eq!(message, "Error: certificate ./log: this file is the log; give another file\n");
    assert_eq!(fs::read_to_string(&path).expect("a log").lines().count(), 1, "no job was run");
    let held = fs::File::open(&path).expect("a log");
    held.lock().expect("a lock");
    let message = refused(&["--log", "log"]);
    assert!(message.ends_with("another process is using this log\n"), "{message}");
}

/// Returns the move of `loa6` for a board, given as rows from the top.
fn loa6_move(rows: &[&str; 6]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loa6"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let request = format!("move\n1\n6\n{}\n", rows.join("\n"));
    child.stdin.take().expect("a pipe").write_all(request.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

#[test]
fn loa6_plays_the_proven_win() {
    // Only b1-b3 and its mirror images win.
    let answer = loa6_move(&[".XXXX.", "O....O", "O....O", "O....O", "O....O", ".XXXX."]);
    assert!(["B1B3", "E1E3", "B6B4", "E6E4"].contains(&answer.as_str()), "{answer}");
}
