//! Computes a slice by retrograde analysis from the slices that its moves lead to.
//!
//! A slice and its counterpart, in which the other side is to move, are computed together: a quiet move leads from one
//! to the other, and every other move leads to fewer pieces or fewer men. Positions are settled in the order of their
//! distance from the end (K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986). A settled
//! loss makes each of its predecessors a win. A settled win reduces the number of moves that may save a predecessor; a
//! position that has no such move left is lost.

use core::ops::ControlFlow;

use game::Position as _;

use crate::cell::Cell;

use search::Known;

use super::slice::{Board, Material};
use super::values::{DRAW, Slice};

/// Mark of positions with a move that leaves the pair and does not lose.
const HOPE: u8 = u8::MAX;

/// A slice under computation.
struct Work {
    material: Material,
    values: Vec<u8>,
    /// Number of moves within the pair that are not known to lose yet; [`HOPE`] if a move that leaves the pair does not
    /// lose.
    left: Vec<u8>,
    /// Longest loss among the moves that leave the pair, in plies plus one; 0 if there is none.
    longest: Vec<u8>,
}

/// A pair of slices under computation. It has only one slice if a material is its own counterpart.
struct Pair<'a, K> {
    work: Vec<Work>,
    known: &'a K,
    /// Positions to settle, by distance: the index of the slice and the index in the slice.
    waiting: Vec<Vec<(u8, u32)>>,
}

/// Computes the values of a material and of its counterpart (once, if they are the same). `known` returns the values of
/// boards of other materials.
pub(super) fn solve<K: Fn(Board) -> Known>(material: Material, known: &K) -> Vec<Slice> {
    let mut materials = vec![material, material.turned()];
    materials.dedup();
    let work = materials.into_iter().map(|material| {
        let len = material.len();
        Work { material, values: vec![DRAW; len], left: vec![HOPE; len], longest: vec![0; len] }
    });
    let mut pair = Pair { work: work.collect(), known, waiting: Vec::new() };
    for slice in 0..pair.work.len() {
        pair.begin(slice);
    }
    let mut plies = 0;
    while plies < pair.waiting.len() {
        for (slice, index) in core::mem::take(&mut pair.waiting[plies]) {
            pair.settle(usize::from(slice), index as usize, plies as u32);
        }
        plies += 1;
    }
    pair.work.into_iter().map(|Work { material, values, .. }| Slice { material, values }).collect()
}

impl<K: Fn(Board) -> Known> Pair<'_, K> {
    /// Returns the index of the slice with the other side to move.
    fn other(&self, slice: usize) -> usize {
        self.work.len() - 1 - slice
    }

    /// Schedules a position to be settled, unless it is settled already.
    fn wait(&mut self, slice: usize, index: usize, plies: u32) {
        if self.work[slice].values[index] != DRAW {
            return;
        }
        let plies = plies as usize;
        if self.waiting.len() <= plies {
            self.waiting.resize(plies + 1, Vec::new());
        }
        self.waiting[plies].push((slice as u8, index as u32));
    }

    /// Examines the moves of every position of a slice.
    fn begin(&mut self, slice: usize) {
        let material = self.work[slice].material;
        for index in 0..material.len() {
            if let Some(board) = Board::at(material, index) {
                self.begin_with(slice, index, board);
            }
        }
    }

    fn begin_with(&mut self, slice: usize, index: usize, board: Board) {
        let within = self.work[slice].material.turned();
        let p = board.position();
        let (mut inside, mut hopes, mut longest, mut shortest_win) = (0_u8, false, None, None);
        let _ = p.visit_moves(|m| {
            let child = Board::of(&p.child(m));
            if child.material() == within {
                inside += 1;
            } else {
                match (self.known)(child) {
                    Known::Loss(plies) => shortest_win = Some(shortest_win.map_or(plies, |n: u32| n.min(plies))),
                    Known::Win(plies) => longest = longest.max(Some(plies)),
                    Known::Draw => hopes = true,
                }
            }
            ControlFlow::<()>::Continue(())
        });
        if let Some(plies) = shortest_win {
            self.wait(slice, index, plies + 1);
        } else if !hopes {
            let work = &mut self.work[slice];
            work.longest[index] = longest.map_or(0, |plies| plies as u8 + 1);
            work.left[index] = inside;
            if inside == 0 {
                let plies = u32::from(work.longest[index]);
                self.wait(slice, index, plies);
            }
        }
    }

    /// Settles a position, unless it is settled already, and updates its predecessors.
    fn settle(&mut self, slice: usize, index: usize, plies: u32) {
        let work = &mut self.work[slice];
        if work.values[index] != DRAW {
            return;
        }
        work.values[index] = u8::try_from(plies + 1).expect("invariant: no endgame is longer than 254 plies");
        let board = Board::at(work.material, index).expect("invariant: only boards wait");
        let before = self.other(slice);
        for earlier in before_quiet_moves(board) {
            let index = earlier.index();
            if plies.is_multiple_of(2) {
                self.wait(before, index, plies + 1);
                continue;
            }
            let work = &mut self.work[before];
            if work.left[index] != HOPE {
                work.left[index] -= 1;
                if work.left[index] == 0 {
                    let plies = (plies + 1).max(u32::from(work.longest[index]));
                    self.wait(before, index, plies);
                }
            }
        }
    }
}

/// Returns the boards that lead to this one by a quiet move without promotion, from the point of view of the side that
/// makes the move.
fn before_quiet_moves(board: Board) -> impl Iterator<Item = Board> {
    let [own_men, own_towers, enemy_men, enemy_towers] = board.0;
    let empty = !(own_men | own_towers | enemy_men | enemy_towers);
    let back = move |cells: u32, towers: bool| {
        bits(cells).flat_map(move |to| {
            // The enemy's men came from above.
            let from = if towers { ABOVE[to] | BELOW[to] } else { ABOVE[to] };
            bits(from & empty).map(move |from| 1_u32 << from | 1 << to)
        })
    };
    let men = back(enemy_men, false).map(move |change| [own_men, own_towers, enemy_men ^ change, enemy_towers]);
    let towers = back(enemy_towers, true).map(move |change| [own_men, own_towers, enemy_men, enemy_towers ^ change]);
    men.chain(towers).map(|cells| Board(cells).turned())
}

fn bits(mut cells: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells.wrapping_sub(1);
        (cell < 32).then_some(cell)
    })
}

/// Neighbours of each dark cell: `ABOVE` has those in the row above the cell, `BELOW` those in the row below.
static ABOVE: [u32; 32] = neighbours(-1);
static BELOW: [u32; 32] = neighbours(1);

const fn neighbours(rows: i8) -> [u32; 32] {
    let mut sets = [0; 32];
    let mut code = 0;
    while code < 128 {
        let (row, column, sideways) = (code / 16, code / 2 % 8, if code % 2 == 0 { -1 } else { 1 });
        let to = (row as i8 + rows, column as i8 + sideways);
        if let Some(from) = Cell::new(row, column)
            && let Some(from) = from.dark()
            && to.0 >= 0
            && to.1 >= 0
            && let Some(to) = Cell::new(to.0 as u8, to.1 as u8)
            && let Some(to) = to.dark()
        {
            sets[from] |= 1 << to;
        }
        code += 1;
    }
    sets
}
