//! Tests of the rules of Jump61. The numbers are those of the crate's documentation.

use game::{IllegalMove, MoveError, Outcome, Position as _, Record, Side, SplitMix64, conformance, perft};
use jump61::{Move, OffBoard, Pile, Position, Refusal, SetupError, Square};

/// Parses a board drawn over several lines.
fn draw(board: &str) -> Position {
    let rows: Vec<String> = board.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    rows.join("/").parse().expect("a drawn board")
}

fn after(p: &Position, m: &str) -> Position {
    p.child(p.parse_move(m).expect("a legal move"))
}

#[test]
fn rule_1_every_square_starts_neutral_with_one_spot() {
    let start = Position::start(3).expect("a size");
    assert_eq!(
        start,
        draw(
            "1- 1- 1-
             1- 1- 1-
             1- 1- 1-"
        )
    );
    assert_eq!(start.side_to_move(), Side::First);
    assert!(Position::start(1).is_err() && Position::start(11).is_err());
}

#[test]
fn rule_2_the_published_overfull_position() {
    // A topple subtracts the number of neighbours; it does not set the spots to 1.
    let before = draw(
        "1r 3r 3r 2b
         3r 1r 3r 2r
         3r 4r 4b 2b
         1b 3b 3b 1b",
    );
    assert_eq!(before.side_to_move(), Side::Second);
    let expected = draw(
        "2b 3r 3r 2b
         1b 3b 4b 2r
         3b 3b 2b 3b
         1b 3b 3b 2b",
    );
    assert_eq!(after(&before, "4:3"), expected);
}

#[test]
fn rule_2_a_move_adds_one_spot_but_not_to_an_opponents_square() {
    let p = after(&Position::start(4).expect("a size"), "1:1");
    assert_eq!(p.total_spots(), 17);
    let refusal = p.parse_move("1:1").map_err(|e| e.to_string());
    assert_eq!(refusal, Err("illegal move 1:1: the square is Red's".to_owned()));
    let refusal = p.parse_move("5:1").map_err(|e| e.to_string());
    assert_eq!(refusal, Err("illegal move 5:1: no square 5:1: rows and columns go from 1 to 4".to_owned()));
    for text in ["", "1", ":", "1:", "1 1", "001:1", "-1:1", "1:1:1", "1:٣"] {
        assert!(p.parse_move(text).is_err_and(|e| e.to_string().contains("joined by `:`")), "{text}");
    }
}

#[test]
fn rule_2_a_cascade_over_a_full_board_ends() {
    // All squares except one corner are red and full, so the cascade is as large as possible.
    for size in Position::SIZES {
        let mut p = Position::start(size).expect("a size");
        for square in p.board() {
            let full = Pile { side: Side::First, spots: p.neighbours(square) };
            p = p.with(square, Some(full)).expect("as many spots as neighbours");
        }
        let corner = Pile { side: Side::Second, spots: 2 };
        p = p.with(p.square(1, 1).expect("on the board"), Some(corner)).expect("a corner has two neighbours");
        // The move of either side topples the whole board: Red moves in the far corner, and Blue in its own corner.
        let far = format!("{size}:{size}");
        let result = after(&p, if p.side_to_move() == Side::First { &far } else { "1:1" });
        assert!(result.decided().is_some(), "{size}: {result}");
    }
}

#[test]
fn rule_3_a_side_without_squares_has_not_lost_while_neutral_squares_remain() {
    let p = draw(
        "2r 1-
         1- 1-",
    );
    assert_eq!(p.decided(), None);
    assert_eq!(p.legal_moves().len(), 3);
    let won = draw(
        "2r 1r
         1r 1r",
    );
    assert_eq!(won.decided(), Some(Outcome::Win(Side::First)));
    assert!(won.legal_moves().is_empty());
}

#[test]
fn rule_3_colouring_the_last_neutral_square_wins() {
    let p = draw(
        "1r 1r
         2r 1-",
    );
    assert_eq!(p.side_to_move(), Side::Second);
    let p = draw(
        "2r 1r
         2r 1-",
    );
    assert_eq!(after(&p, "2:2").decided(), Some(Outcome::Win(Side::First)));
}

#[test]
fn rule_4_a_cascade_has_waves() {
    let p = draw(
        "2r 3r 1-
         2b 3b 2b
         1- 2b 1-",
    );
    assert_eq!(p.side_to_move(), Side::First);
    let waves = p.waves(p.parse_move("1:1").expect("a legal move"));
    let expected = [
        "3r 3r 1-
         2b 3b 2b
         1- 2b 1-",
        "1r 4r 1-
         3r 3b 2b
         1- 2b 1-",
        "2r 1r 2r
         3r 4r 2b
         1- 2b 1-",
    ];
    let shown: Vec<String> = waves.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        expected
            .map(|board| board.split_whitespace().collect::<Vec<_>>())
            .map(|cells| { cells.chunks(3).map(<[&str]>::concat).collect::<Vec<_>>().join("/") })
    );
    assert_eq!(waves.last(), Some(&after(&p, "1:1")));
}

#[test]
fn rule_5_the_side_to_move_follows_from_the_spots() {
    let start = Position::start(6).expect("a size");
    let square = start.square(2, 3).expect("on the board");
    let two = Pile { side: Side::Second, spots: 2 };
    let p = start.with(square, Some(two)).expect("two spots have room");
    assert_eq!((p.side_to_move(), p.at(square), start.at(square)), (Side::Second, Some(two), None));
    assert_eq!(p.with(square, None), Ok(start));
}

