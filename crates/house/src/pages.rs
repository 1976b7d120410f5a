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
use crate::task::{Analysis, FoundProof, NO_PROOF, Outcome, Slot, Subject, Task};

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
    /// The running tasks of this page. A new task replaces one of the same kind.
    thinking: Option<u32>,
    pub(crate) hint: Option<u32>,
    proof: Option<u32>,
    found: Option<FoundProof>,
    /// Other tasks of this page, and the part of the limit that each takes.
    pending: BTreeMap<u32, usize>,
    /// State of the tournament that the page has received; `None` if it does not watch the tournament.
    pub(crate) seen: Option<Stage>,
    /// `true` if the page does not have the current state of its room, or of the tournament.
    pub(crate) room_is_old: bool,
    pub(crate) stage_is_old: bool,
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

    /// Returns what has changed for a page since the last call: the state of its room, and of the tournament.
    pub fn news(&mut self, page: u32, now: Moment) -> Vec<Answer> {
        let Some(seen) = self.pages.get_mut(&page) else { return Vec::new() };
        let mut news = Vec::new();
        if core::mem::take(&mut seen.room_is_old)
            && let Some(name) = &seen.room
            && let Some(open) = self.rooms.get(name)
        {
            news.push(Answer::Room(Box::new(open.view(name, &seen.client, now))));
        }
        if core::mem::take(&mut seen.stage_is_old)
            && let (Some(stage), Some(seen)) = (&self.stage, &mut seen.seen)
        {
            news.push(stage.news(seen, now.ms));
        }
        news
    }

    /// Marks a part of a page's state as outdated.
    pub(crate) fn outdate(&mut self, page: u32, part: fn(&mut Page) -> &mut bool) {
        let Some(outdated) = self.pages.get_mut(&page) else { return };
        let is_known = outdated.room_is_old || outdated.stage_is_old;
        *part(outdated) = true;
        if !is_known {
            self.effects.push(Effect::Outdated { page });
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
                let (analysis, game) = (Analysis { id, lines, looks: 0 }, Subject::Texts(game));
                self.set(page, |page| &mut page.thinking, Some(Task::Analyse { analysis, game }));
            }
            Request::Judge { id, game } => {
                let game = Subject::Texts(game);
                self.set(page, |page| &mut page.thinking, Some(Task::Judge { id, game, began: None }));
            }
            Request::Rest => self.set(page, |page| &mut page.thinking, None),
            Request::Prove { id, game } => self.prove(page, Some(Task::Prove { id, game: Subject::Texts(game) })),
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
        self.outdate(page, |page| &mut page.stage_is_old);
    }

    /// Ends a page's task of one kind and queues another one in its place.
    pub(crate) fn set(&mut self, page: u32, place: fn(&mut Page) -> &mut Option<u32>, task: Option<Task>) {
        let before = self.pages.get_mut(&page).and_then(|page| place(page).take());
        self.cancel(before);
        let number = task.map(|task| self.queue.add(Owner::Page(page), task));
        if let Some(page) = self.pages.get_mut(&page) {
            *place(page) = number;
        }
    }

    /// Discards a page's proof and queues another one in its place.
    fn prove(&mut self, page: u32, task: Option<Task>) {
        self.set(page, |page| &mut page.proof, task);
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
            Outcome::More(..) | Outcome::Move(_) | Outcome::Nothing => self.effects.push(Effect::Outdated { page }),
        }
    }
}
