//! All rooms of this server, and the engines that play in them.

use core::time::Duration;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Instant, SystemTime};

use engine::Resources;
use search::Stop;
use tokio::sync::watch;
use tokio::task::{AbortHandle, spawn_blocking};

use crate::archive::{Archive, utc};
use crate::engines::{Engines, Thinking};
use crate::explorer::Explorer;
use crate::messages::{Act, NewGame, RoomView};
use crate::room::{Room, Turn};
use crate::terminal::Terminal;

/// How long a room stays that no page is in.
pub(crate) const IDLE: Duration = Duration::from_hours(3);
/// Most rooms.
const MOST_ROOMS: usize = 4_096;
/// Most pages at a time.
const MOST_PAGES: usize = 2_048;

/// The rooms by name.
pub(crate) struct Rooms {
    open: Mutex<HashMap<String, Arc<OpenRoom>>>,
    pub(crate) engines: Arc<Engines>,
    pages: AtomicUsize,
    /// The terminal that drives the one game of this server, and its room, if there is a terminal.
    terminal: OnceLock<(Terminal, Arc<OpenRoom>)>,
    /// The room that several devices share, if this server is on the local network.
    table: OnceLock<Arc<OpenRoom>>,
    /// Where finished games go.
    archive: OnceLock<Arc<Archive>>,
    /// What the games of the archive and of files have in common.
    pub(crate) explorer: Arc<Explorer>,
    /// Whether the program has ended. Every page listens.
    ended: watch::Sender<bool>,
}

/// The name by which pages enter the room that several devices share.
const TABLE: &str = "table";

/// Milliseconds since the program began, by a clock that never goes back.
fn now() -> u64 {
    machine::now().as_millis() as u64
}

/// A room with the pages in it and the engine at work.
pub(crate) struct OpenRoom {
    name: String,
    room: Mutex<Room>,
    changed: watch::Sender<u64>,
    /// The engine's move that is being thought about.
    turn: Mutex<Option<(Turn, Thinking)>>,
    /// What ends the game when a side's time runs out, and when.
    timer: Mutex<Option<(u64, Timer)>>,
    used: Mutex<Instant>,
    /// Whether a terminal's program is about to move.
    busy: AtomicBool,
}

