//! A house or a thinker behind one function, for callers that can only pass text.

use core::num::NonZeroUsize;

use checkers::player::endgame::{Making, Tables};
use engine::Resources;
use room::desk::as_json;
use room::messages::Archived;
use room::thinking::Place;
use search::{Host, Sequential, Stop};
use serde::{Deserialize, Serialize};

use crate::{House, Moment, Said, Task, Thinker};

/// Maximum number of pieces in the endgame tables. Building larger tables takes longer than a user of a page waits.
const PIECES: usize = 3;

/// A house, a thinker or both in one instance of a module.
pub struct Program {
    house: Option<House>,
    thinker: Thinker,
    host: Host,
    /// Endgame tables, built for the first task about a game that uses them.
    endgames: Option<Resources>,
}

/// A call, as JSON.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Call {
    /// Creates the house with these finished games. Games that cannot be read, such as those of a later version, are
    /// skipped.
    House { seed: u64, archive: Vec<serde_json::Value> },
    /// Registers a page.
    Open { page: u32 },
    /// Removes a page.
    Close { page: u32, now: Moment },
    /// Handles a message of a page.
    Hear { page: u32, text: String, now: Moment },
    /// Answers a question about a game outside of any room. The answer is the only output.
    Ask { question: String },
    /// Handles the move of a thinker.
    Moved { number: u32, text: Option<String>, now: Moment },
    /// Handles expired clocks and delayed engines.
    Wake { now: Moment },
    /// Adds a game that was stored in another tab.
    Keep { game: Archived },
    /// Removes a game that was deleted in another tab.
    Forget { name: String },
    /// Performs a task with this number of threads.
    Task { task: Task, threads: NonZeroUsize },
    /// Returns the losing side's replies from the last proof.
    Replies { id: u32, line: Vec<String> },
}

/// The output for an invalid call.
#[derive(Debug, Serialize)]
struct Wrong {
    wrong: String,
}

impl Program {
    /// Creates a program without a house. Its searches use `host`.
    pub fn new(host: Host) -> Self {
        Self { house: None, thinker: Thinker::default(), host, endgames: None }
    }

    /// Performs a call. `out` receives each output as JSON as soon as it exists: an [`Effect`](crate::Effect) of a
    /// house, a thinker's [`Said`], or `{"wrong": …}` for an invalid call.
    pub fn call(&mut self, text: &str, out: &mut dyn FnMut(&str)) {
        let call = match serde_json::from_str::<Call>(text) {
            Ok(call) => call,
            Err(error) => return out(&as_json(&Wrong { wrong: format!("not a call: {error}") })),
        };
        match call {
            Call::Ask { question } => out(&as_json(&House::ask(&question))),
            Call::Task { task, threads } => {
                let resources = self.resources(&task);
                let place = Place { resources, host: self.host, threads, stop: Stop::new() };
                self.thinker.carry_out(&task, &place, &mut |said| out(&as_json(&said)));
            }
            Call::Replies { id, line } => {
                let answer = Box::new(self.thinker.replies(id, &line));
                out(&as_json(&Said::Answer(answer)));
            }
            Call::House { seed, archive } => {
                let games = archive.into_iter().filter_map(|game| serde_json::from_value(game).ok());
                self.house = Some(House::new(seed, games.collect()));
            }
            call => match &mut self.house {
                Some(house) => tell(house, call, out),
                None => out(&as_json(&Wrong { wrong: "there is no house yet: call `house` first".into() })),
            },
        }
    }

    /// Returns the resources of the players for a task.
    fn resources(&mut self, task: &Task) -> Resources {
        if task.game().game != "checkers" {
            return Resources::default();
        }
        self.endgames.get_or_insert_with(endgames).clone()
    }
}

/// Builds the endgame tables with few pieces.
fn endgames() -> Resources {
    let Ok(none) = Tables::none(PIECES) else { return Resources::default() };
    let mut making = Making::new(none);
    while !making.step(1, &Sequential).is_empty() {}
    Resources::default().with_endgames(making.finish().into())
}

/// Passes a call to a house and outputs its effects.
fn tell(house: &mut House, call: Call, out: &mut dyn FnMut(&str)) {
    match call {
        Call::Open { page } => house.open(page),
        Call::Close { page, now } => house.close(page, now),
        Call::Hear { page, text, now } => house.hear(page, &text, now),
        Call::Moved { number, text, now } => house.moved(number, text.as_deref(), now),
        Call::Wake { now } => house.wake(now),
        Call::Keep { game } => house.add(game),
        Call::Forget { name } => house.remove(&name),
        Call::House { .. } | Call::Ask { .. } | Call::Task { .. } | Call::Replies { .. } => (),
    }
    for effect in house.effects() {
        out(&as_json(&effect));
    }
}
