use crate::Side;

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The side that has won; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win(side) => Some(side),
            Self::Draw => None,
        }
    }
}

/// What happens by the rules of a game if the side to move has no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// The side to move has lost.
    Loses,
    /// The game is drawn.
    Draws,
    /// It cannot happen in an undecided position.
    Impossible,
}

impl Stuck {
    /// The outcome if the side to move is stuck.
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

/// Which rule ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The board decided it: for example, all pieces of a side are connected, or all squares have one colour.
    Board,
    /// The move limit was reached without a winner.
    MoveLimit,
    /// The side to move has no legal move.
    Stuck,
    /// The draw rules of a match: the same position has occurred too often.
    Repetition,
    /// The draw rules of a match: nothing irreversible has happened for too long.
    QuietPlies,
}

/// When a match draws a game without progress, although the game's own rules let it go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchDraws {
    /// When the same position has occurred this many times.
    pub repetitions: u32,
    /// After this many reversible plies in a row.
    pub quiet_plies: u32,
    /// Whether boards are compared, whoever is to move, and whether a draw comes before a win: the game is drawn at the
    /// move limit even if its last move wins. These are the rules of OpenSpiel's Lines of Action.
    pub by_board: bool,
}

/// How a game finished: the outcome and the rule that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Finish {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The rule.
    pub reason: Reason,
}
