use core::ops::ControlFlow;

use game::{Diagram, Key, MoveError, Outcome, Side, SplitMix64, Stuck};

use crate::moves::{self, Move};
use crate::position::Position;
use crate::refusal::Refusal;
use crate::text;

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Impossible; // rule 6
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["White", "Black"];

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
        moves::count(self)
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        match self.check(m.from(), m.to()) {
            Ok(legal) if legal == m => None,
            Ok(legal) if legal.is_capture() => Some(Refusal::UnmarkedCapture(m.to())),
            Ok(_) => Some(Refusal::NothingToCapture(m.to())),
            Err(refusal) => Some(refusal),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.0.displace(m.from(), m.to());
    }

    /// Applies rules 4 and 5.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let just_moved = !self.side_to_move();
        [just_moved, !just_moved].into_iter().find(|&side| self.has_won(side)).map(Outcome::Win)
    }

    /// Returns `true`: pieces never move backward.
    fn is_irreversible(&self, _: Move) -> bool {
        true
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
        let (from, to) = Move::squares_of_code(code)?;
        self.check(from, to).ok()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        text::parse_move(self, text)
    }

    fn diagram(&self, last: Option<Move>) -> Diagram {
        self.0.diagram(last.map(|m| (m.from(), m.to())))
    }
}
