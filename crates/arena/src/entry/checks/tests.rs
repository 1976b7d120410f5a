use std::ops::ControlFlow;

use process::sandbox::Tier;

use super::*;
use crate::agent_spec::{AgentSpec, Words};
use crate::draft::Draft;
use crate::players::Venue;
use crate::spec::Spec;

/// Number of moves after which a game is drawn.
const MOVE_LIMIT: u32 = 6;

fn spec(dialect: &str, move_time: f64, start: f64) -> Spec {
    let mut draft = Draft::new("loa");
    draft.adopt(dialect);
    draft.spec.move_limit = MOVE_LIMIT;
    (draft.spec.time.per_move, draft.spec.time.start) = (Some(move_time), start);
    draft.spec
}

/// Returns a shell script that speaks `ugi` and always plays the first legal move. `ready` and `answer` are commands
/// that print, with `$m` for the move.
fn engine(spec: &Spec, ready: &str, answer: &str) -> String {
    let mut cases = String::new();
    let mut add = |opening, plies| {
        let mut game = Spec { opening, ..spec.clone() }.new_game(1).expect("a game");
        for _ in 0..plies {
            let m = game.legal_moves().swap_remove(0);
            cases.extend(["'", &game.moves().join(" "), "') m=", &m, ";;\n"]);
            game.play(&m).expect("legal");
        }
    };
    add(0, MOVE_LIMIT);
    add(3, 3);
    format!(
        "n=0\nwhile read -r line; do case $line in\n\
         isready) {ready};;\n\
         position*) p=${{line#position startpos}}; p=${{p# moves }};;\n\
         go*) n=$((n + 1)); case $p in\n{cases}esac; {answer};;\n\
         quit) exit;;\nesac; done\n"
    )
}

/// Runs the checks of a shell script, and returns their results.
fn results(dialect: &str, script: &str, spec: &Spec) -> Vec<Check> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("agent.sh"), script).expect("written");
    let agent = AgentSpec {
        command: Some(Words::Text("sh agent.sh".to_owned())),
        dialect: Some(dialect.to_owned()),
        directory: Some(folder.path().to_owned()),
        ..AgentSpec::default()
    };
    results_of(&agent, spec, &Venue::default())
}

