//! The programs as processes: exact output for an input, and exit codes.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const LOA: &str = env!("CARGO_BIN_EXE_loa");
const LOA6: &str = env!("CARGO_BIN_EXE_loa6");
const CHECKERS: &str = env!("CARGO_BIN_EXE_checkers");
const JUMP61: &str = env!("CARGO_BIN_EXE_jump61");
const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// Standard output, standard error, exit code.
type Outcome = (String, String, Option<i32>);

fn run(program: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Outcome {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // A program may exit before it has read everything, so write errors are ignored.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

fn out(program: &str, arguments: &[&str], input: &str) -> String {
    let (out, err, code) = run(program, arguments, input);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    out
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

#[test]
fn every_program_has_help_and_a_version() {
    for program in [LOA, LOA6, CHECKERS, JUMP61, PLYHOUSE] {
        assert!(out(program, &["--help"], "").contains("Usage:"));
        assert!(out(program, &["--version"], "").ends_with(concat!(env!("CARGO_PKG_VERSION"), "\n")));
    }
}

#[test]
fn an_unknown_option_prints_the_usage_and_exits_with_1() {
    for program in [LOA, LOA6, CHECKERS, JUMP61] {
        let (out, err, code) = run(program, &["--no-such-option"], "");
        assert!(out.is_empty() && err.contains("Usage:") && code == Some(1), "{err}");
    }
}

#[test]
fn checkers_reproduces_the_sample_outputs_exactly() {
    for (test, code) in [("test0", 0), ("test1", 0), ("test3", 0), ("test5", 1), ("test7", 1)] {
        let folder = testdata().join("checkers");
        let input = std::fs::read(folder.join(format!("{test}.txt"))).expect("a sample");
        let expected = std::fs::read_to_string(folder.join(format!("{test}-out.txt"))).expect("its output");
        assert_eq!(run(CHECKERS, &[], input), (expected, String::new(), Some(code)), "{test}");
    }
}

#[test]
fn checkers_accepts_options_for_its_player() {
    assert!(out(CHECKERS, &["--depth", "5"], "A\n").contains("*** BLACK ACTION #1: "));
    assert!(out(CHECKERS, &["--engine", "--level", "3"], "A\n").contains("*** BLACK ACTION #1: "));
}

/// A mistyped action ends the input, as the assignment requires. Standard error reports the position and the reason.
#[test]
fn checkers_reports_where_an_action_is_mistyped() {
    let (clean, errors, _) = run(CHECKERS, &[], "G6-F5\n");
    assert_eq!(errors, "");
    let (printed, errors, code) = run(CHECKERS, &[], "G6-F5\n\nH3 G4\nA\n");
    assert_eq!((printed, code), (clean, Some(0)), "standard output is the same without the line");
    assert_eq!(
        errors,
        "checkers: line 3, column 3: ` ` found, expected a digit or `-`; the line should be an action such as `G6-F5` \
         (action #2) or a command, `A` or `P`; the rest of the input is ignored\n"
    );
}

/// With a page, the program ends at the end of its input if it has read at least one line. Without any input, the
/// program keeps serving the page.
#[test]
fn with_a_page_the_program_ends_after_its_input() {
    let start = |input: &[u8]| {
        let mut child = Command::new(LOA)
            .args(["--display", "--level", "1"])
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
        // The address is printed once the page is ready.
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
        assert!(line.starts_with("The game is at http"), "{line}");
        child
    };
    let ends_within = |child: &mut std::process::Child, time: std::time::Duration| {
        let end = std::time::Instant::now() + time;
        loop {
            match child.try_wait().expect("a child") {
                Some(status) => return Some(status),
                None if std::time::Instant::now() >= end => return None,
                None => std::thread::sleep(std::time::Duration::from_millis(10)),
            }
        }
    };
    let mut played = start(b"manual white\nb1-d3\n");
    let status = ends_within(&mut played, std::time::Duration::from_mins(3));
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    let mut idle = start(b"");
    assert_eq!(ends_within(&mut idle, std::time::Duration::from_secs(1)), None, "the page is still served");
    idle.kill().expect("a child");
    idle.wait().expect("a child");
}

/// The players are weaker than the default ones so that a debug build meets the scripts' time limits.
#[test]
fn the_courses_test_scripts_pass() {
    for (game, program, tests) in [("loa", LOA, 4), ("jump61", JUMP61, 6)] {
        let command = format!("{program} --level 6");
        let folder = testdata().join(game);
        let (report, _, code) = run(PLYHOUSE, &["script", folder.to_str().expect("a path"), "--command", &command], "");
        assert_eq!(code, Some(0), "{report}");
        assert!(report.ends_with(&format!("Passed all {tests} tests.\n")), "{report}");
    }
}

#[test]
fn a_pipe_receives_only_the_protocol() {
    let printed = out(LOA, &[], "manual white\nb1-d3\ndump\nquit\nnever read\n");
    assert_eq!(
        printed,
        "b> b> w> ===\n    - b b b b b b -\n    w - - - - - - w\n    w - - - - - - w\n    w - - - - - - w\n    \
         w - - - - - - w\n    w - - b - - - w\n    w - - - - - - w\n    - - b b b b b -\nNext move: white\n===\nw> "
    );
    assert_eq!(
        out(JUMP61, &[], "size 2\nmanual blue\n1 1\n1 2\n2 1\n1 2"),
        "red> red> red> blue> red> blue> * Blue wins.\n+> "
    );
    assert_eq!(out(JUMP61, &[], ""), "red> ");
}

#[test]
fn the_board_is_drawn_on_request() {
    let printed = out(LOA, &["--board"], "manual white\nb1-d3\n");
    assert!(printed.contains("   3  w  .  . [b] .  .  .  w\n"), "{printed}");
    assert!(printed.contains("   1  . (.) b "), "{printed}");
    assert!(!printed.contains('*') && !printed.contains("==="));
    assert!(out(JUMP61, &[], "manual blue\nverbose\n1 1\n").contains("   1 [2r] 1-  1- "));
}

#[test]
fn errors_go_to_standard_error_and_strict_ends_the_program() {
    let (printed, errors, code) = run(LOA, &[], "b1-b9\nclank\n");
    assert_eq!((printed.as_str(), code), ("b> b> b> ", Some(0)));
    assert_eq!(errors.lines().count(), 2);
    assert!(errors.lines().all(|line| line.starts_with("Error: ")), "{errors}");
    assert_eq!(run(LOA, &["--strict"], "clank\ndump\n").2, Some(2));
    assert_eq!(run(JUMP61, &["--strict"], "clank\ndump\n").2, Some(1));
    assert_eq!(run(JUMP61, &[], "clank\n1 9\n").2, Some(0));
}

#[test]
fn input_output_and_log_files_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    std::fs::write(path("in"), "# a game\n\n  manual white \nb1-d3\nclank\n").expect("a file");
    let log = format!("--log={}", path("log"));
    let (printed, _, code) = run(LOA, &[&log, &path("in"), &path("out")], "quit\n");
    assert_eq!((printed.as_str(), code), ("", Some(0)));
    let read = |name: &str| std::fs::read_to_string(path(name)).expect("a file");
    assert_eq!(read("out"), "b> b> b> b> w> w> ");
    assert_eq!(read("log"), "# a game\nmanual white\nb1-d3\nclank\n");
    // The program's own moves are logged as plain commands.
    let printed = out(LOA, &[&log, "--level", "2"], "b1-b3\n");
    let moved = printed.lines().next().expect("a move").trim_start_matches("b> * ").to_owned();
    assert_eq!(read("log"), format!("b1-b3\n{moved}\n"));
    let (_, errors, code) = run(LOA, &["--log=/no/such/folder/log"], "");
    assert!(errors.starts_with("Error: cannot open the log file /no/such/folder/log") && code == Some(1), "{errors}");
    assert_eq!(run(LOA, &["/no/such/file"], "").2, Some(1));
}

#[test]
fn jump61_reads_several_files_and_echoes_its_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    std::fs::write(path("a"), "size 2\nmanual blue").expect("a file");
    std::fs::write(path("b"), "* 1 1 > ===\nquit\n").expect("a file");
    let (printed, _, code) = run(JUMP61, &["--log", &path("a"), "-", &path("b")], "1 1\n");
    let expected = "red> size 2\nred> manual blue\nred> red> 1 1\nblue> blue> ? 1 1 ? ???\nblue> quit\n";
    assert_eq!((printed.as_str(), code), (expected, Some(0)), "an echo never looks like a message or a dump");
    run(JUMP61, &[&format!("--log={}", path("log"))], "1 1\nclank\n");
    assert_eq!(std::fs::read_to_string(path("log")).expect("a file"), "1 1\nclank\n");
}

#[test]
fn the_same_seed_gives_the_same_game_in_every_process() {
    let game = |seed: u32| out(LOA, &["--level", "4"], &format!("seed {seed}\nauto black\ndump\n"));
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
}

#[test]
fn loa6_answers_before_its_input_ends() {
    let mut child =
        Command::new(LOA6).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"move\n7\n6\n...XX.\nO..X.O\nO....O\n......\n......\n..X...\n").expect("written");
    let mut answer = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut answer).expect("an answer");
    assert!(answer.trim_end().len() == 4, "{answer}");
    assert!(child.wait().expect("it ends").success());
    drop(stdin);
    assert_eq!(out(LOA6, &[], "identify").lines().count(), 1);
}

