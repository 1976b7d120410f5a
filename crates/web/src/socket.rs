//! One page: its messages in, its answers out.

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;

use crate::archive::Archive;
use crate::engines::Thinking;
use crate::messages::{Act, Answer, Game, Request, Source};
use crate::proving::Proving;
use crate::room::{edited, scene};
use crate::rooms::{OpenRoom, Rooms, new_name};
use crate::texts::{read, write};

/// Answers that may be on the way to a page.
const QUEUE: usize = 64;
/// Most finished games in one answer.
const MOST_LISTED: usize = 100;
/// The longest secret of a browser, in bytes.
const LONGEST_SECRET: usize = 100;

/// A page and the room it is in.
struct Page {
    rooms: Arc<Rooms>,
    room: Option<Arc<OpenRoom>>,
    /// The secret of its browser, or one of its own.
    client: String,
    /// Whether it is on this machine, and so its user's. Others do not see the archive.
    is_local: bool,
    /// The channel for thoughts, which come at any time.
    out: mpsc::Sender<Answer>,
    /// The search for this page; it ends when another begins or the page goes.
    thinking: Option<Thinking>,
    /// The same for hints and for proofs, so that no page has more than one of each.
    hint: Option<Thinking>,
    proof: Option<Proving>,
}

/// Serves a page until it goes away.
pub(crate) async fn serve(mut socket: WebSocket, rooms: Arc<Rooms>, is_local: bool) {
    let (out, mut coming) = mpsc::channel(QUEUE);
    let mut page =
        Page { rooms, room: None, client: new_name(), is_local, out, thinking: None, hint: None, proof: None };
    let mut changes = None;
    let mut ended = page.rooms.ended();
    loop {
        let changed = async {
            match &mut changes {
                None => std::future::pending().await,
                Some(changes) => watch::Receiver::changed(changes).await,
            }
        };
        let answer = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    let before = page.room.clone();
                    let answer = page.answer(text.as_str());
                    if let Some(room) = page.entered_after(before.as_ref()) {
                        let mut listener = room.listen();
                        listener.mark_changed();
                        changes = Some(listener);
                    }
                    answer
                }
                Some(Ok(Message::Binary(_))) => Some(refused(None, "Messages are text.")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            _ = changed => page.room.as_ref().map(|room| Answer::Room(Box::new(room.view(&page.client)))),
            thought = coming.recv() => thought,
            () = over(&mut ended) => return part(socket, &page).await,
        };
        if let Some(answer) = answer
            && send(&mut socket, &answer).await.is_err()
        {
            return;
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Waits until the program has ended.
async fn over(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|&ended| ended).await;
}

async fn send(socket: &mut WebSocket, answer: &Answer) -> Result<(), axum::Error> {
    let text = serde_json::to_string(answer).expect("invariant: plain data has a JSON form");
    socket.send(Message::Text(text.into())).await
}

/// Tells a page how its game ended and that the program has ended. When the page has closed the connection in turn, it
/// has heard all of it.
async fn part(mut socket: WebSocket, page: &Page) {
    let last = page.room.as_ref().map(|room| Answer::Room(Box::new(room.view(&page.client))));
    for answer in last.into_iter().chain([Answer::Ended]) {
        let _ = send(&mut socket, &answer).await;
    }
    let _ = socket.send(Message::Close(None)).await;
    while let Some(Ok(_)) = socket.recv().await {}
}

fn refused(id: Option<u32>, text: impl Into<String>) -> Answer {
    Answer::Refused { id, text: text.into() }
}

impl Page {
    /// The immediate answer to a message, if it has one.
    fn answer(&mut self, text: &str) -> Option<Answer> {
        let request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => return Some(refused(None, format!("Not understood: {error}"))),
        };
        let id = match &request {
            Request::Look { id, .. }
            | Request::Edit { id, .. }
            | Request::Analyse { id, .. }
            | Request::Judge { id, .. }
            | Request::Read { id, .. }
            | Request::Write { id, .. }
            | Request::Archive { id, .. }
            | Request::Archived { id, .. }
            | Request::Explore { id, .. }
            | Request::Forget { id, .. }
            | Request::Prove { id, .. }
            | Request::Replies { id, .. } => Some(*id),
            _ => None,
        };
        match self.carry_out(request) {
            Ok(answer) => answer,
            Err(text) => Some(refused(id, text)),
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Option<Answer>, String> {
        match request {
            Request::Join { room, client } => self.join(room.as_deref(), client)?,
            Request::Look { id, game } => return Ok(Some(Answer::Scene { id, scene: Box::new(scene(&game)?) })),
            Request::Edit { id, game, edit } => {
                return Ok(Some(Answer::Scene { id, scene: Box::new(edited(&game, edit)?) }));
            }
            Request::Read { id, text, game } => {
                let (game, nodes) = read(&text, &game)?;
                return Ok(Some(Answer::Game { id, game, nodes }));
            }
            Request::Write { id, game, nodes, form } => {
                return Ok(Some(Answer::Text { id, text: write(&game, &nodes, form)? }));
            }
            Request::Analyse { id, game, lines } => {
                self.thinking = None;
                scene(&game)?;
                self.thinking = Some(self.rooms.engines.analyse(id, game, lines, self.out.clone())?);
            }
            Request::Judge { id, game } => {
                self.thinking = None;
                scene(&game)?;
                self.thinking = Some(self.rooms.engines.judge(id, game, self.out.clone())?);
            }
            Request::Rest => self.thinking = None,
            Request::Prove { id, game } => {
                self.proof = None;
                scene(&game)?;
                self.proof = Some(self.rooms.engines.proofs.prove(id, game, self.out.clone())?);
            }
            Request::Replies { id, line } => {
                let proof = self.proof.as_ref().ok_or("Nothing is proven yet.")?;
                proof.replies(id, line, self.out.clone());
            }
            Request::Dismiss => self.proof = None,
            Request::New(new) => self.rooms.begin(&self.joined()?, &self.client, &new)?,
            Request::Archive { id, game, skip, count } => self.ask_archive(id, move |archive| {
                let listed = archive.list(game.as_deref(), skip, count.min(MOST_LISTED));
                Ok(Answer::Archive { id, games: listed.games, count: listed.count })
            })?,
            Request::Archived { id, name } => self.ask_archive(id, move |archive| {
                let game = archive.get(&name).ok_or("There is no such game any more.")?;
                Ok(Answer::Archive { id, games: vec![game], count: 1 })
            })?,
            Request::Explore { id, game, sources } => self.explore(id, game, &sources),
            Request::Forget { id, name } => {
                self.ask_archive(id, move |archive| archive.remove(&name).map(|()| Answer::Done { id }))?;
            }
            Request::Act { ply, act } => {
                let room = self.joined()?;
                let done = self.rooms.act(&room, &self.client, ply, &act);
                if let Err(text) = done {
                    // The page is behind or wrong: it is told how the room stands, too.
                    self.rooms.go_on(&room);
                    return Err(text);
                }
                if act == Act::Hint {
                    self.hint = Some(self.rooms.engines.hint(ply, room.hint(), self.out.clone()));
                }
            }
        }
        Ok(None)
    }

    /// Enters a room and leaves the one before.
    fn join(&mut self, name: Option<&str>, client: Option<String>) -> Result<(), String> {
        let room = self.rooms.enter_room(name)?;
        self.leave();
        if let Some(client) = client.filter(|client| !client.is_empty() && client.len() <= LONGEST_SECRET) {
            self.client = client;
        }
        self.rooms.enter(&room, &self.client);
        self.room = Some(room);
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(room) = self.room.take() {
            self.rooms.leave(&room, &self.client);
        }
    }

    /// Asks the explorer, which looks first whether the archive has changed. Guests are told of no person's games.
    fn explore(&self, id: u32, game: Game, wanted: &[Source]) {
        let counts = |source: &Source| wanted.contains(source) && (self.is_local || *source != Source::People);
        let sources: Vec<Source> = Source::ALL.into_iter().filter(counts).collect();
        let (rooms, out) = (Arc::clone(&self.rooms), self.out.clone());
        spawn_blocking(move || {
            let counting = rooms.explorer.follow(rooms.archive().as_deref());
            let found = rooms.explorer.openings(&game, &sources, counting);
            let answer = match found {
                Ok(openings) => Answer::Explored { id, moves: openings.moves, counting },
                Err(text) => refused(Some(id), text),
            };
            let _ = out.blocking_send(answer);
        });
    }

    /// Asks the archive, which may have to read its file first.
    fn ask_archive(
        &self,
        id: u32,
        ask: impl FnOnce(&Archive) -> Result<Answer, String> + Send + 'static,
    ) -> Result<(), String> {
        let archive = self.rooms.archive().filter(|_| self.is_local).ok_or("There is no archive here.")?;
        let out = self.out.clone();
        spawn_blocking(move || {
            let _ = out.blocking_send(ask(&archive).unwrap_or_else(|text| refused(Some(id), text)));
        });
        Ok(())
    }

    /// The room, if it is not the same as before.
    fn entered_after(&self, before: Option<&Arc<OpenRoom>>) -> Option<&Arc<OpenRoom>> {
        self.room.as_ref().filter(|room| before.is_none_or(|before| !Arc::ptr_eq(before, room)))
    }

    fn joined(&self) -> Result<Arc<OpenRoom>, String> {
        self.room.clone().ok_or_else(|| "Join a room first.".into())
    }
}
