//! Tests of the rules of Jump61, one for each rule, and of solved small boards. The test of rule 4 is in the module.

use std::collections::HashMap;

use crate::common::{perft_counts, play_all, position};
use reference::jump61::Jump61;
use reference::{Model, Side};

#[test]
fn rule_1_start_position() {
    let start = Jump61::start(6);
    assert_eq!(start.text(), ["1-1-1-1-1-1-"; 6].join("/"));
    assert_eq!(start.to_move(), Side::First);
    assert_eq!(start.winner(), None);
    assert_eq!(start.moves().len(), 36);
    assert_eq!(Jump61::start(2).text(), "1-1-/1-1-");
}

#[test]
fn rule_1_row_1_is_the_top_row() {
    assert_eq!(play_all(&Jump61::start(3), &["1:2"]).text(), "1-2r1-/1-1-1-/1-1-1-");
    assert_eq!(play_all(&Jump61::start(3), &["3:1"]).text(), "1-1-1-/1-1-1-/2r1-1-");
}

#[test]
fn rule_2_moves_on_enemy_squares_are_illegal() {
    let red: Jump61 = position("1r2b/1-2r");
    assert_eq!(red.to_move(), Side::First);
    assert_eq!(red.moves(), ["1:1", "2:1", "2:2"]);
    assert_eq!(red.play("1:2"), None);
}

#[test]
fn rule_2_an_overfull_square_gives_one_spot_to_each_neighbour_and_keeps_the_rest() {
    // The corner has two neighbours, so three spots are too many. One spot stays.
    let before: Jump61 = position("2r2b1-/1-1-1-/1-1-1-");
    assert_eq!(before.to_move(), Side::First);
    assert_eq!(play_all(&before, &["1:1"]).text(), "1r3r1-/2r1-1-/1-1-1-");
    // The middle square has four neighbours, so it holds four spots but not five.
    let before: Jump61 = position("1-1-1-/1-3r1-/1-1-1-");
    let full = play_all(&before, &["2:2"]);
    assert_eq!(full.text(), "1-1-1-/1-4r1-/1-1-1-");
    let full: Jump61 = position("1-1b1-/1-4r1-/1-1-2r");
    assert_eq!(play_all(&full, &["2:2"]).text(), "1-2r1-/2r1r2r/1-2r2r");
}

/// Checks a position of the rules page. It detects two errors: setting the spots to 1 after a topple, and losing spots
/// in a recursive cascade.
#[test]
fn rule_2_overflow_position() {
    let before: Jump61 = position("1r3r3r2b/3r1r3r2r/3r4r4b2b/1b3b3b1b");
    assert_eq!(before.to_move(), Side::Second);
    assert_eq!(play_all(&before, &["4:3"]).text(), "2b3r3r2b/1b3b4b2r/3b3b2b3b/1b3b3b2b");
}

#[test]
fn rule_2_each_move_adds_one_spot() {
    let mut position = Jump61::start(4);
    let mut moves = 0;
    while position.winner().is_none() {
        let names = position.moves();
        position = position.play(&names[moves * 7 % names.len()]).expect("a listed move");
        moves += 1;
        let digits: u32 = position.text().chars().filter_map(|character| character.to_digit(10)).sum();
        assert_eq!(digits as usize, 16 + moves, "{}", position.text());
    }
}

#[test]
fn rule_2_a_cascade_over_a_full_board_ends() {
    // Every square is full, and one square is blue. The cascade terminates only if the rules test for a win before each
    // topple.
    for size in 2..=10 {
        let mut text = String::new();
        for row in 0..size {
            if row > 0 {
                text.push('/');
            }
            for column in 0..size {
                let borders = [row == 0, row == size - 1, column == 0, column == size - 1];
                text.push(match borders.into_iter().filter(|&border| border).count() {
                    0 => '4',
                    1 => '3',
                    _ => '2',
                });
                text.push(if (row, column) == (size - 1, size - 1) { 'b' } else { 'r' });
            }
        }
        let full: Jump61 = position(&text);
        assert_eq!(full.winner(), None);
        let mover = full.to_move();
        let name = full.moves()[0].clone();
        let after = full.play(&name).expect("a listed move");
        assert_eq!(after.winner(), Some(mover), "{size}x{size}: {}", after.text());
    }
}

#[test]
fn rule_3_a_side_wins_when_every_square_is_its_colour() {
    assert_eq!(position::<Jump61>("1r1r/1r2r").winner(), Some(Side::First));
    assert_eq!(position::<Jump61>("1b2b/1b2b").winner(), Some(Side::Second));
    assert_eq!(position::<Jump61>("1r1r/1r2b").winner(), None);
    assert_eq!(position::<Jump61>("1r1r/1r1-").winner(), None);
}

