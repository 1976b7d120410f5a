//! One page: its messages in, its answers out.

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc;

use crate::engines::Thinking;
use crate::messages::{Act, Answer, Request};
use crate::room::{edited, scene};
use crate::rooms::{OpenRoom, Rooms};
use crate::texts::{read, write};

/// Answers that may be on the way to a page.
const QUEUE: usize = 64;

/// A page and the room it is in.
struct Page {
    rooms: Arc<Rooms>,
    room: Option<Arc<OpenRoom>>,
    /// The channel for thoughts, which come at any time.
    out: mpsc::Sender<Answer>,
    /// The search for this page; it ends when another begins or the page goes.
    thinking: Option<Thinking>,
    /// The same for hints, so that no page has more than one of either.
    hint: Option<Thinking>,
}

/// Serves a page until it goes away.
pub(crate) async fn serve(mut socket: WebSocket, rooms: Arc<Rooms>) {
    let (out, mut coming) = mpsc::channel(QUEUE);
    let mut page = Page { rooms, room: None, out, thinking: None, hint: None };
    let mut changes = None;
    loop {
        let changed = async {
            match &mut changes {
                None => std::future::pending().await,
                Some(changes) => tokio::sync::watch::Receiver::changed(changes).await,
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
            _ = changed => page.room.as_ref().map(|room| Answer::Room(Box::new(room.view()))),
            thought = coming.recv() => thought,
        };
        if let Some(answer) = answer {
            let text = serde_json::to_string(&answer).expect("invariant: plain data has a JSON form");
            if socket.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
    }
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
            | Request::Write { id, .. } => Some(*id),
            _ => None,
        };
        match self.carry_out(request) {
            Ok(answer) => answer,
            Err(text) => Some(refused(id, text)),
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Option<Answer>, String> {
        match request {
            Request::Join { room } => {
                self.room = Some(self.rooms.enter_room(room.as_deref())?);
                return Ok(None);
            }
            Request::Look { id, game } => return Ok(Some(Answer::Scene { id, scene: Box::new(scene(&game)?) })),
            Request::Edit { id, game, edit } => {
                return Ok(Some(Answer::Scene { id, scene: Box::new(edited(&game, edit)?) }));
            }
            Request::Read { id, text, game } => return Ok(Some(Answer::Game { id, game: read(&text, &game)? })),
            Request::Write { id, game } => return Ok(Some(Answer::Text { id, text: write(&game)? })),
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
            Request::New(new) => self.rooms.begin(&self.joined()?, &new)?,
            Request::Act { ply, act } => {
                let room = self.joined()?;
                let done = self.rooms.act(&room, ply, &act);
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

    /// The room, if it is not the same as before.
    fn entered_after(&self, before: Option<&Arc<OpenRoom>>) -> Option<&Arc<OpenRoom>> {
        self.room.as_ref().filter(|room| before.is_none_or(|before| !Arc::ptr_eq(before, room)))
    }

    fn joined(&self) -> Result<Arc<OpenRoom>, String> {
        self.room.clone().ok_or_else(|| "Join a room first.".into())
    }
}
