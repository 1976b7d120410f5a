//! The WebSocket connection of one page: requests in, answers out.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::{block_in_place, yield_now};
use tokio::time::{Instant, interval_at};
use tungstenite::Error as Failure;

use crate::archive::Archive;
use crate::crowd::Place;
use crate::engines::Thinking;
use crate::errands::Errands;
use crate::open_room::{OpenRoom, new_name};
use crate::proving::Proving;
use crate::rooms::Rooms;
use crate::stage::{Seat, Seats};
use room::desk::{self, as_json, not_understood, refused};
use room::messages::{Act, Answer, Game, Request, Source};
use room::proving::Attempted;
use room::scene;
use room::thinking::Analysis;

/// Maximum size of a message, in bytes. The longest game fits; longer texts are sent by HTTP.
pub(crate) const LARGEST_MESSAGE: usize = 32 << 10;
/// Error for a larger message.
const TOO_LONG: &str = "A message was too long: 32 kB at most.";
/// Maximum number of moves with which starting a game is cheap.
const LIGHT: usize = 50;
/// Capacity of the channel for search results.
const THOUGHTS: usize = 8;
/// Maximum number of pending errands of a page. At the limit no further message is read.
const ERRANDS: usize = 4;
/// Maximum number of rooms kept for one page that created them.
const MOST_MADE: usize = 8;
/// Interval between pings, and timeout without any message from the page.
const PING: Duration = Duration::from_secs(20);
const GONE: Duration = Duration::from_mins(1);
/// Maximum length of a browser's secret, in bytes.
const LONGEST_SECRET: usize = 100;

/// An errand's answer, with a permit that is released after the answer is sent.
type Done = (Answer, OwnedSemaphorePermit);

/// A page's connection and the room it is in.
struct Page {
    rooms: Arc<Rooms>,
    room: Option<Arc<OpenRoom>>,
    /// Notifications of changes of the room.
    changes: Option<watch::Receiver<u64>>,
    /// Rooms created by this page, oldest first.
    made: VecDeque<Weak<OpenRoom>>,
    /// The secret of the browser, or a generated one.
    client: String,
    /// Set if the page is on this machine, and so belongs to its user. Other pages have no access to the archive.
    is_local: bool,
    /// Channel for search results, which arrive at any time.
    out: mpsc::Sender<Answer>,
    /// Channel for the answers of errands, and the permits of errands.
    done: mpsc::Sender<Done>,
    errands: Arc<Semaphore>,
    /// The running search of this page; stopped when another one starts or the page disconnects.
    thinking: Option<Thinking>,
    /// The same for hints and proofs, so that a page has at most one of each.
    hint: Option<Thinking>,
    proof: Option<Proving>,
    /// Subscription to the tournament.
    seat: Option<Seat>,
}

/// Serves a page until it disconnects or is evicted. Sets `talks_on` if the page may still be sending when the
/// connection ends.
pub(crate) async fn serve(
    mut socket: WebSocket,
    rooms: Arc<Rooms>,
    is_local: bool,
    place: Place,
    talks_on: Arc<AtomicBool>,
) {
    let (out, mut thoughts) = mpsc::channel(THOUGHTS);
    let (done, mut errands) = mpsc::channel(ERRANDS);
    let mut ended = rooms.ended();
    let mut page = Page::new(rooms, is_local, out, done);
    let mut pings = interval_at(Instant::now() + PING, PING);
    let mut alive = Instant::now();
    loop {
        let answer = tokio::select! {
            message = socket.recv(), if page.errands.available_permits() > 0 => {
                alive = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        place.asks();
                        let answer = page.hear(text.as_str()).await;
                        // A page that sends messages without a pause must not starve the other pages.
                        yield_now().await;
                        answer
                    }
                    Some(Ok(Message::Binary(_))) => Some(refused(None, "Messages are text.")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(error)) => {
                        talks_on.store(true, Ordering::Relaxed);
                        return fail(socket, error).await;
                    }
                }
            }
            () = changed(&mut page.changes) => page.view(),
            Some(seat) = new_on_stage(&mut page.seat) => Some(seat.news()),
            thought = thoughts.recv() => thought,
            Some((answer, _place)) = errands.recv() => Some(answer),
            _ = pings.tick() => {
                if alive.elapsed() > GONE || socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                    return;
                }
                None
            }
            () = place.is_lost() => {
                let _ = close(&mut socket, close_code::AGAIN, "Too many pages are open: this one was silent.").await;
                return;
            }
            () = over(&mut ended) => return part(socket, &page).await,
        };
        if let Some(answer) = answer
            && send(&mut socket, &answer).await.is_err()
        {
            return;
        }
    }
}

