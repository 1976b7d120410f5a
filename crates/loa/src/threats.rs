//! Cheap tests that rule out short wins. They follow from the rules alone and are independent of any evaluation.

use core::ops::ControlFlow;

use board::Bitboard;
use game::Position as _;

use crate::connect::groups_and_joints;
use crate::lines;
use crate::moves::Move;
use crate::position::Position;

impl Position {
    /// Returns `true` if the side to move may be able to force a win within this many plies. The test is cheap and
    /// one-sided: `false` is certain, `true` is not. For more than two plies the result is always `true`.
    #[inline]
    pub fn may_win_within(&self, plies: u32) -> bool {
        // A single move can win in two ways. It may connect the pieces; then it ends on a joint (`groups_and_joints`).
        // Or it may leave the opponent stuck: a move changes at most two of the lines in one direction, so an opponent
        // that can move along three of them is not stuck afterwards. Two plies also win if every reply connects the
        // attacker's pieces. Such a reply is a capture, so an opponent with quiet moves along three lines of one
        // direction has another reply.
        let side = self.side_to_move();
        let may_connect = || !groups_and_joints(self.pieces(side)).1.is_empty();
        match plies {
            0 => false,
            1 => may_connect() || !lines::has_moves(self, !side, 3, 0),
            2 => may_connect() || !lines::has_moves(self, !side, 3, 3),
            _ => true,
        }
    }

    /// Visits the moves that may begin a forced win within `plies` plies; `plies` is at least two. Moves that win
    /// immediately may be skipped. For two and three plies, it visits few moves. For more plies, it visits all moves.
    #[inline]
    pub fn visit_attempts(&self, plies: u32, mut visit: impl FnMut(Move)) {
        // A quiet reply does not connect the attacker's pieces and does not change them. If the opponent has a quiet
        // reply, two plies do not win, and the attacker's second move must end on a joint or leave the opponent stuck.
        // Consider the lines in one direction. The first move changes at most two of them, a quiet reply along one of
        // them changes only that one, and the second move changes at most two. So the opponent is not stuck at the end
        // if, after the first move, the opponent can move along four of the lines, and has a quiet move along one of
        // these. This is certain if, before the first move, the opponent can move along six of the lines, and has quiet
        // moves along three of these.
        let side = self.side_to_move();
        let own = self.pieces(side);
        let has_time = plies <= 3 && lines::has_moves(self, !side, 6, 3);
        let lacks_time = |m: Move, lines: u8| !has_time && !lines::has_moves(&self.child(m), !side, lines, 1);
        let may_connect = |m: Move| {
            let moved = own ^ Bitboard::of(m.from) ^ Bitboard::of(m.to);
            !groups_and_joints(moved).1.is_empty()
        };
        let may_win = |m: Move| match plies {
            2 => lacks_time(m, 1),
            3 => may_connect(m) || lacks_time(m, 4),
            _ => true,
        };
        let _ = self.visit_moves(|m| {
            if may_win(m) {
                visit(m);
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Outcome, Side, SplitMix64};

    use crate::connect::is_connected;
    use crate::position::Rules;

    /// Returns undecided positions in which Black is to move and has a legal move. They include small boards with few
    /// pieces, where connecting moves and stuck sides are common. Half of them are under the rules of the Olympiads.
    fn positions() -> impl Iterator<Item = Position> {
        let mut rng = SplitMix64::new(11);
        let positions = (0..20_000).map(move |round| {
            let rules = [Rules::Courses, Rules::Olympiad][round / 5 % 2];
            let mut p = Position::empty(4 + round % 5).expect("a size").with_turn(Side::First).with_rules(rules);
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

    /// Returns `true` if the side to move can force a win within this many plies, by trying every move.
    fn wins(p: &Position, plies: u32) -> bool {
        let win = Outcome::Win(p.side_to_move());
        p.movable().into_iter().map(|m| p.child(m)).any(|child| match child.outcome() {
            Some(outcome) => outcome == win,
            None => plies > 1 && loses(&child, plies - 1),
        })
    }

    /// Returns `true` if the opponent can force a win within this many plies, including the next move of the side to
    /// move.
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
                let (win, may_win) = (wins(&p, plies), p.may_win_within(plies));
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
                p.visit_attempts(plies, |m| attempts.push(m));
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

    /// Checks that the bounds rule out wins at the start. They are useful only if they rule out a short win in most
    /// positions of real games.
    #[test]
    fn nothing_is_won_at_the_start() {
        let start = Position::start(8).expect("a size");
        assert!(!start.may_win_within(1) && !start.may_win_within(2));
        start.visit_attempts(3, |m| panic!("{m} does not win"));
    }
}
