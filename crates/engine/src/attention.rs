/// The attention of a beginner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Probability that the beginner notices one of its own quiet moves near the last moves, in percent.
    pub moves: u64,
    /// Probability that the beginner notices one of its own captures near the last moves, in percent. It overlooks
    /// winning moves half as often.
    pub captures: u64,
    /// Probability that the beginner notices one of the opponent's threats near the last moves, in percent.
    pub threats: u64,
    /// Maximum random change to a move's value, in hundredths of a piece.
    pub whim: u64,
}

impl Attention {
    /// Creates an [`Attention`] with these probabilities and this maximum random change.
    pub const fn new(moves: u64, captures: u64, threats: u64, whim: u64) -> Self {
        Self { moves, captures, threats, whim }
    }
}
