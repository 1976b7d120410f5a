//! Tests of the rules of the Melbourne checkers variant. The numbers are those of the crate's documentation.

use checkers::{Cell, Move, Piece, Position, Refusal, SetupError};
use game::{IllegalMove, MoveError, Outcome, Position as _, Reason, Record, Side, conformance, perft};

/// Parses a board drawn over several lines, followed by the side to move.
fn draw(board: &str) -> Position {
    let words: Vec<&str> = board.split_whitespace().collect();
    let (side, rows) = words.split_last().expect("rows and a side");
    format!("{} {side}", rows.join("/")).parse().expect("a drawn board")
}

fn moves(p: &Position) -> Vec<String> {
    p.legal_moves().iter().map(ToString::to_string).collect()
}

fn after(p: &Position, m: &str) -> Position {
    p.child(p.parse_move(m).expect("a legal move"))
}

#[test]
fn rule_1_the_start_position() {
    let start = draw(
        ".w.w.w.w
         w.w.w.w.
         .w.w.w.w
         ........
         ........
         b.b.b.b.
         .b.b.b.b
         b.b.b.b. b",
    );
    assert_eq!(start, Position::start());
    assert_eq!(moves(&start), ["A6-B5", "C6-D5", "C6-B5", "E6-F5", "E6-D5", "G6-H5", "G6-F5"]);
}

#[test]
fn rules_2_and_3_men_move_forward_and_towers_in_all_diagonal_directions() {
    let p = draw(
        "........
         ........
         ...b....
         ........
         .B......
         ........
         .....w..
         ........ b",
    );
    assert_eq!(moves(&p), ["D3-E2", "D3-C2", "B5-C4", "B5-C6", "B5-A6", "B5-A4"], "clockwise, north-east first");
    assert_eq!(moves(&after(&p, "D3-E2")), ["F7-G8", "F7-E8"]);
}

#[test]
fn rule_4_jumps_have_the_directions_of_moves_and_are_optional() {
    let p = draw(
        "........
         ........
         .w......
         ..b.....
         .w.w....
         ........
         ........
         ........ w",
    );
    // B3 cannot jump over C4, because D5 is occupied. B5 and D5 would have to jump backward.
    assert_eq!(moves(&p), ["B3-A4", "B5-C6", "B5-A6", "D5-E6", "D5-C6"]);
    let p = draw(
        "........
         ........
         .w......
         ..b.....
         ........
         ........
         ........
         ........ w",
    );
    assert_eq!(moves(&p), ["B3-D5", "B3-A4"]);
    assert_eq!(after(&p, "B3-D5").count(Side::First), (0, 0));
}

#[test]
fn rule_5_a_jump_to_the_far_row_makes_a_tower() {
    let p = draw(
        "........
         ..w.....
         .b.....b
         ........
         ........
         ........
         ........
         ........ b",
    );
    let jumped = after(&p, "B3-D1");
    assert_eq!(jumped.to_string(), "...B..../......../.......b/......../......../......../......../........ w");
    assert_eq!(jumped.cost(), 4);
}

