use crate::side::Side;

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// Returns the side that has won; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win(side) => Some(side),
            Self::Draw => None,
        }
    }
}

/// The result, by the rules of a game, when the side to move has no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// The side to move has lost.
    Loses,
    /// The game is drawn.
    Draws,
    /// Every undecided position has a legal move.
    Impossible,
}

impl Stuck {
    /// Returns the outcome if the side to move is stuck.
    ///
    /// # Panics
    /// If this is [`Impossible`](Self::Impossible).
    pub fn outcome(self, side_to_move: Side) -> Outcome {
        match self {
            Self::Loses => Outcome::Win(!side_to_move),
            Self::Draws => Outcome::Draw,
            Self::Impossible => panic!("invariant: in this game an undecided position has a legal move"),
        }
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The board is decided: for example, all pieces of a side are connected, or all squares have one colour.
    Board,
    /// The move limit was reached without a winner.
    MoveLimit,
    /// The side to move has no legal move.
    Stuck,
    /// Draw rule of a match: the same position has occurred too often.
    Repetition,
    /// Draw rule of a match: too many consecutive plies were reversible.
    QuietPlies,
}

/// Conditions under which a match draws a game without progress, although the rules of the game allow it to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchDraws {
    /// Number of occurrences of the same position that draws the game.
    pub repetitions: u32,
    /// Number of consecutive reversible plies that draws the game.
    pub quiet_plies: u32,
    /// `true` to compare boards without the side to move, and to check for draws before wins: the game is drawn at the
    /// move limit even if its last move wins. These are the rules of OpenSpiel's Lines of Action.
    pub by_board: bool,
}

/// The result of a game: the outcome and the rule that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Finish {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The rule that ended the game.
    pub reason: Reason,
}
