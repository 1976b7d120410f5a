use core::error::Error;
use core::fmt::{Debug, Display};
use core::ops::ControlFlow;
use core::str::FromStr;

use crate::spelling::spellings;
use crate::{Diagram, IllegalMove, Key, MatchDraws, MoveError, Outcome, PositionError, Side, SplitMix64, Stuck};

/// One state of a game. `Display` writes the position text, and `FromStr` reads it back.
///
/// Positions are small. A search copies them instead of undoing moves. Turns alternate: one [`Move`](Self::Move) is one
/// whole turn. [`conformance::check`](crate::conformance::check) tests what is promised here.
///
/// A move is *legal* if the movement rules allow it to the side to move. This does not depend on whether the position
/// is decided, because a set-up position may be played on. Only [`legal_moves`](Self::legal_moves) is empty in a
/// decided position.
///
/// | to play a move | checked | unchecked |
/// | --- | --- | --- |
/// | on this position | [`try_play`](Self::try_play) | [`play`](Self::play) |
/// | on a copy | `clone` and `try_play` | [`child`](Self::child) |
/// | in a game | [`Record::try_play`](crate::Record::try_play) | [`Record::play`](crate::Record::play) |
pub trait Position: Clone + Eq + Debug + Display + FromStr<Err = PositionError> + Send + Sync + 'static {
    /// One whole turn. `Display` is the move's notation.
    type Move: Copy + Eq + Debug + Display + Send + Sync + 'static;
    /// The rule that refuses a move, with the facts on the board. `Display` is for players and follows the words
    /// `illegal move a1-b1:`.
    type Refusal: Error + Clone + Eq + Send + Sync + 'static;

    /// What happens to a side without a legal move.
    const STUCK: Stuck;
    /// Whether a move can win the game for the opponent, for example by connecting the opponent's pieces.
    const MAY_LOSE_BY_MOVING: bool;
    /// When a match draws a game without progress. Most games end by themselves or rely on the move limit.
    const MATCH_DRAWS: Option<MatchDraws> = None;
    /// The sides' names as they are written in a sentence: `["Black", "White"]`.
    const SIDE_NAMES: [&'static str; 2];

    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Visits every move that the movement rules allow, each once and in a fixed order, until `visit` breaks. It does
    /// so in decided positions, too: callers ask [`decided`](Self::decided) first. A search never treats its root as
    /// decided, because a set-up position is played on.
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Why the movement rules refuse this move to the side to move; `None` if the move is legal.
    fn refusal(&self, m: Self::Move) -> Option<Self::Refusal>;

    /// Plays a move that is known to be legal, such as one from [`legal_moves`](Self::legal_moves) or
    /// [`parse_move`](Self::parse_move) of this position. The move is not checked, because a search plays millions of
    /// moves a second. For a move from elsewhere use [`try_play`](Self::try_play).
    ///
    /// # Panics
    /// If the move is not legal and debug assertions are on. Without them the call may panic or leave a meaningless
    /// position.
    fn play(&mut self, m: Self::Move);

    /// The outcome that the board alone decides, without looking at moves.
    fn decided(&self) -> Option<Outcome>;

    /// A hash of everything that `Eq` compares.
    fn key(&self) -> Key;

    /// The move as 16 bits, for tables. Never zero, so that zero can mean "no move".
    fn pack(m: Self::Move) -> u16;

    /// The legal move with this code; `None` if this position has no such move.
    fn unpack(&self, code: u16) -> Option<Self::Move>;

    /// Reads a move and checks it against the rules.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal here; the error says which rule refuses it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError<Self::Refusal>>;

    /// Reads a move as people and other programs write it, and checks it against the rules. Capitals, the sign between
    /// the places, and marks behind the move may differ from the notation: `C1xA3`, `c1:a3`, `c1a3+`. A text in the
    /// notation means what it means to [`parse_move`](Self::parse_move).
    ///
    /// # Errors
    /// As for [`parse_move`](Self::parse_move).
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError<Self::Refusal>> {
        let unreadable = match self.parse_move(text) {
            Err(error @ MoveError::Unreadable { .. }) => error,
            read => return read,
        };
        let readings = spellings(text).into_iter().map(|spelling| self.parse_move(&spelling));
        readings.into_iter().find(|read| !matches!(read, Err(MoveError::Unreadable { .. }))).unwrap_or(Err(unreadable))
    }

    /// The board as it is shown to players, with the last move marked if there is one.
    fn diagram(&self, last: Option<Self::Move>) -> Diagram;

    /// Whether the same pieces stand on the same squares, whoever is to move. Used for [`MatchDraws`] only.
    fn same_board(&self, other: &Self) -> bool {
        self.diagram(None).cells == other.diagram(None).cells
    }

    /// Whether this legal move is irreversible, such as a capture: no position before it can occur again. Used for
    /// [`MatchDraws`] only.
    fn is_irreversible(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Whether the side to move may play this move.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.refusal(m).is_none()
    }

    /// Checks a move and plays it.
    ///
    /// # Errors
    /// If the move is not legal. The error gives the move back with the rule that refuses it, and the position is
    /// unchanged.
    fn try_play(&mut self, m: Self::Move) -> Result<(), IllegalMove<Self>> {
        match self.refusal(m) {
            Some(refusal) => Err(IllegalMove { m, refusal }),
            None => {
                self.play(m);
                Ok(())
            }
        }
    }

    /// The position after a move that is known to be legal, as for [`play`](Self::play).
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

    /// The moves of the side to move, in the fixed order. Empty if the game is decided.
    fn legal_moves(&self) -> Vec<Self::Move> {
        if self.decided().is_some() { Vec::new() } else { self.movable() }
    }

    /// A random move of those that the movement rules allow, each with the same probability; `None` if there are none.
    /// For random games. Games override it where this is cheaper than a list of all moves, so the numbers of `rng` give
    /// other moves than [`SplitMix64::choose`] from [`movable`](Self::movable).
    fn random_move(&self, rng: &mut SplitMix64) -> Option<Self::Move> {
        rng.choose(&self.movable()).copied()
    }

    /// Whether the movement rules allow the side to move no move at all.
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

    /// The number of sequences of two moves: the moves of every child position, added up. A decided child counts as
    /// having no moves. [`perft`](fn@crate::perft) calls this two plies before its end. Games override it if they can
    /// count a child's moves from its parent's.
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
