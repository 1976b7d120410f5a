//! Tests of the rules of Breakthrough, one for each rule as numbered in the module, and of public perft counts.

use crate::common::{perft_counts, play_all, position};
use reference::breakthrough::Breakthrough;
use reference::{Model, Side};

#[test]
fn rule_1_start_position() {
    let start = Breakthrough::start(8);
    assert_eq!(start.text(), "bbbbbbbb/bbbbbbbb/--------/--------/--------/--------/wwwwwwww/wwwwwwww w");
    assert_eq!(start.to_move(), Side::First);
    assert_eq!(start.winner(), None);
    assert_eq!(Breakthrough::start(4).text(), "bbbb/bbbb/wwww/wwww w");
}

#[test]
fn rule_1_white_goes_up_and_black_goes_down() {
    let after = play_all(&Breakthrough::start(5), &["c2-c3"]);
    assert_eq!(after.text(), "bbbbb/bbbbb/--w--/ww-ww/wwwww b");
    assert_eq!(play_all(&after, &["a4-a3"]).text(), "bbbbb/-bbbb/b-w--/ww-ww/wwwww w");
}

#[test]
fn rule_2_one_step_straight_or_diagonally_onto_an_empty_square() {
    let before: Breakthrough = position("-----/----b/--w--/-w---/----- w");
    assert_eq!(before.moves(), ["b2-a3", "b2-b3", "c3-b4", "c3-c4", "c3-d4"], "c3 holds an own piece");
    let edge: Breakthrough = position("b---b/-----/-----/-----/--w-- b");
    assert_eq!(edge.moves(), ["a5-a4", "a5-b4", "e5-d4", "e5-e4"]);
}

#[test]
fn rule_3_captures_diagonally_only() {
    let before: Breakthrough = position("-----/-bbb-/--w--/-----/----- w");
    assert_eq!(before.moves(), ["c3xb4", "c3xd4"]);
    assert_eq!(before.play("c3-c4"), None);
    assert_eq!(before.play("c3-b4"), None, "a capture is written with an x");
    assert_eq!(play_all(&before, &["c3xd4"]).text(), "-----/-bbw-/-----/-----/----- b");
}

#[test]
fn rule_4_reaching_the_far_row_wins() {
    let before: Breakthrough = position("----/w---/---b/---- w");
    assert_eq!(before.winner(), None);
    assert_eq!(play_all(&before, &["a3-b4"]).winner(), Some(Side::First));
    let before: Breakthrough = position("----/w---/---b/---- b");
    assert_eq!(play_all(&before, &["d2-c1"]).winner(), Some(Side::Second));
    assert_eq!(position::<Breakthrough>("w---/----/----/---b w").winner(), Some(Side::Second));
    assert_eq!(position::<Breakthrough>("w---/----/----/---b b").winner(), Some(Side::First));
}

#[test]
fn rule_5_capturing_the_last_piece_wins() {
    let before: Breakthrough = position("-----/-----/-b---/w----/----- w");
    assert_eq!(before.winner(), None);
    assert_eq!(play_all(&before, &["a2xb3"]).winner(), Some(Side::First));
    assert_eq!(position::<Breakthrough>("----/-b--/----/---- b").winner(), Some(Side::Second));
}

#[test]
fn moves_are_listed_on_a_decided_board() {
    let won: Breakthrough = position("w---/-b--/----/w--- b");
    assert_eq!(won.winner(), Some(Side::First));
    assert_eq!(won.moves(), ["b3-a2", "b3-b2", "b3-c2"]);
    assert_eq!(perft_counts(&won, 2), [0, 0]);
    assert_eq!(reference::perft(&won, 0), 1);
}

#[test]
fn valid_position_texts_round_trip_and_others_are_refused() {
    for size in 4..=8 {
        let start = Breakthrough::start(size);
        assert_eq!(position::<Breakthrough>(&start.text()), start);
    }
    for wrong in [
        "",
        " w",
        "bbbb/----/----/wwww",
        "bbbb/----/----/wwww ",
        "bbbb/----/----/wwww  w",
        "bbbb/----/----/wwww w ",
        "bbbb/----/----/wwww W",
        "bbbb/----/----/wwww/ w",
        "bbbb/----/---/wwww w",
        "bbbb/----/--é-/wwww w",
        "bbb/---/www w",
    ] {
        assert_eq!(Breakthrough::parse(wrong), None, "{wrong:?}");
    }
}

#[test]
fn invalid_moves_are_refused() {
    for wrong in ["", "a2", "a2-a2", "a2-a4", "a2-a3 ", "A2-A3", "a2-a3x", "a1-a2", "a7-a6", "a2-é3", "a2a3"] {
        assert_eq!(Breakthrough::start(8).play(wrong), None, "{wrong:?}");
    }
}

#[test]
#[should_panic(expected = "not on 9x9")]
fn other_sizes_are_refused() {
    let _ = Breakthrough::start(9);
}

/// Compares perft counts with counts of other implementations: `OpenSpiel` 2.0.2 for 6×6 to 8×8, and a third one for
/// 4×4 and 5×5.
#[test]
fn perft_from_the_start() {
    assert_eq!(perft_counts(&Breakthrough::start(8), 3), [22, 484, 11_132]);
    assert_eq!(perft_counts(&Breakthrough::start(7), 3), [19, 361, 7_220]);
    assert_eq!(perft_counts(&Breakthrough::start(6), 4), [16, 256, 4_308, 71_478]);
    assert_eq!(perft_counts(&Breakthrough::start(5), 4), [13, 156, 1_924, 23_084]);
    assert_eq!(perft_counts(&Breakthrough::start(4), 6), [6, 42, 334, 2_216, 16_118, 99_382]);
}
