//! A game that goes on: its record is kept, so that a move costs one move and not the whole game.

use game::{Origin, Position, Record};

use crate::{Entry, Scene, Setting, SettingError, Visitor, dispatch, scene};

/// A game being played: the types of the game inside, texts outside.
///
/// ```
/// use games::{GameId, Setting};
///
/// let setting = Setting { game: GameId::Loa, size: None, move_limit: 60, repetitions: None };
/// let mut session = setting.session(None, &["b1-b3"])?;
/// session.play("h7-f7")?;
/// assert_eq!(session.undo().as_deref(), Some("h7-f7"));
/// assert_eq!((session.moves_made(), session.turn()), (1, 1));
/// assert_eq!(session.scene().played, ["b1-b3"]);
/// # Ok::<(), games::SettingError>(())
/// ```
pub trait Session: Send {
    /// Plays a move.
    ///
    /// # Errors
    /// If the game is over or the move is not legal. The game stays as it was.
    fn play(&mut self, text: &str) -> Result<(), SettingError>;

    /// Takes the last move back and returns it; `None` at the start.
    fn undo(&mut self) -> Option<String>;

    /// Changes the move limit, in moves of both sides. A game that the old limit has ended goes on.
    ///
    /// # Errors
    /// If that many moves have already been made.
    fn set_move_limit(&mut self, limit: u32) -> Result<(), SettingError>;

    /// Moves made by both sides since the start.
    fn moves_made(&self) -> u32;

    /// The side to move: 0 or 1.
    fn turn(&self) -> usize;

    /// The game as a page shows it.
    fn scene(&self) -> Scene;
}

impl Setting {
    /// A game that goes on after these moves. It begins with the usual start if none is given.
    ///
    /// # Errors
    /// If the start is invalid or a move is not legal.
    pub fn session(self, start: Option<&str>, moves: &[&str]) -> Result<Box<dyn Session>, SettingError> {
        dispatch(self.game, Open { setting: self, start, moves })
    }
}

struct Open<'a> {
    setting: Setting,
    start: Option<&'a str>,
    moves: &'a [&'a str],
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn Session>, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        Ok(Box::new(Played::<E>(self.setting.record::<E>(self.start, self.moves)?)))
    }
}

struct Played<E: Entry>(Record<E::Position>);

impl<E: Entry> Session for Played<E> {
    fn play(&mut self, text: &str) -> Result<(), SettingError> {
        let ply = self.0.moves_made() + 1;
        if self.0.finish().is_some() {
            return Err(SettingError::AfterEnd { ply });
        }
        let m =
            self.0.position().read_move(text).map_err(|error| SettingError::Move { ply, error: error.in_words() })?;
        self.0.play(m);
        Ok(())
    }

    fn undo(&mut self) -> Option<String> {
        match self.0.undo()? {
            Origin::Move(m) => Some(m.to_string()),
            Origin::Start | Origin::SetUp => None,
        }
    }

    fn set_move_limit(&mut self, limit: u32) -> Result<(), SettingError> {
        self.0.set_move_limit(Some(limit))?;
        // A start is not judged, because a position that was set up is played on.
        if self.0.moves_made() > 0 {
            self.0.judge();
        }
        Ok(())
    }

    fn moves_made(&self) -> u32 {
        self.0.moves_made()
    }

    fn turn(&self) -> usize {
        self.0.position().side_to_move().index()
    }

    fn scene(&self) -> Scene {
        scene::scene::<E>(&self.0)
    }
}
