//! The server of the page, without its transport: rooms with seats, clocks and a shared table, the requests of pages,
//! the queue of searches, finished games, the opening explorer, a tournament to watch, and a game driven from a
//! terminal.
//!
//! A [`House`] handles [`messages`] from pages. It runs in one thread, has no clock, reads no file, and never searches.
//! It returns [`Effect`]s for its caller to perform: for example, the caller sends an answer to a page, performs a
//! [`Task`] in another thread, or calls the house again at a given time. There are two callers, with different
//! [`Limits`]: the server of the crate `web`, with sockets and threads, and [`Program`], which runs inside a browser
//! behind the crate `wasm`. Requests about games outside rooms ([`desk`]) and information about each game ([`about`])
//! need no house.
//!
//! Other crates contain the sockets, files and threads, and the rules of the games.
//!
//! ```
//! use house::messages::Answer;
//! use house::{Effect, House, Library, Limits, Incoming, Moment};
//!
//! let mut house = House::new(Limits::BROWSER, Library::default().into(), Box::new(|| 7));
//! let now = Moment { ms: 0, date: 0 };
//! house.open(1, true);
//! house.hear(1, Incoming::read(br#"{"do":"join"}"#), now);
//! house.hear(1, Incoming::read(br#"{"do":"act","ply":0,"act":{"kind":"play","text":"b1-b3"}}"#), now);
//! // The page can fetch the state of its room, and the engine starts to move.
//! assert!(matches!(&house.effects()[..], [Effect::Ready { page: 1 }, Effect::Begin(_)]));
//! assert!(matches!(house.next(1, now), Some(Answer::Room(_))));
//! ```

pub mod about;
mod clock;
pub mod desk;
mod effect;
mod explorer;
mod judge;
mod ladder;
mod library;
mod limits;
pub mod messages;
mod open_room;
mod page;
mod pages;
mod program;
mod queue;
mod room;
mod rooms;
mod stage;
mod store;
mod table;
mod task;
mod terminal;
mod texts;
mod transfer;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use desk::Incoming;
pub use effect::{Effect, Moment, Start};
pub use library::Library;
pub use limits::Limits;
pub use program::Program;
pub use room::{Room, Turn, USUAL_PACE};
pub use stage::{Stage, still};
pub use store::{Store, no_game};
pub use task::{Outcome, Place, Slot, Task};
pub use terminal::terminal_room;

use crate::messages::answer::Answer;
use open_room::OpenRoom;
use page::{Page, Post};
use queue::{Owner, Queue};
use terminal::Terminal;

/// Source of random numbers for names and seeds. On a server it must be unpredictable, because names are secrets.
pub type Random = Box<dyn FnMut() -> u64 + Send>;

/// The rooms and the pages of a server or of one browser tab.
pub struct House {
    limits: Limits,
    library: Arc<Library>,
    random: Random,
    pages: BTreeMap<u32, Page>,
    rooms: BTreeMap<String, OpenRoom>,
    /// Terminal that drives the only room.
    terminal: Option<Terminal>,
    /// Tournament that pages can watch.
    stage: Option<Stage>,
    queue: Queue,
    /// Time of the requested wake-up, in milliseconds.
    alarm: Option<u64>,
    /// `true` if rooms have changed, so the time of the next wake-up must be computed again.
    alarm_is_old: bool,
    effects: Vec<Effect>,
}

impl House {
    /// Creates a house without rooms.
    pub fn new(limits: Limits, library: Arc<Library>, random: Random) -> Self {
        Self {
            queue: Queue::new(&limits),
            limits,
            library,
            random,
            pages: BTreeMap::new(),
            rooms: BTreeMap::new(),
            terminal: None,
            stage: None,
            alarm: None,
            alarm_is_old: false,
            effects: Vec::new(),
        }
    }

    /// Removes and returns the pending effects, in order.
    pub fn effects(&mut self) -> Vec<Effect> {
        self.start_tasks();
        if core::mem::take(&mut self.alarm_is_old) {
            let at = self.next_alarm();
            if at != self.alarm {
                self.alarm = at;
                self.effects.push(Effect::Wake { at });
            }
        }
        core::mem::take(&mut self.effects)
    }

    /// Returns a random name for a room or a client.
    fn new_name(&mut self) -> String {
        format!("{:016x}{:016x}", (self.random)(), (self.random)())
    }

    fn start_tasks(&mut self) {
        while let Some(start) = self.queue.start() {
            self.effects.push(Effect::Begin(Box::new(start)));
        }
    }

    /// Ends a task, if there is one.
    fn cancel(&mut self, task: Option<u32>) {
        if let Some(number) = task
            && self.queue.cancel(number)
        {
            self.effects.push(Effect::End { number });
        }
    }

    /// Handles the outcome of a task's step.
    pub fn report(&mut self, number: u32, outcome: Outcome, now: Moment) {
        if let Outcome::Progress(answer) = outcome {
            return self.tell_progress(number, answer);
        }
        match (self.queue.ended(number), outcome) {
            (Some(Owner::Page(page)), Outcome::More(answer, rest)) => {
                if let Some(answer) = answer {
                    self.tell(page, answer);
                }
                self.queue.put_aside(number, Owner::Page(page), rest);
                self.post(page, Post::Resume(number));
            }
            (Some(Owner::Page(page)), outcome) => self.page_task_ended(page, number, outcome, now),
            (Some(Owner::Room(name)), Outcome::Move(Some(text))) => self.engine_moves(&name, &text, now),
            _ => (),
        }
    }

    /// Sets the state of the tournament, and sends the changes to the pages that watch it.
    pub fn set_stage(&mut self, stage: Stage) {
        let is_same = self.stage.as_ref().is_some_and(|before| before.is_same(&stage));
        self.stage = Some(stage);
        let watching = self.pages.iter().filter(|(_, page)| page.seen.is_some() && !is_same);
        for page in watching.map(|(&number, _)| number).collect::<Vec<_>>() {
            self.post(page, Post::Stage);
        }
    }

    /// Sends every page the current state of its room, and reports that the program ends.
    pub fn end(&mut self) {
        for page in self.pages.keys().copied().collect::<Vec<_>>() {
            self.post(page, Post::Room);
            self.tell(page, Answer::Ended);
        }
    }

    /// Returns the number of rooms, excluding the shared table and a terminal's room.
    pub fn rooms(&self) -> usize {
        self.rooms.values().filter(|open| !open.is_fixed).count()
    }

    /// Returns the number of slots that are in use by moves of engines and by analyses.
    pub fn searches(&self) -> usize {
        self.queue.searches()
    }
}
