//! Endgame tables of the checkers variant: the value of every position with a few pieces, by retrograde analysis.
//!
//! The game itself has no draws; a position that neither side can win counts as a draw here. The draws of matches
//! (third repetition, 80 quiet plies) are not considered.
//!
//! ```
//! use checkers::player::endgame::{Making, Tables};
//! use search::{Known, Sequential};
//!
//! let mut making = Making::new(Tables::none(2)?);
//! while !making.step(1, &Sequential).is_empty() {}
//! let tables = making.finish();
//! // A tower in the corner cannot move if another tower stands in front of it.
//! let p = ".W....../..B...../......../......../......../......../......../........ w".parse().expect("a position");
//! assert_eq!(tables.get(&p), Some(Known::Win(1)));
//! # Ok::<(), checkers::player::endgame::PiecesError>(())
//! ```

mod file;
mod retrograde;
mod slice;
mod values;

use std::collections::VecDeque;

use game::Side;
use search::{Known, Threads, side_by_side};
use thiserror::Error;

use crate::position::Position;

pub use file::TablesError;
use slice::{Board, MOST_PIECES, Material};
pub use values::Slice;
use values::value;

/// The error for a number of pieces that tables do not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("number of pieces {0}: expected 2 to 5")]
pub struct PiecesError(pub usize);

/// The values of all positions with up to a given number of pieces, one byte each: 187 MB for five pieces, 7.5 MB for
/// four.
pub struct Tables {
    pieces: usize,
    /// Slices by [`Material::code`]; empty if not computed yet.
    slices: Vec<Vec<u8>>,
}

impl Tables {
    /// Creates tables without any values.
    ///
    /// # Errors
    /// If the number of pieces is not 2 to 5.
    pub fn none(pieces: usize) -> Result<Self, PiecesError> {
        if !(2..=MOST_PIECES).contains(&pieces) {
            return Err(PiecesError(pieces));
        }
        Ok(Self { pieces, slices: vec![Vec::new(); Material::CODES] })
    }

    /// Returns the maximum number of pieces of both sides together.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Returns the value of a position; `None` if it has more pieces than the tables, or if its slice has not been
    /// computed yet.
    #[inline]
    pub fn get(&self, p: &Position) -> Option<Known> {
        let pieces = (p.pieces(Side::First) | p.pieces(Side::Second)).count() as usize;
        if pieces <= self.pieces { self.value(Board::of(p)) } else { None }
    }

    fn value(&self, board: Board) -> Option<Known> {
        let material = board.material();
        match material.0 {
            [0, 0, ..] => Some(Known::Loss(0)),
            // The side that moved last still has a piece.
            _ => self.slices[material.code()].get(board.index()).map(|&byte| value(byte)),
        }
    }

    fn put(&mut self, slice: &Slice) {
        self.slices[slice.material.code()].clone_from(&slice.values);
    }

    fn has(&self, material: Material) -> bool {
        !self.slices[material.code()].is_empty()
    }

    fn is_complete(&self) -> bool {
        Material::all(self.pieces).into_iter().all(|material| self.has(material))
    }
}

/// A step-by-step computation of tables, so that a caller can store finished slices and continue later.
pub struct Making {
    tables: Tables,
    /// Remaining materials in the order of computation. Of two materials that differ only in the side to move, only one
    /// is listed.
    todo: VecDeque<Material>,
    done: u64,
}

