//! A house, or a thinker that performs its searches, behind one function. Callers pass calls as text.

use core::num::NonZeroUsize;
use std::sync::Arc;

use checkers::player::endgame::{Making, Tables};
use engine::Resources;
use game::SplitMix64;
use search::{Host, Sequential, Stop};
use serde::{Deserialize, Serialize};

use crate::House;
use crate::desk::{self, Incoming, as_json};
use crate::effect::{Effect, Moment};
use crate::library::Library;
use crate::limits::Limits;
use crate::messages::answer::Answer;
use crate::messages::game::Archived;
use crate::messages::request::Request;
use crate::store::Memory;
use crate::task::{FoundProof, Outcome, Place, Task};

/// Maximum number of pieces in the endgame tables. Building larger tables would delay the engine's move too long.
const PIECES: usize = 3;
/// Memory of each side's table in a proof, in MiB. It is less than on a server, because a browser has less memory.
const TABLE_MIB: usize = 64;

/// A house, a thinker or both in one WebAssembly instance. A thinker performs searches, one at a time.
pub struct Program {
    house: Option<House>,
    library: Arc<Library>,
    /// The thinker's last proof.
    proof: Option<FoundProof>,
    host: Host,
    /// Endgame tables, built for the first task about a game that uses them.
    endgames: Option<Resources>,
}

/// A call, parsed from JSON. The time is set if the house is called.
#[derive(Deserialize)]
struct Timed {
    #[serde(flatten)]
    call: Call,
    now: Option<Moment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Call {
    /// Creates the house with these finished games. Games that cannot be read are skipped, for example those of a later
    /// version.
    House { seed: u64, archive: Vec<serde_json::Value> },
    /// Registers a page.
    Open { page: u32 },
    /// Removes a page.
    Close { page: u32 },
    /// Handles a message from a page.
    Hear { page: u32, text: String },
    /// Answers a request about a game outside rooms. The answer is the only output.
    Ask { question: String },
    /// Handles a move found by a thinker.
    Moved { number: u32, text: Option<String> },
    /// Handles the end of a thinker's task.
    Ended { number: u32 },
    /// Handles expired clocks and delayed engines.
    Wake {},
    /// Adds a game that was stored in another tab.
    Keep { game: Archived },
    /// Removes a game that was deleted in another tab.
    Forget { name: String },
    /// Performs a task with this number of threads.
    Task { task: Task, threads: NonZeroUsize },
}

/// An output of a house, besides its effects.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Output<'a> {
    /// Sends an answer to a page.
    Tell { page: u32, answer: Answer },
    /// Stores a finished game, and replaces a game with the same id.
    Keep { game: &'a Archived },
    /// Deletes a finished game.
    Forget { name: &'a str },
}

/// An output of a thinker.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    /// An answer for the page of the task.
    Answer(Answer),
    /// The engine's move for the house, or `None` if the engine found none.
    Move(Option<String>),
}

/// The output for an invalid call.
#[derive(Debug, Serialize)]
struct Wrong {
    wrong: String,
}

impl Program {
    /// Creates a program without a house. Its searches use `host`.
    pub fn new(host: Host) -> Self {
        Self { house: None, library: Arc::default(), proof: None, host, endgames: None }
    }

    /// Performs a call. `out` receives each output of the house or the thinker as JSON as soon as it exists. The output
    /// for an invalid call is `{"wrong": …}`.
    pub fn call(&mut self, text: &str, out: &mut dyn FnMut(&str)) {
        let Timed { call, now } = match serde_json::from_str(text) {
            Ok(call) => call,
            Err(error) => return out(&as_json(&Wrong { wrong: format!("invalid call: {error}") })),
        };
        match call {
            Call::Ask { question } => out(&as_json(&desk::answer(question.as_bytes()))),
            Call::Task { task, threads } => self.think(task, threads, &mut |said| out(&as_json(&said))),
            Call::House { seed, archive } => {
                let games = archive.into_iter().filter_map(|game| serde_json::from_value(game).ok());
                self.library.set_store(Memory::new(games));
                let mut random = SplitMix64::new(seed);
                let random = Box::new(move || random.next_u64());
                self.house = Some(House::new(Limits::BROWSER, Arc::clone(&self.library), random));
            }
            call => match (&mut self.house, now) {
                (Some(house), Some(now)) => {
                    tell(house, &self.library, call, now);
                    perform(house, &place(self.host), now, out);
                }
                _ => out(&as_json(&Wrong { wrong: "the house has not been created, or the call has no time".into() })),
            },
        }
    }