#[test]
fn rule_6_a_side_without_legal_moves_has_lost() {
    let no_piece = draw("........ ........ ........ ........ ........ ........ ........ b....... w");
    assert_eq!(no_piece.outcome(), Some(Outcome::Win(Side::First)));
    let blocked = draw(
        ".......w
         ......b.
         .....b..
         ........
         ........
         ........
         ........
         ........ w",
    );
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn errors_have_the_order_and_the_words_of_the_course() {
    let p = Position::start();
    for (m, reason) in [
        ("A1-A1", "source cell is empty"),
        ("B1-B3", "target cell is not empty"),
        ("B3-A4", "source cell holds opponent's piece/tower"),
        ("G6-G5", "illegal action"),
        ("G6-E4", "illegal action"),
    ] {
        assert_eq!(p.parse_move(m).map_err(|e| e.to_string()), Err(format!("illegal move {m}: {reason}")));
    }
    assert!(p.parse_move("g6-f5").is_err_and(|e| e.to_string().contains("expected two cells")));
}

#[test]
fn errors_contain_the_refused_move_and_a_typed_reason() {
    let mut p = Position::start();
    let elsewhere = after(&p, "G6-F5").parse_move("F3-G4").expect("a legal move of White");
    let refused = IllegalMove { m: elsewhere, refusal: Refusal::OpponentsPiece };
    assert_eq!(p.try_play(elsewhere), Err(refused));
    let reason = Refusal::OpponentsPiece;
    assert_eq!(p.parse_move("F3-G4"), Err(MoveError::Illegal { text: "F3-G4".to_owned(), reason }));
    assert_eq!(p.check(elsewhere.from(), elsewhere.to()), Err(reason));
    assert_eq!(p, Position::start());
}

#[test]
fn setting_a_cell_keeps_the_key() {
    let start = Position::start();
    let [a6, b5, a1] = [(5, 0), (4, 1), (0, 0)].map(|(row, column)| Cell::new(row, column).expect("a cell"));
    let tower = Piece { side: Side::Second, tower: true };
    let changed = start.with(a6, Some(tower)).expect("a dark cell").with(b5, start.at(a6)).expect("a dark cell");
    let text = ".w.w.w.w/w.w.w.w./.w.w.w.w/......../.b....../W.b.b.b./.b.b.b.b/b.b.b.b. w";
    assert_eq!(changed.with_turn(Side::Second), text.parse().expect("a position"));
    assert_eq!(changed.with_turn(Side::Second).key(), text.parse::<Position>().expect("a position").key());
    let back = changed.with(b5, None).expect("a dark cell").with(a6, start.at(a6)).expect("a dark cell");
    assert_eq!((back, back.key()), (start, start.key()));
    let refused = start.with(a1, None);
    assert_eq!(refused, Err(SetupError::LightCell(a1)));
    assert_eq!(
        refused.map_err(|error| error.to_string()),
        Err("A1 is a light cell: pieces stand on dark ones".to_owned())
    );
}

#[test]
fn sets_of_cells_iterate_row_by_row() {
    let p = Position::start();
    let names: Vec<String> = p.pieces(Side::Second).into_iter().map(|cell| cell.to_string()).collect();
    assert_eq!(names, ["B1", "D1", "F1", "H1", "A2", "C2", "E2", "G2", "B3", "D3", "F3", "H3"]);
    assert!(names.len() == p.pieces(Side::Second).count() as usize && p.towers().is_empty());
    let all = p.pieces(Side::First) | p.pieces(Side::Second);
    let cells = (0..8).flat_map(|row| (0..8).filter_map(move |column| Cell::new(row, column)));
    assert!(cells.into_iter().all(|cell| all.has(cell) == p.at(cell).is_some()));
}

#[test]
fn errors_of_position_texts_contain_the_place() {
    for (text, expected) in [
        ("......../........ b", "2 rows: expected 8 rows, joined by `/`"),
        (
            "b......./......../......../......../......../......../......../........ b",
            "row 1, column 1: `b` found, expected `.` on a light cell",
        ),
        (
            "......../....q.../......../......../......../......../......../........ b",
            "row 2, column 5: `q` found, expected `.`, `b`, `w`, `B` or `W`",
        ),
        (
            "......../......../......../......../......../......../......../........ x",
            "side to move: `x` found, expected `b` or `w`",
        ),
    ] {
        assert_eq!(text.parse::<Position>().map_err(|e| e.to_string()), Err(expected.to_owned()));
    }
}

/// Plays a cycle of moves for at most `plies` plies. If the game ends, returns the number of played plies and the
/// reason.
fn play_around(record: &mut Record<Position>, moves: &[&str], plies: usize) -> Option<(usize, Reason)> {
    for ply in 0..plies {
        let m = record.position().parse_move(moves[ply % moves.len()]).expect("a legal move");
        record.play(m);
        if let Some(finish) = record.finish() {
            assert_eq!(finish.outcome, Outcome::Draw);
            return Some((ply + 1, finish.reason));
        }
    }
    None
}

#[test]
fn rule_7_a_match_is_drawn_by_repetition() {
    let p: Position =
        "......../B......./......../......../......../......../.......W/b....... b".parse().expect("a position");
    let around = ["A2-B1", "H7-G8", "B1-A2", "G8-H7"];
    let mut game = Record::new(p).with_match_draws();
    assert_eq!(play_around(&mut game, &around, 100), Some((8, Reason::Repetition)));
    assert_eq!(play_around(&mut Record::new(p), &around, 100), None, "games without match draws continue");
    // The undone ply does not count. The move of the man restarts the count.
    let mut game = Record::new(p).with_match_draws();
    assert_eq!(play_around(&mut game, &around, 7), None);
    game.undo();
    assert_eq!(play_around(&mut game, &["A8-B7", "G8-H7"], 2), None);
    // The position after the man's move occurs again after 3 and 7 plies of this line.
    assert_eq!(play_around(&mut game, &["B1-A2", "H7-G8", "A2-B1", "G8-H7"], 100), Some((7, Reason::Repetition)));
}

#[test]
fn rule_7_a_match_is_drawn_after_80_quiet_plies() {
    let p: Position =
        "......../B.....B./......../......../......../......../.W.....W/........ b".parse().expect("a position");
    let mut game = Record::new(p).with_match_draws();
    // The loop plays only moves that do not repeat a position.
    while game.finish().is_none() {
        let position = *game.position();
        let is_new = |m: &Move| game.steps().iter().all(|step| step.position != position.child(*m));
        let mut quiet = position.movable().into_iter().filter(|&m| !position.is_irreversible(m));
        let m = quiet.find(is_new).expect("a move to a new position");
        game.play(m);
    }
    assert_eq!((game.moves_made(), game.finish().map(|f| f.reason)), (80, Some(Reason::QuietPlies)));
}

#[test]
fn the_contract_holds_along_random_games() {
    conformance::check(&Position::start(), 40, 2, &[]);
}

#[test]
fn the_rules_are_the_same_for_both_sides() {
    let p = Position::start();
    let turned: String = p.to_string()[..71]
        .chars()
        .rev()
        .map(|c| match c {
            'b' => 'w',
            'w' => 'b',
            other => other,
        })
        .collect();
    let turned: Position = format!("{turned} w").parse().expect("a position");
    for depth in 1..=5 {
        assert_eq!(perft(&p, depth), perft(&turned, depth));
    }
}