#[test]
fn rule_3_a_side_with_no_square_has_not_lost_while_neutral_squares_remain() {
    let before: Jump61 = position("2r1r/1r1-");
    assert_eq!(before.to_move(), Side::Second);
    assert_eq!(before.winner(), None);
    assert_eq!(before.moves(), ["2:2"]);
}

#[test]
fn rule_3_bounds_the_length_of_a_game() {
    let mut random: u64 = 3;
    for size in 2..=5 {
        for _game in 0..200 {
            let mut position = Jump61::start(size);
            let mut moves = 0;
            while position.winner().is_none() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let names = position.moves();
                position = position.play(&names[(random >> 33) as usize % names.len()]).expect("a listed move");
                moves += 1;
            }
            assert!(moves + size * size <= 4 * size * (size - 1) + 1, "{moves} moves on {size}x{size}");
        }
    }
}

#[test]
fn rule_5_the_side_to_move_follows_from_the_spots() {
    let start = Jump61::start(6);
    let once = play_all(&start, &["1:1"]);
    assert_eq!(once.to_move(), Side::Second);
    assert_eq!(play_all(&once, &["6:6"]).to_move(), Side::First);
    // On boards with an odd number of squares, the start position has an odd number of spots.
    assert_eq!(Jump61::start(3).to_move(), Side::First);
}

#[test]
fn moves_on_a_won_board_never_topple() {
    let mut won: Jump61 = position("9r9r/9r9r");
    assert_eq!(won.to_move(), Side::First);
    won = play_all(&won, &["1:1"]);
    assert_eq!(won.text(), "10r9r/9r9r", "both digits are written");
    assert_eq!(Jump61::parse(&won.text()), None, "the parser accepts only one digit");
    assert_eq!(won.to_move(), Side::Second);
    assert!(won.moves().is_empty());
    assert_eq!(won.winner(), Some(Side::First));
}

#[test]
fn moves_are_sorted_bytewise() {
    let moves = Jump61::start(10).moves();
    assert!(moves.is_sorted());
    assert_eq!(moves[..3], ["10:1", "10:10", "10:2"]);
}

#[test]
fn valid_position_texts_round_trip_and_others_are_refused() {
    for size in 2..=10 {
        let start = Jump61::start(size);
        assert_eq!(position::<Jump61>(&start.text()), start);
    }
    let _overfull_but_won: Jump61 = position("9r1r/1r1r");
    for wrong in [
        "",
        "1-",
        "1-1-/1-",
        "1-1-/1-1",
        "1-1-/1-1-/",
        "1-1-/1-1- r",
        " 1-1-/1-1-",
        "0r1-/1-1-",
        "2-1-/1-1-",
        "1x1-/1-1-",
        "3r1-/1-1-",
        "3r1b/1r1r",
        "10r9r/9r9r",
        "1é1-/1-1-",
        &["1-1-1-1-1-1-1-1-1-1-1-"; 11].join("/"),
    ] {
        assert_eq!(Jump61::parse(wrong), None, "{wrong:?}");
    }
}

#[test]
fn invalid_moves_are_refused() {
    for wrong in ["", "1", "1 1", "1:1 ", "01:1", "0:1", "7:1", "1:7", "1:-1", "é:1"] {
        assert_eq!(Jump61::start(6).play(wrong), None, "{wrong:?}");
    }
}

/// Returns the winner with best play, by a full search.
fn solve(position: &Jump61, known: &mut HashMap<Jump61, Side>) -> Side {
    if let Some(winner) = position.winner() {
        return winner;
    }
    if let Some(&winner) = known.get(position) {
        return winner;
    }
    let mover = position.to_move();
    let mut winner = mover.other();
    for name in position.moves() {
        let next = position.play(&name).expect("a listed move");
        if solve(&next, known) == mover {
            winner = mover;
            break;
        }
    }
    known.insert(position.clone(), winner);
    winner
}

#[test]
fn solved_2x2_and_3x3_are_won_by_the_second_player() {
    for size in [2, 3] {
        assert_eq!(solve(&Jump61::start(size), &mut HashMap::new()), Side::Second, "{size}x{size}");
    }
}

#[test]
fn perft_from_the_start() {
    assert_eq!(perft_counts(&Jump61::start(2), 6), [4, 12, 36, 52, 48, 0]);
    assert_eq!(perft_counts(&Jump61::start(3), 6), [9, 72, 576, 4_040, 28_368, 172_912]);
    assert_eq!(perft_counts(&Jump61::start(4), 4), [16, 240, 3_600, 50_520]);
    assert_eq!(perft_counts(&Jump61::start(6), 3), [36, 1_260, 44_100]);
}
