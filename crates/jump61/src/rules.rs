use core::ops::ControlFlow;

use game::{Diagram, Key, MoveError, Outcome, Side, Stuck};

use crate::diagram::diagram;
use crate::moves::Move;
use crate::position::Position;
use crate::refusal::Refusal;
use crate::squares::Square;

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Impossible; // without a move, the opponent has every square, so the game is decided
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["Red", "Blue"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.open().into_iter().try_for_each(|square| visit(Move(square)))
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        u64::from(self.open().count())
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        self.check(m.0).err()
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.add_spot(m);
    }

    /// Applies rule 3.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let board = self.geometry().board;
        Side::BOTH.into_iter().find(|side| self.sides[side.index()] == board).map(Outcome::Win)
    }

    /// Computes the key from the planes, which is cheaper than updating it square by square in a cascade.
    #[inline]
    fn key(&self) -> Key {
        let mut sum = self.size() as u64;
        for (i, plane) in self.spots.planes().iter().chain(&self.sides).enumerate() {
            let [low, high] = KEYS[i];
            let product = u128::from(*plane as u64 ^ low) * u128::from((*plane >> 64) as u64 ^ high);
            sum = sum.rotate_left(11) ^ product as u64 ^ (product >> 64) as u64;
        }
        Key::mix(sum)
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        m.0.index() as u16 + 1
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        let index = u8::try_from(code.checked_sub(1)?).ok().filter(|&index| index < 120)?;
        self.check(Square::at(index)).ok()
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        diagram(self, last)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        const FORM: &str = "row and column joined by `:`, as in `2:3`";
        let numbers = text.split_once(':').and_then(|(r, c)| Some((number(r)?, number(c)?)));
        let (row, column) = numbers.ok_or_else(|| MoveError::unreadable(text, FORM))?;
        let checked = self.square(row, column).map_err(Refusal::from).and_then(|square| self.check(square));
        checked.map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}

/// Parses a number of at most two digits. A longer number is not a row of a board.
fn number(text: &str) -> Option<usize> {
    let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

static KEYS: [[u64; 2]; 6] = {
    let mut keys = [[0; 2]; 6];
    let mut i = 0;
    while i < 12 {
        keys[i / 2][i % 2] = Key::mix(0x7061 + i as u64).0;
        i += 1;
    }
    keys
};