#[test]
fn loa6_rejects_invalid_requests() {
    for (input, expected) in [
        ("", "loa6: line 1: end of input, expected `identify` or `move`\n"),
        ("move\n1\n5\n", "loa6: line 3: `5` found, expected the board size, `6`\n"),
        (
            "move\n1\n6\n .XXXX.\n",
            "loa6: line 4: ` .XXXX.` found, expected row 1 of the board, six characters `.`, `X` or `O`\n",
        ),
    ] {
        assert_eq!(run(LOA6, &[], input), (String::new(), expected.to_owned(), Some(1)));
    }
}

#[test]
fn perft_prints_counts_and_the_rate() {
    let printed = out(PLYHOUSE, &["perft", "loa", "--size", "5", "--depth", "3"], "");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[..3], ["1 18", "2 280", "3 4164"]);
    assert!(lines[3].ends_with(" leaves/s"));
    let printed = out(PLYHOUSE, &["perft", "jump61", "--position", "2r2b/2r1-", "--depth", "2"], "");
    assert!(printed.starts_with("1 2\n"), "{printed}");
    let (_, errors, code) = run(PLYHOUSE, &["perft", "checkers", "--size", "9", "--depth", "1"], "");
    assert_eq!((errors.as_str(), code), ("Error: board size 9: checkers is played on 8 squares per side\n", Some(1)));
}

