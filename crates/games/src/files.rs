//! Games as text, in and out.

use crate::{Entry, GameId, Setting, SettingError, Visitor, dispatch};

/// A game that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// Which game it is.
    pub game: GameId,
    /// Squares a side.
    pub size: usize,
    /// Position text of the start; the usual start if unset.
    pub start: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
}

/// Reads a file in a game's own format; `None` if the text does not begin like a file of any game.
///
/// The inner result is an error, in words, if the text begins like such a file but is not a valid one.
pub fn read_file(text: &str) -> Option<Result<GameFile, String>> {
    GameId::ALL.into_iter().find_map(|game| dispatch(game, Read(text)))
}

struct Read<'a>(&'a str);

impl Visitor for Read<'_> {
    type Output = Option<Result<GameFile, String>>;

    fn visit<E: Entry>(self) -> Self::Output {
        E::read_file(self.0)
    }
}

impl Setting {
    /// A game as text: in the game's own file format if it has one, otherwise a line with the start and a line with the
    /// moves.
    ///
    /// # Errors
    /// If the start is invalid or a move is not legal.
    pub fn write_file(self, start: Option<&str>, moves: &[&str]) -> Result<String, SettingError> {
        dispatch(self.game, Write { setting: self, start, moves })
    }
}

struct Write<'a> {
    setting: Setting,
    start: Option<&'a str>,
    moves: &'a [&'a str],
}

impl Visitor for Write<'_> {
    type Output = Result<String, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let record = self.setting.record::<E>(self.start, self.moves)?;
        Ok(E::write_file(&record).unwrap_or_else(|| {
            let moves: Vec<String> = record.moves().map(|m| m.to_string()).collect();
            format!("{}\n{}\n", record.steps()[0].position, moves.join(" "))
        }))
    }
}
