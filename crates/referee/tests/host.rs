//! An agent's processes run where they were told to, and nowhere else.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use game::{Record, Side};
use process::{Child, Command, Host, StartError};
use protocol::dialects::{Speaks, Variant};
use referee::{Agent, FaultKind, Player as _};

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

#[test]
fn an_agent_starts_in_its_place_only() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let variant = Variant { game: "loa".to_owned(), title: String::new(), size: 8, usual_start: String::new() };
    let dialect = Speaks::Ugi.dialect(&variant).expect("UGI plays everything");
    let command = Command::new(["cat"]);
    let mut agent = Agent::hosted(command, dialect, Box::new(Closed(Arc::clone(&asked))), u64::MAX);
    let game = Record::new(loa::Position::start(8).expect("a size"));
    let fault = agent.begin(&game, Side::First, 1, Duration::from_secs(1)).expect_err("nothing can start there");
    assert_eq!(fault.kind, FaultKind::NoStart);
    drop(agent);
    assert_eq!(asked.lock().expect("one thread")[..2], ["open", "start cat"]);
}
