//! An agent's processes run where they were told to, and nowhere else.

use std::fs::File;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use game::{Record, Side};
use process::{Body, Child, Command, Exit, Host, Limit, Pipes, StartError};
use protocol::dialects::{Speaks, Variant};
use referee::{Agent, Fault, FaultKind, Player as _};

/// A place in which every program reaches its limit of memory at once.
struct Narrow;

impl Host for Narrow {
    fn open(&mut self) -> Result<(), StartError> {
        Ok(())
    }

    fn start(&mut self, _: &Command) -> Result<Child, StartError> {
        let null = || File::options().read(true).write(true).open("/dev/null").expect("a device");
        Ok(Child::over(Box::new(Ended), Pipes { stdin: null(), stdout: null(), stderr: null() }))
    }

    fn clear(&mut self) {}

    fn close(&mut self) {}
}

/// A process that has been ended at its limit.
struct Ended;

impl Body for Ended {
    fn exit(&mut self) -> Option<Exit> {
        Some(Exit::Limit(Limit::Memory))
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn kill(&mut self) {}
}

/// A place that notes what it is asked, and starts nothing.
struct Closed(Arc<Mutex<Vec<String>>>);

impl Closed {
    fn note(&self, what: &str) {
        self.0.lock().expect("one thread").push(what.to_owned());
    }
}

impl Host for Closed {
    fn open(&mut self) -> Result<(), StartError> {
        self.note("open");
        Ok(())
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        self.note(&format!("start {command}"));
        Err(StartError::Empty)
    }

    fn clear(&mut self) {
        self.note("clear");
    }

    fn close(&mut self) {
        self.note("close");
    }
}

/// Starts an agent in a place where it cannot play.
fn fails_at(place: Box<dyn Host>) -> Fault {
    let variant = Variant { game: "loa".to_owned(), title: String::new(), size: 8, usual_start: String::new() };
    let dialect = Speaks::Ugi.dialect(&variant).expect("UGI plays everything");
    let mut agent = Agent::hosted(Command::new(["cat"]), dialect, place, u64::MAX);
    let game = Record::new(loa::Position::start(8).expect("a size"));
    agent.begin(&game, Side::First, 1, Duration::from_secs(30)).expect_err("nothing can play there")
}

#[test]
fn an_agent_starts_in_its_place_only() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let fault = fails_at(Box::new(Closed(Arc::clone(&asked))));
    assert_eq!(fault.kind, FaultKind::NoStart);
    assert_eq!(asked.lock().expect("one thread")[..2], ["open", "start cat"]);
}

#[test]
fn a_limit_that_is_reached_at_the_start_keeps_its_name() {
    let fault = fails_at(Box::new(Narrow));
    assert_eq!((fault.kind, &*fault.detail), (FaultKind::Memory, "not ready: it was ended at its limit of memory"));
}
