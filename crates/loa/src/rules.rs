use core::ops::ControlFlow;

use board::Square;
use game::{Diagram, Key, MoveError, Outcome, Side, SplitMix64, Stuck};

use crate::connect::is_connected;
use crate::explain::{self, Refusal};
use crate::moves::{self, Move};
use crate::position::Position;
use crate::{lines, replies};

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Loses; // rule 5
    const MAY_LOSE_BY_MOVING: bool = true; // rule 4
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    #[inline]
    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit(self, visit)
    }

    #[inline]
    fn random_move(&self, rng: &mut SplitMix64) -> Option<Move> {
        moves::random(self, rng)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        lines::count(self)
    }

    #[inline]
    fn count_replies(&self) -> u64 {
        replies::count(self)
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        explain::refusal(self, m)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.0.displace(m.from, m.to);
    }

    /// Applies rules 3 and 4.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let just_moved = !self.side_to_move();
        [just_moved, !just_moved].into_iter().find(|&side| is_connected(self.pieces(side))).map(Outcome::Win)
    }

    #[inline]
    fn key(&self) -> Key {
        self.0.key()
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        m.code()
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        Move::from_code(code).filter(|&m| self.is_legal(m))
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        self.0.diagram(last.map(|m| (m.from, m.to)))
    }

    fn same_board(&self, other: &Self) -> bool {
        Side::BOTH.into_iter().all(|side| self.pieces(side) == other.pieces(side))
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        let squares = text.split_once('-').and_then(|(from, to)| Some((Square::parse(from)?, Square::parse(to)?)));
        let Some((from, to)) = squares else {
            return Err(MoveError::unreadable(text, "two squares joined by `-`, as in `b1-d3`"));
        };
        self.check(from, to).map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}
