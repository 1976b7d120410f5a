//! The player of Breakthrough.

mod first;
mod race;
mod terms;
mod weights;

use breakthrough::{Bitboard, Move, Position};
use game::{Position as _, Side, Symmetries};
use search::{AlphaBeta, Engine, Known, Policy, Settings, Techniques, Tuning};

use crate::evaluation::Weights;
use crate::{Attention, Book, Breakdown, Build, LazyBook, Playable, Profile, Resources, Rung};
use terms::{NAMES, TERMS, phase, terms};
use weights::{EIGHT, SIX};

/// Evaluation by weighted terms, tuned on games of the player against itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct BreakthroughPolicy;

/// Levels 1 to 9. Tuned by matches between neighbours (`docs/engine.md`).
const LADDER: [Rung; 9] = [
    Rung::new(400, 285),
    Rung::new(710, 222),
    Rung::new(950, 194),
    Rung::new(1_300, 170),
    Rung::new(1_800, 150),
    Rung::new(2_500, 130),
    Rung::new(4_800, 97),
    Rung::new(11_000, 61),
    Rung::new(40_000, 24),
];

/// The weights for a board of this size.
const fn weights(size: usize) -> &'static Weights<TERMS> {
    if size <= 6 { &SIX } else { &EIGHT }
}

/// The gentle levels. Tuned by matches between neighbours (`docs/engine.md`).
const GENTLE: [Attention; 3] =
    [Attention::new(60, 35, 0, 40), Attention::new(68, 50, 25, 30), Attention::new(75, 60, 40, 30)];

/// Of every level, the weakest first (`docs/engine.md`).
const ELO: [u32; 13] = [400, 547, 658, 840, 1135, 1387, 1592, 1838, 2073, 2361, 2602, 2890, 3205];

/// Made by `tune book` (`docs/engine.md`).
static BOOK: LazyBook = LazyBook::new(|| Book::built_in::<Position>(include_str!("../../data/breakthrough8.book")));

impl Playable for Position {
    type Policy = BreakthroughPolicy;

    const SYMMETRIES: Symmetries = Symmetries::Mirror;

    fn policy(_: &Resources) -> BreakthroughPolicy {
        BreakthroughPolicy
    }

    fn profile(&self) -> Profile {
        let tuning = Tuning { futility: 60, hopeless: 60, late: 6, ..Tuning::default() };
        let full = Settings { tuning, default_nodes: 400_000, win_horizon: 7, loss_horizon: 6, ..Settings::default() };
        Profile { full, ladder: LADDER, gentle: GENTLE, elo: ELO }
    }

    /// Pieces, and how far they have come.
    fn liking(&self, side: Side) -> i32 {
        first::worth(self, side) - first::worth(self, !side)
    }

    fn squares_of(m: Move) -> [(u8, u8); 2] {
        [m.from(), m.to()].map(|square| (square.file(), square.rank()))
    }

    fn breakdown(&self, _: &BreakthroughPolicy) -> Breakdown {
        weights(self.size()).breakdown(&NAMES, &terms(self).0, phase(self))
    }

    fn book(&self) -> Option<&'static LazyBook> {
        (self.size() == 8).then_some(&BOOK)
    }

    fn earlier(build: Build, settings: Settings) -> Option<Box<dyn Engine<Self>>> {
        let settings = Settings { techniques: Techniques::NONE, ..settings };
        (build == Build::First).then(|| Box::new(AlphaBeta::new(first::BreakthroughPolicy, settings)) as _)
    }
}

impl Policy<Position> for BreakthroughPolicy {
    type Accumulator = ();

    /// Capture or not, from, to.
    const SLOTS: usize = 2 * 64 * 64;

    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        weights(p.size()).sum(&terms(p).0, phase(p))
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        usize::from(m.is_capture()) << 12 | m.from().index() << 6 | m.to().index()
    }

    /// Captures first, those nearest to our home before others; then the pieces that are furthest forward.
    #[inline]
    fn promise(&self, p: &Position, m: Move) -> i32 {
        let to_go = race::ranks_to_go(p, p.side_to_move(), m.to()) as i32;
        if m.is_capture() { 60 + to_go } else { 20 - to_go }
    }

    /// Captures, and moves that threaten to reach the far rank.
    #[inline]
    fn is_noisy(&self, p: &Position, m: Move) -> bool {
        m.is_capture() || race::ranks_to_go(p, p.side_to_move(), m.to()) <= 1
    }

    /// Passing is worse than the best move as long as there are many pieces; later a side may be in zugzwang.
    fn passed(&self, p: &Position) -> Option<Position> {
        let fewest = p.sides().map(Bitboard::count).into_iter().min();
        (fewest > Some(4)).then(|| p.passed())
    }

    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        race::may_win_within(p, plies)
    }

    #[inline]
    fn known(&self, p: &Position) -> Option<Known> {
        race::known(p)
    }

    /// If a piece of the attacker is at most three ranks from the far rank.
    fn may_be_proven(&self, p: &Position, attacker: Side) -> bool {
        race::ranks_left(p, attacker).is_some_and(|ranks| ranks <= 3)
    }

    /// The proof number is the number of ranks that are missing, times the number of moves if the defender is to move.
    /// The disproof number is the number of moves if the attacker is to move.
    fn difficulty(&self, p: &Position, attacker: Side) -> (u32, u32) {
        let moves = p.count_moves() as u32;
        let ranks = race::ranks_left(p, attacker).unwrap_or(0).max(1);
        if p.side_to_move() == attacker { (ranks, moves) } else { (moves * ranks, 1) }
    }
}

#[cfg(test)]
mod tests;