/// Returns `true` if a request replays a whole game. Such requests are performed one at a time on this server, so that
/// moves in rooms never wait for them.
fn is_heavy(request: &Request) -> bool {
    match request {
        Request::New(new) => new.game.moves.len() > LIGHT,
        Request::Look { .. }
        | Request::Edit { .. }
        | Request::Read { .. }
        | Request::Write { .. }
        | Request::Analyse { .. }
        | Request::Judge { .. }
        | Request::Prove { .. } => true,
        _ => false,
    }
}

/// Waits for a change of the room; forever without a room.
async fn changed(changes: &mut Option<watch::Receiver<u64>>) {
    if let Some(changes) = changes
        && changes.changed().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// Waits for news of the tournament; forever if the page does not show it.
async fn new_on_stage(seat: &mut Option<Seat>) -> Option<&mut Seat> {
    match seat {
        Some(seat) => seat.changed().await,
        None => std::future::pending().await,
    }
    seat.as_mut()
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
    socket.send(Message::Text(as_json(answer).into())).await
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) -> Result<(), axum::Error> {
    socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await
}

/// Sends a page the reason why no more messages can be read from it, if the connection still allows it.
async fn fail(mut socket: WebSocket, error: axum::Error) {
    let (code, reason) = match error.into_inner().downcast_ref::<Failure>() {
        Some(Failure::Capacity(_)) => (close_code::SIZE, TOO_LONG),
        Some(Failure::Utf8(_)) => (close_code::INVALID, "Messages are text."),
        Some(Failure::Protocol(_)) => (close_code::PROTOCOL, "This is not a message of a WebSocket."),
        _ => return,
    };
    if send(&mut socket, &refused(None, reason)).await.is_ok() {
        let _ = close(&mut socket, code, reason).await;
    }
}

/// Sends a page the final state of its game and the end of the program. The page has received everything when it closes
/// the connection in turn.
async fn part(mut socket: WebSocket, page: &Page) {
    for answer in page.view().into_iter().chain([Answer::Ended]) {
        let _ = send(&mut socket, &answer).await;
    }
    let _ = close(&mut socket, close_code::AWAY, "The program has ended.").await;
    while let Some(Ok(_)) = socket.recv().await {}
}

impl Page {
    fn new(rooms: Arc<Rooms>, is_local: bool, out: mpsc::Sender<Answer>, done: mpsc::Sender<Done>) -> Self {
        Self {
            rooms,
            room: None,
            changes: None,
            made: VecDeque::new(),
            client: new_name(),
            is_local,
            out,
            done,
            errands: Arc::new(Semaphore::new(ERRANDS)),
            thinking: None,
            hint: None,
            proof: None,
            seat: None,
        }
    }

    /// Returns the current state of the room.
    fn view(&self) -> Option<Answer> {
        self.room.as_ref().map(|room| Answer::Room(Box::new(room.view(&self.client))))
    }

    /// Handles a message and returns the immediate answer, if it has one.
    async fn hear(&mut self, text: &str) -> Option<Answer> {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => return Some(not_understood(&error)),
        };
        let id = request.id();
        let done = if is_heavy(&request) {
            let rooms = Arc::clone(&self.rooms);
            let _turn = rooms.heavy.acquire().await;
            block_in_place(|| self.carry_out(request))
        } else {
            self.carry_out(request)
        };
        done.unwrap_or_else(|text| Some(refused(id, text)))
    }

    fn carry_out(&mut self, request: Request) -> Result<Option<Answer>, String> {
        match request {
            Request::Join { room, client } => self.join(room.as_deref(), client)?,
            Request::Look { .. } | Request::Edit { .. } | Request::Read { .. } | Request::Write { .. } => {
                return desk::ask(request).map(Some);
            }
            Request::Analyse { id, game, lines } => {
                self.thinking = None;
                scene(&game)?;
                self.thinking = Some(self.rooms.engines.analyse(Analysis { id, game, lines }, self.out.clone()));
            }
            Request::Judge { id, game } => {
                self.thinking = None;
                scene(&game)?;
                self.thinking = Some(self.rooms.engines.judge(id, game, self.out.clone()));
            }
            Request::Rest => self.thinking = None,
            Request::Prove { id, game } => {
                self.proof = None;
                scene(&game)?;
                self.proof = Some(self.rooms.engines.proofs.prove(Attempted { id, game }, self.out.clone()));
            }
            Request::Replies { id, line } => {
                let proof = self.proof.as_ref().ok_or("Nothing is proven yet.")?;
                self.send_off(&self.rooms.replies, id, proof.replies(id, line));
            }
            Request::Dismiss => self.proof = None,
            Request::Watch => {
                self.seat = self.rooms.stage().map(Seats::sit);
                if self.seat.is_none() {
                    let (boards, keys) = (Vec::new(), Vec::new());
                    return Ok(Some(Answer::Tournament { shown: false, tournament: None, boards, keys }));
                }
            }
            Request::New(new) => self.rooms.begin(&self.joined()?, &self.client, &new)?,
            Request::Archive { id, game, skip, count } => self.ask_archive(id, move |archive| {
                let listed = archive.list(game.as_deref(), skip, count);
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
                    // The page's state is outdated or invalid, so the page also receives the current state.
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

    /// Enters a room and leaves the previous one.
    fn join(&mut self, name: Option<&str>, client: Option<String>) -> Result<(), String> {
        let (room, is_new) = self.rooms.enter_room(name)?;
        self.leave();
        if let Some(client) = client.filter(|client| !client.is_empty() && client.len() <= LONGEST_SECRET) {
            self.client = client;
        }
        // Subscribers count as present and receive the current state immediately.
        let mut changes = room.listen();
        changes.mark_changed();
        self.changes = Some(changes);
        self.rooms.enter(&room, &self.client);
        if is_new {
            self.made.push_back(Arc::downgrade(&room));
        }
        self.room = Some(room);
        if self.made.len() > MOST_MADE
            && let Some(oldest) = self.made.pop_front().and_then(|room| room.upgrade())
        {
            self.rooms.close_if_left(&oldest);
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.changes = None;
        if let Some(room) = self.room.take() {
            self.rooms.leave(&room, &self.client);
        }
    }

    /// Runs a slow errand and then sends its answer.
    fn send_off(&self, errands: &Errands, id: u32, errand: impl FnOnce() -> Result<Answer, String> + Send + 'static) {
        let place = Arc::clone(&self.errands).try_acquire_owned();
        let place = place.expect("invariant: nothing is heard while all places are taken");
        let (done, errands) = (self.done.clone(), errands.clone());
        tokio::spawn(async move {
            if let Some(answer) = errands.run(errand).await {
                let _ = done.send((answer.unwrap_or_else(|text| refused(Some(id), text)), place)).await;
            }
        });
    }

    /// Queries the explorer, which first checks whether the archive has changed. Clients from the network do not see
    /// games of people.
    fn explore(&self, id: u32, game: Game, wanted: &[Source]) {
        let counts = |source: &Source| wanted.contains(source) && (self.is_local || *source != Source::People);
        let sources: Vec<Source> = Source::ALL.into_iter().filter(counts).collect();
        let rooms = Arc::clone(&self.rooms);
        self.send_off(&self.rooms.files, id, move || {
            let counting = rooms.count_games();
            let openings = rooms.explorer.openings(&game, &sources, counting)?;
            Ok(Answer::Explored { id, moves: openings.moves, counting })
        });
    }

    /// Queries the archive, which may have to read its file first.
    fn ask_archive(
        &self,
        id: u32,
        ask: impl FnOnce(&Archive) -> Result<Answer, String> + Send + 'static,
    ) -> Result<(), String> {
        let archive = self.rooms.archive().filter(|_| self.is_local).ok_or("There is no archive here.")?;
        self.send_off(&self.rooms.files, id, move || ask(&archive));
        Ok(())
    }

    fn joined(&self) -> Result<Arc<OpenRoom>, String> {
        self.room.clone().ok_or_else(|| "Join a room first.".into())
    }
}