/// Waits for the end of somebody's time until it is dropped.
struct Timer(AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A page's place; given back when dropped.
pub(crate) struct Place(Arc<Rooms>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is behind a lock. A panic elsewhere does not spoil it, since changes are made whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rooms {
    pub(crate) fn new(resources: Resources) -> Self {
        Self {
            open: Mutex::default(),
            engines: Arc::new(Engines::new(resources)),
            pages: AtomicUsize::new(0),
            terminal: OnceLock::new(),
            table: OnceLock::new(),
            archive: OnceLock::new(),
            explorer: Arc::default(),
            ended: watch::Sender::new(false),
        }
    }

    /// From now on finished games go into an archive.
    pub(crate) fn set_archive(&self, archive: Archive) {
        let _ = self.archive.set(Arc::new(archive));
    }

    /// The archive, if there is one.
    pub(crate) fn archive(&self) -> Option<Arc<Archive>> {
        self.archive.get().cloned()
    }

    /// From now on there is a room that several devices share.
    pub(crate) fn set_table(&self) {
        let _ = self.table.set(Arc::new(OpenRoom::new(TABLE.into(), Room::shared())));
    }

    /// A place for one more page, if there is one.
    pub(crate) fn admit(self: &Arc<Self>) -> Option<Place> {
        let before = self.pages.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(self));
        (before < MOST_PAGES).then_some(place)
    }

    /// From now on there is one room, which belongs to a terminal.
    pub(crate) fn set_terminal(&self, terminal: Terminal, room: Room) {
        let _ = self.terminal.set((terminal, Arc::new(OpenRoom::new(new_name(), room))));
    }

    /// Shows the result of a command.
    pub(crate) fn show_terminal(&self, mut room: Room, busy: bool) {
        let Some((_, open)) = self.terminal.get() else { return };
        let revision = {
            let mut shown = lock(&open.room);
            room.revision = shown.revision + 1;
            *shown = room;
            shown.revision
        };
        open.busy.store(busy, Ordering::Relaxed);
        open.changed.send_replace(revision);
    }

    /// Whether a page shows the terminal's game.
    pub(crate) fn is_terminal_watched(&self) -> bool {
        self.terminal.get().is_some_and(|(_, open)| open.changed.receiver_count() > 0)
    }

    /// Says that the program has ended.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Becomes `true` when the program has ended.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// Waits until no page listens any more.
    pub(crate) async fn all_gone(&self) {
        self.ended.closed().await;
    }

    /// The room of this name, or a new one; a terminal's, if there is one.
    pub(crate) fn enter_room(&self, name: Option<&str>) -> Result<Arc<OpenRoom>, String> {
        if let Some((_, room)) = self.terminal.get() {
            return Ok(Arc::clone(room));
        }
        if name == Some(TABLE) {
            let table = self.table.get().ok_or("There is no shared board: `plyhouse page --lan` serves one.")?;
            return Ok(Arc::clone(table));
        }
        let mut rooms = lock(&self.open);
        if let Some(room) = name.and_then(|name| rooms.get(name)) {
            *lock(&room.used) = Instant::now();
            return Ok(Arc::clone(room));
        }
        if rooms.len() >= MOST_ROOMS {
            rooms.retain(|_, room| room.changed.receiver_count() > 0);
        }
        if rooms.len() >= MOST_ROOMS {
            return Err("All rooms are taken; close another page.".into());
        }
        let room = Arc::new(OpenRoom::new(new_name(), Room::usual()));
        rooms.insert(room.name.clone(), Arc::clone(&room));
        Ok(room)
    }

    /// Removes rooms that have been idle for this long.
    pub(crate) fn tidy(&self, longest: Duration) {
        if let Some(archive) = self.archive() {
            spawn_blocking(move || archive.flush());
        }
        let idle = |room: &OpenRoom| room.changed.receiver_count() == 0 && lock(&room.used).elapsed() >= longest;
        lock(&self.open).retain(|_, room| !idle(room));
    }

    /// A page of a client comes into a room.
    pub(crate) fn enter(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str) {
        let matters = lock(&room.room).enter(client);
        if matters {
            self.go_on(room);
        }
    }

    /// A page of a client goes.
    pub(crate) fn leave(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str) {
        let matters = lock(&room.room).leave(client, now());
        if matters {
            self.go_on(room);
        }
    }

    /// Carries out the request of a client's page in a room, and lets the engine move if it is its turn.
    pub(crate) fn act(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str, ply: u32, act: &Act) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.act(&room.view(client).scene, ply, act);
        }
        lock(&room.room).act(ply, act, client, now())?;
        self.go_on(room);
        Ok(())
    }

    /// Begins another game in a room.
    pub(crate) fn begin(self: &Arc<Self>, room: &Arc<OpenRoom>, client: &str, new: &NewGame) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.begin(&room.view(client).scene, new);
        }
        lock(&room.room).begin(new, client, now())?;
        self.go_on(room);
        Ok(())
    }

    /// Tells every page in the room, starts or stops its engine and its timer, and archives a game that has ended.
    pub(crate) fn go_on(self: &Arc<Self>, open: &Arc<OpenRoom>) {
        let (revision, wanted, deadline, finished) = {
            let mut room = lock(&open.room);
            let finished = self.archive.get().and_then(|_| room.take_finished(new_id, utc(SystemTime::now())));
            (room.revision, room.turn(), room.deadline(), finished)
        };
        *lock(&open.used) = Instant::now();
        open.changed.send_replace(revision);
        if let (Some(game), Some(archive)) = (finished, self.archive()) {
            spawn_blocking(move || archive.add(game));
        }
        self.set_timer(open, deadline);
        let mut running = lock(&open.turn);
        if running.as_ref().map(|(turn, _)| turn) == wanted.as_ref() {
            return;
        }
        // A search for another turn ends, or loses its place in the queue.
        *running = None;
        let Some(turn) = wanted else { return };
        let stop = Stop::new();
        let moves = Arc::clone(self).engine_moves(Arc::clone(open), turn.clone(), stop.clone());
        *running = Some((turn, Thinking::begin(stop, moves)));
    }

    fn set_timer(self: &Arc<Self>, open: &Arc<OpenRoom>, deadline: Option<u64>) {
        let mut timer = lock(&open.timer);
        if timer.as_ref().map(|(at, _)| *at) == deadline {
            return;
        }
        *timer = deadline.map(|at| {
            let (rooms, open) = (Arc::clone(self), Arc::clone(open));
            let task = tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(at.saturating_sub(now()))).await;
                lock(&open.room).flag(now());
                rooms.go_on(&open);
            });
            (at, Timer(task.abort_handle()))
        });
    }

    async fn engine_moves(self: Arc<Self>, room: Arc<OpenRoom>, turn: Turn, stop: Stop) {
        tokio::time::sleep(turn.after).await;
        let thought = self.engines.turn(turn.clone(), stop.clone()).await;
        let text = thought.as_ref().and_then(|thought| thought.lines.first()?.moves.first());
        if stop.check(0).is_ok()
            && let Some(text) = text
        {
            lock(&room.room).engine_plays(&turn, text, now());
        }
        {
            let mut running = lock(&room.turn);
            if running.as_ref().is_some_and(|(now, _)| *now == turn) {
                *running = None;
            }
        }
        self.go_on(&room);
    }
}

