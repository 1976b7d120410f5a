//! Tests of the rules of Breakthrough. The numbers are those of the crate's documentation.

use breakthrough::{Bitboard, Position, Refusal, Square};
use game::{
    Finish, IllegalMove, MoveError, Outcome, Position as _, Reason, Record, Side, SplitMix64, conformance, perft,
};

/// Parses a board drawn over several lines, followed by the side to move.
fn draw(board: &str) -> Position {
    let words: Vec<&str> = board.split_whitespace().collect();
    let (side, rows) = words.split_last().expect("rows and a side");
    format!("{} {side}", rows.join("/")).parse().expect("a drawn board")
}

fn moves(p: &Position) -> Vec<String> {
    p.movable().iter().map(ToString::to_string).collect()
}

fn after(p: &Position, m: &str) -> Position {
    p.child(p.parse_move(m).expect("a legal move"))
}

fn refusal(p: &Position, m: &str) -> String {
    p.parse_move(m).expect_err("an illegal move").to_string()
}

fn square(name: &str) -> Square {
    Square::parse(name).expect("a square")
}

#[test]
fn rule_1_the_start_position() {
    let start = Position::start(8).expect("a size");
    assert_eq!(
        start,
        draw(
            "bbbbbbbb
             bbbbbbbb
             --------
             --------
             --------
             --------
             wwwwwwww
             wwwwwwww w"
        )
    );
    assert_eq!(moves(&start)[..5], ["a2-a3", "a2-b3", "b2-a3", "b2-b3", "b2-c3"]);
    assert_eq!(Position::start(5).expect("a size").to_string(), "bbbbb/bbbbb/-----/wwwww/wwwww w");
    assert!(Position::start(3).is_err() && Position::start(9).is_err());
}

#[test]
fn rule_1_on_4x4_the_first_move_is_a_capture() {
    let start = Position::start(4).expect("a size");
    assert_eq!(start.to_string(), "bbbb/bbbb/wwww/wwww w");
    assert_eq!(moves(&start), ["a2xb3", "b2xa3", "b2xc3", "c2xb3", "c2xd3", "d2xc3"]);
}

#[test]
fn rule_2_one_square_forward_straight_or_diagonally() {
    let board = "------
                 -b----
                 ------
                 ---w--
                 ------
                 w-----";
    let white = draw(&format!("{board} w"));
    assert_eq!(moves(&white), ["a1-a2", "a1-b2", "d3-c4", "d3-d4", "d3-e4"]);
    let black = draw(&format!("{board} b"));
    assert_eq!(moves(&black), ["b5-a4", "b5-b4", "b5-c4"]);
    for (p, m) in [(&white, "d3-d2"), (&white, "d3-c3"), (&white, "d3-e2"), (&white, "d3-d3")] {
        let expected = format!("illegal move {m}: a piece moves forward only, and White moves up the board");
        assert_eq!(refusal(p, m), expected);
    }
    assert_eq!(
        refusal(&black, "b5-b6"),
        "illegal move b5-b6: a piece moves forward only, and Black moves down the board"
    );
    for m in ["d3-d5", "d3-b4", "d3-b5"] {
        let expected = format!("illegal move {m}: a piece moves exactly one square forward, straight or diagonally");
        assert_eq!(refusal(&white, m), expected);
    }
}

#[test]
fn rule_2_files_do_not_wrap_around_the_board() {
    for size in Position::SIZES {
        let edges = Position::empty(size).expect("a size");
        let last = Square::new(size as u8 - 1, 1).expect("a square");
        let edges = edges.with(square("a2"), Some(Side::First)).expect("on the board");
        let edges = edges.with(last, Some(Side::First)).expect("on the board");
        assert_eq!(edges.count_moves(), 4, "two moves for a piece on an edge\n{edges}");
    }
}

#[test]
fn rule_2_moves_do_not_end_on_own_pieces() {
    let p = draw(
        "bbbb
         ----
         w-w-
         -w-- w",
    );
    assert_eq!(moves(&p), ["b1-b2", "a2-a3", "a2-b3", "c2-b3", "c2-c3", "c2-d3"]);
    assert_eq!(refusal(&p, "b1-c2"), "illegal move b1-c2: a piece of your own stands on c2");
}

#[test]
fn rule_3_captures_are_diagonal() {
    let p = draw(
        "-----
         -bbb-
         --w--
         -----
         ----- w",
    );
    assert_eq!(moves(&p), ["c3xb4", "c3xd4"]);
    assert_eq!(
        refusal(&p, "c3-c4"),
        "illegal move c3-c4: the opponent's piece on c4 is in the way: a piece captures diagonally only"
    );
    assert_eq!(after(&p, "c3xb4").to_string(), "-----/-wbb-/-----/-----/----- b");
}

