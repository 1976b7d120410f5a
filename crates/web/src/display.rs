//! Handles that show a terminal's game or a tournament on the pages.

use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use console::Shown;
use games::GameId;
use house::messages::{Board, Tournament};
use house::{Room, USUAL_PACE, terminal_room};

use crate::driver::{Driver, now};

/// Maximum time for notifying the pages that the program ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// A handle that shows a terminal's game on the pages.
pub struct Display {
    driver: Arc<Driver>,
    game: GameId,
}

/// Returns a terminal's game as a room, or `None` if the game is not valid on the page.
pub(crate) fn room(game: GameId, shown: &Shown) -> Option<Room> {
    terminal_room(game, &shown.start, &shown.moves, shown.limit, shown.automated)
}

impl Display {
    pub(crate) fn new(driver: Arc<Driver>, game: GameId) -> Self {
        Self { driver, game }
    }

    /// Returns the time to show each move if the program plays both sides. It is zero if no page shows the game.
    pub fn pace(&self) -> Duration {
        let is_watched = self.driver.with(|house, _| house.is_terminal_watched());
        if is_watched { Duration::from_millis(USUAL_PACE) } else { Duration::ZERO }
    }

    /// Notifies the pages that the program ends. Returns when all pages have disconnected, or after one second.
    pub fn end(&self) {
        self.driver.with(|house, _| house.end());
        self.driver.ended.send_replace(true);
        // If no runtime can be built, the pages still receive the notification if the program exits late enough.
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
            let _ = runtime.block_on(async { tokio::time::timeout(FAREWELL, self.driver.ended.closed()).await });
        }
    }

    /// Shows the current state of the game; `busy` means that the program is about to move.
    pub fn show(&self, shown: &Shown, busy: bool) {
        if let Some(room) = room(self.game, shown) {
            self.driver.with(|house, now| house.show_terminal(room, busy, now));
        }
    }
}

/// A handle that shows a tournament on the pages of a server.
pub struct Stage {
    driver: Arc<Driver>,
    shown: Mutex<house::Stage>,
}

impl Stage {
    pub(crate) fn new(driver: Arc<Driver>) -> Self {
        let stage = Self { driver, shown: Mutex::default() };
        stage.change(|_| ());
        stage
    }

    /// Reports why the tournament cannot be read. The last state remains, with stopped clocks.
    pub fn trouble(&self, why: &str) {
        self.change(|stage| stage.trouble(why, now()));
    }

    /// Shows the current state of the tournament, with its boards in this order. Boards with an invalid position are
    /// omitted.
    pub fn show(&self, tournament: Tournament, boards: Vec<Board>) {
        self.change(|stage| stage.show(tournament, boards, now()));
    }

    fn change(&self, change: impl FnOnce(&mut house::Stage)) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut shown);
        self.driver.with(|house, _| house.set_stage(shown.clone()));
    }
}
