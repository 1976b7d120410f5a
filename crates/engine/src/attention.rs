/// The attention of a beginner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Share of the beginner's own quiet moves near the last moves that it notices, in percent.
    pub moves: u64,
    /// Share of the beginner's own captures near the last moves that it notices, in percent. It overlooks half as many
    /// wins.
    pub captures: u64,
    /// Share of the opponent's threats near the last moves that the beginner notices, in percent.
    pub threats: u64,
    /// Maximum random change of a move's value, in hundredths of a piece.
    pub whim: u64,
}

impl Attention {
    /// Creates an attention with these shares and this whim.
    pub const fn new(moves: u64, captures: u64, threats: u64, whim: u64) -> Self {
        Self { moves, captures, threats, whim }
    }
}
