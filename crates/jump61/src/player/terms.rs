//! The terms of the evaluation of Jump61.

use game::Position as _;

use crate::moves::Move;
use crate::position::Position;
use crate::squares::Squares;

use engine::terms;

terms! {
    /// The terms, in the order of the weights. The first ones are differences between the sides. The terms about
    /// critical squares beside enemy squares have different meanings for the side to move and for its opponent, because
    /// the side to move can topple its squares first. Each side therefore has its own terms for them.
    enum Term {
        SideToMove = "side to move",
        Squares = "squares",
        Corners = "corners",
        Edges = "edges",
        Critical = "critical squares",
        NearlyCritical = "nearly critical squares",
        OutOfReach = "squares out of the enemy's reach",
        OurCriticalDuels = "us: critical squares beside enemy critical ones",
        OurExposed = "us: other squares beside enemy critical ones",
        OurStruck = "us: enemy squares beside own critical ones",
        OurStruckCritical = "us: enemy critical squares beside own critical ones",
        OurChains = "us: enemy squares that chains of critical squares reach",
        OurLargestChain = "us: those that the largest chain reaches",
        OurNearDuels = "us: nearly critical squares beside enemy nearly critical ones",
        TheirCriticalDuels = "them: critical squares beside enemy critical ones",
        TheirExposed = "them: other squares beside enemy critical ones",
        TheirStruck = "them: enemy squares beside own critical ones",
        TheirStruckCritical = "them: enemy critical squares beside own critical ones",
        TheirChains = "them: enemy squares that chains of critical squares reach",
        TheirLargestChain = "them: those that the largest chain reaches",
        TheirNearDuels = "them: nearly critical squares beside enemy nearly critical ones",
    }
}

/// Returns the terms of a position from the point of view of the side to move.
#[inline]
pub(super) fn terms(p: &Position) -> Terms {
    let us = p.side_to_move();
    let boards =
        Boards { size: p.size(), critical: p.critical(), near: p.near_critical(), kinds: p.corners_and_edges() };
    let (ours, theirs) = (p.pieces(us), p.pieces(!us));
    let (us, them) = (boards.view(ours, theirs), boards.view(theirs, ours));
    let mut terms = Terms::ZERO;
    terms[Term::SideToMove] = 1;
    terms[Term::Squares] = us.squares - them.squares;
    terms[Term::Corners] = us.corners - them.corners;
    terms[Term::Edges] = us.edges - them.edges;
    terms[Term::Critical] = us.critical - them.critical;
    terms[Term::NearlyCritical] = us.nearly_critical - them.nearly_critical;
    terms[Term::OutOfReach] = us.out_of_reach - them.out_of_reach;
    terms[Term::OurCriticalDuels] = us.critical_duels;
    terms[Term::OurExposed] = us.exposed;
    terms[Term::OurStruck] = us.struck;
    terms[Term::OurStruckCritical] = us.struck_critical;
    terms[Term::OurChains] = us.chains;
    terms[Term::OurLargestChain] = us.largest_chain;
    terms[Term::OurNearDuels] = us.near_duels;
    terms[Term::TheirCriticalDuels] = them.critical_duels;
    terms[Term::TheirExposed] = them.exposed;
    terms[Term::TheirStruck] = them.struck;
    terms[Term::TheirStruckCritical] = them.struck_critical;
    terms[Term::TheirChains] = them.chains;
    terms[Term::TheirLargestChain] = them.largest_chain;
    terms[Term::TheirNearDuels] = them.near_duels;
    terms
}

/// Returns the phase of the game: 16 at the start, falling to 0 at an average of three spots per square.
#[inline]
pub(super) fn phase(p: &Position) -> i32 {
    let squares = (p.size() * p.size()) as i32;
    // Games begin with one spot per square and end with about three.
    let added = p.total_spots() as i32 - squares;
    (16 - 8 * added / squares).clamp(0, 16)
}

/// Returns `true` if a move topples a square next to the enemy, so that the board changes immediately.
#[inline]
pub(super) fn is_attack(p: &Position, m: Move) -> bool {
    let square = Squares::of(m.0);
    let enemy = p.pieces(!p.side_to_move());
    p.critical().has(m.0) && !(square.with_neighbours(p.size()) & enemy).is_empty()
}

/// The sets of squares that both sides' terms need.
struct Boards {
    size: usize,
    critical: Squares,
    near: Squares,
    kinds: [Squares; 2],
}

/// The values of one side; the names of the terms explain them.
struct View {
    squares: i32,
    corners: i32,
    edges: i32,
    critical: i32,
    nearly_critical: i32,
    out_of_reach: i32,
    critical_duels: i32,
    exposed: i32,
    struck: i32,
    struck_critical: i32,
    chains: i32,
    largest_chain: i32,
    near_duels: i32,
}

impl Boards {
    #[inline]
    fn view(&self, own: Squares, enemy: Squares) -> View {
        let count = |squares: Squares| squares.count() as i32;
        let around = |squares: Squares| squares.with_neighbours(self.size);
        let critical = own & self.critical;
        let exposed = own & around(enemy & self.critical);
        let struck = enemy & around(critical);
        let near = own & self.near;
        let (chains, largest_chain) = self.chains(critical, enemy);
        View {
            squares: count(own),
            corners: count(own & self.kinds[0]),
            edges: count(own & self.kinds[1]),
            critical: count(critical),
            nearly_critical: count(near),
            out_of_reach: count(own & !around(enemy)),
            critical_duels: count(exposed & critical),
            exposed: count(exposed & !critical),
            struck: count(struck),
            struck_critical: count(struck & self.critical),
            chains,
            largest_chain,
            near_duels: count(near & around(enemy & self.near)),
        }
    }

    /// Returns the number of enemy squares that all chains together would take, and the maximum that a single chain
    /// would take. A chain is a connected set of critical squares of both colours: if one of its own squares topples,
    /// all of them topple. Only chains with an own square beside an enemy square count.
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
