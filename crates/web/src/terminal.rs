//! A game that is also driven from a terminal: requests of pages become commands of the text program, whose results are
//! shown on the pages.

use console::Shown;
use engine::Level;
use games::{Console, GameId, Scene};

use room::Room;
use room::messages::{Act, Game, NewGame, Seat};

/// Receives commands for the text program.
pub type Commands = Box<dyn Fn(String) + Send + Sync>;

/// The connection from the pages to a terminal.
pub(crate) struct Terminal {
    game: GameId,
    console: Console,
    commands: Commands,
}

/// Returns a terminal's game as a room, or `None` if the game is not valid here.
pub(crate) fn room(game: GameId, shown: &Shown) -> Option<Room> {
    let size = shown.start.split(' ').next().map(|board| board.split('/').count());
    let seat = |automated| {
        if automated { Seat::engine(Level::FULL) } else { Seat::Person }
    };
    let game = Game {
        game: game.to_string(),
        size,
        start: Some(shown.start.clone()),
        moves: shown.moves.clone(),
        limit: shown.limit,
    };
    Room::of_terminal(&NewGame::of(game, shown.automated.map(seat))).ok()
}

impl Terminal {
    pub(crate) fn new(game: GameId, commands: Commands) -> Self {
        let console = game.console().unwrap_or(Console { sizes: false, limit: false });
        Self { game, console, commands }
    }

    /// Sends a page's request as a command, if the page shows the current position.
    pub(crate) fn act(&self, scene: &Scene, ply: u32, act: &Act) -> Result<(), String> {
        // A move and an undo depend on the position; the other requests do not.
        if scene.ply != ply && matches!(act, Act::Play { .. } | Act::Undo) {
            return Err("The game has gone on; this is how it stands now.".into());
        }
        let side = |side: &usize| scene.sides.get(*side).map(|name| name.to_lowercase()).ok_or("There are two sides.");
        let command = match act {
            Act::Play { text } if scene.moves.iter().any(|way| way.text == *text) => text.replace(':', " "),
            Act::Play { text } => return Err(format!("{text} is not a legal move.")),
            Act::Undo => "undo".into(),
            Act::Seat { side: of, seat: Seat::Person } => format!("manual {}", side(of)?),
            Act::Seat { side: of, seat: Seat::Engine { .. } } => format!("auto {}", side(of)?),
            Act::Limit { moves: Some(moves) } if self.console.limit => format!("limit {}", moves.div_ceil(2)),
            Act::Hint => return Ok(()),
            _ => return Err("The text program in the terminal has no such command.".into()),
        };
        (self.commands)(command);
        Ok(())
    }

    /// Starts a new game, as far as the text interface supports it.
    pub(crate) fn begin(&self, scene: &Scene, new: &NewGame) -> Result<(), String> {
        if new.game.game != self.game.to_string() || !new.game.moves.is_empty() || new.game.start.is_some() {
            return Err(format!("This page belongs to a game of {} in a terminal.", self.game));
        }
        let usual = self.game.about().usual_size;
        if !self.console.sizes && new.game.size.is_some_and(|size| size != usual) {
            return Err(format!("In a terminal it is played on {usual}×{usual}."));
        }
        // Both sides are set to manual first, so that no engine moves before all commands are sent.
        for side in scene.sides {
            (self.commands)(format!("manual {}", side.to_lowercase()));
        }
        match new.game.size.filter(|_| self.console.sizes) {
            Some(size) => (self.commands)(format!("size {size}")),
            None => (self.commands)("new".into()),
        }
        for (side, seat) in scene.sides.iter().zip(new.seats) {
            if seat != Seat::Person {
                (self.commands)(format!("auto {}", side.to_lowercase()));
            }
        }
        Ok(())
    }
}
