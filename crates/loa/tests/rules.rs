//! Tests of the rules of Lines of Action. The rule numbers are those in the crate's documentation.

use game::{
    Finish, IllegalMove, MoveError, Outcome, Position as _, Reason, Record, Side, SplitMix64, conformance, perft,
};
use loa::{Bitboard, Direction, Move, Position, Refusal, Rules, Square};

/// Parses a board drawn over several lines, followed by the side to move and the rules.
fn draw(board: &str) -> Position {
    let words: Vec<&str> = board.split_whitespace().collect();
    let side = words.iter().position(|word| word.len() == 1).expect("rows and a side");
    format!("{} {}", words[..side].join("/"), words[side..].join(" ")).parse().expect("a drawn board")
}

fn moves_from(p: &Position, square: &str) -> Vec<String> {
    let mut moves: Vec<String> = p.legal_moves().iter().map(ToString::to_string).collect();
    moves.retain(|m| m.starts_with(square));
    moves.sort();
    moves
}

fn refusal(p: &Position, m: &str) -> String {
    p.parse_move(m).expect_err("an illegal move").to_string()
}

#[test]
fn rule_1_the_start_position() {
    let start = Position::start(8).expect("a size");
    assert_eq!(
        start,
        draw(
            "-bbbbbb-
             w------w
             w------w
             w------w
             w------w
             w------w
             w------w
             -bbbbbb- b"
        )
    );
    assert_eq!(Position::start(4).expect("a size").to_string(), "-bb-/w--w/w--w/-bb- b");
    assert!(Position::start(3).is_err() && Position::start(9).is_err());
}

#[test]
fn rule_2_the_distance_is_the_number_of_pieces_on_the_line() {
    let p = draw(
        "--------
         --------
         --------
         --------
         --------
         w-b--b-w
         --------
         ----b--- b",
    );
    // Four pieces stand on the rank, but only one on the file and on each diagonal. Four squares to the right would be
    // off the board.
    assert_eq!(moves_from(&p, "f3"), ["f3-b3", "f3-e2", "f3-e4", "f3-f2", "f3-f4", "f3-g2", "f3-g4"]);
    let square = Square::parse("f3").expect("a square");
    assert_eq!(p.line_count(square, Direction::East), 4);
    assert_eq!(
        refusal(&p, "f3-f5"),
        "illegal move f3-f5: 1 piece on the file, so the piece moves exactly 1 square along it, not 2"
    );
    assert_eq!(refusal(&p, "f3-e5"), "illegal move f3-e5: a piece moves along a file, a rank or a diagonal");
}

#[test]
fn rule_2_a_piece_and_a_direction_name_at_most_one_move() {
    for mut p in Position::SIZES.filter_map(|size| Position::start(size).ok()) {
        for ply in 0..40 {
            let from = |from| Direction::ALL.into_iter().filter_map(move |d| p.move_along(from, d));
            let along: Vec<Move> = p.board().into_iter().flat_map(from).collect();
            assert_eq!(along, p.movable(), "{p}");
            for from in p.board() {
                let targets: Bitboard = along.iter().filter(|m| m.from == from).map(|m| m.to).collect();
                assert_eq!(p.targets(from), targets, "{from} in {p}");
            }
            let Some(&m) = along.get(7 * ply % along.len().max(1)) else { break };
            p.play(m);
        }
    }
}

#[test]
fn rule_2_moves_pass_over_own_pieces_but_not_over_enemy_pieces() {
    let p = draw(
        "--------
         --------
         --------
         bb--w---
         --------
         --------
         --------
         b------w b",
    );
    assert_eq!(moves_from(&p, "a5"), ["a5-a3", "a5-a7", "a5-b4", "a5-b6", "a5-d5"], "over its own piece on b5");
    let p = draw(
        "--------
         --------
         --------
         bw-b----
         --------
         --------
         --------
         -------- b",
    );
    assert_eq!(refusal(&p, "a5-d5"), "illegal move a5-d5: the enemy piece on b5 stands in between");
}

