//! Times of arrival: a cheap estimate of how soon each side reaches its far rank, for the learned evaluation.
//!
//! A side's time of arrival is the number of its moves until one of its pieces reaches the far rank while the opponent
//! passes. A step to a square that the opponent attacks takes longer: one move more if the square is guarded as often
//! as it is attacked, two moves more otherwise. Attacks and guards are those of the current position.

use board::Bitboard;
use game::Position as _;

use crate::position::Position;

use super::patterns::seen_by;

/// Number of times: 0 to 10 moves, and one for anything later.
const TIMES: usize = 12;
/// Number of phases of the game.
const PHASES: usize = 4;
/// Number of pieces at the start of the first phase's range.
const FEWEST: usize = 8;
/// Number of pieces in the range of a phase.
const PHASE: usize = 6;
/// Number of entries of the table: by phase, by the times of the side to move and of its opponent, and by whether each
/// arrives on several squares at once.
pub(super) const ENTRIES: usize = PHASES * TIMES * TIMES * 4;

const FAR_RANK: u64 = 0xff << 56;
const NOT_A: u64 = !Bitboard::FILE_A.0;
const NOT_H: u64 = !Bitboard::FILE_H.0;

/// A side's time of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arrival {
    /// Time in moves, less than [`TIMES`].
    time: usize,
    /// `true` if the side reaches several squares of the far rank at this time.
    several: bool,
}

/// Returns the entry of a position.
#[inline]
pub(super) fn entry(p: &Position) -> usize {
    let (us, pieces) = (p.side_to_move(), p.sides());
    let own = arrival(seen_by(us, pieces), true);
    let enemy = arrival(seen_by(!us, pieces), false);
    let phase = ((p.occupied().count() as usize).saturating_sub(FEWEST) / PHASE).min(PHASES - 1);
    ((phase * TIMES + own.time) * TIMES + enemy.time) * 4 + usize::from(own.several) + 2 * usize::from(enemy.several)
}

/// Returns the time of arrival of a side that moves up the board. The sets are its pieces and its opponent's. If it is
/// not to move, its attacked pieces start later, by the same rule as for steps.
#[inline]
fn arrival([own, enemy]: [Bitboard; 2], is_to_move: bool) -> Arrival {
    let (own, enemy) = (own.0, enemy.0);
    let (left, right) = ((enemy & NOT_A) >> 9, (enemy & NOT_H) >> 7);
    let (attacked, attacked_twice) = (left | right, left & right);
    let (left, right) = ahead(own);
    let (guarded, guarded_twice) = (left | right, left & right);
    let hanging = attacked & !guarded | attacked_twice & !guarded_twice;
    let held = attacked & !hanging;
    // Squares reached now, one move later and two moves later.
    let mut fronts = if is_to_move { [own, 0, 0] } else { [own & !attacked, own & held, own & hanging] };
    let mut reached = own;
    for time in 0..TIMES - 1 {
        let arrived = fronts[0] & FAR_RANK;
        if arrived != 0 {
            return Arrival { time, several: arrived.count_ones() > 1 };
        }
        let (left, right) = ahead(fronts[0]);
        let next = (left | right | fronts[0] << 8 & !enemy) & !reached;
        let free = next & (!attacked | FAR_RANK);
        fronts = [fronts[1] | free, fronts[2] | next & held & !free, next & hanging & !free];
        reached |= next;
    }
    Arrival { time: TIMES - 1, several: false }
}

/// Returns the squares diagonally ahead of these squares, to the left and to the right.
#[inline]
const fn ahead(squares: u64) -> (u64, u64) {
    ((squares & NOT_A) << 7, (squares & NOT_H) << 9)
}

#[cfg(test)]
mod tests {
    use board::Square;
    use game::{Side, SplitMix64};

    use super::*;

    /// Computes a side's time of arrival square by square, from the definition.
    fn slowly(p: &Position, side: Side) -> Arrival {
        let at = |file: i32, rank: i32| {
            let rank = if side == Side::First { rank } else { 7 - rank };
            p.at(Square::new(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)?)
        };
        let count = |whose: Side, file: i32, rank: i32| {
            [file - 1, file + 1].into_iter().filter(|&file| at(file, rank) == Some(whose)).count()
        };
        let delay = |file: i32, rank: i32| match (count(!side, file, rank + 1), count(side, file, rank - 1)) {
            _ if rank == 7 => 0,
            (0, _) => 0,
            (attacks, guards) if guards >= attacks => 1,
            _ => 2,
        };
        let mut times = [[usize::MAX; 8]; 8]; // by rank
        // A step leads to the next rank, so that all times of a rank are known before those of the next one.
        for rank in 0..8_i32 {
            for file in 0..8_i32 {
                let time = if at(file, rank) == Some(side) {
                    if p.side_to_move() == side { 0 } else { delay(file, rank) }
                } else {
                    let from = |file: i32| {
                        let below = times.get(usize::try_from(rank - 1).ok()?)?;
                        below.get(usize::try_from(file).ok()?).copied()
                    };
                    let straight = from(file).filter(|_| at(file, rank).is_none());
                    match [from(file - 1), straight, from(file + 1)].into_iter().flatten().min() {
                        Some(time) if time < usize::MAX => time + 1 + delay(file, rank),
                        _ => continue,
                    }
                };
                times[rank as usize][file as usize] = time;
            }
        }
        let time = times[7].into_iter().min().unwrap_or(usize::MAX);
        let several = times[7].iter().filter(|&&other| other == time).count() > 1;
        if time < TIMES - 1 { Arrival { time, several } } else { Arrival { time: TIMES - 1, several: false } }
    }

    #[test]
    fn times_follow_the_definition() {
        let mut rng = SplitMix64::new(11);
        let mut seen = [false; TIMES];
        for _ in 0..200 {
            let mut p = Position::start(8).expect("a size");
            while let Some(m) = p.random_move(&mut rng).filter(|_| p.decided().is_none()) {
                p.play(m);
                let us = p.side_to_move();
                let [own, enemy] = [slowly(&p, us), slowly(&p, !us)];
                assert_eq!(arrival(seen_by(us, p.sides()), true), own, "{p}");
                assert_eq!(arrival(seen_by(!us, p.sides()), false), enemy, "{p}");
                seen[own.time] = true;
                assert!(entry(&p) < ENTRIES);
            }
        }
        assert!(seen[1..].iter().filter(|&&is_seen| is_seen).count() >= 8, "{seen:?}");
    }
}
