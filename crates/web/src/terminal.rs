//! A game that is driven from a terminal, too: what a page wants goes there as a command, and what came of it comes back.

use std::sync::Arc;

use console::Shown;
use games::GameId;

use crate::messages::{Act, Line, NewGame, Seat};
use crate::rooms::{House, Room};
use crate::table::Table;

/// Takes commands of the text interface.
pub type Commands = Box<dyn Fn(String) + Send + Sync>;

/// The way from a page to a terminal.
pub(crate) struct Terminal {
    pub(crate) room: Arc<Room>,
    game: GameId,
    commands: Commands,
}

/// The way from a terminal to the pages.
pub struct Display(Arc<House>, GameId);

impl Display {
    pub(crate) fn new(house: Arc<House>, game: GameId) -> Self {
        Self(house, game)
    }

    /// Shows the game as it stands; `busy` if the program is about to move.
    pub fn show(&self, shown: &Shown, busy: bool) {
        if let Some(table) = table(self.1, shown) {
            self.0.show_terminal(table, busy);
        }
    }
}

/// The game at a table.
pub(crate) fn table(game: GameId, shown: &Shown) -> Option<Table> {
    let size = shown.start.split(' ').next().map(|board| board.split('/').count());
    let seat =
        |automated| if automated { Seat::Engine { level: 10, seconds: None, nodes: None } } else { Seat::Person };
    let game = Line {
        game: game.to_string(),
        size,
        start: Some(shown.start.clone()),
        moves: shown.moves.clone(),
        limit: shown.limit,
    };
    Table::of_terminal(&NewGame { game, seats: shown.automated.map(seat), paused: false }).ok()
}

impl Terminal {
    pub(crate) fn new(room: Arc<Room>, game: GameId, commands: Commands) -> Self {
        Self { room, game, commands }
    }

    /// Sends what a page wants as a command; the page saw the game after so many moves.
    pub(crate) fn act(&self, ply: u32, act: &Act) -> Result<(), String> {
        let scene = self.room.view().scene;
        if scene.ply != ply {
            return Err("The game has gone on; this is how it stands now.".into());
        }
        let side = |side: &usize| scene.sides.get(*side).map(|name| name.to_lowercase()).ok_or("There are two sides.");
        let command = match act {
            Act::Play { text } if scene.moves.iter().any(|way| way.text == *text) => text.replace(':', " "),
            Act::Play { text } => return Err(format!("{text} is no move here.")),
            Act::Undo => "undo".into(),
            Act::Seat { side: of, seat: Seat::Person } => format!("manual {}", side(of)?),
            Act::Seat { side: of, seat: Seat::Engine { .. } } => format!("auto {}", side(of)?),
            Act::Limit { moves: Some(moves) } if self.game == GameId::Loa => format!("limit {}", moves.div_ceil(2)),
            Act::Hint => return Ok(()),
            _ => return Err("A game that is driven from a terminal knows no such command.".into()),
        };
        (self.commands)(command);
        Ok(())
    }

    /// Begins another game, as far as the text interface can.
    pub(crate) fn begin(&self, new: &NewGame) -> Result<(), String> {
        if new.game.game != self.game.to_string() || !new.game.moves.is_empty() || new.game.start.is_some() {
            return Err(format!("This page belongs to a game of {} in a terminal.", self.game));
        }
        let scene = self.room.view().scene;
        if self.game == GameId::Loa && new.game.size.is_some_and(|size| size != 8) {
            return Err("In a terminal it is played on 8×8.".into());
        }
        // First without engines, so that none moves before all is said.
        for side in scene.sides {
            (self.commands)(format!("manual {}", side.to_lowercase()));
        }
        match (self.game, new.game.size) {
            (GameId::Jump61, Some(size)) => (self.commands)(format!("size {size}")),
            _ => (self.commands)("new".into()),
        }
        for (side, seat) in scene.sides.iter().zip(new.seats) {
            if seat != Seat::Person {
                (self.commands)(format!("auto {}", side.to_lowercase()));
            }
        }
        Ok(())
    }
}
