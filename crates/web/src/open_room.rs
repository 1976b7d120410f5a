//! A room with the pages in it and the engine at work.

use core::hash::BuildHasher;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::hash::RandomState;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::engines::Thinking;
use room::messages::RoomView;
use room::{Room, Turn};

/// A room with the pages in it and the engine at work.
pub(crate) struct OpenRoom {
    pub(crate) name: String,
    pub(crate) room: Mutex<Room>,
    /// How many moves it remembers, for those who look at all rooms and wait for none.
    pub(crate) weight: AtomicUsize,
    pub(crate) changed: watch::Sender<u64>,
    /// The engine's move that is being thought about.
    pub(crate) turn: Mutex<Option<(Turn, Thinking)>>,
    /// What ends the game when a side's time runs out, and when.
    pub(crate) timer: Mutex<Option<(u64, Timer)>>,
    /// When a page was last here, or did something.
    pub(crate) used: Mutex<Instant>,
    /// Whether a terminal's program is about to move.
    pub(crate) busy: AtomicBool,
}

/// Waits for the end of somebody's time until it is dropped.
pub(crate) struct Timer(pub(crate) AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What is behind a lock. A panic elsewhere does not spoil it, since changes are made whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Milliseconds since the program began, by a clock that never goes back.
pub(crate) fn now() -> u64 {
    machine::now().as_millis() as u64
}

impl OpenRoom {
    pub(crate) fn new(name: String, room: Room) -> Self {
        let changed = watch::Sender::new(room.revision);
        Self {
            name,
            weight: AtomicUsize::new(room.weight()),
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

    /// Subscribes to every change from now on. Who listens is in the room.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Whether no page is in it.
    pub(crate) fn is_left(&self) -> bool {
        self.changed.receiver_count() == 0
    }

    /// Moves that it remembers. None: there is nothing to come back to.
    pub(crate) fn weight(&self) -> usize {
        self.weight.load(Ordering::Relaxed)
    }

    /// The question for a hint: what a strong player would do.
    pub(crate) fn hint(&self) -> Turn {
        lock(&self.room).hint()
    }

    /// Ends what goes on in it, because nobody can come back.
    pub(crate) fn end(&self) {
        lock(&self.room).set_asleep(true, now());
        *lock(&self.turn) = None;
        *lock(&self.timer) = None;
    }
}

/// A name that cannot be guessed.
pub(crate) fn new_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Each state has its own keys from the system's source of randomness.
    let half = || RandomState::new().hash_one(count);
    format!("{:016x}{:016x}", half(), half())
}
