//! The limits of a house. A server has many clients that it does not trust; a browser tab has one user.

use core::num::NonZeroUsize;

use game::{Message, message};

use crate::task::Slot;

/// The limits of a house.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of rooms.
    pub rooms: usize,
    /// Maximum number of rooms without pages.
    pub rooms_left: usize,
    /// Maximum number of rooms kept for the page that created them. When a page creates one more, its oldest room is
    /// removed if that room has no pages.
    pub rooms_of_page: usize,
    /// Maximum number of moves stored in all rooms with pages. Above it, long games are not started or continued.
    pub moves: usize,
    /// Maximum number of moves stored in all rooms without pages. Above it, some of these rooms are removed.
    pub moves_left: usize,
    /// Idle time after which a room without pages is removed, in milliseconds.
    pub idle: u64,
    /// Idle time after which a room without pages and without moves is removed, in milliseconds.
    pub idle_untouched: u64,
    /// Time for which engines continue in a room without pages, in milliseconds.
    pub unwatched: u64,
    /// Maximum number of pending requests of a page that do not concern its room.
    pub pending: usize,
    /// Maximum number of threads per analysis.
    pub threads: NonZeroUsize,
    /// Maximum number of tasks of each kind that run at the same time, by [`Slot`].
    pub slots: [usize; Slot::ALL.len()],
    /// Error for pages that try to join a shared room that does not exist.
    pub no_table: fn() -> Message,
}

impl Limits {
    /// The limits in a browser, where every search has a worker of its own.
    pub const BROWSER: Self = Self {
        rooms: usize::MAX,
        rooms_left: 16,
        rooms_of_page: usize::MAX,
        moves: usize::MAX,
        moves_left: usize::MAX,
        idle: u64::MAX,
        idle_untouched: u64::MAX,
        unwatched: 0,
        pending: 4,
        threads: NonZeroUsize::MIN,
        slots: [usize::MAX; Slot::ALL.len()],
        no_table: || message!("house.no_server", "This page has no server, so several devices cannot share a board."),
    };

    /// Returns the limits on a server with this number of processors. There is one slot per processor for moves of
    /// engines, and one per processor for analyses.
    pub const fn server(processors: NonZeroUsize) -> Self {
        let mut slots = [1; Slot::ALL.len()];
        slots[Slot::Move as usize] = processors.get();
        slots[Slot::Analysis as usize] = processors.get();
        slots[Slot::Query as usize] = 2;
        Self {
            rooms: 1_024,
            rooms_left: usize::MAX,
            rooms_of_page: 8,
            moves: 100_000,
            moves_left: 50_000,
            idle: 3 * 3_600_000,
            idle_untouched: 60_000,
            // About as long as a page takes to reload.
            unwatched: 2_000,
            pending: 4,
            threads: processors,
            slots,
            no_table: || message!("house.no_table", "There is no shared board: `plyhouse page --lan` serves one."),
        }
    }
}