#[test]
fn rule_3_captures_are_optional() {
    let p = draw(
        "-----
         -b---
         --w--
         -----
         ----- b",
    );
    assert_eq!(moves(&p), ["b4-a3", "b4-b3", "b4xc3"]);
}

#[test]
fn rule_4_a_piece_on_its_far_rank_wins() {
    let p = draw(
        "b---
         --w-
         -b--
         w--- w",
    );
    assert_eq!(p.decided(), None);
    assert_eq!(after(&p, "c3-d4").outcome(), Some(Outcome::Win(Side::First)));
    let p = after(&p, "a1-a2");
    assert_eq!(p.decided(), None);
    let mut record = Record::new(p);
    record.play(p.parse_move("b2-b1").expect("a legal move"));
    assert_eq!(record.finish(), Some(Finish { outcome: Outcome::Win(Side::Second), reason: Reason::Board }));
    // Pieces on their own home rank do not win.
    assert_eq!(Position::start(8).expect("a size").decided(), None);
}

#[test]
fn rule_4_in_a_position_that_was_set_up_the_side_that_moved_wins_if_both_have_arrived() {
    assert_eq!(draw("w---/----/----/---b w").decided(), Some(Outcome::Win(Side::Second)));
    assert_eq!(draw("w---/----/----/---b b").decided(), Some(Outcome::Win(Side::First)));
}

#[test]
fn rule_5_a_side_whose_opponent_has_no_piece_left_wins() {
    let p = draw(
        "----
         -b--
         w---
         ---- w",
    );
    assert_eq!(p.decided(), None);
    assert_eq!(after(&p, "a2xb3").decided(), Some(Outcome::Win(Side::First)));
    // Rule 5 is independent of the side to move.
    assert_eq!(draw("----/-b--/----/---- w").decided(), Some(Outcome::Win(Side::Second)));
    assert_eq!(draw("----/-b--/----/---- b").decided(), Some(Outcome::Win(Side::Second)));
}

/// Returns a random board of this size, with either side to move.
fn random_board(rng: &mut SplitMix64, size: usize) -> Position {
    let mut p = Position::empty(size).expect("a size");
    let density = 2 + rng.below(6);
    for file in 0..size as u8 {
        for rank in 0..size as u8 {
            let content = match rng.below(density) {
                0 => Some(Side::First),
                1 => Some(Side::Second),
                _ => None,
            };
            p = p.with(Square::new(file, rank).expect("a square"), content).expect("on the board");
        }
    }
    if rng.below(2) == 0 { p } else { p.passed() }
}

#[test]
fn rule_6_an_undecided_position_has_a_move() {
    let mut rng = SplitMix64::new(6);
    let mut undecided = 0;
    for round in 0..20_000 {
        let p = random_board(&mut rng, 4 + round % 5);
        if p.decided().is_none() {
            undecided += 1;
            assert!(!p.is_stuck(), "{p}");
        }
    }
    assert!(undecided > 1_000, "{undecided} undecided positions");
}

#[test]
fn errors_name_the_broken_rule() {
    let p = Position::start(6).expect("a size");
    assert_eq!(refusal(&p, "c3-c4"), "illegal move c3-c4: c3 is empty");
    assert_eq!(refusal(&p, "a5-a4"), "illegal move a5-a4: the piece on a5 is Black's, and White is to move");
    assert_eq!(refusal(&p, "f2-g3"), "illegal move f2-g3: g3 is outside of the 6x6 board");
    assert_eq!(refusal(&p, "a1-b2"), "illegal move a1-b2: a piece of your own stands on b2");
    assert_eq!(refusal(&p, "a2xb3"), "illegal move a2xb3: there is nothing to capture on b3");
    for text in ["", "a2", "a2-", "a2-a3x", "A2-a3", "a0-a1", "a2 -a3", "a2-a3-a4", "é2-a3", "a2xxa3", "a2--a3", "*"] {
        let expected = "expected two squares joined by `-`, or by `x` for a capture, as in `a2-a3`";
        assert!(refusal(&p, text).ends_with(expected), "{text}");
    }
}

#[test]
fn errors_contain_the_refused_move_and_a_typed_reason() {
    let mut p = draw("bbbb/-b--/w-w-/---- w");
    let capture = p.parse_move("a2xb3").expect("a capture");
    let without = p.with(square("b3"), None).expect("on the board");
    let quiet = without.parse_move("a2-b3").expect("a quiet move");
    // Both moves have the same two squares, but only one of them is a capture.
    let refusal = Refusal::UnmarkedCapture(square("b3"));
    assert_eq!(p.try_play(quiet), Err(IllegalMove { m: quiet, refusal }));
    assert_eq!(without.refusal(capture), Some(Refusal::NothingToCapture(square("b3"))));
    let reason = Refusal::EmptySource(square("b2"));
    assert_eq!(p.parse_move("b2-b3"), Err(MoveError::Illegal { text: "b2-b3".to_owned(), reason }));
    assert_eq!((p.try_play(capture), p.at(square("b3"))), (Ok(()), Some(Side::First)));
}

