use thiserror::Error;

use game::Diagram;

/// Whether a session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Give it the next line.
    Continue,
    /// It is over.
    Quit,
}

/// A command that is refused, with nothing changed: what was wrong and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct CommandError(pub String);

/// Where a session's output goes. Lines come without their end.
pub trait Sink {
    /// A line of the protocol.
    fn print(&mut self, line: &str);
    /// A line for the log.
    fn log(&mut self, line: &str);
    /// The board for people: after a move, or because somebody `asked` for it, in which case it is shown everywhere.
    fn board(&mut self, diagram: &Diagram, asked: bool);
}

/// A text interface that is given one line at a time.
pub trait Session {
    /// What is printed before a line is read, without a line end.
    fn prompt(&self) -> String;

    /// Takes one line of any bytes, without its end. Automated players that are to move have moved when it returns.
    ///
    /// # Errors
    /// If the line is no command or cannot be carried out; the session is then as before.
    fn line(&mut self, line: &[u8], out: &mut dyn Sink) -> Result<Flow, CommandError>;

    /// The board now.
    fn diagram(&self) -> Diagram;

    /// The game now, for somebody who looks on.
    fn shown(&self) -> Shown;
}

/// A game as somebody sees it who looks on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Text of the position that was begun with, or that the board was last set up to.
    pub start: String,
    /// The moves since then.
    pub moves: Vec<String>,
    /// Moves of both sides since then after which it is a tie.
    pub limit: Option<u32>,
    /// Which sides the program plays.
    pub automated: [bool; 2],
}

/// A sink that keeps everything, for tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Protocol lines.
    pub printed: Vec<String>,
    /// Log lines.
    pub logged: Vec<String>,
    /// How often the board was shown.
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