#[test]
fn rule_2_moves_end_on_enemy_pieces_but_not_on_own_pieces() {
    let p = draw(
        "-----
         -----
         b-w--
         -----
         b-b-- b",
    );
    assert_eq!(refusal(&p, "a1-c1"), "illegal move a1-c1: a piece of your own stands on c1");
    let after = p.child(p.parse_move("a3-c3").expect("a capture"));
    assert_eq!(after.pieces(Side::Second), Bitboard::EMPTY);
    assert_eq!(after.to_string(), "-----/-----/--b--/-----/b-b-- w");
}

#[test]
fn errors_name_the_broken_rule() {
    let p = Position::start(6).expect("a size");
    assert_eq!(refusal(&p, "c3-c4"), "illegal move c3-c4: c3 is empty");
    assert_eq!(refusal(&p, "a2-c2"), "illegal move a2-c2: the piece on a2 is White's, and Black is to move");
    assert_eq!(refusal(&p, "b1-b8"), "illegal move b1-b8: b8 is outside of the 6x6 board");
    for text in ["", "b1", "b1-", "b1-b3x", "B1-b3", "b0-b2", "b1 -b3", "b1-b3-b5", "é1-b3"] {
        assert!(refusal(&p, text).ends_with("expected two squares joined by `-`, as in `b1-d3`"), "{text}");
    }
}

#[test]
fn errors_contain_the_refused_move_and_a_typed_reason() {
    let mut p = Position::start(8).expect("a size");
    let [a3, e3, b1, d3] = ["a3", "e3", "b1", "d3"].map(|name| Square::parse(name).expect("a square"));
    let m = Move { from: a3, to: e3 };
    let refusal = Refusal::NotYours { square: a3, mover: Side::First };
    assert_eq!(p.try_play(m), Err(IllegalMove { m, refusal }));
    assert_eq!(p.check(a3, e3), Err(refusal));
    assert_eq!(p.parse_move("a3-e3"), Err(MoveError::Illegal { text: "a3-e3".to_owned(), reason: refusal }));
    let legal = p.check(b1, d3).expect("a legal move");
    assert_eq!((p.try_play(legal), p.at(d3), p.at(b1)), (Ok(()), Some(Side::First), None));
    let refusal = Refusal::Distance { from: a3, direction: Direction::East, needed: 3, found: 4 };
    assert_eq!(p.with_turn(Side::Second).refusal(m), Some(refusal));
}

#[test]
fn rule_3_connected_means_one_group_of_at_least_one_piece() {
    let connected = draw(
        "b----
         -b-w-
         --b--
         -b--w
         -b--- w",
    );
    assert_eq!(connected.decided(), Some(Outcome::Win(Side::First)));
    let one_piece = draw("b--b/----/-w--/b--- w");
    assert_eq!(one_piece.decided(), Some(Outcome::Win(Side::Second)));
    let no_piece = draw("b--b/----/----/b--- b");
    assert_eq!(no_piece.decided(), None);
    // The board does not wrap around: the h-file and the a-file are not neighbours.
    let torus = draw(
        "--------
         --------
         -------b
         b-------
         --------
         w-------
         --------
         w------- b",
    );
    assert_eq!(torus.decided(), None);
}

#[test]
fn rule_4_if_both_sides_are_connected_the_side_that_moved_wins() {
    let p = draw("bb--/----/----/--ww b");
    assert_eq!(p.decided(), Some(Outcome::Win(Side::Second)));
    let p = draw("bb--/----/----/--ww w");
    assert_eq!(p.decided(), Some(Outcome::Win(Side::First)));
}

