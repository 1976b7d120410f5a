//! Shows the game of a terminal on the pages.

use std::sync::Arc;

use console::Shown;
use games::GameId;

use crate::rooms::Rooms;
use crate::terminal;

/// Shows a terminal's game on the pages.
pub struct Display(Arc<Rooms>, GameId);

impl Display {
    pub(crate) fn new(rooms: Arc<Rooms>, game: GameId) -> Self {
        Self(rooms, game)
    }

    /// Shows the game as it stands; `busy` if the program is about to move.
    pub fn show(&self, shown: &Shown, busy: bool) {
        if let Some(room) = terminal::room(self.1, shown) {
            self.0.show_terminal(room, busy);
        }
    }
}
