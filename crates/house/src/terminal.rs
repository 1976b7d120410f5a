//! A game that is also driven from a terminal. Requests of pages become commands of the text program in the terminal,
//! and the pages show the results.

use engine::Level;
use game::{Message, message};
use games::{Console, GameId, Scene};

use crate::messages::game::{Game, NewGame, Seat};
use crate::messages::request::Act;
use crate::room::{Room, no_such_side, outdated};

/// The terminal that drives a game, and its room.
pub(crate) struct Terminal {
    game: GameId,
    console: Console,
    /// Name of the room.
    pub(crate) room: String,
}

/// Returns a terminal's game as a room, or `None` if the game is invalid. `automated` is `true` for each side that the
/// program plays.
pub fn terminal_room(
    game: GameId,
    start: &str,
    moves: &[String],
    limit: Option<u32>,
    automated: [bool; 2],
) -> Option<Room> {
    let size = start.split(' ').next().map(|board| board.split('/').count());
    let (game, start, moves) = (game.to_string(), Some(start.to_owned()), moves.to_owned());
    let seats = automated.map(|automated| if automated { Seat::engine(Level::FULL) } else { Seat::Person });
    Room::of_terminal(&NewGame::of(Game { game, size, start, moves, limit }, seats)).ok()
}

impl Terminal {
    pub(crate) fn new(game: GameId, room: String) -> Self {
        let console = game.console().unwrap_or(Console { sizes: false, limit: false });
        Self { game, console, room }
    }

    /// Returns the command for a page's action. A hint needs no command.
    pub(crate) fn act(&self, scene: &Scene, ply: u32, act: &Act) -> Result<Option<String>, Message> {
        // Only moves and undos depend on the position.
        if scene.ply != ply && matches!(act, Act::Play { .. } | Act::Undo) {
            return Err(outdated());
        }
        let side = |side: &usize| scene.sides.get(*side).map(|name| name.to_lowercase()).ok_or_else(no_such_side);
        Ok(Some(match act {
            Act::Play { text } if scene.moves.iter().any(|way| way.text == *text) => text.replace(':', " "),
            Act::Play { text } => {
                return Err(message!("terminal.illegal", "{text} is not a legal move.", text));
            }
            Act::Undo => "undo".into(),
            Act::Seat { side: of, seat: Seat::Person } => format!("manual {}", side(of)?),
            Act::Seat { side: of, seat: Seat::Engine { .. } } => format!("auto {}", side(of)?),
            Act::Limit { moves: Some(moves) } if self.console.limit => format!("limit {}", moves.div_ceil(2)),
            Act::Hint => return Ok(None),
            _ => {
                return Err(message!("terminal.no_command", "The text program in the terminal has no such command."));
            }
        }))
    }

    /// Returns the commands for a new game, if the text interface supports this game.
    pub(crate) fn begin(&self, scene: &Scene, new: &NewGame) -> Result<Vec<String>, Message> {
        if new.game.game != self.game.to_string() || !new.game.moves.is_empty() || new.game.start.is_some() {
            let game = Message::name(self.game.name());
            return Err(message!("terminal.other_game", "This page belongs to a game of {game} in a terminal.", game));
        }
        let usual = self.game.about().usual_size;
        if !self.console.sizes && new.game.size.is_some_and(|size| size != usual) {
            return Err(message!(
                "terminal.size",
                "In a terminal, this game is played on {size}×{size}.",
                size = usual
            ));
        }
        // Both sides are set to manual first, so that no engine moves before all commands are sent.
        let sides = scene.sides.map(str::to_lowercase);
        let mut commands: Vec<String> = sides.iter().map(|side| format!("manual {side}")).collect();
        let size = new.game.size.filter(|_| self.console.sizes);
        commands.push(size.map_or_else(|| "new".into(), |size| format!("size {size}")));
        let engines = sides.iter().zip(new.seats).filter(|(_, seat)| *seat != Seat::Person);
        commands.extend(engines.map(|(side, _)| format!("auto {side}")));
        Ok(commands)
    }
}
