use core::ops::ControlFlow;

use board::Square;
use game::{Diagram, Key, MoveError, Outcome, Side, SplitMix64, Stuck};

use crate::connect::is_connected;
use crate::explain::{self, Refusal};
use crate::moves::{self, Move, PASS};
use crate::position::{Position, Rules};
use crate::{lines, replies};

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Loses; // rule 5; under rule 5a no side is stuck
    const MAY_LOSE_BY_MOVING: bool = true; // rule 3
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
        match lines::count(self) {
            0 => u64::from(moves::pass(self).is_some()),
            count => count,
        }
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

    /// Applies rules 3 and 4 or 4a.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let just_moved = !self.side_to_move();
        let winner = [just_moved, !just_moved].into_iter().find(|&side| is_connected(self.pieces(side)))?;
        let draws = self.rules() == Rules::Olympiad && winner == just_moved && is_connected(self.pieces(!winner));
        Some(if draws { Outcome::Draw } else { Outcome::Win(winner) })
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
        self.0.diagram(last.filter(|m| !m.is_pass()).map(|m| (m.from, m.to)))
    }

    fn same_board(&self, other: &Self) -> bool {
        Side::BOTH.into_iter().all(|side| self.pieces(side) == other.pieces(side))
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        if self.rules() == Rules::Olympiad && text.eq_ignore_ascii_case(PASS) {
            let refused = || MoveError::Illegal { text: text.to_owned(), reason: Refusal::Pass };
            return moves::pass(self).ok_or_else(refused);
        }
        let squares = text.split_once('-').and_then(|(from, to)| Some((Square::parse(from)?, Square::parse(to)?)));
        let Some((from, to)) = squares else {
            return Err(MoveError::unreadable(text, "two squares joined by `-`, as in `b1-d3`"));
        };
        self.check(from, to).map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}
