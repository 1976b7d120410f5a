//! The development commands as processes: matches with logs, suites, analysis, endgame tables, evaluation, puzzles.

use std::path::Path;
use std::process::{Command, Output};

fn plyhouse(arguments: &[&str]) -> Output {
    plyhouse_with("/no/endgames", arguments)
}

/// Runs a command with the endgame tables of a file.
fn plyhouse_with(endgames: &str, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_plyhouse"));
    program.args(arguments).env("PLYHOUSE_ENDGAMES", endgames).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Plays a match of six pairs on a small board, with a log.
fn play(log: &Path, second: &str) -> Output {
    let log = log.to_str().expect("a plain path");
    let players = ["--first", "nodes=300,horizon=0/0", "--second", second];
    let rest = ["--size", "4", "--pairs", "6", "--opening", "3", "--seed", "9", "--log", log, "--json"];
    plyhouse(&[&["match", "jump61"][..], &players, &rest].concat())
}

#[test]
fn a_killed_match_continues_from_its_log() {
    const SECOND: &str = "nodes=20,horizon=0/0";
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("match.log");
    let whole = text(&play(&log, SECOND));
    assert!(whole.contains("\"wins\"") && whole.contains("\"pairs\""), "{whole}");
    let lines = std::fs::read_to_string(&log).expect("the log");
    assert_eq!(lines.lines().count(), 7, "a header and six pairs");
    for kept in [0, 40, lines.len() / 3, lines.len() / 2, lines.len() - 1] {
        // A kill may truncate the log in the middle of a line.
        std::fs::write(&log, &lines[..kept]).expect("the log");
        assert_eq!(text(&play(&log, SECOND)), whole, "after {kept} bytes");
        let again = std::fs::read_to_string(&log).expect("the log");
        let moves = |text: &str| -> Vec<String> {
            text.lines()
                .filter_map(|line| Some(line.split("\"moves\":").nth(1)?.split(",\"nodes\"").next()?.to_owned()))
                .collect()
        };
        assert_eq!(moves(&again), moves(&lines));
    }
    let other = play(&log, "nodes=21,horizon=0/0");
    assert!(!other.status.success() && text(&other).contains("another match"), "{}", text(&other));
    assert_eq!(std::fs::read_to_string(&log).expect("the log").lines().count(), 7, "the log is unchanged");
}

#[test]
fn a_suite_is_solved_and_an_invalid_line_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wins.txt");
    let path = file.to_str().expect("a plain path");
    std::fs::write(&file, "# one\n------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1\n").expect("a file");
    let solved = plyhouse(&["suite", "loa", path]);
    assert!(solved.status.success() && text(&solved).contains("1 of    1, 100.0 %"), "{}", text(&solved));
    std::fs::write(&file, "nothing\n").expect("a file");
    let wrong = plyhouse(&["suite", "loa", path]);
    assert!(!wrong.status.success() && text(&wrong).contains("line 1"), "{}", text(&wrong));
}

#[test]
fn invalid_players_and_tests_are_rejected_before_the_first_game() {
    for (arguments, part) in [
        (["match", "loa", "--first", "speed=9"], "speed"),
        (["match", "checkers", "--first", "build=reference"], "no player"),
        (["match", "loa", "--sprt", "5,1"], "hypotheses"),
    ] {
        let output = plyhouse(&arguments);
        assert!(!output.status.success() && text(&output).contains(part), "{}", text(&output));
    }
}

#[test]
fn several_lines_are_analysed() {
    let output = plyhouse(&["analyse", "loa", "--size", "5", "--depth", "3", "--lines", "3", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["others"].as_array().map(Vec::len), Some(2), "{json}");
}

#[test]
fn endgame_tables_are_made_used_and_rejected_when_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new").join("ends");
    let path = file.to_str().expect("a plain path");
    let analyse = || {
        // Two towers against one, far apart: a search of ten nodes does not reach the end.
        let position = "......../B.....B./......../......../......../......../......../....W... b";
        text(&plyhouse_with(path, &["analyse", "checkers", "--position", position, "--nodes", "10"]))
    };
    assert!(analyse().contains("proven     nothing"), "{}", analyse());
    // The finished part of a killed run is used.
    std::fs::create_dir(folder.path().join("new")).expect("a folder");
    let part = file.with_extension("part");
    std::fs::write(&part, b"checkers-ends-1\n\x03\0\x01").expect("a file");
    let made = plyhouse_with(path, &["endgames", "--pieces", "3"]);
    assert!(made.status.success() && text(&made).contains(path) && !part.exists(), "{}", text(&made));
    assert!(analyse().contains("wins in"), "{}", analyse());
    let mut bytes = std::fs::read(&file).expect("the tables");
    bytes[100_000] ^= 1;
    std::fs::write(&file, &bytes).expect("a file");
    assert!(analyse().contains("damaged") && analyse().contains("plyhouse endgames"), "{}", analyse());
    for (pieces, expected) in [("6", "2 to 5"), ("0", "2 to 5")] {
        let refused = plyhouse(&["endgames", "--pieces", pieces, "--out", path]);
        assert!(!refused.status.success() && text(&refused).contains(expected), "{}", text(&refused));
    }
}

