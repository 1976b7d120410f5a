//! The part of a plan that ships with the program. Positions near the end are left to a short search.

use game::{PliesLeft, Position as _, Side};
use loa::player::LoaPolicy;
use loa::{Move, Position};
use search::{ForcedWins, Stop, Stopped};
use thiserror::Error;

use crate::code::{Code, LARGEST};
use crate::plan::{Plan, wins_at_once};

const MAGIC: &[u8; 8] = b"PLYBOOK1";
/// Table size of the search beyond the end of the book, in MiB. Guessed.
const MATE_TABLE_MIB: usize = 16;

/// A packed book: the moves of the first part of a plan.
///
/// The header consists of eight bytes that identify the format, one for the board size, one for the depth, and four for
/// the number of moves, little-endian. The moves follow, sorted by code. Each has two parts. The first is half the
/// position's code minus half the preceding code, in little-endian groups of seven bits, one group per byte. The second
/// is the index of the move among all moves of the standard position.
pub struct Book<'a> {
    size: usize,
    depth: u32,
    steps: u32,
    bytes: &'a [u8],
}

/// Returns the book that ships with the program: Black's win from the start of 6×6, up to positions where Black wins
/// within nine plies. `docs/solving.md` describes how it was made.
///
/// ```
/// let start = loa::Position::start(6)?;
/// assert_eq!(proof::shipped().reply(&start).map(|m| m.to_string()).as_deref(), Some("b1-b3"));
/// # Ok::<(), loa::SizeError>(())
/// ```
///
/// # Panics
/// Never panics: the tests check that the book is readable.
pub fn shipped() -> Book<'static> {
    Book::new(include_bytes!("../data/loa6.book")).expect("invariant: the tests have read it")
}

/// The error of bytes that are not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a book of winning moves")]
pub struct NoBook;

/// Packs the moves of a plan that Black needs to reach positions where Black wins within `depth` plies.
///
/// # Panics
/// Panics if the plan is for boards of another size.
pub fn pack_book(plan: &Plan, size: usize, depth: u32) -> Vec<u8> {
    let beyond = |rank: u16| 2 * u32::from(rank) + 1 > depth;
    let steps: Vec<_> = plan.sorted().into_iter().filter(|(_, step)| beyond(step.rank)).collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend([size as u8, depth as u8]);
    bytes.extend((steps.len() as u32).to_le_bytes());
    let mut last = 0;
    for (code, step) in steps {
        let half = code.0 >> 1;
        let mut delta = half - last;
        last = half;
        while delta >= 1 << 7 {
            bytes.push(delta as u8 | 1 << 7);
            delta >>= 7;
        }
        bytes.push(delta as u8);
        let number = code.known(size).movable().iter().position(|m| *m == step.m);
        bytes.push(number.expect("a plan for boards of this size") as u8);
    }
    bytes
}

impl<'a> Book<'a> {
    /// Reads a book from its bytes.
    ///
    /// # Errors
    /// Returns [`NoBook`] if the bytes are not a book.
    pub fn new(bytes: &'a [u8]) -> Result<Self, NoBook> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NoBook)?;
        let ([size, depth, a, b, c, d], bytes) = rest.split_first_chunk().ok_or(NoBook)?;
        let size = usize::from(*size);
        if !(4..=LARGEST).contains(&size) {
            return Err(NoBook);
        }
        Ok(Self { size, depth: u32::from(*depth), steps: u32::from_le_bytes([*a, *b, *c, *d]), bytes })
    }

