//! Tests of agents on hosts that the tests define.

use std::io::{empty, sink};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use game::{Record, Side};
use process::{Body, Child, Command, Exit, Host, Limit, Pipes, StartError, ThreadTime, ThreadTimes};
use protocol::dialects::{Speaks, Variant};
use referee::{Agent, Clocks, Fault, FaultKind, Player as _, TimeControl};

/// A host on which every program reaches its memory limit immediately.
struct Narrow {
    /// `true` if the limit is reported only after the program was killed.
    is_late: bool,
}

impl Host for Narrow {
    fn open(&mut self) -> Result<(), StartError> {
        Ok(())
    }

    fn start(&mut self, _: &Command) -> Result<Child, StartError> {
        let pipes = Pipes { stdin: Box::new(sink()), stdout: Box::new(empty()), stderr: Box::new(empty()) };
        Ok(Child::over(Box::new(Ended { is_reported: !self.is_late }), pipes))
    }

    fn clear(&mut self) {}

    fn close(&mut self) {}
}

/// A process that was ended at its memory limit.
struct Ended {
    is_reported: bool,
}

impl Body for Ended {
    fn exit(&mut self) -> Option<Exit> {
        self.is_reported.then_some(Exit::Limit(Limit::Memory))
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn kill(&mut self) {
        self.is_reported = true;
    }
}

/// A host that records its calls. If `starts` is `true`, it starts programs on this machine.
struct Noting {
    asked: Arc<Mutex<Vec<String>>>,
    starts: bool,
}

impl Noting {
    fn note(&self, what: &str) {
        self.asked.lock().expect("one thread").push(what.to_owned());
    }
}

impl Host for Noting {
    fn open(&mut self) -> Result<(), StartError> {
        self.note("open");
        Ok(())
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        self.note(&format!("start {command}"));
        if self.starts { Child::start(command) } else { Err(StartError::Empty) }
    }

    fn set_to_move(&mut self, is_to_move: bool) {
        self.note(if is_to_move { "go" } else { "wait" });
    }

    fn clear(&mut self) {
        self.note("clear");
    }

    fn close(&mut self) {
        self.note("close");
    }
}

fn agent(words: &[&str], place: Box<dyn Host>) -> Agent {
    let variant =
        Variant { game: "loa".to_owned(), title: String::new(), size: 8, usual_start: String::new(), rules: None };
    let dialect = Speaks::Ugi.dialect(&variant).expect("UGI supports every game");
    Agent::hosted(Command::new(words.iter().copied()), dialect, place, u64::MAX)
}

/// Starts an agent on a host on which it cannot play, and returns the fault.
fn fails_at(place: Box<dyn Host>) -> Fault {
    let mut agent = agent(&["cat"], place);
    let game = Record::new(loa::Position::start(8).expect("a size"));
    agent.begin(&game, Side::First, 1, Duration::from_secs(30)).expect_err("the agent cannot play on this host")
}

#[test]
fn an_agent_starts_only_on_its_host() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let fault = fails_at(Box::new(Noting { asked: Arc::clone(&asked), starts: false }));
    assert_eq!(fault.kind, FaultKind::NoStart);
    assert_eq!(asked.lock().expect("one thread")[..2], ["open", "start cat"]);
}

/// Checks that a host knows when its program is to move, so that it can stop the program during the opponent's turn.
#[test]
fn a_host_is_notified_when_its_program_is_to_move() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let script = "while read line; do case $line in isready) echo readyok;; go*) echo bestmove b1-b3;; esac; done";
    let place = Noting { asked: Arc::clone(&asked), starts: true };
    let mut agent = agent(&["sh", "-c", script], Box::new(place));
    let game = Record::new(loa::Position::start(8).expect("a size"));
    agent.begin(&game, Side::First, 1, Duration::from_mins(1)).expect("it starts");
    let limits = [TimeControl { move_time: Some(Duration::from_mins(1)), ..TimeControl::default() }; 2];
    let turn = agent.choose(&game, &Clocks::new(limits).of(Side::First));
    assert_eq!(turn.answer.expect("a move"), "b1-b3");
    agent.end(&game);
    assert_eq!(asked.lock().expect("one thread")[2..], ["wait", "go", "wait", "go", "close"]);
}

