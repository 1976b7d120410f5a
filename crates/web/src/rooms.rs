//! All rooms of this server, and the engines that play in them.

use core::time::Duration;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use engine::Resources;
use search::Stop;
use tokio::sync::watch;

use crate::engines::{Engines, Thinking};
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
}

/// A room with the pages in it and the engine at work.
pub(crate) struct OpenRoom {
    name: String,
    room: Mutex<Room>,
    changed: watch::Sender<u64>,
    /// The engine's move that is being thought about.
    turn: Mutex<Option<(Turn, Thinking)>>,
    used: Mutex<Instant>,
    /// Whether a terminal's program is about to move.
    busy: AtomicBool,
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
        }
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

    /// The room of this name, or a new one; a terminal's, if there is one.
    pub(crate) fn enter_room(&self, name: Option<&str>) -> Result<Arc<OpenRoom>, String> {
        if let Some((_, room)) = self.terminal.get() {
            return Ok(Arc::clone(room));
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
        let idle = |room: &OpenRoom| room.changed.receiver_count() == 0 && lock(&room.used).elapsed() >= longest;
        lock(&self.open).retain(|_, room| !idle(room));
    }

    /// Carries out a page's request in a room, and lets the engine move if it is its turn.
    pub(crate) fn act(self: &Arc<Self>, room: &Arc<OpenRoom>, ply: u32, act: &Act) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.act(&room.view().scene, ply, act);
        }
        lock(&room.room).act(ply, act)?;
        self.go_on(room);
        Ok(())
    }

    /// Begins another game in a room.
    pub(crate) fn begin(self: &Arc<Self>, room: &Arc<OpenRoom>, new: &NewGame) -> Result<(), String> {
        if let Some((terminal, room)) = self.terminal.get() {
            return terminal.begin(&room.view().scene, new);
        }
        {
            let mut room = lock(&room.room);
            *room = Room::new(new, room.revision + 1)?;
        }
        self.go_on(room);
        Ok(())
    }

    /// Tells every page in the room and starts or stops its engine.
    pub(crate) fn go_on(self: &Arc<Self>, open: &Arc<OpenRoom>) {
        let (revision, wanted) = {
            let room = lock(&open.room);
            (room.revision, room.turn())
        };
        *lock(&open.used) = Instant::now();
        open.changed.send_replace(revision);
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

    async fn engine_moves(self: Arc<Self>, room: Arc<OpenRoom>, turn: Turn, stop: Stop) {
        tokio::time::sleep(turn.after).await;
        let thought = self.engines.turn(turn.clone(), stop.clone()).await;
        let text = thought.as_ref().and_then(|thought| thought.lines.first()?.moves.first());
        if stop.check(0).is_ok()
            && let Some(text) = text
        {
            lock(&room.room).engine_plays(&turn, text);
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
            used: Mutex::new(Instant::now()),
            busy: AtomicBool::new(false),
        }
    }

    /// The room as it stands.
    pub(crate) fn view(&self) -> RoomView {
        let view = lock(&self.room).view(&self.name);
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

/// A name that cannot be guessed.
fn new_name() -> String {
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