    /// Returns the board size, in squares per side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the depth of the search that is needed where the book ends, in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.steps as usize
    }

    /// Returns `true` if the book is empty.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// Returns Black's move in a position, in any orientation of the board: an immediate win, or the book's move.
    pub fn reply(&self, p: &Position) -> Option<Move> {
        if p.size() != self.size || p.side_to_move() != Side::First {
            return None;
        }
        if let Some(m) = wins_at_once(p) {
            return Some(m);
        }
        let standing = Code::standing(p);
        let m = *standing.movable().get(self.find(Code::of(p))?)?;
        Code::of(&standing.child(m)).move_to(p)
    }

    /// Returns Black's move in a position of the book's game: the book's move or, beyond the end of the book, the first
    /// move of the shortest win within the book's depth. Returns `None` for other positions.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped.
    pub fn winning_move(&self, p: &Position, stop: Stop) -> Result<Option<Move>, Stopped> {
        if p.size() != self.size || p.side_to_move() != Side::First {
            return Ok(None);
        }
        if let Some(m) = self.reply(p) {
            return Ok(Some(m));
        }
        let policy = LoaPolicy::default();
        let mut search = ForcedWins::new(&policy, stop, MATE_TABLE_MIB);
        Ok(search.shortest_win(p, self.depth, PliesLeft::UNLIMITED)?.map(|(m, _)| m))
    }

    /// Returns the index of the move in the position with this code.
    fn find(&self, code: Code) -> Option<usize> {
        let at = self.steps().find(|&(known, _)| known >= code);
        at.filter(|&(known, _)| known == code).map(|(_, number)| number)
    }

    /// Returns the codes of the book's positions in increasing order, each with the index of Black's move among all
    /// moves of the standard position.
    pub fn steps(&self) -> impl Iterator<Item = (Code, usize)> {
        let mut bytes = self.bytes.iter();
        let mut half = 0_u64;
        (0..self.steps).map_while(move |_| {
            for shift in (0..u64::BITS).step_by(7) {
                let byte = *bytes.next()?;
                half = half.checked_add(u64::from(byte & 0x7f) << shift)?;
                if byte >> 7 == 0 {
                    break;
                }
            }
            Some((Code(half << 1), usize::from(*bytes.next()?)))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use game::{Outcome, SplitMix64};

    use super::*;

    /// The length of White's longest defence against the book, counted in Black's moves.
    struct Lengths {
        steps: HashMap<Code, usize>,
        known: HashMap<Code, u32>,
    }

    impl Lengths {
        fn of(&mut self, p: &Position) -> u32 {
            let code = Code::of(p);
            if let Some(&length) = self.known.get(&code) {
                return length;
            }
            let length = match self.steps.get(&code) {
                Some(&number) if wins_at_once(p).is_none() => {
                    let standing = Code::standing(p);
                    let after = standing.child(standing.movable()[number]);
                    let replies = after.movable().into_iter().map(|m| after.child(m));
                    let open: Vec<Position> = replies.filter(|child| child.outcome().is_none()).collect();
                    1 + open.iter().map(|child| self.of(child)).max().unwrap_or(0)
                }
                // All positions beyond the end of the book count the same.
                _ => 1,
            };
            self.known.insert(code, length);
            length
        }
    }

    /// Plays lines from the start in which White mostly chooses the longest defence, and returns the number of plies of
    /// the longest line.
    fn longest_of_lines(lines: u64) -> u32 {
        let book = shipped();
        let mut lengths = Lengths { steps: book.steps().collect(), known: HashMap::new() };
        assert_eq!((book.len(), lengths.steps.len()), (48_141, 48_141), "no code comes twice, nothing is left over");
        let mut longest = 0;
        for seed in 0..lines {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(6).expect("a size");
            let mut plies = 0;
            while p.outcome().is_none() {
                let m = book.winning_move(&p, Stop::new()).expect("never stopped");
                p.play(m.unwrap_or_else(|| panic!("seed {seed}: no move in {p}")));
                plies += 1;
                let mut replies = p.legal_moves();
                // With probability 9/10, White chooses one of the longest defences known to the book.
                if rng.below(10) > 0 && replies.len() > 1 {
                    let length = |m: &Move, lengths: &mut Lengths| {
                        let child = p.child(*m);
                        if child.outcome().is_some() { 0 } else { lengths.of(&child) }
                    };
                    let most = replies.iter().map(|m| length(m, &mut lengths)).max();
                    replies.retain(|m| Some(length(m, &mut lengths)) == most);
                }
                if let Some(&m) = rng.choose(&replies) {
                    p.play(m);
                    plies += 1;
                }
                assert!(plies < 60, "seed {seed}: no progress in {p}");
            }
            assert_eq!(p.outcome(), Some(Outcome::Win(Side::First)), "seed {seed}");
            longest = longest.max(plies);
        }
        longest
    }

    #[test]
    fn the_book_wins_against_the_longest_defences() {
        let longest = longest_of_lines(40);
        assert!((30..=49).contains(&longest), "{longest} plies");
    }

    /// Run with `cargo test --release -p plyhouse-proof ten_thousand -- --ignored --nocapture`.
    #[test]
    #[ignore = "takes minutes; the test above plays some of the same lines"]
    fn the_book_wins_ten_thousand_lines() {
        let longest = longest_of_lines(10_000);
        assert!((40..=49).contains(&longest), "{longest} plies");
    }

    #[test]
    fn a_book_gives_back_what_was_packed() {
        let mut plan = Plan::default();
        let mut p = Position::start(5).expect("a size");
        let mut rng = SplitMix64::new(2);
        for rank in 0..30 {
            if p.side_to_move() == Side::First && wins_at_once(&p).is_none() {
                let standing = Code::standing(&p);
                let moves = standing.movable();
                plan.add(Code::of(&p), crate::PlannedMove { m: *rng.choose(&moves).expect("a move"), rank });
            }
            match rng.choose(&p.legal_moves()) {
                Some(&m) => p.play(m),
                None => p = Position::start(5).expect("a size"),
            }
        }
        let bytes = pack_book(&plan, 5, 9);
        let book = Book::new(&bytes).expect("a book");
        let expected: Vec<(Code, Move)> =
            plan.sorted().iter().filter(|(_, step)| step.rank > 4).map(|(c, s)| (*c, s.m)).collect();
        let found = book.steps().map(|(code, number)| (code, code.known(5).movable()[number]));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert!(expected.len() > 3);
        for &(code, m) in &expected {
            let p = code.known(5);
            assert_eq!(book.reply(&p).map(|reply| Code::of(&p.child(reply))), Some(Code::of(&p.child(m))));
        }
        for cut in 0..bytes.len() {
            // A truncated book is invalid or has fewer moves.
            let steps = Book::new(&bytes[..cut]).map_or(0, |book| book.steps().count());
            assert!(steps < expected.len(), "{cut} of {} bytes", bytes.len());
        }
        assert_eq!(book.reply(&Position::start(6).expect("a size")), None);
    }
}
