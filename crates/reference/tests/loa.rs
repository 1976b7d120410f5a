//! Tests of the rules of Lines of Action, one for each rule, and of known perft counts.

use crate::common::{perft_counts, play_all, position};
use reference::loa::Loa;
use reference::{Model, Side};

#[test]
fn rule_1_start_position() {
    let start = Loa::start(8);
    assert_eq!(start.text(), "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- b");
    assert_eq!(start.to_move(), Side::First);
    assert_eq!(start.winner(), None);
    assert_eq!(Loa::start(5).text(), "-bbb-/w---w/w---w/w---w/-bbb- b");
}

#[test]
fn rule_1_ranks_count_from_the_bottom_on_every_size() {
    let moves = Loa::start(6).moves();
    assert!(moves.contains(&"b1-b3".to_owned()) && moves.contains(&"b6-b4".to_owned()), "{moves:?}");
    let after: Loa = play_all(&Loa::start(6), &["b1-b3"]);
    assert_eq!(after.text(), "-bbbb-/w----w/w----w/wb---w/w----w/--bbb- w");
}

#[test]
fn rule_2_the_distance_is_the_number_of_pieces_on_the_whole_line() {
    // The rank of b2 and its diagonal through d4 have two pieces each, including b2. Two squares to the left, and two
    // squares down to the left, are off the board. b2 is the only piece on its file and on its other diagonal.
    let before: Loa = position("-----/---w-/-----/-b--w/----- b");
    assert_eq!(before.moves(), ["b2-a3", "b2-b1", "b2-b3", "b2-c1", "b2-d2", "b2-d4"]);
}

#[test]
fn rule_2_moves_pass_over_own_pieces_but_not_over_enemy_pieces() {
    let own: Loa = position("------/------/------/------/------/bb-w-- b");
    assert!(own.moves().contains(&"a1-d1".to_owned()), "a1 moves three squares, over b1 onto the white piece");
    let enemy: Loa = position("------/------/------/------/------/bw--b- b");
    assert!(!enemy.moves().iter().any(|name| name.starts_with("a1-") && name.ends_with('1')), "b1 blocks the rank");
}

#[test]
fn rule_2_moves_end_on_enemy_pieces_but_not_on_own_pieces() {
    let before: Loa = position("----/----/--b-/b-w- b");
    assert_eq!(play_all(&before, &["a1-c1"]).text(), "----/----/--b-/--b- w");
    let blocked: Loa = position("----/w---/----/b-b- b");
    assert!(!blocked.moves().contains(&"a1-c1".to_owned()));
    assert_eq!(blocked.play("a1-c1"), None);
}

#[test]
fn rule_3_pieces_are_connected_along_ranks_files_and_diagonals() {
    assert_eq!(position::<Loa>("b--w/-b--/--b-/w--b w").winner(), Some(Side::First));
    assert_eq!(position::<Loa>("b--w/-b--/----/w--b w").winner(), None);
}

#[test]
fn rule_3_a_side_with_one_piece_is_connected_and_a_side_without_pieces_is_not() {
    assert_eq!(position::<Loa>("b--w/----/----/w--- b").winner(), Some(Side::First));
    assert_eq!(position::<Loa>("---w/----/----/w--- w").winner(), None, "Black has no piece and is not connected");
    assert_eq!(position::<Loa>("---w/----/----/w--- b").winner(), Some(Side::Second), "Black has no move (rule 6)");
}

#[test]
fn rule_4_connecting_both_wins_for_the_mover() {
    let before: Loa = position("---b--/wb----/-bbw--/b-b---/------/------ b");
    assert_eq!(before.winner(), None);
    assert_eq!(play_all(&before, &["d6-d4"]).winner(), Some(Side::First));
    let swapped: Loa = position("---w--/bw----/-wwb--/w-w---/------/------ w");
    assert_eq!(play_all(&swapped, &["d6-d4"]).winner(), Some(Side::Second));
}

#[test]
fn rule_4_connecting_only_the_opponent_loses() {
    // After the capture on e6, the remaining black pieces on c6 and c5 are connected, and the white pieces are not.
    let before: Loa = position("-ww-----/--------/--b-b---/--bw----/--------/--------/--------/-------- w");
    assert_eq!(before.winner(), None);
    assert_eq!(play_all(&before, &["c8-e6"]).winner(), Some(Side::First));
}