impl Making {
    /// Continues the computation of these tables.
    pub fn new(tables: Tables) -> Self {
        let mut all = Material::all(tables.pieces);
        all.retain(|material| *material <= material.turned());
        // Captures lead to fewer pieces, new towers to fewer men.
        all.sort_by_key(|material| (material.pieces(), material.men()));
        let (there, todo): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|&material| tables.has(material) && tables.has(material.turned()));
        Self { tables, todo: todo.into(), done: there.into_iter().map(positions).sum() }
    }

    /// Returns the number of positions that have values, and the number of all positions.
    pub fn progress(&self) -> (u64, u64) {
        (self.done, self.done + self.todo.iter().copied().map(positions).sum::<u64>())
    }

    /// Computes and returns the next slices: at most `pairs` pairs of slices, in parallel. Returns no slices if all
    /// exist.
    ///
    /// # Panics
    /// If `threads` does not run all jobs.
    pub fn step(&mut self, pairs: usize, threads: &dyn Threads) -> Vec<Slice> {
        let Some(&first) = self.todo.front() else { return Vec::new() };
        let rank = |material: Material| (material.pieces(), material.men());
        let count = self.todo.iter().take(pairs.max(1)).take_while(|&&next| rank(next) == rank(first)).count();
        let batch: Vec<Material> = self.todo.drain(..count).collect();
        let tables = &self.tables;
        let known = |board| tables.value(board).expect("invariant: slices are made in the order of their moves");
        let made = side_by_side(threads, batch.len(), |i| retrograde::solve(batch[i], &known));
        let made: Vec<Slice> = made.into_iter().flatten().collect();
        for slice in &made {
            self.tables.put(slice);
        }
        self.done += batch.into_iter().map(positions).sum::<u64>();
        made
    }

    /// Returns the tables computed so far.
    pub fn finish(self) -> Tables {
        self.tables
    }
}

/// Returns the number of positions of a material and its counterpart.
fn positions(material: Material) -> u64 {
    material.len() as u64 * if material == material.turned() { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{PliesLeft, Position as _, SplitMix64};
    use search::{ForcedWins, Stop};

    use crate::player::CheckersPolicy;

    fn made(pieces: usize) -> Tables {
        let mut making = Making::new(Tables::none(pieces).expect("a number of pieces"));
        while !making.step(2, &search::SystemThreads).is_empty() {}
        let (done, all) = making.progress();
        assert_eq!(done, all);
        making.finish()
    }

    /// Computes the value of a position from the values of its moves, without retrograde analysis.
    fn by_moves(tables: &Tables, p: &Position) -> Known {
        let (mut win, mut draw, mut loss) = (None, false, 0);
        for m in p.movable() {
            match tables.get(&p.child(m)).expect("no more pieces than before") {
                Known::Loss(plies) => win = Some(win.unwrap_or(u32::MAX).min(plies + 1)),
                Known::Draw => draw = true,
                Known::Win(plies) => loss = loss.max(plies + 1),
            }
        }
        match win {
            Some(plies) => Known::Win(plies),
            None if draw => Known::Draw,
            None => Known::Loss(loss),
        }
    }

    #[test]
    fn every_value_follows_from_those_of_the_moves() {
        let tables = made(4);
        let mut rng = SplitMix64::new(3);
        let (mut seen, mut decided) = (0, 0);
        for material in Material::all(4) {
            let step = if material.pieces() < 4 { 1 } else { 97 };
            for index in (0..material.len()).step_by(step) {
                let Some(board) = Board::at(material, index) else { continue };
                let p = if rng.below(2) == 0 { board.position() } else { turned(board) };
                let value = tables.get(&p).expect("four pieces");
                assert_eq!(value, by_moves(&tables, &p), "{p}");
                seen += 1;
                decided += u32::from(value != Known::Draw);
            }
        }
        assert!(seen > 200_000 && decided > seen / 4 && decided < seen, "{decided} of {seen}");
    }

    /// Returns the same position with White to move.
    fn turned(board: Board) -> Position {
        board.turned().position().with_turn(Side::Second)
    }

    #[test]
    fn short_wins_are_those_of_a_search() {
        let tables = made(3);
        let policy = CheckersPolicy::default();
        let mut forced = ForcedWins::new(&policy, Stop::new(), 1);
        for material in Material::all(3) {
            for index in (0..material.len()).step_by(53) {
                let Some(p) = Board::at(material, index).map(Board::position) else { continue };
                let within = |plies| matches!(tables.get(&p), Some(Known::Win(n)) if n <= plies);
                for plies in [1, 3, 5] {
                    assert_eq!(forced.wins(&p, plies, PliesLeft::UNLIMITED), Ok(within(plies)), "{p} in {plies}");
                }
            }
        }
    }

    #[test]
    fn tables_for_other_numbers_of_pieces_are_refused() {
        assert_eq!(
            Tables::none(6).err().map(|error| error.to_string()).as_deref(),
            Some("number of pieces 6: expected 2 to 5")
        );
        let start = Position::start();
        assert_eq!(made(2).get(&start), None);
    }
}