#[test]
fn moves_prints_the_moves_of_one_position_per_line() {
    let input = "-bb-/w--w/w--w/-bb- b\nbb--/----/----/--ww b\n-bb-/w--w b\n\nwb--/bb--/---b/---- w\n";
    let (printed, errors, code) = run(PLYHOUSE, &["moves", "loa"], input);
    assert_eq!((errors.as_str(), code), ("Error: 2 lines are not positions\n", Some(1)));
    assert_eq!(
        printed,
        "b1-b3 b1-d1 b1-d3 b4-b2 b4-d2 b4-d4 c1-a1 c1-a3 c1-c3 c4-a2 c4-a4 c4-c2\nwhite wins\n\
         error: position text: 2 rows: expected 4 to 8 rows, joined by `/`\n\
         error: position text: nothing found, expected rows from the top joined by `/`, then the side to move, as in \
         `-bb-/w--w/w--w/-bb- b`\nwhite wins\n"
    );
    assert!(run(PLYHOUSE, &["moves", "loa", "--size", "8"], input).0.lines().all(|line| line.starts_with("error: ")));
    assert_eq!(out(PLYHOUSE, &["moves", "jump61"], "1r1r/1r1r\n2r1-/1-1-\n"), "red wins\n1:2 2:1 2:2\n");
    let lost = "......../......../......../......../......../......../......../b....... w";
    assert_eq!(out(PLYHOUSE, &["moves", "checkers"], lost), "black wins\n");
}