#[test]
fn eval_lists_terms_that_add_up_to_the_total() {
    let position = "bb--ww/bb-w--/------/--b---/-----w/----ww b";
    let output = plyhouse(&["eval", "loa", "--position", position, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let terms = json["terms"].as_array().expect("terms");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let early = number(&json["early_share"]);
    for term in terms {
        let weight = early * number(&term["early"]) + (1.0 - early) * number(&term["late"]);
        assert!((weight - number(&term["weight"])).abs() < 1e-9, "{term}");
        assert!((weight * number(&term["value"]) - number(&term["share"])).abs() < 1e-9, "{term}");
    }
    let sum: f64 = terms.iter().map(|term| number(&term["share"])).sum();
    let total = number(&json["total"]);
    assert!(total != 0.0 && (sum - total).abs() < 1.0, "{sum}, {total}");
    let printed = text(&plyhouse(&["eval", "loa", "--position", position]));
    for term in terms {
        let name = term["name"].as_str().expect("a name");
        assert!(printed.contains(&format!("\n{name} ")), "{name} is missing in\n{printed}");
    }
    assert!(printed.contains(&format!("evaluation  {:+.2} for Black, to move", total / 100.0)), "{printed}");
}

#[test]
fn every_game_has_an_evaluation_and_a_finished_position_has_none() {
    for game in games::GameId::BUILT_IN {
        assert!(text(&plyhouse(&["eval", game.name()])).contains("\nside to move "), "{game}");
    }
    let finished = text(&plyhouse(&["eval", "loa", "--position", "----/-bb-/----/w--w w"]));
    assert!(finished.contains("finished    black wins") && !finished.contains("side to move"), "{finished}");
    let refused = plyhouse(&["eval", "loa", "--position", "bb b"]);
    assert!(refused.status.code() == Some(1) && text(&refused).contains("position text"), "{}", text(&refused));
}

#[test]
fn help_lists_the_options_of_a_player() {
    for command in ["match", "suite", "engine"] {
        let help = text(&plyhouse(&[command, "--help"]));
        for option in engine::PlayerOptions::ALL {
            assert!(help.contains(&format!("  {}={}: ", option.name, option.value)), "{command}: {}", option.name);
        }
    }
}

#[test]
fn an_unknown_player_is_rejected_with_the_known_ones() {
    let refused = plyhouse(&["match", "jump61", "--first", "build=reference", "--pairs", "1"]);
    let said = text(&refused);
    assert!(
        refused.status.code() == Some(1) && said.contains("expected current, second, first, mcts, random"),
        "{said}"
    );
}

/// Makes puzzles from six games on a small board.
fn make_puzzles(file: &Path) -> String {
    let file = file.to_str().expect("a plain path");
    text(&plyhouse(&["puzzles", "loa", "--size", "5", "--games", "6", "--seed", "7", "--out", file]))
}

#[test]
fn puzzles_are_made_checked_and_extended() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, other) = (folder.path().join("loa.txt"), folder.path().join("other.txt"));
    let said = make_puzzles(&file);
    assert!(said.contains("found in 6 games"), "{said}");
    let whole = std::fs::read_to_string(&file).expect("puzzles");
    assert!(whole.lines().filter(|line| line.contains(";win ")).count() >= 2, "{whole}");
    assert!(whole.contains("# Added by: plyhouse puzzles loa --games 6 --seed 7 --size 5"), "{whole}");
    let check = |file: &Path| plyhouse(&["puzzles", "loa", "--check", "--out", file.to_str().expect("a plain path")]);
    assert!(text(&check(&file)).contains("all proven"));
    // A run that was killed in the middle of a line continues and finds the same puzzles.
    let head = "# plyhouse puzzles loa --games 6 --seed 7 --size 5 --win 7 --save 6\n";
    std::fs::write(other.with_extension("part"), format!("{head}# done 0\n-b--/cut")).expect("a file");
    assert!(make_puzzles(&other).contains("found in 6 games"));
    let again = std::fs::read_to_string(&other).expect("puzzles");
    assert!(again.lines().all(|line| whole.contains(line) || line.starts_with("# ")), "{again}\n{whole}");
    // Repeating the same games adds nothing.
    make_puzzles(&file);
    assert_eq!(std::fs::read_to_string(&file).expect("puzzles"), whole);
    let positions = folder.path().join("positions.txt");
    std::fs::write(&positions, "# two\n-bbb-/w---w/w---w/w---w/-bbb- b;win 9\n").expect("a file");
    let named = positions.to_str().expect("a plain path");
    let from = plyhouse(&["puzzles", "loa", "--positions", named, "--out", other.to_str().expect("a plain path")]);
    assert!(text(&from).contains("0 found in 1 positions"), "{}", text(&from));
    std::fs::write(&file, whole.replace("win 3", "win 2").replace("win 5", "win 4")).expect("a file");
    assert!(!check(&file).status.success());
    std::fs::write(&file, "no puzzle\n").expect("a file");
    assert!(text(&check(&file)).contains("expected `position;win N;rating;themes;moves`"));
}
