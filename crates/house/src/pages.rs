//! The pages and their requests.

use room::desk::{self, not_understood, refused};
use room::messages::{Act, Answer, Request};
use room::proving::Attempted;
use room::scene;
use room::thinking::Analysis;

use crate::House;
use crate::effect::{Effect, Moment, Task};

/// Maximum length of a browser's secret, in bytes.
const LONGEST_SECRET: usize = 100;
/// Error for features that need a server.
const NO_SERVER: &str = "This page has no server: no board that several devices share.";

/// A connection of the browser's page, which has one for its room and one for its questions.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) room: Option<String>,
    pub(crate) client: String,
    /// The running tasks of this page. A new task replaces one of the same kind.
    thinking: Option<u32>,
    hint: Option<u32>,
    proof: Option<u32>,
}

impl House {
    /// Registers a page.
    pub fn open(&mut self, page: u32) {
        let client = self.new_name();
        self.pages.insert(page, Page { client, ..Page::default() });
    }

    /// Removes a page and ends its tasks.
    pub fn close(&mut self, page: u32, now: Moment) {
        self.leave(page, now);
        if let Some(page) = self.pages.remove(&page) {
            for task in [page.thinking, page.hint, page.proof] {
                self.end(task);
            }
        }
    }

    /// Handles a message of a page. Messages of pages that are not open are ignored.
    pub fn hear(&mut self, page: u32, text: &str, now: Moment) {
        if !self.pages.contains_key(&page) {
            return;
        }
        let answer = match serde_json::from_str::<Request>(text) {
            Ok(request) => {
                let id = request.id();
                self.carry_out(page, request, now).unwrap_or_else(|text| Some(refused(id, text)))
            }
            Err(error) => Some(not_understood(&error)),
        };
        if let Some(answer) = answer {
            self.tell(page, answer);
        }
    }

    /// Answers a question, as JSON, about a game outside of any room. Questions may be longer than messages.
    pub fn ask(question: &str) -> Answer {
        desk::answer(question.as_bytes())
    }

    fn carry_out(&mut self, page: u32, request: Request, now: Moment) -> Result<Option<Answer>, String> {
        match request {
            Request::Join { room, client } => self.join(page, room, client, now)?,
            Request::Look { .. } | Request::Edit { .. } | Request::Read { .. } | Request::Write { .. } => {
                return desk::ask(request).map(Some);
            }
            Request::Analyse { id, game, lines } => {
                scene(&game)?;
                let analysis = Analysis { id, game, lines };
                self.set(page, |page| &mut page.thinking, Some(Task::Analyse { analysis }));
            }
            Request::Judge { id, game } => {
                scene(&game)?;
                self.set(page, |page| &mut page.thinking, Some(Task::Judge { id, game }));
            }
            Request::Rest => self.set(page, |page| &mut page.thinking, None),
            Request::Prove { id, game } => {
                scene(&game)?;
                let attempted = Attempted { id, game };
                self.set(page, |page| &mut page.proof, Some(Task::Prove { attempted }));
            }
            Request::Replies { id, line } => {
                let number = self.pages.get(&page).and_then(|page| page.proof).ok_or("Nothing is proven yet.")?;
                self.effects.push(Effect::Replies { number, id, line });
            }
            Request::Dismiss => self.set(page, |page| &mut page.proof, None),
            Request::Watch => {
                let (boards, keys) = (Vec::new(), Vec::new());
                return Ok(Some(Answer::Tournament { shown: false, tournament: None, boards, keys }));
            }
            Request::New(new) => self.begin_game(page, &new, now)?,
            Request::Act { ply, act } => {
                let hint = (act == Act::Hint).then(|| self.room_of(page).map(|open| open.room.hint())).transpose()?;
                self.act(page, ply, &act, now)?;
                if let Some(turn) = hint {
                    self.set(page, |page| &mut page.hint, Some(Task::Hint { ply, turn }));
                }
            }
            Request::Archive { id, game, skip, count } => {
                return Ok(Some(self.list(id, game.as_deref(), skip, count)));
            }
            Request::Archived { id, name } => {
                let games = vec![self.archived(&name)?.clone()];
                return Ok(Some(Answer::Archive { id, games, count: 1 }));
            }
            Request::Forget { id, name } => return self.forget(id, &name).map(Some),
            Request::Explore { id, game, sources } => return self.explore(id, &game, &sources).map(Some),
        }
        Ok(None)
    }

    /// Ends a page's task of one kind and starts another one in its place.
    fn set(&mut self, page: u32, place: fn(&mut Page) -> &mut Option<u32>, task: Option<Task>) {
        let before = self.pages.get_mut(&page).and_then(|page| place(page).take());
        self.end(before);
        let number = task.map(|task| self.begin(Some(page), task));
        if let Some(page) = self.pages.get_mut(&page) {
            *place(page) = number;
        }
    }

    /// Enters a room and leaves the previous one.
    fn join(&mut self, page: u32, room: Option<String>, client: Option<String>, now: Moment) -> Result<(), String> {
        if room.as_deref() == Some("table") {
            return Err(NO_SERVER.into());
        }
        self.leave(page, now);
        let client = client.filter(|client| !client.is_empty() && client.len() <= LONGEST_SECRET);
        if let (Some(page), Some(client)) = (self.pages.get_mut(&page), client) {
            page.client = client;
        }
        self.enter(page, room, now);
        Ok(())
    }
}