#[test]
fn moves_answers_each_line_before_its_input_ends() {
    let mut child = Command::new(PLYHOUSE);
    child.args(["moves", "loa"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (sender, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || answers.try_for_each(|line| sender.send(line.expect("text"))));
    for (position, answer) in [("wb--/bb--/---b/---- w", "white wins"), ("x", "error: ")] {
        writeln!(stdin, "{position}").expect("written");
        let line = received.recv_timeout(Duration::from_mins(2)).expect("an answer");
        assert!(line.starts_with(answer), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "a line was not a position");
}

#[test]
fn analyse_reports_proofs_scores_and_finished_games() {
    let position = "------/--b---/--b---/-b-ww-/-----w/w-b--- b";
    let printed = out(PLYHOUSE, &["analyse", "loa", "--position", position], "");
    assert!(printed.contains("proven     black wins in 1 ply\n"), "{printed}");
    let json = out(PLYHOUSE, &["analyse", "loa", "--position", position, "--json"], "");
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["proven"]["result"], "win", "{json}");
    assert_eq!(report["pv"][0], report["best"]);
    let json = out(PLYHOUSE, &["analyse", "jump61", "--size", "3", "--nodes", "2000", "--json"], "");
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(
        report["score"]["units"].is_i64() && report["proven"].is_null() && report["depth"].as_u64() > Some(1),
        "{json}"
    );
    let json = out(PLYHOUSE, &["analyse", "loa", "--position", "bb--/----/----/--ww b", "--json"], "");
    assert!(json.contains("\"finished\":\"white wins\""), "{json}");
    let (_, errors, code) = run(PLYHOUSE, &["analyse", "loa", "--position", "x"], "");
    assert!(errors.starts_with("Error: position text: 1 row: expected 4 to 8 rows") && code == Some(1), "{errors}");
    assert_eq!(run(PLYHOUSE, &["analyse", "chess"], "").2, Some(2));
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let script = format!("yes dump | head -2000 | {LOA} 2>&1 | head -1; exit ${{PIPESTATUS:-0}}");
    let status = Command::new("sh").args(["-c", &script]).stdout(Stdio::null()).status().expect("sh runs");
    assert!(status.success());
}

#[test]
fn a_byte_order_mark_is_ignored() {
    for (program, args, input) in [
        (LOA, &[][..], "manual white\nb1-b3\ndump\nquit\n"),
        (JUMP61, &[], "size 4\ndump\nquit\n"),
        (PLYHOUSE, &["moves", "loa"], "-bb-/w--w/w--w/-bb- w\n"),
        (PLYHOUSE, &["engine", "loa"], "isready\nquit\n"),
    ] {
        assert_eq!(out(program, args, &format!("\u{feff}{input}")), out(program, args, input), "{program}");
    }
}

#[test]
fn an_engine_answers_a_rejected_position_with_the_null_move() {
    let mut engine = Engine::start();
    let assert_null_move = |lines: Vec<String>, error: &str| {
        let [reason, answer] = &lines[lines.len() - 2..] else { panic!("{lines:?}") };
        assert_eq!((reason.as_str(), answer.as_str()), (error, "bestmove 0000"));
    };
    let refused = "info string error: go: the last `position` was refused";
    engine.send("position startpos\nposition startpos moves b1-b9\ngo nodes 100");
    assert_null_move(engine.read_until("bestmove"), refused);
    engine.send("position startpos\ngo nodes");
    assert_null_move(engine.read_until("bestmove"), "info string error: go: expected a number after `nodes`");
    // A running search answers first, so answers stay in the order of the requests.
    engine.send("go infinite\nposition fen nonsense\ngo nodes 100");
    assert_ne!(engine.read_until("bestmove").pop().as_deref(), Some("bestmove 0000"));
    assert_null_move(engine.read_until("bestmove"), refused);
    engine.send("position startpos\ngo nodes 100");
    assert_ne!(engine.read_until("bestmove").pop().as_deref(), Some("bestmove 0000"));
    engine.send("quit");
    assert!(engine.child.wait().expect("it ends").success());
}

/// An engine process with line-by-line input and output.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(PLYHOUSE);
        child.args(["engine", "loa", "--size", "6"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.spawn().expect("the program starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Self { child, stdin, lines: BufReader::new(stdout).lines() }
    }

    fn send(&mut self, lines: &str) {
        writeln!(self.stdin, "{lines}").expect("it reads");
    }

    /// Reads lines up to and including the first one with a prefix.
    fn read_until(&mut self, prefix: &str) -> Vec<String> {
        let mut read = Vec::new();
        while !read.last().is_some_and(|line: &String| line.starts_with(prefix)) {
            read.push(self.lines.next().expect("more lines").expect("text"));
        }
        read
    }

    /// Returns `true` if the engine has answered within 300 ms.
    fn has_answered(&mut self) -> bool {
        std::thread::sleep(Duration::from_millis(300));
        self.send("isready");
        self.read_until("readyok").iter().any(|line| line.starts_with("bestmove"))
    }
}

#[test]
fn an_engine_ponders_until_ponderhit_or_stop() {
    let mut engine = Engine::start();
    engine.send("setoption name ponder value true\nposition startpos\ngo nodes 3000");
    let answer = engine.read_until("bestmove").pop().expect("an answer");
    let words: Vec<&str> = answer.split(' ').collect();
    let &["bestmove", best, "ponder", next] = &words[..] else { panic!("{answer}") };
    // While the engine ponders, it withholds the answer of a search that has finished or whose time is up.
    for limits in ["nodes 200", "movetime 10", "p1time 500 p2time 500"] {
        engine.send(&format!("position startpos moves {best} {next}\ngo ponder {limits}"));
        assert!(!engine.has_answered(), "{limits}");
        engine.send("ponderhit");
        engine.read_until("bestmove");
    }
    engine.send("go ponder");
    assert!(!engine.has_answered());
    engine.send("stop");
    engine.read_until("bestmove");
    engine.send("ponderhit");
    assert_eq!(
        engine.read_until("info string").pop().as_deref(),
        Some("info string error: ponderhit: no search was begun by `go ponder`")
    );
    engine.send("setoption name ponder value false\ngo nodes 3000");
    assert_eq!(engine.read_until("bestmove").pop().map(|line| line.split(' ').count()), Some(2));
    engine.send("quit");
    assert!(engine.child.wait().expect("it ends").success());
}
