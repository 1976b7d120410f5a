//! What an evaluation of Jump61 looks at.

use game::Position as _;
use jump61::{Move, Position, Squares};

/// How many terms there are.
pub(super) const TERMS: usize = 1 + COMMON + 2 * APART;
/// Terms of which only the difference counts.
const COMMON: usize = 6;
/// Terms that mean one thing for the side to move and another for its opponent: they are about who strikes first.
const APART: usize = 7;
/// What the tuner calls them.
pub(super) const NAMES: [&str; TERMS] = [
    "side to move",
    "squares",
    "corners",
    "edges",
    "critical squares",
    "nearly critical squares",
    "squares out of the enemy's reach",
    "us: critical squares beside enemy critical ones",
    "us: other squares beside enemy critical ones",
    "us: enemy squares beside own critical ones",
    "us: enemy critical squares beside own critical ones",
    "us: enemy squares that chains of critical squares reach",
    "us: those that the largest chain reaches",
    "us: nearly critical squares beside enemy nearly critical ones",
    "them: critical squares beside enemy critical ones",
    "them: other squares beside enemy critical ones",
    "them: enemy squares beside own critical ones",
    "them: enemy critical squares beside own critical ones",
    "them: enemy squares that chains of critical squares reach",
    "them: those that the largest chain reaches",
    "them: nearly critical squares beside enemy nearly critical ones",
];

/// The terms of a position as the side to move sees it.
#[inline]
pub(super) fn terms(p: &Position) -> [i32; TERMS] {
    let us = p.side_to_move();
    let boards =
        Boards { size: p.size(), critical: p.critical(), near: p.near_critical(), kinds: p.corners_and_edges() };
    let (ours, theirs) = (p.squares(us), p.squares(!us));
    let (common, apart) = boards.view(ours, theirs);
    let (their_common, their_apart) = boards.view(theirs, ours);
    let mut terms = [0; TERMS];
    terms[0] = 1;
    for i in 0..COMMON {
        terms[1 + i] = common[i] - their_common[i];
    }
    terms[1 + COMMON..][..APART].copy_from_slice(&apart);
    terms[1 + COMMON + APART..][..APART].copy_from_slice(&their_apart);
    terms
}

/// How much of the game is left: 16 on an empty board, 0 when the squares are about full.
#[inline]
pub(super) fn phase(p: &Position) -> i32 {
    let squares = (p.size() * p.size()) as i32;
    // From one spot a square at the beginning to about three at the end.
    let added = p.total_spots() as i32 - squares;
    (16 - 8 * added / squares).clamp(0, 16)
}

/// Whether a move topples a square next to the enemy, so that the board changes at once.
#[inline]
pub(super) fn is_attack(p: &Position, m: Move) -> bool {
    let square = Squares::of(m.0);
    let enemy = p.squares(!p.side_to_move());
    p.critical().has(m.0) && !(square.with_neighbours(p.size()) & enemy).is_empty()
}

/// What both sides look at.
struct Boards {
    size: usize,
    critical: Squares,
    near: Squares,
    kinds: [Squares; 2],
}

impl Boards {
    fn view(&self, own: Squares, enemy: Squares) -> ([i32; COMMON], [i32; APART]) {
        let count = |squares: Squares| squares.count() as i32;
        let around = |squares: Squares| squares.with_neighbours(self.size);
        let critical = own & self.critical;
        let enemy_critical = enemy & self.critical;
        let exposed = own & around(enemy_critical);
        let struck = enemy & around(critical);
        let near = own & self.near;
        let common = [
            count(own),
            count(own & self.kinds[0]),
            count(own & self.kinds[1]),
            count(critical),
            count(near),
            count(own & !around(enemy)),
        ];
        let (chains, largest) = self.chains(critical, enemy);
        let apart = [
            count(exposed & critical),
            count(exposed & !critical),
            count(struck),
            count(struck & self.critical),
            chains,
            largest,
            count(near & around(enemy & self.near)),
        ];
        (common, apart)
    }

    /// How many enemy squares would be taken if all own critical squares were set off, counting that critical squares of both
    /// colours pass it on; and how many by the best connected set of them.
    fn chains(&self, critical: Squares, enemy: Squares) -> (i32, i32) {
        let around = |squares: Squares| squares.with_neighbours(self.size);
        let mut open = critical & around(enemy);
        let (mut all, mut largest) = (Squares::EMPTY, 0);
        while let Some(square) = open.into_iter().next() {
            let mut chain = Squares::of(square);
            loop {
                let grown = around(chain) & self.critical;
                if grown == chain {
                    break;
                }
                chain = grown;
            }
            open = open & !chain;
            let taken = around(chain) & enemy;
            largest = largest.max(taken.count() as i32);
            all = all | taken;
        }
        (all.count() as i32, largest)
    }
}
