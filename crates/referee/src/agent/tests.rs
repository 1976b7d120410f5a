use std::ops::ControlFlow;

use game::{Record, examples::Nim};
use protocol::dialects::{Speaks, Variant};

use super::*;
use crate::clock::TimeControl;
use crate::referee::{AfterFault, Ending, Offence, Played, Ply, Referee};

/// Creates an engine from a shell script that supports UGI. `go` is the shell command that answers a request for a
/// move.
fn engine(start: &str, go: &str) -> Agent {
    let script = format!(
        "{start}; while read line; do case $line in isready) echo readyok;; go*) {go};; quit) exit;; esac; done"
    );
    let variant =
        Variant { game: String::new(), title: String::new(), size: 1, usual_start: "9 a".to_owned(), rules: None };
    let dialect = Speaks::Ugi.dialect(&variant).expect("UGI plays everything");
    Agent::new(Command::new(["sh", "-c", &script]), dialect)
}

fn played(mut first: Agent, mut second: Agent) -> Played {
    let mut game = Record::new("9 a".parse::<Nim>().expect("a heap"));
    let referee = Referee { time: [TimeControl::default(); 2], after_fault: AfterFault::Lose };
    let go_on = &mut |_: &dyn TextGame, _: &Ply| ControlFlow::Continue(());
    referee.play(&mut game, [&mut first, &mut second], 7, go_on).expect("the game is not stopped")
}

/// An earlier version took the second answer for the answer to the next request.
#[test]
fn a_second_answer_is_noted_and_does_not_answer_the_next_request() {
    let count = "n=$((n+1)); if [ $n = 1 ]; then echo bestmove 3; echo bestmove 3; else echo bestmove 1; fi";
    let game = played(engine("n=0", count), engine("n=4", "n=$((n-1)); echo bestmove $n"));
    assert_eq!(game.plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>(), ["3", "3", "1", "2"]);
    let [Offence { side: Side::First, fault, ply: 2 }] = game.offences.as_slice() else { panic!("{game:?}") };
    assert_eq!((fault.kind, fault.detail.contains("`3`")), (FaultKind::Unasked, true), "{fault}");
}

#[test]
fn an_answer_before_the_first_request_is_noted_once() {
    let game = played(engine("echo bestmove 2", "echo bestmove 3; echo bestmove 1"), engine(":", "echo bestmove 3"));
    assert_eq!(game.plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>(), ["3", "3", "3"]);
    assert!(matches!(game.ending, Ending::Rules(_)), "{game:?}");
    assert_eq!(game.offences.iter().map(|offence| offence.fault.kind).collect::<Vec<_>>(), [FaultKind::Unasked]);
}

#[test]
fn an_engine_does_not_lose_for_its_spelling() {
    let game = played(engine(":", "echo 'bestmove 3!'"), engine(":", "echo bestmove 4+"));
    let faults: Vec<_> = game.offences.iter().map(|offence| (offence.ply, offence.fault.kind)).collect();
    assert_eq!(faults, [(1, FaultKind::Illegal)], "{game:?}");
}

#[test]
fn what_an_engine_says_of_its_search_belongs_to_its_move() {
    let go = "echo info depth 2 score cp 5 pv 3 1; echo info nodes 40; echo bestmove 3";
    let game = played(engine(":", go), engine(":", "echo bestmove 3"));
    let (own, other) = (&game.plies[0].info, &game.plies[1].info);
    assert_eq!((own.score, own.depth, own.nodes), (Some(protocol::Score::Units(5)), Some(2), Some(40)));
    assert_eq!((own.pv.len(), other), (2, &Info::default()));
}

#[test]
fn everything_that_is_said_is_written_down() {
    let path = std::env::temp_dir().join(format!("plyhouse-said-{}", std::process::id()));
    let transcript = Transcript::create(&path).expect("a file");
    let mut first = engine(":", "echo thinking >&2; echo bestmove 3");
    first.write_down(&transcript);
    played(first, engine(":", "echo bestmove 3"));
    let text = std::fs::read_to_string(&path).expect("a text");
    let said: Vec<&str> = text.lines().map(|line| line[10..].trim_start()).collect();
    for line in ["first  > go movetime 4730", "first  ! thinking", "first  < bestmove 3", "first  > quit"] {
        assert!(said.contains(&line), "{line}: {text}");
    }
    std::fs::remove_file(&path).expect("the file is there");
}

/// Plays a game in which the first side has a short time for a move, and random moves replace its faults.
fn hurried(mut first: Agent, move_time: Duration, heap: &str) -> Played {
    let mut game = Record::new(heap.parse::<Nim>().expect("a heap"));
    let short = TimeControl { move_time: Some(move_time), margin: Duration::ZERO, ..TimeControl::default() };
    let referee = Referee { time: [short, TimeControl::default()], after_fault: AfterFault::RandomMove };
    let go_on = &mut |_: &dyn TextGame, _: &Ply| ControlFlow::Continue(());
    let mut second = engine(":", "echo bestmove 1");
    referee.play(&mut game, [&mut first, &mut second], 7, go_on).expect("the game is not stopped")
}

#[test]
fn an_engine_that_is_late_once_is_stopped_and_keeps_its_process() {
    // The engine gives its first answer only after `stop`.
    let go = "n=$((n+1)); if [ $n = 1 ]; then read line; echo $line >&2; fi; echo bestmove 1";
    let game = hurried(engine("n=0; echo started >&2", go), Duration::from_secs(2), "9 a");
    assert_eq!(game.stderr[0].trim_end(), "started\nstop");
    let [Offence { side: Side::First, fault, ply: 0 }] = game.offences.as_slice() else { panic!("{game:?}") };
    assert!(matches!(fault.kind, FaultKind::Stall | FaultKind::Time), "{fault}");
    assert!(fault.detail.contains("; it answered 1 after `stop`, too late"), "{fault}");
}

#[test]
fn an_engine_that_does_not_stop_is_ended_and_the_record_says_so() {
    let game = hurried(engine("echo started >&2", "cat >&2"), Duration::from_millis(200), "3 a");
    let own = game.plies.iter().filter(|ply| ply.side == Side::First).count();
    assert_eq!((game.offences.len(), game.stderr[0].matches("started").count()), (own, own), "{game:?}");
    let told =
        |offence: &Offence| offence.fault.detail.contains("nor within 1 s after `stop`, so its process was ended");
    assert!(game.offences.iter().all(told), "{:?}", game.offences);
}

/// An earlier version counted the new start against the limit of the move, so every move after a crash was late.
#[test]
fn a_start_after_a_crash_does_not_count_against_the_clock() {
    let folder = tempfile::tempdir().expect("a folder");
    let crashed = folder.path().join("crashed");
    let start = format!("if [ -e {0} ]; then sleep 2.2; fi", crashed.display());
    let go = format!("if [ -e {0} ]; then echo bestmove 1; else touch {0}; exit 1; fi", crashed.display());
    let game = hurried(engine(&start, &go), Duration::from_secs(2), "9 a");
    assert_eq!(game.offences.iter().map(|offence| offence.fault.kind).collect::<Vec<_>>(), [FaultKind::Crash]);
}