#[test]
fn mso_connecting_both_draws_and_a_stuck_side_passes() {
    let before: Loa = position("---b--/wb----/-bbw--/b-b---/------/------ b mso");
    let both = play_all(&before, &["d6-d4"]);
    assert_eq!((both.winner(), both.drawn()), (None, true));
    let only: Loa = position("-ww-----/--------/--b-b---/--bw----/--------/--------/--------/-------- w mso");
    let only = play_all(&only, &["c8-e6"]);
    assert_eq!((only.winner(), only.drawn()), (Some(Side::First), false));
    let stuck: Loa = position("---bbw/----bb/---b--/------/bb----/wb---- w mso");
    assert_eq!((stuck.winner(), stuck.moves()), (None, vec!["pass".to_owned()]));
    let passed = play_all(&stuck, &["pass"]);
    assert_eq!(passed.text(), stuck.text().replace(" w ", " b "));
    assert_eq!(passed.play("pass"), None, "Black has moves");
    assert_eq!(stuck.children(), [("pass".to_owned(), passed)]);
}

#[test]
fn scrambled_eggs_begin_with_white_on_a2() {
    assert_eq!(Loa::scrambled_eggs(4).text(), "-wb-/b--w/w--b/-bw- b");
    assert_eq!(Loa::scrambled_eggs(5).text(), "-bwb-/w---w/b---b/w---w/-bwb- b");
}

#[test]
fn rule_6_a_stuck_side_loses() {
    let stuck: Loa = position("---bbw/----bb/---b--/------/bb----/wb---- w");
    assert!(stuck.moves().is_empty());
    assert_eq!(stuck.winner(), Some(Side::First));
    assert_eq!(stuck.play("a1-a3"), None);
}

#[test]
fn rule_7_repetition_is_allowed() {
    let start: Loa = position("---w----/--------/-------w/--------/-------b/--------/--------/b------- b");
    let once = play_all(&start, &["a1-b1", "d8-e8", "b1-a1", "e8-d8"]);
    assert_eq!(once, start);
    assert_eq!(play_all(&once, &["a1-b1", "d8-e8", "b1-a1", "e8-d8"]), start);
}

#[test]
fn moves_are_listed_on_a_decided_board() {
    let won: Loa = position("b--w/-b--/----/---w w");
    assert_eq!(won.winner(), Some(Side::First));
    assert!(!won.moves().is_empty());
    assert!(won.moves().is_sorted());
    let next = won.play(&won.moves()[0]).expect("a listed move");
    assert_eq!(next.to_move(), Side::First);
}

#[test]
fn valid_position_texts_round_trip_and_others_are_refused() {
    for size in 4..=8 {
        let start = Loa::start(size);
        assert_eq!(position::<Loa>(&start.text()), start);
    }
    for wrong in [
        "",
        " b",
        "-bb-/w--w/w--w/-bb-",
        "-bb-/w--w/w--w/-bb- ",
        "-bb-/w--w/w--w/-bb-  b",
        "-bb-/w--w/w--w/-bb- b ",
        "-bb-/w--w/w--w/-bb- B",
        "-bb-/w--w/w--w/-bb-\tb",
        "-bb-/w--w/w--w/-bb-/ b",
        "-bb-/w--w/w-w/-bb- b",
        "-bb-/w--w/w--é/-bb- b",
        "-b-/w-w/-b- b",
        "---------/---------/---------/---------/---------/---------/---------/---------/--------- b",
    ] {
        assert_eq!(Loa::parse(wrong), None, "{wrong:?}");
    }
}

#[test]
fn invalid_moves_are_refused() {
    for wrong in ["", "b1", "b1-b1", "b1-b4", "b1-b3 ", "B1-B3", "b1-b3x", "a2-c2", "b0-b3", "b1-é3"] {
        assert_eq!(Loa::start(8).play(wrong), None, "{wrong:?}");
    }
}

#[test]
#[should_panic(expected = "not on 9x9")]
fn other_sizes_are_refused() {
    let _ = Loa::start(9);
}

#[test]
fn perft_counts_from_the_start_are_the_known_counts() {
    assert_eq!(perft_counts(&Loa::start(8), 3), [36, 1_244, 44_952]);
    assert_eq!(perft_counts(&Loa::start(6), 3), [24, 524, 11_440]);
    assert_eq!(perft_counts(&Loa::start(5), 4), [18, 280, 4_164, 56_108]);
    assert_eq!(perft_counts(&Loa::start(4), 4), [12, 120, 1_012, 7_460]);
}

#[test]
fn perft_does_not_expand_finished_positions() {
    let won: Loa = position("b--w/-b--/----/---w w");
    assert_eq!(perft_counts(&won, 2), [0, 0]);
    assert_eq!(reference::perft(&won, 0), 1);
}
