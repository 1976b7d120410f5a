use core::time::Duration;

use game::{MoveError, Outcome, Side, TextGame};

/// How to talk to a kind of program: lines in, lines out, without processes or clocks. One value speaks to one program
/// during one game.
pub trait Dialect: Send {
    /// How long a process lives.
    fn lifetime(&self) -> Lifetime;

    /// The first lines for a program that has just been started, before its clock runs. Unused where each move has its
    /// own process.
    fn greet(&mut self, game: &dyn TextGame, side: Side, seed: u64) -> Talk;

    /// Lines before [`ask`](Self::ask) that the program answers at once by saying that it is ready, so that whatever it
    /// says before that answer belongs to an earlier request. `None` if the dialect has no such lines.
    fn hail(&mut self) -> Option<Talk> {
        None
    }

    /// The lines that ask for a move.
    fn ask(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Talk;

    /// The lines that end a search at once, so that the program answers. `None` if the dialect has no such lines.
    fn stop(&mut self) -> Option<Talk> {
        None
    }

    /// Interprets a line that the program wrote.
    fn hear(&mut self, line: &str) -> Heard;

    /// Translates a move that the program sent into Plyhouse notation, or refuses it. Dialects whose text fixes the
    /// form of a move leave that to the rules.
    ///
    /// # Errors
    /// If the move is not legal.
    fn read(&self, game: &dyn TextGame, text: String) -> Result<String, MoveError> {
        let _ = game;
        Ok(text)
    }

    /// The lines after the game.
    fn part(&mut self, game: &dyn TextGame) -> Talk;

    /// Whether [`ask`](Self::ask) sends the whole position, so that the referee's move can replace one of the
    /// program's.
    fn tells_all(&self) -> bool;

    /// Explains to the program's author why the last answer was refused, in the program's own notation: the answer,
    /// then the reason.
    fn explain(&self, error: &MoveError) -> String {
        reason(error)
    }
}

/// The refused move and the reason, in Plyhouse notation.
pub fn reason(error: &MoveError) -> String {
    match error {
        MoveError::Illegal { text, reason } => format!("{text}: {reason}"),
        MoveError::Unreadable { .. } => error.to_string(),
    }
}

/// How long a process lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// One process plays a whole game.
    Game,
    /// Each move has its own process, whose start is on the clock.
    Move,
}

/// Lines to send to a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// Lines without their ends.
    pub lines: Vec<String>,
    /// Whether the program's input ends here.
    pub ends_input: bool,
    /// Whether the program answers when it is ready.
    pub awaits_ready: bool,
}

impl Talk {
    /// Makes a talk of these lines.
    pub fn lines<S: Into<String>>(lines: impl IntoIterator<Item = S>) -> Self {
        Self { lines: lines.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Ends the program's input after the lines.
    #[must_use]
    pub fn then_end(mut self) -> Self {
        self.ends_input = true;
        self
    }

    /// Waits for the program to say that it is ready.
    #[must_use]
    pub fn until_ready(mut self) -> Self {
        self.awaits_ready = true;
        self
    }
}

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The line has no meaning for the referee.
    Nothing,
    /// The program is ready.
    Ready,
    /// A move, in Plyhouse notation if the dialect can translate it.
    Move(String),
    /// The program says something of its search.
    Info(Info),
    /// The program says that the game has ended.
    Claim(Outcome),
    /// The line should have been one of the above; the text says why it is not.
    Unreadable(String),
}

/// What a program says of its search for a move. Each part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The value of the position to the side to move.
    pub score: Option<Score>,
    /// Finished depth, in plies.
    pub depth: Option<u32>,
    /// Visited positions.
    pub nodes: Option<u64>,
    /// Best play for both sides.
    pub pv: Vec<String>,
}

impl Info {
    /// Takes over every part that is newer.
    pub fn update(&mut self, newer: Self) {
        self.score = newer.score.or(self.score);
        self.depth = newer.depth.or(self.depth);
        self.nodes = newer.nodes.or(self.nodes);
        if !newer.pv.is_empty() {
            self.pv = newer.pv;
        }
    }
}

/// The value of a position to the side to move, as a program sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// An evaluation in the program's unit, which should be a hundredth of a piece.
    Units(i32),
    /// The side to move wins within this many plies.
    Win(u32),
    /// The side to move loses within this many plies.
    Loss(u32),
}

/// The limits of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// For this move. `None` if the move's time is unlimited.
    pub limit: Option<Duration>,
    /// Time left for the game, of the first and the second side, if the game's time is limited.
    pub left: [Option<Duration>; 2],
    /// Time that each move of the first and the second side adds.
    pub increment: [Duration; 2],
    /// The answer may come this much later than the limit. Programs are not told.
    pub margin: Duration,
    /// Positions that the search may visit.
    pub nodes: Option<u64>,
    /// Plies that the search may look ahead.
    pub depth: Option<u32>,
}

impl TimeLeft {
    /// The longest wait for an answer. `None` if the move's time is unlimited.
    pub fn patience(&self) -> Option<Duration> {
        self.limit.map(|limit| limit + self.margin)
    }
}