impl OpenRoom {
    fn new(name: String, room: Room) -> Self {
        let changed = watch::Sender::new(room.revision);
        Self {
            name,
            room: Mutex::new(room),
            changed,
            turn: Mutex::default(),
            timer: Mutex::default(),
            used: Mutex::new(Instant::now()),
            busy: AtomicBool::new(false),
        }
    }

    /// The room as it stands, for one of the clients in it.
    pub(crate) fn view(&self, client: &str) -> RoomView {
        let view = lock(&self.room).view(&self.name, client, now());
        RoomView { thinking: view.thinking || self.busy.load(Ordering::Relaxed), ..view }
    }

    /// Subscribes to every change from now on.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The question for a hint: what a strong player would do.
    pub(crate) fn hint(&self) -> Turn {
        lock(&self.room).hint()
    }
}

/// A name for a game in the archive.
fn new_id() -> String {
    new_name()[..16].to_owned()
}

/// A name that cannot be guessed.
pub(crate) fn new_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Each state has its own keys from the system's source of randomness.
    let half = || RandomState::new().hash_one(count);
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_rooms_end_and_used_ones_stay() {
        let rooms = Rooms::new(Resources::default());
        let (used, left) = (rooms.enter_room(None).expect("a room"), rooms.enter_room(None).expect("a room"));
        let listener = used.listen();
        rooms.tidy(Duration::from_hours(1));
        assert!(Arc::ptr_eq(&rooms.enter_room(Some(&left.name)).expect("a room"), &left), "not idle for long");
        rooms.tidy(Duration::ZERO);
        assert!(Arc::ptr_eq(&rooms.enter_room(Some(&used.name)).expect("a room"), &used));
        assert!(!Arc::ptr_eq(&rooms.enter_room(Some(&left.name)).expect("a room"), &left));
        drop(listener);
        rooms.tidy(Duration::ZERO);
        assert!(!Arc::ptr_eq(&rooms.enter_room(Some(&used.name)).expect("a room"), &used));
    }

    #[test]
    fn idle_rooms_make_room_and_pages_are_counted() {
        let rooms = Arc::new(Rooms::new(Resources::default()));
        let kept = rooms.enter_room(None).expect("a room");
        let _listener = kept.listen();
        for _ in 0..2 * MOST_ROOMS {
            rooms.enter_room(None).expect("idle rooms make room");
        }
        assert!(Arc::ptr_eq(&rooms.enter_room(Some(&kept.name)).expect("a room"), &kept));
        let places: Vec<Place> = (0..MOST_PAGES).filter_map(|_| rooms.admit()).collect();
        assert_eq!(places.len(), MOST_PAGES);
        assert!(rooms.admit().is_none());
        drop(places);
        assert!(rooms.admit().is_some());
    }
}