#[test]
fn rule_4_a_move_may_connect_only_the_opponent() {
    // a5-c3 captures the white piece that was not connected to the others.
    let p: Position = "w-wb--/bw-b--/------/--wb--/------/------ b".parse().expect("a position");
    let after = p.child(p.parse_move("a5-c3").expect("a legal move"));
    assert_eq!(after.decided(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn rule_5_a_stuck_side_has_lost() {
    let p = draw(
        "---bbw
         ----bb
         ---b--
         ------
         bb----
         wb---- w",
    );
    assert_eq!(p.decided(), None);
    assert_eq!(p.outcome(), Some(Outcome::Win(Side::First)));
    let mut record = Record::new(p);
    assert_eq!(record.judge(), Some(Finish { outcome: Outcome::Win(Side::First), reason: Reason::Stuck }));
}

#[test]
fn rule_4a_if_both_sides_are_connected_the_game_is_drawn() {
    for side in Side::BOTH {
        let p = draw("bb--/----/----/--ww b mso").with_turn(side);
        assert_eq!((p.rules(), p.decided(), p.outcome()), (Rules::Olympiad, Some(Outcome::Draw), Some(Outcome::Draw)));
    }
    let p = draw("---b--/wb----/-bbw--/b-b---/------/------ b mso");
    let both = p.parse_move("d6-d4").expect("a legal move");
    let mut record = Record::new(p);
    record.play(both);
    assert_eq!(record.finish(), Some(Finish { outcome: Outcome::Draw, reason: Reason::Board }));
    let p = draw("w-wb--/bw-b--/------/--wb--/------/------ b mso");
    let after = p.child(p.parse_move("a5-c3").expect("a legal move"));
    assert_eq!(after.decided(), Some(Outcome::Win(Side::Second)), "only the opponent is connected");
}

#[test]
fn rule_5a_a_stuck_side_passes() {
    for board in [
        "---bbw/----bb/---b--/------/bb----/wb---- w mso",
        "--b---bw/bb----bb/--------/------bb/------bw/---b--bb/--------/-------- w mso",
    ] {
        let p = draw(board);
        let pass = p.movable()[0];
        assert_eq!((p.movable().len(), pass.is_pass(), p.is_stuck()), (1, true, false), "{p}");
        assert_eq!(
            (pass.to_string().as_str(), p.parse_move("pass"), p.read_move("Pass")),
            ("pass", Ok(pass), Ok(pass))
        );
        assert_eq!((p.child(pass), p.refusal(pass)), (p.passed(), None));
    }
    let stuck = draw("---bbw/----bb/---b--/------/bb----/wb---- w mso");
    assert_eq!(stuck.outcome(), None);
    assert_eq!(stuck.with_rules(Rules::Courses).outcome(), Some(Outcome::Win(Side::First)));
    conformance::check(&stuck, 12, 5, &[mirrored, transposed]);
    let start = Position::start(6).expect("a size").with_rules(Rules::Olympiad);
    assert_eq!(refusal(&start, "pass"), "illegal move pass: a side passes only if it has no other move");
    let unreadable = start.with_rules(Rules::Courses).parse_move("pass");
    assert!(matches!(unreadable, Err(MoveError::Unreadable { .. })), "the rules of the courses have no pass");
}

#[test]
fn the_rules_are_part_of_the_position() {
    let start = Position::start(8).expect("a size");
    let mso = start.with_rules(Rules::Olympiad);
    assert_eq!(mso.to_string(), format!("{start} mso"));
    assert!(mso != start && mso.key() != start.key());
    assert_eq!(mso.with_rules(Rules::Courses), start);
    assert_eq!(format!("{start}  mso ").parse(), Ok(mso));
    assert_eq!(size_of::<Position>(), 32);
    for wrong in ["nus", "MSO", "mso mso"] {
        let error = format!("{start} {wrong}").parse::<Position>().expect_err("unknown rules").to_string();
        assert!(error.starts_with("side to move: "), "{error}");
    }
}

#[test]
fn scrambled_eggs_alternate_around_the_board() {
    let start = Position::scrambled_eggs(8).expect("a size");
    assert_eq!(
        start,
        draw(
            "-wbwbwb-
             b------w
             w------b
             b------w
             w------b
             b------w
             w------b
             -bwbwbw- b"
        )
    );
    for size in Position::SIZES {
        let (usual, start) = (Position::start(size).expect("a size"), Position::scrambled_eggs(size).expect("a size"));
        assert_eq!(start.occupied(), usual.occupied());
        assert_eq!(start.sides().map(Bitboard::count), usual.sides().map(Bitboard::count));
    }
}

#[test]
fn errors_of_position_texts_list_blacks_letter_first() {
    let error = |text: &str| text.parse::<Position>().expect_err("a broken text").to_string();
    assert_eq!(
        error(""),
        "nothing found, expected rows from the top joined by `/`, then the side to move, as in \
         `-bb-/w--w/w--w/-bb- b`"
    );
    assert_eq!(error("-bb-/w--w/w--w/-bb-"), "side to move: nothing found, expected `b` or `w`");
}

/// Returns the mirror image, with left and right exchanged.
fn mirrored(p: &Position) -> Position {
    let text = p.to_string();
    let (board, rest) = text.split_once(' ').expect("a board and a side");
    let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/")).parse().expect("an image")
}

/// Returns the transposed board: the top rank becomes the a-file.
fn transposed(p: &Position) -> Position {
    let text = p.to_string();
    let (board, rest) = text.split_once(' ').expect("a board and a side");
    let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let columns: Vec<String> = (0..rows.len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
    format!("{} {rest}", columns.join("/")).parse().expect("an image")
}

#[test]
fn the_contract_holds_along_random_games() {
    for size in Position::SIZES {
        let start = Position::start(size).expect("a size");
        let eggs = Position::scrambled_eggs(size).expect("a size");
        for start in [start, eggs, start.with_rules(Rules::Olympiad), eggs.with_rules(Rules::Olympiad)] {
            conformance::check(&start, 12, size as u64, &[mirrored, transposed]);
        }
    }
}

#[test]
fn random_moves_are_equally_probable() {
    for size in Position::SIZES {
        conformance::check_random_moves(&Position::start(size).expect("a size"), size as u64);
    }
    // On crowded boards with few moves, most calls to `random_move` must list the moves. Some of these boards have no
    // moves.
    let mut rng = SplitMix64::new(1);
    let mut found = [0; 4];
    while found.contains(&0) {
        let rows: Vec<String> =
            (0..6).map(|_| (0..6).map(|_| *rng.choose(b"bbbwww-").expect("a content") as char).collect()).collect();
        let p: Position = format!("{} b", rows.join("/")).parse().expect("a position");
        match p.count_moves() as usize {
            0 => assert_eq!(p.random_move(&mut rng), None, "{p}"),
            few if few < found.len() => conformance::check_random_moves(&p, rng.next_u64()),
            _ => continue,
        }
        found[p.count_moves() as usize] += 1;
    }
}

#[test]
fn perft_from_the_start() {
    // Sources: OpenSpiel 2.0.2 for 8x8, and a mailbox move generator. Finished positions are not expanded.
    let known: [(usize, &[u64]); 4] = [
        (8, &[36, 1_244, 44_952, 1_563_208]),
        (6, &[24, 524, 11_440, 234_560]),
        (5, &[18, 280, 4_164, 56_108]),
        (4, &[12, 120, 1_012, 7_460]),
    ];
    for (size, counts) in known {
        let start = Position::start(size).expect("a size");
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&start, depth), count, "size {size}, depth {depth}");
        }
    }
}

#[test]
fn captures_are_visited_in_the_order_of_the_moves() {
    let mut rng = SplitMix64::new(12);
    for size in Position::SIZES {
        for start in [Position::start(size), Position::scrambled_eggs(size)] {
            let mut p = start.expect("a size");
            for _ in 0..60 {
                let mut captures = Vec::new();
                p.visit_captures(|m| captures.push(m));
                let enemies = p.pieces(!p.side_to_move());
                let expected: Vec<Move> = p.movable().into_iter().filter(|m| enemies.has(m.to)).collect();
                assert_eq!(captures, expected, "{p}");
                let Some(m) = p.random_move(&mut rng).filter(|_| p.decided().is_none()) else { break };
                p.play(m);
            }
        }
    }
}
