//! Shows the game of a terminal on the pages.

use core::time::Duration;
use std::sync::Arc;

use console::Shown;
use games::GameId;

use crate::rooms::Rooms;
use crate::terminal;
use room::USUAL_PACE;

/// The longest time that pages may take to hear that the program ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// Shows a terminal's game on the pages.
pub struct Display(Arc<Rooms>, GameId);

impl Display {
    pub(crate) fn new(rooms: Arc<Rooms>, game: GameId) -> Self {
        Self(rooms, game)
    }

    /// How long a move of a game that the program plays alone should be seen: no time if nobody looks.
    pub fn pace(&self) -> Duration {
        if self.0.is_terminal_watched() { Duration::from_millis(USUAL_PACE) } else { Duration::ZERO }
    }

    /// Tells the pages that the program ends. Returns when all of them know, after a second at the latest.
    pub fn end(&self) {
        self.0.end();
        // Without a runtime the pages still hear it, if the program takes long enough to end.
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
            let _ = runtime.block_on(async { tokio::time::timeout(FAREWELL, self.0.all_gone()).await });
        }
    }

    /// Shows the game as it stands; `busy` if the program is about to move.
    pub fn show(&self, shown: &Shown, busy: bool) {
        if let Some(room) = terminal::room(self.1, shown) {
            self.0.show_terminal(room, busy);
        }
    }
}
