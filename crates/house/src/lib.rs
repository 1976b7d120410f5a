//! What a server does for pages, inside one browser: the crate for the page as a static site.
//!
//! A [`House`] has the rooms, the finished games and the pages of one browser tab. It hears the same messages as the
//! server of the crate `web` and gives the same answers, but it has one thread and no clock. It never searches. It says
//! what is to happen as [`Effect`]s: an answer for a page, a [`Task`] that a [`Thinker`] should carry out elsewhere, a
//! time at which it wants to be woken. The browser's scripts carry the effects out; the crate `wasm` is what they call.
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
//! // The page is told of its room twice, and then the engine is to move.
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
    /// The finished games, in the order in which they ended.
    archive: Vec<Arc<Archived>>,
    explorer: Explorer,
    /// Where names and seeds come from.
    random: SplitMix64,
    /// The number of the next task.
    next: u32,
    effects: Vec<Effect>,
}

impl House {
    /// A house with these finished games. `seed` should differ each time: names of rooms and of games come from it.
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

    /// What is to happen since this was last asked, in order.
    pub fn effects(&mut self) -> Vec<Effect> {
        core::mem::take(&mut self.effects)
    }

    /// A name that no other room and no other game has.
    fn new_name(&mut self) -> String {
        format!("{:016x}", self.random.next_u64())
    }

    fn tell(&mut self, page: u32, answer: Answer) {
        self.effects.push(Effect::Tell { page, answer: Box::new(answer) });
    }

    /// Lets a thinker begin a task for a page, or for a room. Returns its number.
    fn begin(&mut self, page: Option<u32>, task: Task) -> u32 {
        let number = self.next;
        self.next += 1;
        self.effects.push(Effect::Begin { number, page, task: Box::new(task) });
        number
    }

    /// Ends a task that may not have ended by itself.
    fn end(&mut self, task: Option<u32>) {
        if let Some(number) = task {
            self.effects.push(Effect::End { number });
        }
    }

    /// Adds a finished game, or replaces the one with its id. The caller has it from another tab.
    pub fn add(&mut self, game: Archived) {
        self.archive.retain(|other| other.id != game.id);
        self.archive.push(Arc::new(game));
    }

    /// Removes a finished game that another tab has removed.
    pub fn remove(&mut self, id: &str) {
        self.archive.retain(|game| game.id != id);
    }

    /// Adds a finished game of this tab.
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