#[test]
fn other_notations_of_moves_are_parsed() {
    let p = draw(
        "bbbb
         -b--
         w-w-
         ---- w",
    );
    let capture = p.parse_move("a2xb3").expect("a capture");
    assert_eq!((capture.to_string(), capture.is_capture()), ("a2xb3".to_owned(), true));
    for text in ["a2-b3", "a2b3", "a2b3*", "a2-b3*", "a2xb3*"] {
        assert_eq!(p.parse_move(text), Ok(capture), "{text}");
    }
    assert_eq!(p.parse_move("a2a3").map(|m| m.to_string()), Ok("a2-a3".to_owned()));
    assert_eq!(refusal(&p, "a2a3*"), "illegal move a2a3*: there is nothing to capture on a3");
}

#[test]
fn attacked_squares_are_diagonally_ahead_of_the_pieces() {
    let p = Position::start(4).expect("a size").with(square("b2"), None).expect("on the board");
    let names = |set: Bitboard| set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>();
    assert_eq!(names(p.attacks(Side::First)), ["a2", "b2", "c2", "d2", "b3", "c3", "d3"]);
    assert_eq!(names(p.attacks(Side::Second) & p.pieces(Side::First)), ["a2", "c2", "d2"]);
}

#[test]
fn the_diagram_marks_the_last_move() {
    let p = Position::start(4).expect("a size");
    let m = p.parse_move("a2xb3").expect("a legal move");
    let drawn = "   4  b  b  b  b\n   3  b [w] b  b\n   2 (.) w  w  w\n   1  w  w  w  w\n      a  b  c  d";
    assert_eq!(p.child(m).diagram(Some(m)).to_string(), drawn);
}

#[test]
fn errors_of_position_texts_list_whites_letter_first() {
    let error = |text: &str| text.parse::<Position>().expect_err("a broken text").to_string();
    assert_eq!(
        error(""),
        "nothing found, expected rows from the top joined by `/`, then the side to move, as in \
         `bbbb/bbbb/wwww/wwww w`"
    );
    assert_eq!(error("bbbb/----/----/wwww"), "side to move: nothing found, expected `w` or `b`");
}

/// Returns the mirror image, with left and right exchanged.
fn mirrored(p: &Position) -> Position {
    let text = p.to_string();
    let (board, side) = text.split_once(' ').expect("rows and a side");
    let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {side}", rows.join("/")).parse().expect("an image")
}

/// Exchanges top and bottom, and White and Black.
fn sides_exchanged(p: &Position) -> Position {
    let text = p.to_string();
    let (board, side) = text.split_once(' ').expect("rows and a side");
    let rows: Vec<&str> = board.split('/').rev().collect();
    let exchange = |c| match c {
        'w' => 'b',
        'b' => 'w',
        other => other,
    };
    format!("{} {side}", rows.join("/")).chars().map(exchange).collect::<String>().parse().expect("an image")
}

#[test]
fn the_contract_holds_along_random_games() {
    for size in Position::SIZES {
        let start = Position::start(size).expect("a size");
        conformance::check(&start, 12, size as u64, &[mirrored]);
    }
}

#[test]
fn the_contract_holds_on_random_boards() {
    let mut rng = SplitMix64::new(7);
    for round in 0..500 {
        conformance::check_position(&random_board(&mut rng, 4 + round % 5), &[mirrored]);
    }
}

#[test]
fn random_moves_are_equally_probable() {
    for round in 0..40 {
        let p = random_board(&mut SplitMix64::new(round), 4 + round as usize % 5);
        conformance::check_random_moves(&p, round);
    }
}

#[test]
fn the_rules_are_the_same_for_both_sides() {
    let mut rng = SplitMix64::new(8);
    for round in 0..500 {
        let p = random_board(&mut rng, 4 + round % 5);
        let image = sides_exchanged(&p);
        assert_eq!(image.side_to_move(), !p.side_to_move());
        let winner = |p: &Position| p.decided().and_then(Outcome::winner);
        assert_eq!(winner(&image), winner(&p).map(|side| !side), "{p}");
        assert_eq!(perft(&image, 3), perft(&p, 3), "{p}");
    }
}

#[test]
fn perft_from_the_start() {
    // Source: OpenSpiel 2.0.2 for 6x6 to 8x8; see `testdata/perft/breakthrough.txt`.
    let known: [(usize, &[u64]); 5] = [
        (8, &[22, 484, 11_132, 256_036]),
        (7, &[19, 361, 7_220, 144_251]),
        (6, &[16, 256, 4_308, 71_478]),
        (5, &[13, 156, 1_924, 23_084]),
        (4, &[6, 42, 334, 2_216]),
    ];
    for (size, counts) in known {
        let start = Position::start(size).expect("a size");
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&start, depth), count, "size {size}, depth {depth}");
        }
    }
}
