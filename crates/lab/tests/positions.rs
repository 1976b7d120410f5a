//! Tests with 1,126 positions of Lines of Action, their complete move lists and winners; see `testdata/SOURCES.md`.

use game::{Outcome, Position as _, Side};
use loa::Position;
use serde_json::Value;

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn texts(p: &Position, keep: impl Fn(&Position) -> bool) -> Vec<String> {
    let mut texts: Vec<String> =
        p.legal_moves().into_iter().filter(|&m| keep(&p.child(m))).map(|m| m.to_string()).collect();
    texts.sort_unstable();
    texts
}

fn check(row: &Value) {
    let side = row["to_move"].as_str().expect("a side");
    let p: Position = format!("{} {}", strings(&row["board"]).join("/"), &side[..1]).parse().expect("a position");
    let moves = strings(&row["moves"]);
    let us = p.side_to_move();
    let expected = match row["winner"].as_str() {
        Some("black") => Some(Outcome::Win(Side::First)),
        Some("white") => Some(Outcome::Win(Side::Second)),
        // If the file names no winner, a side to move without moves has lost.
        _ => moves.is_empty().then_some(Outcome::Win(!us)),
    };
    assert_eq!(p.outcome(), expected, "{p}");
    assert_eq!(texts(&p, |_| true), moves, "{p}");
    if row["kind"].is_string() {
        let connects = |child: &Position, side: Side| loa::is_connected(child.pieces(side));
        let both = texts(&p, |child| connects(child, us) && connects(child, !us));
        assert_eq!(both, strings(&row["moves_connecting_both"]), "{p}");
        let only_opponent = texts(&p, |child| !connects(child, us) && connects(child, !us));
        assert_eq!(only_opponent, strings(&row["moves_connecting_only_opponent"]), "{p}");
    }
}

#[test]
fn move_lists_and_winners_are_exact() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/positions");
    let mut rows = 0;
    for file in ["positions_8x8", "positions_6x6", "edges_8x8", "edges_6x6"] {
        let text = std::fs::read_to_string(folder.join(file).with_extension("jsonl")).expect("a fixture");
        for line in text.lines() {
            check(&serde_json::from_str(line).expect("JSON"));
            rows += 1;
        }
    }
    assert_eq!(rows, 1_126);
}
