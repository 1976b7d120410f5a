//! A room, its subscribed pages and its running engine search.

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

/// A room, its subscribed pages and its running engine search.
pub(crate) struct OpenRoom {
    pub(crate) name: String,
    pub(crate) room: Mutex<Room>,
    /// Number of moves that the room stores, readable without the lock on the room.
    pub(crate) weight: AtomicUsize,
    pub(crate) changed: watch::Sender<u64>,
    /// The engine's turn that is being searched.
    pub(crate) turn: Mutex<Option<(Turn, Thinking)>>,
    /// The deadline of the running clock, and the timer that ends the game then.
    pub(crate) timer: Mutex<Option<(u64, Timer)>>,
    /// Time of the last activity of a page.
    pub(crate) used: Mutex<Instant>,
    /// Set while the terminal's program is about to move.
    pub(crate) busy: AtomicBool,
}

/// A timer for the end of a side's time; cancelled on drop.
pub(crate) struct Timer(pub(crate) AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Locks a mutex. Poisoning is ignored, because changes are applied as a whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the milliseconds since the program started, by a monotonic clock.
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

    /// Returns the current state of the room, as one of its clients sees it.
    pub(crate) fn view(&self, client: &str) -> RoomView {
        let view = lock(&self.room).view(&self.name, client, now());
        RoomView { thinking: view.thinking || self.busy.load(Ordering::Relaxed), ..view }
    }

    /// Subscribes to all further changes. Subscribers count as present in the room.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Returns `true` if no page is in the room.
    pub(crate) fn is_left(&self) -> bool {
        self.changed.receiver_count() == 0
    }

    /// Returns the number of stored moves. At zero there is nothing to keep.
    pub(crate) fn weight(&self) -> usize {
        self.weight.load(Ordering::Relaxed)
    }

    /// Returns the request for a hint: a search at full strength.
    pub(crate) fn hint(&self) -> Turn {
        lock(&self.room).hint()
    }

    /// Stops the engine, the clock and the timer of a room that is being removed.
    pub(crate) fn end(&self) {
        lock(&self.room).set_asleep(true, now());
        *lock(&self.turn) = None;
        *lock(&self.timer) = None;
    }
}

/// Returns a random name that cannot be guessed.
pub(crate) fn new_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // SipHash with random keys: the standard library takes them from the system once for each thread, and changes them
    // for each `RandomState`.
    let half = || RandomState::new().hash_one(count);
    format!("{:016x}{:016x}", half(), half())
}
