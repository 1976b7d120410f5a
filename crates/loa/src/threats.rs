//! Cheap tests that rule out short wins. They follow from the rules alone, so every player may use them.

use core::ops::ControlFlow;

use game::Position as _;

use crate::connect::groups_and_joints;
use crate::{Bitboard, Move, Position, lines};

/// Whether the side to move may be able to force a win within this many plies.
///
/// One move wins by connecting the pieces, which takes a move to a joint ([`groups_and_joints`]), or by leaving the
/// opponent stuck. A move changes at most two of the lines that run in one direction, so an opponent that can move
/// along three of them is not left stuck. Two plies win, too, if each reply connects the pieces, which takes a capture;
/// an opponent with quiet moves along three such lines has another reply.
#[inline]
pub(crate) fn may_win_within(p: &Position, plies: u32) -> bool {
    let side = p.side_to_move();
    let may_connect = || !groups_and_joints(p.pieces(side)).1.is_empty();
    match plies {
        0 => false,
        1 => may_connect() || !lines::has_moves(p, !side, 3, 0),
        2 => may_connect() || !lines::has_moves(p, !side, 3, 3),
        _ => true,
    }
}

/// Visits the moves that may begin a forced win within `plies` plies, at least two, but do not win at once.
///
/// A quiet reply does not connect the attacker's pieces, and leaves them where they are. If the opponent has such a
/// reply, two plies do not win, and the attacker's second move has to end on a joint or to leave the opponent stuck.
/// Count the lines of one direction. The first move changes at most two, a quiet reply along one of them only that one,
/// the second move at most two. So the opponent is not left stuck if after the first move it can move along four of
/// them, one with a quiet move; or before it along six, three with quiet moves.
#[inline]
pub(crate) fn visit_attempts(p: &Position, plies: u32, mut visit: impl FnMut(Move)) {
    let side = p.side_to_move();
    let own = p.pieces(side);
    let has_time = plies <= 3 && lines::has_moves(p, !side, 6, 3);
    let lacks_time = |m: Move, lines: u8| !has_time && !lines::has_moves(&p.child(m), !side, lines, 1);
    let may_connect = |m: Move| {
        let moved = own ^ Bitboard::of(m.from) ^ Bitboard::of(m.to);
        !groups_and_joints(moved).1.is_empty()
    };
    let may_win = |m: Move| match plies {
        2 => lacks_time(m, 1),
        3 => may_connect(m) || lacks_time(m, 4),
        _ => true,
    };
    let _ = p.visit_moves(|m| {
        if may_win(m) {
            visit(m);
        }
        ControlFlow::<()>::Continue(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Outcome, Side, SplitMix64};

    use crate::is_connected;

    /// Undecided positions with a move, Black to move. Small boards with few pieces are among them, where connecting
    /// moves and stuck sides are common.
    fn positions() -> impl Iterator<Item = Position> {
        let mut rng = SplitMix64::new(11);
        let positions = (0..20_000).map(move |round| {
            let mut p = Position::empty(4 + round % 5).expect("a size").with_turn(Side::First);
            let (black, white) = (1 + rng.below(8), 1 + rng.below(8));
            for square in p.board() {
                let content = match rng.below(24) {
                    n if n < black => Some(Side::First),
                    n if n < black + white => Some(Side::Second),
                    _ => None,
                };
                p = p.with(square, content).expect("on the board");
            }
            p
        });
        positions.filter(|p| Side::BOTH.iter().all(|&side| !p.pieces(side).is_empty()) && p.outcome().is_none())
    }

    /// Whether the side to move forces a win within this many plies, by trying every move.
    fn wins(p: &Position, plies: u32) -> bool {
        let win = Outcome::Win(p.side_to_move());
        p.movable().into_iter().map(|m| p.child(m)).any(|child| match child.outcome() {
            Some(outcome) => outcome == win,
            None => plies > 1 && loses(&child, plies - 1),
        })
    }

    /// Whether the opponent forces a win within this many plies, one of the side to move first.
    fn loses(p: &Position, plies: u32) -> bool {
        let loss = Outcome::Win(!p.side_to_move());
        p.movable().into_iter().map(|m| p.child(m)).all(|child| match child.outcome() {
            Some(outcome) => outcome == loss,
            None => plies > 1 && wins(&child, plies - 1),
        })
    }

    #[test]
    fn a_connecting_move_ends_on_a_joint() {
        let mut connecting = 0;
        for p in positions() {
            let (_, joints) = groups_and_joints(p.pieces(Side::First));
            let _ = p.visit_moves(|m| {
                let connects = is_connected(p.child(m).pieces(Side::First));
                connecting += u32::from(connects);
                assert!(joints.has(m.to) || !connects, "{m} in {p}");
                ControlFlow::<()>::Continue(())
            });
        }
        assert!(connecting > 500, "{connecting} connecting moves");
    }

    #[test]
    fn no_win_is_denied() {
        for plies in [1, 2] {
            let mut seen = [0; 2];
            for p in positions() {
                let (win, may_win) = (wins(&p, plies), may_win_within(&p, plies));
                assert!(may_win || !win, "a win within {plies} in {p}");
                seen[0] += u32::from(win);
                seen[1] += u32::from(!may_win);
            }
            assert!(seen.iter().all(|&count| count > 1_000), "{plies} plies: {seen:?}");
        }
    }

    #[test]
    fn no_attempt_is_left_out() {
        for plies in [2, 3] {
            let mut seen = [0; 2];
            for p in positions() {
                let mut attempts = Vec::new();
                visit_attempts(&p, plies, |m| attempts.push(m));
                for m in p.movable() {
                    let child = p.child(m);
                    let win = child.outcome().is_none() && loses(&child, plies - 1);
                    assert!(attempts.contains(&m) || !win, "{m} wins within {plies} in {p}");
                    seen[0] += u32::from(win);
                    seen[1] += u32::from(!attempts.contains(&m));
                }
            }
            assert!(seen.iter().all(|&count| count > 0), "{plies} plies: {seen:?}");
        }
    }

    /// The bounds are of use only if they deny what most positions of real games do not hold.
    #[test]
    fn nothing_is_won_at_the_start() {
        let start = Position::start(8).expect("a size");
        assert!(!may_win_within(&start, 1) && !may_win_within(&start, 2));
        visit_attempts(&start, 3, |m| panic!("{m} does not win"));
    }
}
