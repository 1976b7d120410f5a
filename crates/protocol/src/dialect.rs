use core::time::Duration;

use game::{Outcome, Side, TextGame};

/// How a kind of program is spoken to: lines in, lines out, without processes or clocks. One value speaks to one program during one
/// game.
pub trait Dialect: Send {
    /// How long a process lives.
    fn lifetime(&self) -> Lifetime;

    /// What is said to a program that has just been started, before its time counts. Not asked for where there is a process a
    /// move.
    fn greet(&mut self, game: &dyn TextGame, side: Side, seed: u64) -> Talk;

    /// What asks for a move.
    fn ask(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Talk;

    /// Understands a line that the program wrote.
    fn hear(&mut self, line: &str) -> Heard;

    /// What is said after the game.
    fn part(&mut self, game: &dyn TextGame) -> Talk;

    /// Whether [`ask`](Self::ask) tells the whole position, so that somebody else's move can stand in for one of the
    /// program's.
    fn tells_all(&self) -> bool;
}

/// How long a process lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// One process plays a whole game.
    Game,
    /// Every move has a process of its own, whose start is on the clock.
    Move,
}

/// Something to say.
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
    /// Some lines.
    pub fn lines<S: Into<String>>(lines: impl IntoIterator<Item = S>) -> Self {
        Self { lines: lines.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The same, and the input ends.
    #[must_use]
    pub fn then_end(mut self) -> Self {
        self.ends_input = true;
        self
    }

    /// The same, and an answer says that the program is ready.
    #[must_use]
    pub fn until_ready(mut self) -> Self {
        self.awaits_ready = true;
        self
    }
}

/// What a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing.
    Nothing,
    /// The program is ready.
    Ready,
    /// A move, in the notation of the house where the dialect can turn it into that.
    Move(String),
    /// The program says that the game has ended.
    Claim(Outcome),
    /// The line should have been one of the above and is not; why.
    Unreadable(String),
}

/// The time of the player who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// For this move. `None` if the move's time is unlimited.
    pub limit: Option<Duration>,
    /// What the first and the second side have left for the game, if the game's time is limited.
    pub left: [Option<Duration>; 2],
    /// What each move adds.
    pub increment: Duration,
}
