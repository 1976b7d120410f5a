use core::fmt::{Debug, Display};
use core::ops::ControlFlow;
use core::str::FromStr;

use thiserror::Error;

use crate::diagram::Diagram;
use crate::error::{MoveError, PositionError};
use crate::key::Key;
use crate::message::Explain;
use crate::outcome::{MatchDraws, Outcome, Stuck};
use crate::rng::SplitMix64;
use crate::side::Side;
use crate::spelling::spellings;

/// One state of a game. `Display` writes the position text, and `FromStr` parses it.
///
/// Positions are small. A search copies them instead of undoing moves. Turns alternate: one [`Move`](Self::Move) is one
/// whole turn. [`conformance::check`](crate::conformance::check) tests this contract.
///
/// A move is *legal* if the movement rules allow it to the side to move. This is independent of whether the position is
/// decided, because play may continue from a decided position that was set up. Only [`legal_moves`](Self::legal_moves)
/// is empty in a decided position.
///
/// | to play a move | checked | unchecked |
/// | --- | --- | --- |
/// | on this position | [`try_play`](Self::try_play) | [`play`](Self::play) |
/// | on a copy | `clone` and `try_play` | [`child`](Self::child) |
/// | in a game | [`Record::try_play`](crate::record::Record::try_play) | [`Record::play`](crate::record::Record::play) |
pub trait Position: Clone + Eq + Debug + Display + FromStr<Err = PositionError> + Send + Sync + 'static {
    /// One whole turn. `Display` is the move's notation.
    type Move: Copy + Eq + Debug + Display + Send + Sync + 'static;
    /// The rule that an illegal move breaks, with the facts on the board. `Display` writes a text for players that
    /// follows the words `illegal move a1-b1:`. [`NoSuchMove`](crate::error::NoSuchMove) names no rule.
    type Refusal: core::error::Error + Explain + Clone + Eq + Send + Sync + 'static;

    /// The result for a side without a legal move.
    const STUCK: Stuck;
    /// `true` if a move can win the game for the opponent, for example by connecting the opponent's pieces.
    const MAY_LOSE_BY_MOVING: bool;
    /// The draw rules of a match for games without progress. Most games end by themselves or rely on the move limit.
    const MATCH_DRAWS: Option<MatchDraws> = None;
    /// The names of the sides as used in a sentence: `["Black", "White"]`.
    const SIDE_NAMES: [&'static str; 2];

    /// Returns the side to move.
    fn side_to_move(&self) -> Side;

    /// Visits every move that the movement rules allow, each once and in a fixed order, until `visit` breaks. It also
    /// visits the moves of decided positions; callers check [`decided`](Self::decided) first. A search never treats its
    /// root as decided, because play continues from a position that was set up.
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Returns the movement rule that the move breaks; `None` if the move is legal for the side to move.
    fn refusal(&self, m: Self::Move) -> Option<Self::Refusal>;

    /// Plays a move that must be legal, such as one from [`legal_moves`](Self::legal_moves) or
    /// [`parse_move`](Self::parse_move) of this position. The move is not checked, because a search plays millions of
    /// moves a second. For other moves use [`try_play`](Self::try_play).
    ///
    /// # Panics
    /// If the move is illegal and debug assertions are on. Without debug assertions the call may panic or produce a
    /// meaningless position.
    fn play(&mut self, m: Self::Move);

    /// Returns the outcome if the board alone decides the game, without generating moves. By default returns `None`:
    /// such a game ends only when a side has no move.
    fn decided(&self) -> Option<Outcome> {
        None
    }

    /// Returns a hash of everything that `Eq` compares.
    fn key(&self) -> Key;

    /// Packs a move into 16 bits, for tables. The result is never zero, so zero can mean "no move".
    fn pack(m: Self::Move) -> u16;

    /// Returns the legal move with this code; `None` if this position has no such move.
    fn unpack(&self, code: u16) -> Option<Self::Move> {
        self.movable().into_iter().find(|&m| Self::pack(m) == code)
    }

    /// Parses a move and checks it against the rules. By default it compares the text with the legal moves. Games that
    /// override it can name the rule that an illegal move breaks.
    ///
    /// # Errors
    /// If the text is not a move, or the move is illegal here; the error contains the rule that it breaks.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError<Self::Refusal>> {
        let found = self.movable().into_iter().find(|m| m.to_string() == text);
        found.ok_or_else(|| MoveError::unreadable(text, "one of the legal moves"))
    }

    /// Parses a move in the spelling of users and other programs, and checks it against the rules. Capital letters, the
    /// separator of the places, and marks after the move may differ from the notation: `C1xA3`, `c1:a3`, `c1a3+`. A
    /// text in the notation has the same meaning as for [`parse_move`](Self::parse_move).
    ///
    /// # Errors
    /// Those of [`parse_move`](Self::parse_move).
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError<Self::Refusal>> {
        let unreadable = match self.parse_move(text) {
            Err(error @ MoveError::Unreadable { .. }) => error,
            read => return read,
        };
        let readings = spellings(text).into_iter().map(|spelling| self.parse_move(&spelling));
        readings.into_iter().find(|read| !matches!(read, Err(MoveError::Unreadable { .. }))).unwrap_or(Err(unreadable))
    }

    /// Returns the board as shown to players, with the last move marked if there is one.
    fn diagram(&self, last: Option<Self::Move>) -> Diagram;

    /// Returns `true` if both boards have the same pieces on the same squares, regardless of the side to move. Used
    /// only for [`MatchDraws`].
    fn same_board(&self, other: &Self) -> bool {
        self.diagram(None).cells == other.diagram(None).cells
    }

    /// Returns `true` if this legal move is irreversible, such as a capture: no earlier position can occur again after
    /// it. Used only for [`MatchDraws`].
    fn is_irreversible(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Returns `true` if the move is legal for the side to move.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.refusal(m).is_none()
    }

    /// Checks a move and plays it.
    ///
    /// # Errors
    /// If the move is illegal. The error returns the move with the rule that it breaks, and the position is unchanged.
    fn try_play(&mut self, m: Self::Move) -> Result<(), IllegalMove<Self>> {
        match self.refusal(m) {
            Some(refusal) => Err(IllegalMove { m, refusal }),
            None => {
                self.play(m);
                Ok(())
            }
        }
    }

    /// Returns the position after a move that must be legal, as for [`play`](Self::play).
    #[inline]
    #[must_use]
    fn child(&self, m: Self::Move) -> Self {
        let mut child = self.clone();
        child.play(m);
        child
    }

    /// Returns every move that the movement rules allow, in the fixed order, even if the position is decided.
    fn movable(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        let _ = self.visit_moves(|m| {
            moves.push(m);
            ControlFlow::<()>::Continue(())
        });
        moves
    }

    /// Returns the moves of the side to move, in the fixed order. The list is empty if the game is decided.
    fn legal_moves(&self) -> Vec<Self::Move> {
        if self.decided().is_some() { Vec::new() } else { self.movable() }
    }

    /// Returns a random move of those that the movement rules allow, each with the same probability; `None` if there
    /// are none. It is meant for random games. Games override it if they can choose a move without listing all moves,
    /// so for the same `rng` the result may differ from [`SplitMix64::choose`] on [`movable`](Self::movable).
    fn random_move(&self, rng: &mut SplitMix64) -> Option<Self::Move> {
        rng.choose(&self.movable()).copied()
    }

    /// Returns `true` if the movement rules allow no move of the side to move.
    #[inline]
    fn is_stuck(&self) -> bool {
        self.visit_moves(|_| ControlFlow::Break(())).is_continue()
    }

    /// Returns the number of moves that [`visit_moves`](Self::visit_moves) visits. Games override it where counting is
    /// cheaper.
    #[inline]
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_moves(|_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// Returns the number of sequences of two moves: the sum of the move counts of all child positions. A decided child
    /// counts as having no moves. [`perft`](fn@crate::perft) calls this two plies before its end. Games override it if
    /// they can count a child's moves from the parent's.
    fn count_replies(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_moves(|m| {
            let child = self.child(m);
            count += if child.decided().is_some() { 0 } else { child.count_moves() };
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// Returns the outcome if the game is over: the board is decided, or the side to move is stuck.
    fn outcome(&self) -> Option<Outcome> {
        self.decided().or_else(|| self.is_stuck().then(|| Self::STUCK.outcome(self.side_to_move())))
    }

    /// Returns the name of a side as used in a sentence.
    fn side_name(side: Side) -> &'static str {
        Self::SIDE_NAMES[side.index()]
    }
}

/// The error of [`Position::try_play`]: an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("illegal move {m}: {refusal}")]
pub struct IllegalMove<P: Position> {
    /// The move.
    pub m: P::Move,
    /// The rule that the move breaks.
    #[source]
    pub refusal: P::Refusal,
}
