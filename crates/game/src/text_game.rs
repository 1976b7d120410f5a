use crate::error::MoveError;
use crate::outcome::Finish;
use crate::position::Position;
use crate::record::Record;
use crate::side::Side;

/// A game in progress with a text interface: a [`Record`] of any game as referees and players use it.
///
/// ```
/// use game::{Record, TextGame, examples::Nim};
///
/// let mut game: Box<dyn TextGame> = Box::new(Record::new("5 a".parse::<Nim>()?));
/// assert_eq!(game.legal_moves(), ["1", "2", "3"]);
/// game.play("3")?;
/// assert_eq!((game.start(), game.position()), ("5 a".to_owned(), "2 b".to_owned()));
/// assert!(game.play("3").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TextGame: Send + Sync {
    /// Returns the side to move.
    fn side_to_move(&self) -> Side;

    /// Returns the name of a side as used in a sentence.
    fn side_name(&self, side: Side) -> &'static str;

    /// Returns the result if the game is over.
    fn finish(&self) -> Option<Finish>;

    /// Parses a move, checks it against the rules, plays it, and checks whether the game is over. Returns the move in
    /// its usual notation.
    ///
    /// # Errors
    /// If it is not a legal move. The error contains the rule that the move breaks, and the record is unchanged.
    ///
    /// # Panics
    /// If the game is over.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;

    /// Parses a legal move as [`Position::read_move`] does, and returns it in its usual notation.
    ///
    /// # Errors
    /// If it is not a legal move. The error contains the rule that the move breaks.
    fn read(&self, text: &str) -> Result<String, MoveError>;

    /// Returns every legal move, in a fixed order.
    fn legal_moves(&self) -> Vec<String>;

    /// Returns the position text of the start.
    fn start(&self) -> String;

    /// Returns the current position text.
    fn position(&self) -> String;

    /// Returns the moves since the start.
    fn moves(&self) -> Vec<String>;

    /// Returns the number of moves since the start.
    fn plies(&self) -> u32;

    /// Returns the move limit, counting the moves of both sides; `None` if there is no limit.
    fn move_limit(&self) -> Option<u32>;
}

impl<P: Position> TextGame for Record<P> {
    fn side_to_move(&self) -> Side {
        self.position().side_to_move()
    }

    fn side_name(&self, side: Side) -> &'static str {
        P::side_name(side)
    }

    fn finish(&self) -> Option<Finish> {
        Self::finish(self)
    }

    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        let m = self.position().parse_move(text).map_err(MoveError::in_words)?;
        Self::play(self, m);
        Ok(m.to_string())
    }

    fn read(&self, text: &str) -> Result<String, MoveError> {
        self.position().read_move(text).map(|m| m.to_string()).map_err(MoveError::in_words)
    }

    fn legal_moves(&self) -> Vec<String> {
        let moves = if Self::finish(self).is_some() { Vec::new() } else { self.position().legal_moves() };
        moves.iter().map(ToString::to_string).collect()
    }

    fn start(&self) -> String {
        self.start_position().to_string()
    }

    fn position(&self) -> String {
        Self::position(self).to_string()
    }

    fn moves(&self) -> Vec<String> {
        Self::moves(self).map(|m| m.to_string()).collect()
    }

    fn plies(&self) -> u32 {
        self.moves_made()
    }

    fn move_limit(&self) -> Option<u32> {
        Self::move_limit(self)
    }
}
