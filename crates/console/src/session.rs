use game::Diagram;
use search::Stop;
use thiserror::Error;

/// The state of a session after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The session expects the next line.
    Continue,
    /// The session is over.
    Quit,
}

/// A rejected command, which changed nothing. The text states the mistake and the expected input.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct CommandError(pub String);

/// A receiver of a session's output. Lines have no line end.
pub trait Sink {
    /// Prints a line of the protocol.
    fn print(&mut self, line: &str);
    /// Writes a line to the log.
    fn log(&mut self, line: &str);
    /// Shows the board to the user, after a move or on request. If the user `asked` for it, every sink shows it.
    fn board(&mut self, diagram: &Diagram, asked: bool);
}

/// A text interface that processes one line at a time.
///
/// [`line`](Self::line) is a whole exchange: a command, then the moves of the automated players. A program that must
/// process input in between calls [`command`](Self::command) alone and then [`advance`](Self::advance) for each move.
pub trait Session {
    /// Returns the prompt before a line is read, without a line end.
    fn prompt(&self) -> String;

    /// Carries out one line, which may contain any bytes and comes without its line end. Automated players do not move
    /// yet.
    ///
    /// # Errors
    /// If the line is not a command or cannot be carried out. The session is then unchanged.
    fn command(&mut self, line: &[u8], out: &mut dyn Sink) -> Result<Flow, CommandError>;

    /// Gives the current game and each later one its own seed, derived from `source`, until the user sets one. Each
    /// seed is logged as a `seed` command, so that replaying the log reproduces the session. Without this call every
    /// game has the same seed.
    fn vary(&mut self, source: u64, out: &mut dyn Sink);

    /// Returns `true` if an automated player is to move.
    fn is_automated_turn(&self) -> bool;

    /// Makes one move if an automated player is to move. Does nothing if `stop` is set before the player has chosen, or
    /// if a user is to move.
    fn advance(&mut self, stop: &Stop, out: &mut dyn Sink);

    /// Returns `true` if a line is a move rather than a command, by its form alone. A move that is typed ahead is meant
    /// for the user's next turn.
    fn is_move(line: &[u8]) -> bool
    where
        Self: Sized;

    /// Carries out one line, as [`command`](Self::command) does, and then the moves of the automated players.
    ///
    /// # Errors
    /// If the line is not a command or cannot be carried out. The session is then unchanged.
    fn line(&mut self, line: &[u8], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        let flow = self.command(line, out)?;
        while flow == Flow::Continue && self.is_automated_turn() {
            self.advance(&Stop::new(), out);
        }
        Ok(flow)
    }

    /// Returns the current board.
    fn diagram(&self) -> Diagram;

    /// Returns the current game as a page shows it.
    fn shown(&self) -> Shown;
}

/// A game as a page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Text of the start position, or of the last position that was set up.
    pub start: String,
    /// Moves since `start`.
    pub moves: Vec<String>,
    /// Number of moves since `start`, by both sides together, after which the game is drawn.
    pub limit: Option<u32>,
    /// For the first and the second side, `true` if the program plays it.
    pub automated: [bool; 2],
}

/// A sink that stores all output, for tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Protocol lines.
    pub printed: Vec<String>,
    /// Log lines.
    pub logged: Vec<String>,
    /// Number of boards.
    pub boards: usize,
}

impl Sink for Transcript {
    fn print(&mut self, line: &str) {
        self.printed.push(line.to_owned());
    }

    fn log(&mut self, line: &str) {
        self.logged.push(line.to_owned());
    }

    fn board(&mut self, _: &Diagram, _: bool) {
        self.boards += 1;
    }
}
