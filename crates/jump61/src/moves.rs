use core::fmt;

use crate::position::Position;
use crate::spots::Spots;
use crate::squares::{Square, Squares};

/// A move that adds a spot to a square, written `r:c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub Square);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Position {
    /// Returns the squares to which the side to move may add a spot.
    #[inline]
    pub(crate) fn open(&self) -> Squares {
        self.board() & !self.pieces(!self.side)
    }

    /// Adds a spot for the side to move, topples the overfull squares (rule 2) and passes the turn.
    #[inline]
    pub(crate) fn add_spot(&mut self, m: Move) {
        // Assign the fields one by one: copying the whole position would make this a third slower.
        let side = self.side;
        let bit = Squares::of(m.0).0;
        let mut spots = self.spots;
        spots.add_one(bit);
        let own = self.cascade(&mut spots, self.sides[side.index()] | bit, &mut |_, _| ());
        self.spots = spots;
        self.sides[side.index()] = own;
        self.sides[(!side).index()] &= !own;
        self.side = !side;
    }

    /// Returns the squares that the side to move would have if it could add a spot to each of these squares at the same
    /// time. This is an upper bound for the result of adding a spot to any one of them.
    #[inline]
    pub fn claimed_by_adding(&self, added: Squares) -> Squares {
        let mut spots = self.spots;
        spots.add_one(added.0);
        Squares(self.cascade(&mut spots, self.sides[self.side.index()] | added.0, &mut |_, _| ()))
    }

    /// Returns the intermediate positions of a legal move, for display: with the spot added, and after each wave of the
    /// cascade. The last one is the position after the move.
    pub fn waves(&self, m: Move) -> Vec<Self> {
        let bit = Squares::of(m.0).0;
        let (mut spots, own) = (self.spots, self.sides[self.side.index()] | bit);
        spots.add_one(bit);
        let wave = |spots: Spots, own| {
            let mut wave = *self;
            wave.spots = spots;
            wave.sides[self.side.index()] = own;
            wave.sides[(!self.side).index()] &= !own;
            wave
        };
        let mut waves = vec![wave(spots, own)];
        self.cascade(&mut spots, own, &mut |spots, own| waves.push(wave(*spots, own)));
        if let Some(last) = waves.last_mut() {
            last.side = !self.side;
        }
        waves
    }

    /// Topples the overfull squares of the side to move in waves (rule 2), and returns the squares of this side
    /// afterwards. The loop checks for a full board before each wave, because a full board could topple forever. Calls
    /// `see` after each wave.
    #[inline]
    fn cascade(&self, spots: &mut Spots, mut own: u128, see: &mut impl FnMut(&Spots, u128)) -> u128 {
        let geometry = self.geometry();
        while own != geometry.board {
            let squares = spots.overfull(geometry) & own;
            if squares == 0 {
                break;
            }
            own |= spots.topple(squares, geometry);
            see(spots, own);
        }
        own
    }
}
