//! Action ids and planes of Jump61.

use game::Side;
use jump61::{Move, Position, Square};

use super::{Encoded, Standard};
use crate::encode::symmetry::Symmetry;

/// An id is N · row + column, both from 0, of the square that receives a spot.
impl Encoded for Position {
    const PLANES: &'static [&'static str] = &["Red's squares", "Blue's squares", "neutral squares", "spots"];
    const PAIRS: &'static [(usize, usize)] = &[(0, 1)];
    type Compact = Standard;

    fn action_count(size: usize) -> usize {
        size * size
    }

    #[inline]
    fn action(p: &Position, m: Move) -> usize {
        p.size() * m.0.row() + m.0.column()
    }

    #[inline]
    fn find(p: &Position, action: usize) -> Option<Move> {
        p.check(Square::new(action / p.size(), action % p.size())?).ok()
    }

    fn source(action: usize, _: usize, symmetry: Symmetry) -> usize {
        symmetry.square(action)
    }

    fn observe(p: &Position, planes: &mut [f32]) {
        let size = p.size();
        planes.fill(0.0);
        for (number, square) in p.board().into_iter().enumerate() {
            let plane = match p.at(square).map(|pile| pile.side) {
                Some(Side::First) => 0,
                Some(Side::Second) => 1,
                None => 2,
            };
            planes[size * size * plane + number] = 1.0;
            planes[size * size * 3 + number] = f32::from(p.spots(square));
        }
    }

    /// Returns the key of the whole position, because the spots determine the side to move.
    fn board_key(p: &Position) -> u64 {
        game::Position::key(p).0
    }
}
