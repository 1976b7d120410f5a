//! The pages and their requests.

use std::sync::Arc;

use game::{Message, message};

use crate::House;
use crate::desk::{Incoming, refused};
use crate::effect::{Effect, Moment};
use crate::judge::Judge;
use crate::library::no_archive;
use crate::messages::answer::Answer;
use crate::messages::request::{Request, Source};
use crate::page::{Page, Post};
use crate::queue::Owner;
use crate::stage::Stage;
use crate::task::{Analysis, Goal, Outcome, Slot, Subject, Task, no_proof};

/// Length of a page's outbox at which intermediate results are dropped, in entries.
const MOST_WAITING: usize = 8;

/// Returns the error for a game that is neither on a board nor among the last results.
fn no_replay() -> Message {
    message!("tournament.no_game", "This game is no longer on a board or among the last results.")
}

/// Selects the page's field for one kind of search, which holds the number of the search's task.
type Searching = fn(&mut Page) -> &mut Option<u32>;

impl House {
    /// Registers a page.
    pub fn open(&mut self, page: u32, is_local: bool) {
        let client = self.new_name();
        self.pages.insert(page, Page { is_local, client, ..Page::default() });
    }

    /// Removes a page and ends its tasks.
    pub fn close(&mut self, page: u32, now: Moment) {
        self.leave(page, now);
        self.tidy();
        if let Some(page) = self.pages.remove(&page) {
            let tasks = [page.thinking, page.hint, page.proof].into_iter().flatten().chain(page.pending.into_keys());
            tasks.for_each(|task| self.cancel(Some(task)));
        }
    }

    /// Returns `true` while too many requests of the page are pending. The caller must hold back the page's next
    /// message during this time.
    pub fn is_busy(&self, page: u32) -> bool {
        self.pages.get(&page).is_some_and(|page| page.pending.values().sum::<usize>() >= self.limits.pending)
    }

    /// Handles a message from a page. Messages from pages that are not open are ignored.
    pub fn hear(&mut self, page: u32, message: Incoming, now: Moment) {
        if !self.pages.contains_key(&page) {
            return;
        }
        match message {
            Incoming::Request(request) => {
                let id = request.id();
                if let Err(message) = self.carry_out(page, request, now) {
                    self.tell(page, refused(id, message));
                }
            }
            Incoming::Refused(answer) => self.tell(page, answer),
        }
    }

    /// Queues a request about a game outside rooms. It arrives over HTTP, so it may be longer than a socket's message.
    pub fn ask(&mut self, page: u32, message: Incoming) {
        match message {
            Incoming::Request(request) => self.add_pending(page, Task::Question(request)),
            Incoming::Refused(answer) => self.tell(page, answer),
        }
    }

    /// Takes the next answer for a page from its outbox.
    pub fn next(&mut self, number: u32, now: Moment) -> Option<Answer> {
        loop {
            let page = self.pages.get_mut(&number)?;
            match page.outbox.pop_front()? {
                Post::Answer(answer) => return Some(*answer),
                Post::Room => {
                    if let Some((name, open)) = page.room.as_ref().and_then(|name| self.rooms.get_key_value(name)) {
                        return Some(Answer::Room(Box::new(open.view(name, &page.client, now))));
                    }
                }
                Post::Stage => {
                    if let (Some(stage), Some(seen)) = (&self.stage, &mut page.seen) {
                        return Some(stage.news(seen, now.ms));
                    }
                }
                Post::Resume(task) => {
                    if let Some(waiting) = self.queue.resume(task).and_then(Task::waiting) {
                        return Some(waiting);
                    }
                }
            }
        }
    }

    /// Appends an entry to a page's outbox. A state that is already in the outbox is not added again.
    pub(crate) fn post(&mut self, number: u32, post: Post) {
        let Some(page) = self.pages.get_mut(&number) else { return };
        let same = |other: &Post| matches!((other, &post), (Post::Room, Post::Room) | (Post::Stage, Post::Stage));
        if !page.outbox.iter().any(same) {
            page.outbox.push_back(post);
            self.effects.push(Effect::Ready { page: number });
        }
    }

    pub(crate) fn tell(&mut self, page: u32, answer: Answer) {
        self.post(page, Post::Answer(Box::new(answer)));
    }

    /// Sends an intermediate result of a task, unless the page's outbox has [`MOST_WAITING`] entries.
    pub(crate) fn tell_progress(&mut self, task: u32, answer: Answer) {
        let page = self
            .queue
            .page(task)
            .filter(|page| self.pages.get(page).is_some_and(|page| page.outbox.len() < MOST_WAITING));
        if let Some(page) = page {
            self.tell(page, answer);
        }
    }

