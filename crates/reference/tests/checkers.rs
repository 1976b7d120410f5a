//! Tests of the rules of the Melbourne checkers variant, one for each rule as numbered in the crate, and the replay of
//! an official sample.

use crate::common::{perft_counts, play_all, position};
use reference::checkers::Checkers;
use reference::{Model, Side};

#[test]
fn rule_1_start_position() {
    let start = Checkers::start(8);
    assert_eq!(start.text(), ".w.w.w.w/w.w.w.w./.w.w.w.w/......../......../b.b.b.b./.b.b.b.b/b.b.b.b. b");
    assert_eq!(Checkers::start(3), start, "the size is ignored");
}

#[test]
fn rule_2_black_opens_and_goes_up() {
    let start = Checkers::start(8);
    assert_eq!(start.to_move(), Side::First);
    assert_eq!(start.moves(), ["A6-B5", "C6-B5", "C6-D5", "E6-D5", "E6-F5", "G6-F5", "G6-H5"]);
    let next = play_all(&start, &["G6-F5"]);
    assert_eq!(next.to_move(), Side::Second);
    assert_eq!(next.moves(), ["B3-A4", "B3-C4", "D3-C4", "D3-E4", "F3-E4", "F3-G4", "H3-G4"]);
}

#[test]
fn rule_3_a_piece_moves_and_jumps_forward_only() {
    let black: Checkers = position("......../......../.w...w../..w.w.../...b..../..w.w.../......../........ b");
    assert_eq!(black.moves(), Vec::<String>::new(), "both forward jumps are blocked, and men do not jump backward");
    let black: Checkers = position("......../......../......../..w.w.../...b..../..w.w.../......../........ b");
    assert_eq!(black.moves(), ["D5-B3", "D5-F3"]);
    let white: Checkers = position("......../......../......../..b.b.../...w..../..b.b.../......../........ w");
    assert_eq!(white.moves(), ["D5-B7", "D5-F7"]);
    let free: Checkers = position("......../......../......../......../...b..../......../......../........ b");
    assert_eq!(free.moves(), ["D5-C4", "D5-E4"]);
}

#[test]
fn rule_4_a_tower_moves_and_jumps_backward_too() {
    for (tower, turn, enemy) in [('B', 'b', 'w'), ('W', 'w', 'b')] {
        let text =
            format!("......../......../......../..{enemy}...../...{tower}..../....{enemy}.../......../........ {turn}");
        let both: Checkers = position(&text);
        assert_eq!(both.moves(), ["D5-B3", "D5-C6", "D5-E4", "D5-F7"]);
    }
}

#[test]
fn rule_5_a_jump_takes_an_enemy_piece_or_tower() {
    for enemy in ['w', 'W'] {
        let before: Checkers =
            position(&format!("......../......../......../....{enemy}.../...b..../......../......../w....... b"));
        let after = play_all(&before, &["D5-F3"]);
        assert_eq!(after.text(), "......../......../.....b../......../......../......../......../w....... w");
    }
}

#[test]
fn rule_5_jumps_pass_an_enemy_piece_and_end_on_an_empty_cell() {
    let before: Checkers = position("......../......../.w...w../..w.b.../...b..../......../......../........ b");
    // D5 cannot jump over C4, because another enemy piece stands on B3, and cannot jump over E4, because that piece is
    // black. E4 can move to D3 or jump over F3 to G2.
    assert_eq!(before.moves(), ["E4-D3", "E4-G2"]);
    for wrong in ["D5-B3", "D5-F3", "E4-C2"] {
        assert_eq!(before.play(wrong), None, "{wrong}");
    }
}

#[test]
fn rule_6_a_turn_has_at_most_one_jump() {
    // After D5-F3, another jump over G2 onto H1 would be possible.
    let before: Checkers = position("......../......w./......../....w.../...b..../......../......../........ b");
    assert_eq!(before.moves(), ["D5-C4", "D5-F3"]);
    let after = play_all(&before, &["D5-F3"]);
    assert_eq!(after.text(), "......../......w./.....b../......../......../......../......../........ w");
    assert_eq!(after.play("F3-H1"), None, "it is White's turn");
}

