//! Observations: planes of the current board, of earlier boards, and of the side to move.

use std::collections::VecDeque;

use game::Side;

use crate::encode::Encoded;

/// The selection of planes in an observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// Board size, in squares per side.
    pub(crate) size: usize,
    /// `true` if the planes of the side to move come first, and the board of directed games is seen from its side.
    pub(crate) of_mover: bool,
    /// Number of earlier boards.
    pub(crate) history: usize,
    /// `true` if the last plane shows the side to move: 0 for the first, 1 for the second.
    pub(crate) turn: bool,
}

impl Planes {
    /// Returns the number of planes.
    pub(crate) fn count<P: Encoded>(&self) -> usize {
        P::PLANES.len() * (self.history + 1) + usize::from(self.turn)
    }

    /// Returns a description of each plane.
    pub(crate) fn names<P: Encoded>(&self) -> Vec<String> {
        let [first, second] = P::SIDE_NAMES.map(|name| format!("{name}'s"));
        let mut names = Vec::new();
        for ply in 0..=self.history {
            for name in P::PLANES {
                let mut name = (*name).to_owned();
                if self.of_mover {
                    name = name.replace(&first, "the mover's").replace(&second, "the opponent's");
                }
                names.push(match ply {
                    0 => name,
                    1 => format!("{name}, 1 ply earlier"),
                    _ => format!("{name}, {ply} plies earlier"),
                });
            }
        }
        if self.turn {
            names.push(format!("1 if {} is to move, otherwise 0", P::SIDE_NAMES[1]));
        }
        names
    }

    /// Writes all planes of a position. `recent` holds the earlier positions, the latest first; boards before the start
    /// have planes of zeros.
    #[inline]
    pub(crate) fn write<P: Encoded>(&self, p: &P, recent: &VecDeque<P>, planes: &mut [f32]) {
        let area = self.size * self.size;
        let is_seen_by_second = self.of_mover && p.side_to_move() == Side::Second;
        let mut rest = planes;
        for ply in 0..=self.history {
            let (board, others) = rest.split_at_mut(P::PLANES.len() * area);
            rest = others;
            match if ply == 0 { Some(p) } else { recent.get(ply - 1) } {
                Some(position) => P::observe(position, board),
                None => board.fill(0.0),
            }
            if is_seen_by_second {
                exchange_sides::<P>(board, area);
            }
        }
        rest.fill(p.side_to_move().index() as f32);
    }
}

/// Exchanges the planes of the two sides, and turns the board of a directed game by 180 degrees.
fn exchange_sides<P: Encoded>(board: &mut [f32], area: usize) {
    for &(first, second) in P::PAIRS {
        let (head, tail) = board.split_at_mut(second * area);
        head[first * area..(first + 1) * area].swap_with_slice(&mut tail[..area]);
    }
    if P::IS_DIRECTED {
        board.chunks_exact_mut(area).for_each(<[f32]>::reverse);
    }
}
