//! All tables of this server, and the engines that play at them.

use core::time::Duration;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use games::GameId;
use search::Stop;
use tokio::sync::watch;

use crate::engines::{Engines, Thinking};
use crate::messages::{Act, NewGame, TableView};
use crate::table::{Table, Turn};
use crate::terminal::{Commands, Terminal};

/// Tables at which nobody has been for so long are cleared away.
pub(crate) const IDLE: Duration = Duration::from_hours(3);
/// Most tables.
const MOST_TABLES: usize = 4_096;
/// Most pages at a time.
const MOST_PAGES: usize = 2_048;

/// The house: tables by name.
pub(crate) struct House {
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    pub(crate) engines: Arc<Engines>,
    pages: AtomicUsize,
    /// Where the one game of this house is driven from, if it is.
    terminal: OnceLock<Terminal>,
}

/// A table with those around it.
pub(crate) struct Room {
    name: String,
    table: Mutex<Table>,
    changed: watch::Sender<u64>,
    /// The engine's move that is being thought about.
    turn: Mutex<Option<(Turn, Thinking)>>,
    used: Mutex<Instant>,
    /// Whether a terminal's program is about to move.
    busy: AtomicBool,
}

/// A page's place; given back when dropped.
pub(crate) struct Place(Arc<House>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is behind a lock; somebody's panic does not spoil it, since changes are made whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl House {
    pub(crate) fn new() -> Self {
        Self {
            rooms: Mutex::default(),
            engines: Arc::new(Engines::new()),
            pages: AtomicUsize::new(0),
            terminal: OnceLock::new(),
        }
    }

    /// A place for one more page, if there is one.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Place> {
        let before = self.pages.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(self));
        (before < MOST_PAGES).then_some(place)
    }

    /// From now on the one table of this house belongs to a terminal.
    pub(crate) fn set_terminal(&self, game: GameId, table: Table, commands: Commands) {
        let room = Arc::new(Room::new(new_name(), table));
        let _ = self.terminal.set(Terminal::new(room, game, commands));
    }

    /// Shows what came of a command.
    pub(crate) fn show_terminal(&self, mut table: Table, busy: bool) {
        let Some(terminal) = self.terminal.get() else { return };
        let revision = {
            let mut shown = lock(&terminal.room.table);
            table.revision = shown.revision + 1;
            *shown = table;
            shown.revision
        };
        terminal.room.busy.store(busy, Ordering::Relaxed);
        terminal.room.changed.send_replace(revision);
    }

    /// The table of this name, or a new one; a terminal's, if there is one.
    pub(crate) fn room(&self, name: Option<&str>) -> Result<Arc<Room>, String> {
        if let Some(terminal) = self.terminal.get() {
            return Ok(Arc::clone(&terminal.room));
        }
        let mut rooms = lock(&self.rooms);
        if let Some(room) = name.and_then(|name| rooms.get(name)) {
            *lock(&room.used) = Instant::now();
            return Ok(Arc::clone(room));
        }
        if rooms.len() >= MOST_TABLES {
            rooms.retain(|_, room| room.changed.receiver_count() > 0);
        }
        if rooms.len() >= MOST_TABLES {
            return Err("All tables are taken; close another page.".into());
        }
        let room = Arc::new(Room::new(new_name(), Table::usual()));
        rooms.insert(room.name.clone(), Arc::clone(&room));
        Ok(room)
    }

    /// Clears tables away that nobody has used for so long.
    pub(crate) fn tidy(&self, longest: Duration) {
        let idle = |room: &Room| room.changed.receiver_count() == 0 && lock(&room.used).elapsed() >= longest;
        lock(&self.rooms).retain(|_, room| !idle(room));
    }

    /// Does something at a table, and lets the engine move if it is its turn.
    pub(crate) fn act(self: &Arc<Self>, room: &Arc<Room>, ply: u32, act: &Act) -> Result<(), String> {
        if let Some(terminal) = self.terminal.get() {
            return terminal.act(ply, act);
        }
        lock(&room.table).act(ply, act)?;
        self.go_on(room);
        Ok(())
    }

    /// Begins another game at a table.
    pub(crate) fn begin(self: &Arc<Self>, room: &Arc<Room>, new: &NewGame) -> Result<(), String> {
        if let Some(terminal) = self.terminal.get() {
            return terminal.begin(new);
        }
        {
            let mut table = lock(&room.table);
            *table = Table::new(new, table.revision + 1)?;
        }
        self.go_on(room);
        Ok(())
    }

    /// Tells everybody at the table and starts or stops its engine.
    pub(crate) fn go_on(self: &Arc<Self>, room: &Arc<Room>) {
        let (revision, wanted) = {
            let table = lock(&room.table);
            (table.revision, table.turn())
        };
        *lock(&room.used) = Instant::now();
        room.changed.send_replace(revision);
        let mut running = lock(&room.turn);
        if running.as_ref().map(|(turn, _)| turn) == wanted.as_ref() {
            return;
        }
        // What is thought about something else ends, or loses its place in the queue.
        *running = None;
        let Some(turn) = wanted else { return };
        let (house, room, stop) = (Arc::clone(self), Arc::clone(room), Stop::new());
        let moves = house.engine_moves(room, turn.clone(), stop.clone());
        *running = Some((turn, Thinking::begin(stop, moves)));
    }

    async fn engine_moves(self: Arc<Self>, room: Arc<Room>, turn: Turn, stop: Stop) {
        tokio::time::sleep(turn.after).await;
        let thought = self.engines.turn(turn.clone(), stop.clone()).await;
        let text = thought.as_ref().and_then(|thought| thought.lines.first()?.moves.first());
        if stop.check(0).is_ok()
            && let Some(text) = text
        {
            lock(&room.table).engine_plays(&turn, text);
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

impl Room {
    fn new(name: String, table: Table) -> Self {
        let changed = watch::Sender::new(table.revision);
        Self {
            name,
            table: Mutex::new(table),
            changed,
            turn: Mutex::default(),
            used: Mutex::new(Instant::now()),
            busy: AtomicBool::new(false),
        }
    }

    /// The table as it stands.
    pub(crate) fn view(&self) -> TableView {
        let view = lock(&self.table).view(&self.name);
        TableView { thinking: view.thinking || self.busy.load(Ordering::Relaxed), ..view }
    }

    /// Hears of every change from now on.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The question for a hint: what a strong player would do.
    pub(crate) fn hint(&self) -> Turn {
        lock(&self.table).hint()
    }
}

/// A name that nobody guesses.
fn new_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Each state has keys of its own from the system's source of randomness.
    let half = || RandomState::new().hash_one(count);
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_tables_end_and_used_ones_stay() {
        let house = House::new();
        let (used, left) = (house.room(None).expect("a table"), house.room(None).expect("a table"));
        let listener = used.listen();
        house.tidy(Duration::from_hours(1));
        assert!(Arc::ptr_eq(&house.room(Some(&left.name)).expect("a table"), &left), "not idle for long");
        house.tidy(Duration::ZERO);
        assert!(Arc::ptr_eq(&house.room(Some(&used.name)).expect("a table"), &used));
        assert!(!Arc::ptr_eq(&house.room(Some(&left.name)).expect("a table"), &left));
        drop(listener);
        house.tidy(Duration::ZERO);
        assert!(!Arc::ptr_eq(&house.room(Some(&used.name)).expect("a table"), &used));
    }

    #[test]
    fn idle_tables_make_room_and_pages_are_counted() {
        let house = Arc::new(House::new());
        let kept = house.room(None).expect("a table");
        let _listener = kept.listen();
        for _ in 0..2 * MOST_TABLES {
            house.room(None).expect("idle tables make room");
        }
        assert!(Arc::ptr_eq(&house.room(Some(&kept.name)).expect("a table"), &kept));
        let places: Vec<Place> = (0..MOST_PAGES).filter_map(|_| house.enter()).collect();
        assert_eq!(places.len(), MOST_PAGES);
        assert!(house.enter().is_none());
        drop(places);
        assert!(house.enter().is_some());
    }
}
