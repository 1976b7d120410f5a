//! The terms of the evaluation of Breakthrough.

use crate::position::Position;
use board::Bitboard;
use engine::terms;
use game::{Position as _, Side};

use super::race::upwards;

terms! {
    /// The terms, in the order of the weights. Pieces under attack have different values for the side to move and for
    /// its opponent, so each side has its own terms for them.
    enum Term {
        SideToMove = "side to move",
        Pieces = "pieces",
        Advancement = "ranks that pieces have advanced",
        OneRank = "pieces one rank from the far rank",
        TwoRanks = "pieces two ranks from the far rank",
        ThreeRanks = "pieces three ranks from the far rank",
        FourRanks = "pieces four ranks from the far rank",
        Outposts = "guarded pieces up to three ranks from the far rank",
        HomeRank = "pieces on the home rank",
        HomeGuard = "squares of the second rank guarded",
        ThirdGuard = "squares of the third rank guarded",
        Edges = "pieces on the edge files",
        Guarded = "pieces guarded by another one",
        TwiceGuarded = "pieces guarded by two others",
        Phalanx = "pieces side by side",
        Columns = "pieces one behind the other",
        OpenFiles = "files without a piece",
        Passed = "pieces without an opponent's piece ahead on their and the neighbouring files",
        Moves = "moves",
        SafeSquares = "squares ahead where no piece is lost",
        OurLoose = "us: attacked pieces that are not guarded",
        OurContested = "us: attacked pieces that are guarded",
        TheirLoose = "them: attacked pieces that are not guarded",
        TheirContested = "them: attacked pieces that are guarded",
        Lead = "more pieces while few are left",
    }
}

/// Returns the terms of a position from the point of view of the side to move.
#[inline]
pub(super) fn terms(p: &Position) -> Terms {
    let us = p.side_to_move();
    let ours = View::new(p, us).terms();
    let theirs = View::new(p, !us).terms();
    let mut terms = Terms::ZERO;
    for i in 0..TERMS {
        terms.0[i] = ours.0[i] - theirs.0[i];
    }
    terms[Term::SideToMove] = 1;
    terms[Term::OurLoose] = ours[Term::OurLoose];
    terms[Term::OurContested] = ours[Term::OurContested];
    terms[Term::TheirLoose] = theirs[Term::OurLoose];
    terms[Term::TheirContested] = theirs[Term::OurContested];
    terms[Term::Lead] = 16 * terms[Term::Pieces] / pieces(p).max(1);
    terms
}

/// Returns the phase of the game: 16 with all pieces, 0 with half of them. Few games are still undecided with half of
/// the pieces.
#[inline]
pub(super) fn phase(p: &Position) -> i32 {
    let all = 4 * p.size() as i32;
    (32 * pieces(p) / all - 16).clamp(0, 16)
}

/// Returns the number of pieces of both sides.
#[inline]
fn pieces(p: &Position) -> i32 {
    p.occupied().count() as i32
}

const FILE_A: u64 = Bitboard::FILE_A.0;
const NOT_FILE_A: u64 = !FILE_A;
const NOT_FILE_H: u64 = !Bitboard::FILE_H.0;

/// The board from the point of view of one side, which moves up.
struct View {
    /// Number of ranks, which is also the number of files.
    size: u32,
    board: u64,
    own: u64,
    enemy: u64,
}

impl View {
    #[inline]
    fn new(p: &Position, side: Side) -> Self {
        let [own, enemy] = [side, !side].map(|of| upwards(p, side, p.pieces(of)).0);
        Self { size: p.size() as u32, board: p.board().0, own, enemy }
    }

    /// Returns the terms of the view's side. Its attacked pieces are in the entries `Our…`, even if that side is not to
    /// move. The other entries are zero: `SideToMove`, `Their…` and `Lead`.
    #[inline]
    fn terms(&self) -> Terms {
        let &Self { size, board, own, enemy } = self;
        let count = |squares: u64| squares.count_ones() as i32;
        // `rank` counts from the home rank, `to_go` from the far rank.
        let rank = |rank: u32| 0xff_u64 << (8 * rank);
        let to_go = |ranks: u32| if ranks < size { rank(size - 1 - ranks) } else { 0 };
        let [left, right] = [(own & NOT_FILE_A) << 7 & board, (own & NOT_FILE_H) << 9 & board];
        let guarded = left | right;
        let attacked = (enemy & NOT_FILE_A) >> 9 | (enemy & NOT_FILE_H) >> 7;
        let file = spread_down(own | spread_up(own));
        let ahead_of_enemy = spread_down(enemy) >> 8;
        let stoppable = ahead_of_enemy | (ahead_of_enemy & NOT_FILE_A) >> 1 | (ahead_of_enemy & NOT_FILE_H) << 1;
        let straight = own << 8 & board & !own & !enemy;
        let targets = [left & !own, straight, right & !own];
        let all_targets = targets[0] | targets[1] | targets[2];
        let mut terms = Terms::ZERO;
        terms[Term::Pieces] = count(own);
        terms[Term::Advancement] = (1..size).map(|r| r as i32 * count(own & rank(r))).sum();
        terms[Term::OneRank] = count(own & to_go(1));
        terms[Term::TwoRanks] = count(own & to_go(2));
        terms[Term::ThreeRanks] = count(own & to_go(3));
        terms[Term::FourRanks] = count(own & to_go(4));
        terms[Term::Outposts] = count(own & guarded & (to_go(1) | to_go(2) | to_go(3)));
        terms[Term::HomeRank] = count(own & rank(0));
        terms[Term::HomeGuard] = count(guarded & rank(1));
        terms[Term::ThirdGuard] = count(guarded & rank(2));
        terms[Term::Edges] = count(own & (FILE_A | FILE_A << (size - 1)));
        terms[Term::Guarded] = count(own & guarded);
        terms[Term::TwiceGuarded] = count(own & left & right);
        terms[Term::Phalanx] = count(own & (own & NOT_FILE_A) >> 1);
        terms[Term::Columns] = count(own & own << 8);
        terms[Term::OpenFiles] = count(rank(0) & board & !file);
        terms[Term::Passed] = count(own & !stoppable);
        terms[Term::Moves] = targets.into_iter().map(count).sum();
        terms[Term::SafeSquares] = count(all_targets & !attacked);
        terms[Term::OurLoose] = count(own & attacked & !guarded);
        terms[Term::OurContested] = count(own & attacked & guarded);
        terms
    }
}

/// Returns a set with all squares below each of its squares.
#[inline]
const fn spread_down(mut squares: u64) -> u64 {
    squares |= squares >> 8;
    squares |= squares >> 16;
    squares | squares >> 32
}

/// Returns a set with all squares above each of its squares.
#[inline]
const fn spread_up(mut squares: u64) -> u64 {
    squares |= squares << 8;
    squares |= squares << 16;
    squares | squares << 32
}
