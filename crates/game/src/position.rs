use core::fmt::{Debug, Display};
use core::ops::ControlFlow;
use core::str::FromStr;

use crate::{Diagram, Key, MatchDraws, MoveError, Outcome, PositionError, Side, Stuck};

/// One state of a game. `Display` and `FromStr` are the position text, and one is the inverse of the other.
///
/// Positions are small and copied rather than undone: a search plays on a clone. Turns alternate: one [`Move`](Self::Move)
/// is one whole turn. [`conformance::check`](crate::conformance::check) tests what is promised here.
pub trait Position: Clone + Eq + Debug + Display + FromStr<Err = PositionError> + Send + Sync + 'static {
    /// One whole turn. `Display` is the move's notation.
    type Move: Copy + Eq + Debug + Display + Send + Sync + 'static;
    /// What a move does on the board, piece by piece, for incremental evaluation and for animation.
    type Event: Copy + Debug;

    /// What happens to a side without a legal move.
    const STUCK: Stuck;
    /// Whether a move can win the game for the opponent, as connecting his pieces does.
    const MAY_LOSE_BY_MOVING: bool;
    /// When a match draws a game that gets nowhere; most games end by themselves or leave it to the move limit.
    const MATCH_DRAWS: Option<MatchDraws> = None;
    /// The sides' names as they are written in a sentence: `["Black", "White"]`.
    const SIDE_NAMES: [&'static str; 2];

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Visits every move that the movement rules allow, each once and in a fixed order, until `visit` breaks. Whether the
    /// position is decided plays no part: callers ask [`decided`](Self::decided) first, and a search never treats its root as
    /// decided, because a set-up position is played on.
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Plays a legal move and tells what happened on the board. The only writer of a position.
    ///
    /// # Panics
    /// May panic on a move that [`visit_moves`](Self::visit_moves) does not visit, or leave a senseless position.
    fn play_observed(&mut self, m: Self::Move, see: &mut impl FnMut(Self::Event));

    /// The outcome that stands on the board, found without looking at moves.
    fn decided(&self) -> Option<Outcome>;

    /// Hash of all that `Eq` compares.
    fn key(&self) -> Key;

    /// The move as 16 bits, for tables. Never zero, so that zero can say "no move".
    fn pack(m: Self::Move) -> u16;

    /// The legal move with this code, `None` if there is none here.
    fn unpack(&self, code: u16) -> Option<Self::Move>;

    /// Reads a move and checks it against the rules.
    ///
    /// # Errors
    /// If the text is no move, or the move is not legal here; the error says which rule refuses it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The board as people see it, with the last move marked if there is one.
    fn diagram(&self, last: Option<Self::Move>) -> Diagram;

    /// Whether no position from before this legal move can come again, as after a capture. Asked for [`MatchDraws`] only.
    fn is_irreversible(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Plays a legal move.
    #[inline]
    fn play(&mut self, m: Self::Move) {
        self.play_observed(m, &mut |_| ());
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    fn child(&self, m: Self::Move) -> Self {
        let mut child = self.clone();
        child.play(m);
        child
    }

    /// Every move that the movement rules allow, decided or not, in the fixed order.
    fn movable(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        let _ = self.visit_moves(|m| {
            moves.push(m);
            ControlFlow::<()>::Continue(())
        });
        moves
    }

    /// The moves of the side to move, in the fixed order; none if the game is decided.
    fn legal_moves(&self) -> Vec<Self::Move> {
        if self.decided().is_some() { Vec::new() } else { self.movable() }
    }

    /// Whether the movement rules leave the side to move no move.
    #[inline]
    fn is_stuck(&self) -> bool {
        self.visit_moves(|_| ControlFlow::Break(())).is_continue()
    }

    /// How many moves [`visit_moves`](Self::visit_moves) visits. Games override it where counting is cheaper.
    #[inline]
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_moves(|_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// How many moves there are in all positions after one move, those decided counting none: what
    /// [`perft`](fn@crate::perft) asks for two plies before its end. Games override it where a child's moves can be counted
    /// from its parent's.
    fn count_replies(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_moves(|m| {
            let child = self.child(m);
            count += if child.decided().is_some() { 0 } else { child.count_moves() };
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The outcome, if the game is over: decided on the board, or the side to move is stuck.
    fn outcome(&self) -> Option<Outcome> {
        self.decided().or_else(|| self.is_stuck().then(|| Self::STUCK.outcome(self.side_to_move())))
    }

    /// The name of a side as it is written in a sentence.
    fn side_name(side: Side) -> &'static str {
        Self::SIDE_NAMES[side.index()]
    }
}