    /// Performs all steps of a task of the thinker.
    fn think(&mut self, mut task: Task, threads: NonZeroUsize, out: &mut dyn FnMut(Said)) {
        match &mut task {
            Task::Replies { proof, .. } => proof.clone_from(&self.proof),
            _ => self.proof = None,
        }
        let place = Place { resources: self.resources(&task), threads, ..place(self.host) };
        loop {
            match task.step(&place, &mut |answer| out(Said::Answer(answer))) {
                Outcome::More(answer, rest) => {
                    if let Some(answer) = answer {
                        out(Said::Answer(answer));
                    }
                    task = *rest;
                    continue;
                }
                Outcome::Answer(answer) => out(Said::Answer(answer)),
                Outcome::Proved(answer, proof) => {
                    self.proof = proof;
                    out(Said::Answer(answer));
                }
                Outcome::Move(text) => out(Said::Move(text)),
                Outcome::Progress(_) | Outcome::Room(..) | Outcome::Nothing => (),
            }
            return;
        }
    }

    /// Returns the resources that the engines need for a task.
    fn resources(&mut self, task: &Task) -> Resources {
        match task {
            Task::Search { game, .. } if game.name() == "checkers" => {
                self.endgames.get_or_insert_with(endgames).clone()
            }
            _ => Resources::default(),
        }
    }
}

fn place(host: Host) -> Place {
    let (resources, stop) = (Resources::default(), Stop::new());
    Place { resources, host, threads: NonZeroUsize::MIN, is_brief: false, table_mib: TABLE_MIB, stop }
}

/// Passes a call to a house.
fn tell(house: &mut House, library: &Library, call: Call, now: Moment) {
    match call {
        Call::Open { page } => house.open(page, true),
        Call::Close { page } => house.close(page, now),
        Call::Hear { page, text } => house.hear(page, Incoming::read(text.as_bytes()), now),
        Call::Moved { number, text } => house.report(number, Outcome::Move(text), now),
        Call::Ended { number } => house.report(number, Outcome::Nothing, now),
        Call::Wake {} => house.wake(now),
        Call::Keep { game } => library.keep(game),
        Call::Forget { name } => drop(library.store().map(|store| store.remove(&name))),
        Call::House { .. } | Call::Ask { .. } | Call::Task { .. } => (),
    }
}

/// Performs the effects of a house. Searches are passed to `out` for the thinkers; other tasks are performed at once.
fn perform(house: &mut House, place: &Place, now: Moment, out: &mut dyn FnMut(&str)) {
    loop {
        let effects = house.effects();
        if effects.is_empty() {
            return;
        }
        for effect in effects {
            match effect {
                Effect::Ready { page } => {
                    while let Some(answer) = house.next(page, now) {
                        out(&as_json(&Output::Tell { page, answer }));
                    }
                }
                Effect::Begin(start) if !start.task.is_for_thinker() => {
                    let number = start.number;
                    house.report(number, at_once(start.task, place, out), now);
                }
                Effect::End { number } => {
                    out(&as_json(&effect));
                    house.report(number, Outcome::Nothing, now);
                }
                effect => out(&as_json(&effect)),
            }
        }
    }
}

/// Performs a task that is not a search.
fn at_once(task: Task, place: &Place, out: &mut dyn FnMut(&str)) -> Outcome {
    let stored = match &task {
        Task::Keep(_, game) => Some(as_json(&Output::Keep { game })),
        Task::Query(_, Request::Forget { name, .. }) => Some(as_json(&Output::Forget { name })),
        Task::Query(library, Request::Import { .. }) => {
            let library = Arc::clone(library);
            let before = library.games().len();
            let outcome = task.step(place, &mut |_| ());
            // An import only appends games.
            library.games()[before..].iter().for_each(|game| out(&as_json(&Output::Keep { game })));
            return outcome;
        }
        _ => None,
    };
    let outcome = task.step(place, &mut |_| ());
    if let (Some(stored), Outcome::Answer(Answer::Done { .. }) | Outcome::Nothing) = (stored, &outcome) {
        out(&stored);
    }
    outcome
}

/// Builds the endgame tables with few pieces.
fn endgames() -> Resources {
    let Ok(none) = Tables::none(PIECES) else { return Resources::default() };
    let mut making = Making::new(none);
    while !making.step(1, &Sequential).is_empty() {}
    Resources::default().with_endgames(making.finish().into())
}