    fn carry_out(&mut self, page: u32, request: Request, now: Moment) -> Result<(), Message> {
        match request {
            Request::Join { room, client, name } => {
                if let Some(page) = self.pages.get_mut(&page) {
                    page.user = name;
                }
                self.join(page, room, client, now)?;
            }
            Request::New(new) => self.begin_game(page, new, now)?,
            Request::Act { ply, act } => self.act(page, ply, &act, now)?,
            Request::Look { .. }
            | Request::Try { .. }
            | Request::Edit { .. }
            | Request::Read { .. }
            | Request::Write { .. } => {
                self.add_pending(page, Task::Question(request));
            }
            Request::Analyse { id, game, lines } => {
                let goal = Goal::Analyse(Analysis { id, lines, looks: 0 });
                self.search(page, |page| &mut page.thinking, Some((Subject::Texts(game), goal)));
            }
            Request::Judge { id, game } => {
                let goal = Goal::Judge(Judge::new(id));
                self.search(page, |page| &mut page.thinking, Some((Subject::Texts(game), goal)));
            }
            Request::Rest => self.search(page, |page| &mut page.thinking, None),
            Request::Prove { id, game } => self.prove(page, Some((Subject::Texts(game), Goal::Prove { id }))),
            Request::Dismiss => self.prove(page, None),
            Request::Replies { id, line } => {
                let page_of_proof = self.pages.get(&page).ok_or_else(no_proof)?;
                let (of, proof) = (page_of_proof.proof.ok_or_else(no_proof)?, page_of_proof.found.clone());
                self.add_pending(page, Task::Replies { id, line, of, proof });
            }
            Request::Watch => self.watch(page),
            Request::Replay { id, number } => {
                let game = self.stage.as_ref().and_then(|stage| stage.record(number)).ok_or_else(no_replay)?;
                self.tell(page, Answer::Game { id, game, nodes: Vec::new(), left_out: None });
            }
            Request::Archive { .. }
            | Request::Archived { .. }
            | Request::Forget { .. }
            | Request::Ladder { .. }
            | Request::Export { .. }
            | Request::Import { .. } => {
                let is_local = self.pages.get(&page).is_some_and(|page| page.is_local);
                self.library.store().filter(|_| is_local).ok_or_else(no_archive)?;
                self.add_pending(page, Task::Query(Arc::clone(&self.library), request));
            }
            Request::Explore { id, game, mut sources } => {
                // Clients on the network have no access to the games that people have played on this machine.
                let is_local = self.pages.get(&page).is_some_and(|page| page.is_local);
                sources.retain(|source| is_local || *source != Source::People);
                let request = Request::Explore { id, game, sources };
                self.add_pending(page, Task::Query(Arc::clone(&self.library), request));
            }
        }
        Ok(())
    }

    fn watch(&mut self, page: u32) {
        if self.stage.is_none() {
            let (boards, keys) = (Vec::new(), Vec::new());
            return self.tell(page, Answer::Tournament { shown: false, tournament: None, boards, keys });
        }
        if let Some(page) = self.pages.get_mut(&page) {
            page.seen = Some(Stage::default());
        }
        self.post(page, Post::Stage);
    }

    /// Cancels a page's search of one kind, and queues `next` in its place, if any.
    pub(crate) fn search(&mut self, page: u32, place: Searching, next: Option<(Subject, Goal)>) {
        let before = self.pages.get_mut(&page).and_then(|page| place(page).take());
        self.cancel(before);
        let number = next.map(|(game, goal)| self.queue.add(Owner::Page(page), Task::Search { game, goal }));
        if let Some(page) = self.pages.get_mut(&page) {
            *place(page) = number;
        }
    }

    /// Discards a page's proof, cancels the search for it, and queues `next` in its place, if any.
    fn prove(&mut self, page: u32, next: Option<(Subject, Goal)>) {
        self.search(page, |page| &mut page.proof, next);
        if let Some(page) = self.pages.get_mut(&page) {
            page.found = None;
        }
    }

    /// Queues a task that counts as pending until it is answered. A request that replays a whole game uses up the whole
    /// limit, so it is answered before the page's next message is handled.
    pub(crate) fn add_pending(&mut self, page: u32, task: Task) {
        let weight = if task.slot() == Slot::Replay { self.limits.pending } else { 1 };
        let number = self.queue.add(Owner::Page(page), task);
        if let Some(page) = self.pages.get_mut(&page) {
            page.pending.insert(number, weight);
        }
    }

    /// Handles the last outcome of a page's task.
    pub(crate) fn page_task_ended(&mut self, page: u32, number: u32, outcome: Outcome, now: Moment) {
        let Some(owner) = self.pages.get_mut(&page) else { return };
        owner.pending.remove(&number);
        match outcome {
            Outcome::Answer(answer) => self.tell(page, answer),
            Outcome::Proved(answer, found) => {
                owner.found = found;
                self.tell(page, answer);
            }
            Outcome::Room(new, room) => {
                let begun = room.and_then(|room| self.install(page, &new, *room, now));
                if let Err(message) = begun {
                    self.tell(page, refused(None, message));
                }
            }
            // The page's next message may have been held back until this task ended.
            _ => self.effects.push(Effect::Ready { page }),
        }
    }
}
