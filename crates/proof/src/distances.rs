//! Maximum length of White's defence against a book.

use std::collections::HashMap;

use game::{Position as _, Side};
use loa::{Move, Position};

use crate::book::Book;
use crate::code::Code;
use crate::plan::wins_at_once;

/// The distances to Black's win, as upper bounds in plies, for every position of a book: Black's positions and the
/// positions after Black's moves.
///
/// ```
/// let distances = proof::Distances::of(&proof::shipped());
/// let start = loa::Position::start(6)?;
/// let (m, plies) = distances.get(&start).expect("Black wins");
/// assert_eq!((m.map(|m| m.to_string()).as_deref(), plies), (Some("b1-b3"), 47));
/// # Ok::<(), loa::SizeError>(())
/// ```
pub struct Distances {
    size: usize,
    /// Entries by code: the index of Black's move among all moves of the standard position (`None` if White is to
    /// move), and the number of plies.
    known: HashMap<Code, (Option<u16>, u16)>,
}

impl Distances {
    /// Computes the distances by following a book to its ends, where Black wins within the book's depth. This takes
    /// about a second.
    pub fn of(book: &Book<'_>) -> Self {
        let mut lengths = Lengths {
            size: book.size(),
            depth: book.depth() as u16,
            steps: book.steps().collect(),
            known: HashMap::with_capacity(2 * book.len()),
        };
        let codes: Vec<Code> = lengths.steps.keys().copied().collect();
        for code in codes {
            lengths.black(code);
        }
        Self { size: lengths.size, known: lengths.known }
    }

    /// Returns Black's move, if Black is to move, and the number of plies within which Black wins. Returns `None` for
    /// positions outside the book.
    pub fn get(&self, p: &Position) -> Option<(Option<Move>, u32)> {
        if p.size() != self.size {
            return None;
        }
        if p.side_to_move() == Side::First
            && let Some(m) = wins_at_once(p)
        {
            return Some((Some(m), 1));
        }
        let (number, plies) = *self.known.get(&Code::of(p))?;
        let Some(number) = number else { return Some((None, u32::from(plies))) };
        let standing = Code::standing(p);
        let m = *standing.movable().get(usize::from(number))?;
        Some((Some(Code::of(&standing.child(m)).move_to(p)?), u32::from(plies)))
    }
}

struct Lengths {
    size: usize,
    depth: u16,
    steps: HashMap<Code, usize>,
    known: HashMap<Code, (Option<u16>, u16)>,
}

impl Lengths {
    /// Returns the number of plies within which Black, to move, wins. The recursion is shallow: no line of the book is
    /// longer than a few dozen plies.
    fn black(&mut self, code: Code) -> u16 {
        if let Some(&(_, plies)) = self.known.get(&code) {
            return plies;
        }
        let Some(&number) = self.steps.get(&code) else { return self.depth };
        let standing = code.known(self.size);
        let after = standing.child(standing.movable()[number]);
        let replies = after.movable().into_iter().map(|m| after.child(m));
        let open: Vec<Code> = replies.filter(|p| p.outcome().is_none()).map(|p| Code::of(&p)).collect();
        // If every reply ends the game, the last ply is White's.
        let white = match open.into_iter().map(|code| self.black(code)).max() {
            Some(plies) => plies + 1,
            None => u16::from(!after.is_stuck()),
        };
        self.known.insert(Code::of(&after), (None, white));
        self.known.insert(code, (Some(number as u16), white + 1));
        white + 1
    }
}

#[cfg(test)]
mod tests {
    use game::SplitMix64;

    use super::*;
    use crate::book::shipped;

    #[test]
    fn distances_fall_along_every_line_of_the_book() {
        let distances = Distances::of(&shipped());
        for seed in 0..200 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(6).expect("a size");
            let mut last = u32::MAX;
            while let Some((m, plies)) = distances.get(&p) {
                assert!(plies < last, "{plies} plies after {last} in {p}");
                last = plies;
                let m = m.unwrap_or_else(|| *rng.choose(&p.legal_moves()).expect("a move"));
                p.play(m);
                if p.outcome().is_some() {
                    break;
                }
            }
            // A weak reply leads out of the book, to a win that a short search finds.
            assert!(p.outcome().is_some() || p.side_to_move() == Side::First, "seed {seed} ends at {p}");
        }
        assert_eq!(distances.get(&Position::start(5).expect("a size")), None);
    }
}