#[test]
fn rule_6_capturing_is_not_compulsory() {
    let before: Checkers = position("......../......../......../....w.../...b..../......../......../........ b");
    assert_eq!(before.moves(), ["D5-C4", "D5-F3"]);
}

#[test]
fn rule_7_the_far_row_makes_a_tower_by_a_move_and_by_a_jump() {
    let moved: Checkers = position("......../b......./......../......../......../......../......../w....... b");
    assert_eq!(
        play_all(&moved, &["A2-B1"]).text(),
        ".B....../......../......../......../......../......../......../w....... w"
    );
    let jumped: Checkers = position("......../......../......../......../......../..w...../.b.b..../........ w");
    assert_eq!(
        play_all(&jumped, &["C6-E8"]).text(),
        "......../......../......../......../......../......../.b....../....W... b"
    );
}

#[test]
fn rule_7_a_tower_stays_a_tower() {
    let before: Checkers = position(".B....../......../......../......../......../......../......../w....... b");
    let after = play_all(&before, &["B1-A2"]);
    assert_eq!(after.text(), "......../B......./......../......../......../......../......../w....... w");
}

#[test]
fn rule_7_a_man_that_was_set_up_on_its_far_row_has_no_move() {
    let set: Checkers = position(".b....../......../......../......../......../......../......../..w.w... b");
    assert!(set.moves().is_empty());
    assert_eq!(set.winner(), Some(Side::Second));
}

#[test]
fn rule_8_a_side_without_legal_moves_has_lost() {
    let blocked: Checkers = position("......../......../......../......../......../..w...../.w....../b....... b");
    assert_eq!(blocked.winner(), Some(Side::Second));
    let nothing_left: Checkers = position("......../......../......../......../......../......../......../b....... w");
    assert_eq!(nothing_left.winner(), Some(Side::First));
    assert_eq!(Checkers::start(8).winner(), None);
}

/// Replays the official sample `test1`: ten given actions, and the action that its `A` command computes.
#[test]
fn the_official_sample_test1_replays() {
    let given = ["G6-F5", "H3-G4", "F5-H3", "F3-G4", "E6-F5", "G4-E6", "D7-F5", "G2-F3", "F7-G6", "F1-G2"];
    let position = play_all(&Checkers::start(8), &given);
    assert_eq!(position.text(), ".w.w...w/w.w.w.w./.w.w.w.b/......../.....b../b.b...b./.b.....b/b.b.b.b. b");
    let position = play_all(&position, &["H3-F1"]);
    assert_eq!(position.text(), ".w.w.B.w/w.w.w.../.w.w.w../......../.....b../b.b...b./.b.....b/b.b.b.b. w");
}

/// Checks invalid moves, among them those of the official samples `test5` and `test7`.
#[test]
fn invalid_moves_are_refused() {
    let position = play_all(&Checkers::start(8), &["G6-F5", "H3-G4", "F5-H3", "F3-G4", "E6-F5"]);
    assert_eq!(position.play("I4-E6"), None);
    assert_eq!(play_all(&Checkers::start(8), &["G6-F5"]).play("F5-E4"), None);
    for wrong in ["", "G6", "G6-G6", "g6-f5", "G6-F5 ", "G06-F5", "G6-F7", "B3-A4", "A7-B6", "G6-é5"] {
        assert_eq!(Checkers::start(8).play(wrong), None, "{wrong:?}");
    }
}

#[test]
fn valid_position_texts_round_trip_and_others_are_refused() {
    let start = Checkers::start(8);
    assert_eq!(position::<Checkers>(&start.text()), start);
    for wrong in [
        "",
        " b",
        "......../......../......../......../......../......../......../........",
        "......../......../......../......../......../......../......../........ r",
        "......../......../......../......../......../......../......../........  b",
        "......../......../......../......../......../......../........ b",
        "......../......../......../......../......../......../......../......../........ b",
        "......../......../......../......../......../......../......../....... b",
        "......../......../......../......../......../......../......../-------- b",
        "b......./......../......../......../......../......../......../........ b",
        "......../......../......../......../......../......../......../.......W b",
    ] {
        assert_eq!(Checkers::parse(wrong), None, "{wrong:?}");
    }
}

#[test]
fn perft_from_the_start() {
    assert_eq!(perft_counts(&Checkers::start(8), 5), [7, 49, 379, 2_872, 23_582]);
}
