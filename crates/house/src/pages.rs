//! The pages and their requests.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::House;
use crate::desk::{Message, refused};
use crate::effect::{Effect, Moment};
use crate::library::NO_ARCHIVE;
use crate::messages::{Answer, Request, Source};
use crate::queue::Owner;
use crate::stage::Stage;
use crate::task::{Analysis, FoundProof, Goal, NO_PROOF, Outcome, Slot, Subject, Task};

/// Number of answers that wait for a page above which intermediate results are dropped.
const MOST_WAITING: usize = 8;

/// The place for the number of one of a page's searches.
type Searching = fn(&mut Page) -> &mut Option<u32>;

/// A connection of a page. A browser's page has one for its room and one for its questions.
#[derive(Default)]
pub(crate) struct Page {
    /// `true` for a page of this machine's user. Other pages have no access to the archive.
    is_local: bool,
    pub(crate) room: Option<String>,
    /// Secret of the browser, or a generated one.
    pub(crate) client: String,
    /// Rooms that this page created, oldest first.
    pub(crate) made: VecDeque<String>,
    /// The running searches of this page. A new search replaces one of the same kind.
    thinking: Option<u32>,
    pub(crate) hint: Option<u32>,
    proof: Option<u32>,
    found: Option<FoundProof>,
    /// Other tasks of this page, and the part of the limit that each takes.
    pending: BTreeMap<u32, usize>,
    /// State of the tournament that the page has received; `None` if it does not watch the tournament.
    pub(crate) seen: Option<Stage>,
    /// What waits for the page, in order.
    outbox: VecDeque<Post>,
}

/// What waits for a page.
pub(crate) enum Post {
    Answer(Box<Answer>),
    /// The state of its room, as it is when the page receives it.
    Room,
    /// The changes of the tournament.
    Stage,
    /// The task with this number continues when the page has received everything before.
    Resume(u32),
}

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

    /// Returns `true` if no message of the page may be handled yet, because too many requests are pending.
    pub fn is_busy(&self, page: u32) -> bool {
        self.pages.get(&page).is_some_and(|page| page.pending.values().sum::<usize>() >= self.limits.pending)
    }

    /// Handles a message of a page. Messages of pages that are not open are ignored.
    pub fn hear(&mut self, page: u32, message: Message, now: Moment) {
        if !self.pages.contains_key(&page) {
            return;
        }
        match message {
            Message::Request(request) => {
                let id = request.id();
                if let Err(text) = self.carry_out(page, request, now) {
                    self.tell(page, refused(id, text));
                }
            }
            Message::Refused(answer) => self.tell(page, answer),
        }
    }

    /// Answers a message about a game outside rooms. It may be longer than a page's other messages.
    pub fn ask(&mut self, page: u32, message: Message) {
        match message {
            Message::Request(request) => self.add_pending(page, Task::Question(request)),
            Message::Refused(answer) => self.tell(page, answer),
        }
    }

    /// Returns the next answer for a page.
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

    /// Adds something to what waits for a page. States wait only once.
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

    /// Sends an intermediate result of a task, unless much is waiting for its page.
    pub(crate) fn tell_progress(&mut self, task: u32, answer: Answer) {
        let page = self
            .queue
            .page(task)
            .filter(|page| self.pages.get(page).is_some_and(|page| page.outbox.len() < MOST_WAITING));
        if let Some(page) = page {
            self.tell(page, answer);
        }
    }

    fn carry_out(&mut self, page: u32, request: Request, now: Moment) -> Result<(), String> {
        match request {
            Request::Join { room, client } => self.join(page, room, client, now)?,
            Request::New(new) => self.begin_game(page, new, now)?,
            Request::Act { ply, act } => self.act(page, ply, &act, now)?,
            Request::Look { .. } | Request::Edit { .. } | Request::Read { .. } | Request::Write { .. } => {
                self.add_pending(page, Task::Question(request));
            }
            Request::Analyse { id, game, lines } => {
                let goal = Goal::Analyse(Analysis { id, lines, looks: 0 });
                self.search(page, |page| &mut page.thinking, Some((Subject::Texts(game), goal)));
            }
            Request::Judge { id, game } => {
                let goal = Goal::Judge { id, began: None };
                self.search(page, |page| &mut page.thinking, Some((Subject::Texts(game), goal)));
            }
            Request::Rest => self.search(page, |page| &mut page.thinking, None),
            Request::Prove { id, game } => self.prove(page, Some((Subject::Texts(game), Goal::Prove { id }))),
            Request::Dismiss => self.prove(page, None),
            Request::Replies { id, line } => {
                let page_of_proof = self.pages.get(&page).ok_or(NO_PROOF)?;
                let (of, proof) = (page_of_proof.proof.ok_or(NO_PROOF)?, page_of_proof.found.clone());
                self.add_pending(page, Task::Replies { id, line, of, proof });
            }
            Request::Watch => self.watch(page),
            Request::Archive { .. } | Request::Archived { .. } | Request::Forget { .. } => {
                let is_local = self.pages.get(&page).is_some_and(|page| page.is_local);
                self.library.store().filter(|_| is_local).ok_or(NO_ARCHIVE)?;
                self.add_pending(page, Task::Query(Arc::clone(&self.library), request));
            }
            Request::Explore { id, game, mut sources } => {
                // Clients from the network do not see games of people.
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

    /// Ends a page's search of one kind and queues another one in its place.
    pub(crate) fn search(&mut self, page: u32, place: Searching, next: Option<(Subject, Goal)>) {
        let before = self.pages.get_mut(&page).and_then(|page| place(page).take());
        self.cancel(before);
        let number = next.map(|(game, goal)| self.queue.add(Owner::Page(page), Task::Search { game, goal }));
        if let Some(page) = self.pages.get_mut(&page) {
            *place(page) = number;
        }
    }

    /// Discards a page's proof and queues another one in its place.
    fn prove(&mut self, page: u32, next: Option<(Subject, Goal)>) {
        self.search(page, |page| &mut page.proof, next);
        if let Some(page) = self.pages.get_mut(&page) {
            page.found = None;
        }
    }

    /// Queues a task whose answers count as pending. Requests about whole games are answered before the page's next
    /// message is handled.
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
                if let Err(text) = begun {
                    self.tell(page, refused(None, text));
                }
            }
            // The page may be waiting for its next message to be handled.
            _ => self.effects.push(Effect::Ready { page }),
        }
    }
}