#[test]
fn a_limit_that_is_reached_at_the_start_is_reported() {
    for is_late in [false, true] {
        let fault = fails_at(Box::new(Narrow { is_late }));
        assert_eq!((fault.kind, &*fault.detail), (FaultKind::Memory, "not ready: it was ended at its limit of memory"));
    }
}

/// A host that reports that its programs always wait for a processor, or never do.
struct Busy {
    is_starved: bool,
    /// The program answers when this file exists. The file is created when the time for the move is over.
    gate: PathBuf,
}

struct Starved {
    process: std::process::Child,
    began: Instant,
    place: Busy,
    looks: u32,
}

impl Host for Busy {
    fn open(&mut self) -> Result<(), StartError> {
        Ok(())
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        let mut builder = std::process::Command::new(&command.words[0]);
        builder.args(&command.words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = builder.spawn().expect("sh starts");
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { panic!("three pipes") };
        let place = Self { is_starved: self.is_starved, gate: self.gate.clone() };
        let body = Starved { process, began: Instant::now(), place, looks: 0 };
        let pipes = Pipes { stdin: Box::new(stdin), stdout: Box::new(stdout), stderr: Box::new(stderr) };
        Ok(Child::over(Box::new(body), pipes))
    }

    fn clear(&mut self) {}

    fn close(&mut self) {}
}

impl Body for Starved {
    fn exit(&mut self) -> Option<Exit> {
        self.process.try_wait().ok().flatten().map(|status| Exit::Code(status.code().unwrap_or(0)))
    }

    fn cpu(&mut self) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn threads(&mut self) -> ThreadTimes {
        self.looks += 1;
        if self.looks == 2 {
            std::fs::write(&self.place.gate, "").expect("a file");
        }
        let waited = if self.place.is_starved { self.began.elapsed() } else { Duration::ZERO };
        ThreadTimes::from([(1, ThreadTime { ran: Duration::ZERO, waited })])
    }

    fn kill(&mut self) {
        let _ = self.process.kill();
    }
}

#[test]
fn a_program_that_waited_for_a_processor_gets_more_time() {
    for is_starved in [true, false] {
        let gate = std::env::temp_dir().join(format!("plyhouse-gate-{is_starved}-{}", std::process::id()));
        let wait = format!("while ! [ -e {} ]; do sleep 0.02; done", gate.display());
        let go = format!("{wait}; echo bestmove b1-b3");
        let script = format!("while read line; do case $line in isready) echo readyok;; go*) {go};; esac; done");
        let mut agent = agent(&["sh", "-c", &script], Box::new(Busy { is_starved, gate: gate.clone() }));
        let game = Record::new(loa::Position::start(8).expect("a size"));
        agent.begin(&game, Side::First, 1, Duration::from_mins(1)).expect("it starts");
        let limit = Duration::from_secs(2);
        let limits = [TimeControl { move_time: Some(limit), ..TimeControl::default() }; 2];
        let turn = agent.choose(&game, &Clocks::new(limits).of(Side::First));
        agent.end(&game);
        std::fs::remove_file(&gate).expect("the file exists");
        if is_starved {
            assert_eq!(turn.answer.as_deref(), Ok("b1-b3"), "{turn:?}");
            assert!(
                turn.wall >= limit && turn.waited >= limit / 4 && turn.wall.saturating_sub(turn.waited) <= limit,
                "{turn:?}"
            );
        } else {
            let fault = turn.answer.expect_err("the move is late");
            assert!(matches!(fault.kind, FaultKind::Time | FaultKind::Stall), "{fault}");
            assert_eq!(turn.waited, Duration::ZERO);
        }
    }
}