#[test]
fn impossible_squares_cannot_be_set_up() {
    let start = Position::start(6).expect("a size");
    let square = start.square(2, 3).expect("on the board");
    let refused = |spots| start.with(square, Some(Pile { side: Side::First, spots })).map_err(|e| e.to_string());
    assert_eq!(refused(5), Err("5 spots on 2:3: expected at most 4, its number of neighbours".to_owned()));
    assert_eq!(
        refused(0),
        Err("0 spots on 2:3: expected at least 1 and at most 4, its number of neighbours".to_owned())
    );
    let outside = Square::new(6, 0).expect("a square of larger boards");
    let off_board = OffBoard { row: 7, column: 1, size: 6 };
    assert_eq!(start.with(outside, None), Err(SetupError::OffBoard(off_board)));
    assert_eq!(start.square(usize::MAX, 0), Err(OffBoard { row: usize::MAX, column: 0, size: 6 }));
}

#[test]
fn errors_contain_the_refused_move_and_a_typed_reason() {
    let start = Position::start(4).expect("a size");
    let mut p = after(&start, "1:1");
    let m = Move(p.square(1, 1).expect("on the board"));
    let refusal = Refusal::NotYours { square: m.0, owner: Side::First };
    assert_eq!(p.try_play(m), Err(IllegalMove { m, refusal }));
    assert_eq!(p.parse_move("1:1"), Err(MoveError::Illegal { text: "1:1".to_owned(), reason: refusal }));
    let outside = Move(Square::new(4, 0).expect("a square of larger boards"));
    let off_board = Refusal::OffBoard(OffBoard { row: 5, column: 1, size: 4 });
    assert_eq!((p.refusal(outside), p.check(outside.0)), (Some(off_board), Err(off_board)));
    assert_eq!(p, after(&start, "1:1"));
}

#[test]
fn errors_of_position_texts_contain_the_place() {
    for (text, expected) in [
        ("", "nothing found, expected rows from the top joined by `/`, two characters a cell, as in `2r1-/1-1-`"),
        ("1-1-/1-", "row 2 has 2 characters: expected 4"),
        ("1-1-/1-0r", "row 2, column 2: `0r` found, expected spots 1 to 9 and then `r`, `b` or `-`"),
        ("1-1-/1x1-", "row 2, column 1: `1x` found, expected spots 1 to 9 and then `r`, `b` or `-`"),
        ("1-1-/2-1-", "row 2, column 1: `2-` found, expected `1-`, since a neutral square has one spot"),
        (
            "1-3r/1-1-",
            "row 1, column 2: `3r` found, expected at most 2 spots, its number of neighbours, unless one side has every square",
        ),
        ("1-1-/1-1- r", "side to move: `r` found, expected nothing, since it follows from the spots"),
    ] {
        assert_eq!(text.parse::<Position>().map_err(|e| e.to_string()), Err(expected.to_owned()), "{text}");
    }
    let won: Position = "9b1b/3b4b".parse().expect("a won board may be overfull");
    assert_eq!(won.to_string(), "9b1b/3b4b");
}

#[test]
fn a_game_never_lasts_longer_than_its_bound() {
    // The bound that follows from rule 3: 4N(N−1) − N² + 1 moves.
    for size in Position::SIZES {
        let bound = 4 * size * (size - 1) - size * size + 1;
        let mut rng = SplitMix64::new(size as u64);
        for _ in 0..20 {
            let mut game = Record::new(Position::start(size).expect("a size"));
            while game.finish().is_none() {
                let moves = game.position().legal_moves();
                game.play(*rng.choose(&moves).expect("a move"));
            }
            assert!(game.moves_made() as usize <= bound);
        }
    }
}

fn mirrored(p: &Position) -> Position {
    let text = p.to_string();
    let mirror = |row: &str| -> String {
        row.as_bytes().chunks(2).rev().flat_map(|cell| cell.iter().map(|&b| char::from(b))).collect()
    };
    text.split('/').map(mirror).collect::<Vec<_>>().join("/").parse().expect("an image")
}

fn upside_down(p: &Position) -> Position {
    p.to_string().split('/').rev().collect::<Vec<_>>().join("/").parse().expect("an image")
}

#[test]
fn the_contract_holds_along_random_games() {
    for size in Position::SIZES {
        let start = Position::start(size).expect("a size");
        conformance::check(&start, 8, size as u64, &[mirrored, upside_down]);
    }
}

#[test]
fn playing_and_mirroring_commute() {
    let mut rng = SplitMix64::new(3);
    for size in Position::SIZES {
        let mut p = Position::start(size).expect("a size");
        while p.decided().is_none() {
            let m = *rng.choose(&p.legal_moves()).expect("a move");
            let image = Square::new(m.0.row(), size - 1 - m.0.column()).expect("a square");
            let q = mirrored(&p).child(Move(image));
            p.play(m);
            assert_eq!(mirrored(&p), q);
        }
    }
}

#[test]
fn perft_on_tiny_boards() {
    // Red has 4 moves. Then Blue has 3, because one square is red. Then Red has 3, because one square is blue.
    let p = Position::start(2).expect("a size");
    assert_eq!((perft(&p, 1), perft(&p, 2), perft(&p, 3)), (4, 12, 36));
}
