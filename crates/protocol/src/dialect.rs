use core::time::Duration;

use game::{MoveError, Outcome, Side, TextGame};

/// A protocol for a kind of program, which converts between lines and moves without processes or clocks. One value is
/// used for one program during one game.
pub trait Dialect: Send {
    /// Returns the lifetime of a process.
    fn lifetime(&self) -> Lifetime;

    /// Returns the first lines for a program that has just been started. They are sent before its clock runs. They are
    /// not used if each move has its own process.
    fn greet(&mut self, game: &dyn TextGame, side: Side, seed: u64) -> Talk;

    /// Returns lines to send after the answer to [`greet`](Self::greet), before the program's clock runs. Returns
    /// `None` if the dialect has no such lines.
    fn configure(&mut self) -> Option<Talk> {
        None
    }

    /// Returns lines to send before [`ask`](Self::ask), which the program answers immediately by reporting that it is
    /// ready. All output before that answer belongs to an earlier request. Returns `None` if the dialect has no such
    /// lines.
    fn hail(&mut self) -> Option<Talk> {
        None
    }

    /// Returns the lines that request a move.
    fn ask(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Talk;

    /// Returns the lines that end a search immediately, so that the program answers. Returns `None` if the dialect has
    /// no such lines.
    fn stop(&mut self) -> Option<Talk> {
        None
    }

    /// Interprets a line of the program's output.
    fn hear(&mut self, line: &str) -> Heard;

    /// Translates a move of the program into Plyhouse notation, or rejects it. Dialects with a fixed move format return
    /// the text and leave the check to the rules.
    ///
    /// # Errors
    /// If the move is illegal.
    fn read(&self, game: &dyn TextGame, text: String) -> Result<String, MoveError> {
        let _ = game;
        Ok(text)
    }

    /// Returns the lines to send after the game.
    fn part(&mut self, game: &dyn TextGame) -> Talk;

    /// Returns `true` if [`ask`](Self::ask) sends the whole position, so that the referee can replace a move of the
    /// program with another.
    fn tells_all(&self) -> bool;

    /// Explains to the program's author why the last answer was rejected, in the program's own notation: the answer,
    /// then the reason.
    fn explain(&self, error: &MoveError) -> String {
        reason(error)
    }
}

/// Returns the rejected move and the reason, in Plyhouse notation.
pub fn reason(error: &MoveError) -> String {
    match error {
        MoveError::Illegal { text, reason } => format!("{text}: {reason}"),
        MoveError::Unreadable { .. } => error.to_string(),
    }
}

/// The lifetime of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// One process plays a whole game.
    Game,
    /// Each move has its own process. Starting the process counts as thinking time.
    Move,
}

/// Lines to send to a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// Lines without line ends.
    pub lines: Vec<String>,
    /// `true` to close the program's input after the lines.
    pub ends_input: bool,
    /// `true` to wait until the program reports that it is ready.
    pub awaits_ready: bool,
}

impl Talk {
    /// Creates a [`Talk`] from these lines.
    pub fn lines<S: Into<String>>(lines: impl IntoIterator<Item = S>) -> Self {
        Self { lines: lines.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Closes the program's input after the lines.
    #[must_use]
    pub fn then_end(mut self) -> Self {
        self.ends_input = true;
        self
    }

    /// Waits until the program reports that it is ready.
    #[must_use]
    pub fn until_ready(mut self) -> Self {
        self.awaits_ready = true;
        self
    }
}

/// The meaning of a line of a program's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The line has no meaning for the referee.
    Nothing,
    /// The program is ready.
    Ready,
    /// A move, in Plyhouse notation if the dialect can translate it.
    Move(String),
    /// Information about the program's search.
    Info(Info),
    /// The program reports that the game has ended.
    Claim(Outcome),
    /// The line is malformed; the text explains why.
    Unreadable(String),
}

/// A program's information about its search for a move. Each part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Value of the position for the side to move.
    pub score: Option<Score>,
    /// Completed depth, in plies.
    pub depth: Option<u32>,
    /// Number of visited positions.
    pub nodes: Option<u64>,
    /// Principal variation: best play for both sides.
    pub pv: Vec<String>,
}

impl Info {
    /// Replaces every part for which `newer` has a value.
    pub fn update(&mut self, newer: Self) {
        self.score = newer.score.or(self.score);
        self.depth = newer.depth.or(self.depth);
        self.nodes = newer.nodes.or(self.nodes);
        if !newer.pv.is_empty() {
            self.pv = newer.pv;
        }
    }
}

/// A program's value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// An evaluation in the program's unit, which should be a hundredth of a piece.
    Units(i32),
    /// The side to move wins within this many plies.
    Win(u32),
    /// The side to move loses within this many plies.
    Loss(u32),
}

/// The search limits of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// Time for this move; `None` if it is unlimited.
    pub limit: Option<Duration>,
    /// Time left in the game for the first and the second side; `None` if it is unlimited.
    pub left: [Option<Duration>; 2],
    /// Time added after each move for the first and the second side.
    pub increment: [Duration; 2],
    /// Tolerance for answers after the limit. It is not sent to programs.
    pub margin: Duration,
    /// Maximum number of positions to visit.
    pub nodes: Option<u64>,
    /// Maximum search depth, in plies.
    pub depth: Option<u32>,
}

impl TimeLeft {
    /// Returns the maximum time to wait for an answer; `None` if the time of the move is unlimited.
    pub fn patience(&self) -> Option<Duration> {
        self.limit.map(|limit| limit + self.margin)
    }
}