/// Runs the checks of an agent, and returns their results. The beginning of each check must have been reported before
/// its result.
fn results_of(agent: &AgentSpec, spec: &Spec, venue: &Venue) -> Vec<Check> {
    let (mut begun, mut ended) = (None, Vec::new());
    let is_good = checks(&Subject { spec, agent, venue }, &mut |check| {
        if check.state == State::Begun {
            begun = Some(check.name);
        } else {
            assert_eq!(begun.take(), Some(check.name));
            ended.push(check.clone());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(is_good, ended.iter().all(|check| check.state != State::Failed));
    ended
}

/// Asserts that the last check failed, and that its texts contain these parts.
fn assert_failed(checks: &[Check], name: &str, detail: &str, remedy: &str) -> Check {
    let check = checks.last().expect("a check").clone();
    assert_eq!((check.name, check.state), (name, State::Failed), "{checks:?}");
    assert!(check.detail.contains(detail), "{check:?}");
    assert!(check.remedy.as_ref().is_some_and(|found| found.contains(remedy)), "{check:?}");
    check
}

#[test]
fn a_good_agent_passes_each_check() {
    let spec = spec("ugi", 60.0, 60.0);
    let checks = results("ugi", &engine(&spec, "echo readyok", "echo bestmove $m"), &spec);
    let states: Vec<_> = checks.iter().map(|check| (check.name, check.state)).collect();
    let names = ["starts", "moves first", "moves second", "plays a game against itself"];
    assert_eq!(states, names.map(|name| (name, State::Passed)), "{checks:?}");
}

#[test]
fn a_list_of_openings_may_have_a_single_one() {
    let mut draft = Draft::new("breakthrough");
    (draft.spec.size, draft.spec.move_limit) = (Some(4), 4);
    let listed = |position: &str| Some(crate::openings::Openings::List(vec![position.to_owned()]));
    draft.spec.openings = listed("b-b-/----/----/w-w- w");
    let engine = AgentSpec { builtin: Some("level=1".to_owned()), ..AgentSpec::default() };
    let passed = results_of(&engine, &draft.spec, &Venue::default());
    assert!(passed.iter().all(|check| check.state == State::Passed), "{passed:?}");
    // Every move ends the game, so the second side cannot be to move.
    draft.spec.openings = listed("----/w---/---b/---- w");
    let passed = results_of(&engine, &draft.spec, &Venue::default());
    assert!(passed.iter().all(|check| check.state == State::Passed), "{passed:?}");
}

#[test]
fn a_crash_is_reported_with_the_position() {
    let spec = spec("ugi", 60.0, 60.0);
    let script = engine(&spec, "echo readyok", "echo 'bad index' >&2; exit 3");
    let check = assert_failed(&results("ugi", &script, &spec), "moves first", "bad index; the position is -bb", "");
    assert!(check.board.is_some_and(|board| board.contains("a  b  c")));
    assert!(check.position.is_some_and(|(start, moves)| start.starts_with("-bb") && moves.is_empty()));
}

#[test]
fn the_checks_end_when_they_are_stopped() {
    let spec = spec("ugi", 60.0, 60.0);
    let agent = AgentSpec { builtin: Some("level=1".to_owned()), ..AgentSpec::default() };
    let mut shown = 0;
    let subject = Subject { spec: &spec, agent: &agent, venue: &Venue::default() };
    let is_good = checks(&subject, &mut |check| {
        shown += 1;
        if check.name == "moves first" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(!is_good && shown == 3, "{shown}");
}

#[test]
fn a_slow_first_move_is_a_warning() {
    let spec = spec("ugi", 3.0, 60.0);
    let slow = engine(&spec, "echo readyok", "[ $n -gt 1 ] || sleep 4; echo bestmove $m");
    let checks = results("ugi", &slow, &spec);
    let states: Vec<_> = checks.iter().map(|check| check.state).collect();
    assert_eq!(states, [State::Passed, State::Warned, State::Warned, State::Warned], "{checks:?}");
    for check in &checks[1..] {
        assert!(check.detail.contains("for the first move, which may take 3.00 s; at most "), "{check:?}");
        let remedy = check.remedy.as_deref().unwrap_or_default();
        assert!(remedy.contains("before the answer to `isready`") && remedy.contains("loses the game"), "{remedy}");
    }
}

#[test]
fn a_slow_second_move_is_a_fault() {
    let spec = spec("ugi", 1.0, 60.0);
    let slow = engine(&spec, "echo readyok", "sleep 1.5; echo bestmove $m");
    assert_failed(&results("ugi", &slow, &spec), "moves first", "no answer in 1.", "flushed");
}

#[test]
fn an_answer_that_is_not_flushed_is_found() {
    let spec = spec("ugi", 1.0, 1.0);
    // The script collects its output until the end of its input, as a buffer does.
    let buffered = |script: String| format!("buffer=$({{\n{script}}})\nprintf '%s\\n' \"$buffer\"\n");
    let checks = results("ugi", &buffered(engine(&spec, "echo readyok", "echo bestmove $m")), &spec);
    assert_failed(&checks, "starts", "the answer was not flushed: `readyok` came only after", "flush=True");
    let late = engine(&spec, "echo readyok", "kept=\"bestmove $m\"") + "echo \"$kept\"\n";
    let check =
        assert_failed(&results("ugi", &late, &spec), "moves first", "the answer was not flushed: `bestmove ", "");
    assert!(check.detail.starts_with("stall: "), "{check:?}");
}

#[test]
fn prompts_and_debug_lines_are_shown() {
    let ugi = spec("ugi", 1.0, 60.0);
    let prompt = engine(&ugi, "echo readyok", "echo \"Enter move: bestmove $m\"");
    assert_failed(&results("ugi", &prompt, &ugi), "moves first", "unreadable answer: `Enter move: bestmove ", "error");
    let nus = spec("nus", 60.0, 60.0);
    let answer = |move_: &str| format!("read -r line\nif [ \"$line\" = identify ]; then echo Ann; else {move_}; fi\n");
    for (printed, detail) in [
        ("echo Enter move:; echo B1B3", "`Enter move:` found, expected a move in capitals"),
        ("echo depth 3; echo B1B3", "`depth 3` found, expected"),
        ("echo b1b3", "`b1b3` found, expected `B1B3` in capitals"),
    ] {
        assert_failed(
            &results("nus", &answer(printed), &nus),
            "moves first",
            detail,
            "Prompts and debug output belong on",
        );
    }
    let checks = results("nus", &answer("echo B1B4"), &nus);
    let check = assert_failed(&checks, "moves first", "B1B4: 2 pieces on the column, so the piece moves exactly 2", "");
    let board = check.board.expect("a board");
    assert!(board.contains("   1  .  X  X  X  X  .\n") && board.ends_with("A  B  C  D  E  F"), "{board}");
    let two = "read -r line\necho Ann\necho 'Team 7'\n";
    assert_failed(&results("nus", two, &nus), NAME, "`Team 7` found after `Ann`: expected one line", "1 to 80");
}

#[test]
fn a_build_without_a_network_is_explained() {
    let agent = AgentSpec {
        build: Some(
            "echo 'ERROR: No matching distribution found for numpy'; echo '(from versions: none)'; exit 1".to_owned(),
        ),
        ..AgentSpec::default()
    };
    let spec = spec("ugi", 1.0, 1.0);
    let checker = |venue: &Venue| {
        let mut checks = Vec::new();
        let subject = Subject { spec: &spec, agent: &agent, venue };
        let passed = Checker::new(subject, &mut |check: &Check| {
            checks.push(check.clone());
            ControlFlow::Continue(())
        })
        .build();
        assert!(!passed);
        checks
    };
    let lines = "its last lines:\nERROR: No matching distribution found for numpy\n(from versions: none)";
    let open = assert_failed(&checker(&Venue::default()), "build", "exit code 1", lines);
    assert_eq!(open.remedy.as_deref(), Some(lines), "the build had a network");
    let remedy = explanation("x\n(from versions: none)\nNo matching distribution found for numpy", Tier::Bwrap);
    assert!(remedy.starts_with("builds have no network: the build wanted `numpy`, so submit it"), "{remedy}");
    assert_eq!(explanation("", Tier::Bwrap), "it printed nothing");
}

#[test]
fn a_build_over_its_limit_shows_its_last_line() {
    let agent = AgentSpec {
        build: Some("seq 1000; echo linking; sleep 60".to_owned()),
        build_time: Some(3),
        ..AgentSpec::default()
    };
    let checks = results_of(&agent, &spec("ugi", 1.0, 1.0), &Venue::default());
    let check = assert_failed(&checks, "build", "did not end within 3 s", "its last lines:\n");
    assert!(check.remedy.is_some_and(|remedy| remedy.ends_with("\nlinking")));
}
