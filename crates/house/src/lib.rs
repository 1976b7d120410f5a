//! The server of the page, inside a browser: the crate for the page as a static site.
//!
//! A [`House`] has the rooms, the finished games and the pages of one browser tab. It handles the same messages as the
//! server of the crate `web` and gives the same answers, but it runs in one thread, has no clock and never searches. It
//! returns [`Effect`]s for its caller to perform: an answer for a page, a [`Task`] for a [`Thinker`] elsewhere, a time
//! at which to call it again. The browser's scripts call it through the crate `wasm` and perform the effects.
//!
//! Not here: threads, storage, messages between workers, the rules of any game.
//!
//! ```
//! use house::{Effect, House, Moment};
//!
//! let mut house = House::new(7, Vec::new());
//! let now = Moment { ms: 0, date: 0 };
//! house.open(1);
//! house.hear(1, r#"{"do":"join"}"#, now);
//! house.hear(1, r#"{"do":"act","ply":0,"act":{"kind":"play","text":"b1-b3"}}"#, now);
//! // The page receives its room twice, and then the engine starts to move.
//! assert!(matches!(&house.effects()[..], [Effect::Tell { .. }, Effect::Tell { .. }, Effect::Begin { .. }]));
//! ```

mod effect;
mod pages;
mod program;
mod rooms;
mod thinker;

use std::collections::BTreeMap;
use std::sync::Arc;

use game::SplitMix64;
use room::archive::list;
use room::explorer::Explorer;
use room::messages::{Answer, Archived, Game, Source};

pub use effect::{Effect, Moment, Said, Task};
pub use program::Program;
pub use thinker::Thinker;

use pages::Page;
use rooms::OpenRoom;

/// The rooms, the pages and the finished games of one browser tab.
pub struct House {
    pages: BTreeMap<u32, Page>,
    rooms: BTreeMap<String, OpenRoom>,
    /// Finished games, in the order in which they ended.
    archive: Vec<Arc<Archived>>,
    explorer: Explorer,
    /// Source of names and seeds.
    random: SplitMix64,
    /// Number of the next task.
    next: u32,
    effects: Vec<Effect>,
}

impl House {
    /// Creates a house with these finished games. `seed` should differ each time, because the names of rooms and games
    /// are derived from it.
    pub fn new(seed: u64, archive: Vec<Archived>) -> Self {
        Self {
            pages: BTreeMap::new(),
            rooms: BTreeMap::new(),
            archive: archive.into_iter().map(Arc::new).collect(),
            explorer: Explorer::default(),
            random: SplitMix64::new(seed),
            next: 1,
            effects: Vec::new(),
        }
    }

    /// Removes and returns the pending effects, in order.
    pub fn effects(&mut self) -> Vec<Effect> {
        core::mem::take(&mut self.effects)
    }

    /// Returns a new name for a room, a game or a client.
    fn new_name(&mut self) -> String {
        format!("{:016x}", self.random.next_u64())
    }

    fn tell(&mut self, page: u32, answer: Answer) {
        self.effects.push(Effect::Tell { page, answer: Box::new(answer) });
    }

    /// Requests the start of a task for a page, or for a room if there is no page. Returns the task's number.
    fn begin(&mut self, page: Option<u32>, task: Task) -> u32 {
        let number = self.next;
        self.next += 1;
        self.effects.push(Effect::Begin { number, page, task: Box::new(task) });
        number
    }

    /// Requests the end of a task, if there is one.
    fn end(&mut self, task: Option<u32>) {
        if let Some(number) = task {
            self.effects.push(Effect::End { number });
        }
    }

    /// Adds a finished game of another tab, or replaces the game with its id.
    pub fn add(&mut self, game: Archived) {
        self.archive.retain(|other| other.id != game.id);
        self.archive.push(Arc::new(game));
    }

    /// Removes a finished game that was deleted in another tab.
    pub fn remove(&mut self, id: &str) {
        self.archive.retain(|game| game.id != id);
    }

    /// Adds a finished game of this tab and requests its storage.
    fn keep(&mut self, game: Archived) {
        self.effects.push(Effect::Keep { game: Box::new(game.clone()) });
        self.add(game);
    }

    fn forget(&mut self, id: u32, name: &str) -> Result<Answer, String> {
        self.archived(name)?;
        self.remove(name);
        self.effects.push(Effect::Forget { name: name.to_owned() });
        Ok(Answer::Done { id })
    }

    fn archived(&self, name: &str) -> Result<&Archived, String> {
        let found = self.archive.iter().find(|game| game.id == name);
        Ok(found.ok_or("There is no such game any more.")?)
    }

    fn list(&self, id: u32, game: Option<&str>, skip: usize, count: usize) -> Answer {
        let listed = list(|| self.archive.iter().rev().map(|game| &**game), game, skip, count);
        Answer::Archive { id, games: listed.games, count: listed.count }
    }

    fn explore(&self, id: u32, game: &Game, sources: &[Source]) -> Result<Answer, String> {
        let counting = self.explorer.follow(|| Some(self.archive.clone()));
        Ok(Answer::Explored { id, moves: self.explorer.openings(game, sources, counting)?.moves, counting })
    }
}
