//! A game that is driven from a terminal, too: a page's requests go to the terminal as commands, and the results come
//! back.

use console::Shown;
use engine::Level;
use games::{Console, GameId, Scene};

use room::Room;
use room::messages::{Act, Game, NewGame, Seat};

/// Receives commands for the text program.
pub type Commands = Box<dyn Fn(String) + Send + Sync>;

/// The way from a page to a terminal.
pub(crate) struct Terminal {
    game: GameId,
    console: Console,
    commands: Commands,
}

/// A terminal's game as a room; `None` if it is not one of ours.
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

    /// Sends a page's request as a command, if the page saw the current game.
    pub(crate) fn act(&self, scene: &Scene, ply: u32, act: &Act) -> Result<(), String> {
        // Whose move it is and which one is taken back depends on the position; the other wishes do not.
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

    /// Begins another game, as far as the text interface can.
    pub(crate) fn begin(&self, scene: &Scene, new: &NewGame) -> Result<(), String> {
        if new.game.game != self.game.to_string() || !new.game.moves.is_empty() || new.game.start.is_some() {
            return Err(format!("This page belongs to a game of {} in a terminal.", self.game));
        }
        let usual = self.game.about().usual_size;
        if !self.console.sizes && new.game.size.is_some_and(|size| size != usual) {
            return Err(format!("In a terminal it is played on {usual}×{usual}."));
        }
        // Without engines at first, so that none moves before all commands are sent.
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
