//! Shows a terminal's game on the pages.

use core::time::Duration;
use std::sync::Arc;

use console::Shown;
use games::GameId;

use crate::rooms::Rooms;
use crate::terminal;
use room::USUAL_PACE;

/// Maximum time for notifying the pages that the program ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// A handle that shows a terminal's game on the pages.
pub struct Display(Arc<Rooms>, GameId);

impl Display {
    pub(crate) fn new(rooms: Arc<Rooms>, game: GameId) -> Self {
        Self(rooms, game)
    }

    /// Returns how long each move is shown when the program plays alone: zero if no page shows the game.
    pub fn pace(&self) -> Duration {
        if self.0.is_terminal_watched() { Duration::from_millis(USUAL_PACE) } else { Duration::ZERO }
    }

    /// Notifies the pages that the program ends. Returns when all pages have disconnected, or after one second.
    pub fn end(&self) {
        self.0.end();
        // Without a runtime the pages still receive the notification if the program exits late enough.
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
            let _ = runtime.block_on(async { tokio::time::timeout(FAREWELL, self.0.all_gone()).await });
        }
    }

    /// Shows the current state of the game; `busy` means that the program is about to move.
    pub fn show(&self, shown: &Shown, busy: bool) {
        if let Some(room) = terminal::room(self.1, shown) {
            self.0.show_terminal(room, busy);
        }
    }
}
