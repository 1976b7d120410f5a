//! Tests of the countdown to a move limit.

use game::examples::Nim;
use game::{PliesLeft, Reason, Side};

#[test]
fn counts_end_at_zero() {
    let left = PliesLeft::new(2);
    assert_eq!([left, left.next(), left.after(2), left.after(9)].map(PliesLeft::count), [2, 1, 0, 0].map(Some));
    assert!(left.allows(2) && !left.allows(3) && PliesLeft::UNLIMITED.allows(u32::MAX));
    assert_eq!((left.at_most(1), left.at_most(7), PliesLeft::UNLIMITED.at_most(7)), (1, 2, 7));
    assert_eq!(PliesLeft::from(None).after(u32::MAX), PliesLeft::UNLIMITED);
}

#[test]
fn a_win_takes_precedence_over_the_limit() {
    let reason = |heap: &str, left| {
        let p: Nim = heap.parse().expect("a heap");
        PliesLeft::new(left).finish(&p).map(|finish| (finish.outcome.winner(), finish.reason))
    };
    assert_eq!(reason("0 b", 0), Some((Some(Side::First), Reason::Board)));
    assert_eq!(reason("1 b", 0), Some((None, Reason::MoveLimit)));
    assert_eq!(reason("1 b", 1), None);
}
