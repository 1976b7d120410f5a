//! A house or a thinker behind one function, for those who can only pass texts.

use core::num::NonZeroUsize;

use engine::Resources;
use engine::checkers::endgame::{Making, Tables};
use room::desk::as_json;
use room::messages::Archived;
use room::thinking::Place;
use search::{Host, Sequential, Stop};
use serde::{Deserialize, Serialize};

use crate::{House, Moment, Said, Task, Thinker};

/// Endgame tables with more pieces take longer to make than a user of a page waits.
const PIECES: usize = 3;

/// A house or a thinker, or both, in one instance of a module.
pub struct Program {
    house: Option<House>,
    thinker: Thinker,
    host: Host,
    /// Made with the first task about a game that has use for them.
    endgames: Option<Resources>,
}

/// A call from outside, as JSON.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Call {
    /// Begin with these finished games. A game of a later version is left out.
    House { seed: u64, archive: Vec<serde_json::Value> },
    /// A page comes.
    Open { page: u32 },
    /// A page goes.
    Close { page: u32, now: Moment },
    /// A page says something.
    Hear { page: u32, text: String, now: Moment },
    /// A question about a game in no room, whose answer is the only output.
    Ask { question: String },
    /// A thinker has moved.
    Moved { number: u32, text: Option<String>, now: Moment },
    /// It is time.
    Wake { now: Moment },
    /// Another tab has kept a game.
    Keep { game: Archived },
    /// Another tab has deleted a game.
    Forget { name: String },
    /// Carry out a task with this number of threads.
    Task { task: Task, threads: NonZeroUsize },
    /// The replies in what was proven.
    Replies { id: u32, line: Vec<String> },
}

/// What a call was not.
#[derive(Debug, Serialize)]
struct Wrong {
    wrong: String,
}

impl Program {
    /// A program that has not begun yet. Its searches use `host`.
    pub fn new(host: Host) -> Self {
        Self { house: None, thinker: Thinker::default(), host, endgames: None }
    }

    /// Carries out a call. `out` hears each output as JSON, when it comes: an [`Effect`](crate::Effect) of a house,
    /// what a thinker has [`Said`], or `{"wrong": …}` for a call that is none.
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

    /// What players may use for a task.
    fn resources(&mut self, task: &Task) -> Resources {
        if task.game().game != "checkers" {
            return Resources::default();
        }
        self.endgames.get_or_insert_with(endgames).clone()
    }
}

/// The endgame tables with few pieces, made at once.
fn endgames() -> Resources {
    let checkers_endgames = Tables::none(PIECES).ok().map(|none| {
        let mut making = Making::new(none);
        while !making.step(1, &Sequential).is_empty() {}
        making.finish().into()
    });
    Resources { checkers_endgames, ..Resources::default() }
}

/// Tells a house of a call and passes on its effects.
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
