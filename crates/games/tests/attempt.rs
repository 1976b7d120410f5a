//! Tests for the check of moves that a person tries on a board.

use games::{GameId, Place, Setting};

/// Returns the message for a path tried after `moves`; `None` if it is a legal move.
fn tried(game: GameId, moves: &[&str], path: &[Place]) -> Option<String> {
    let setting = Setting::new(game, 60);
    let record = setting.record(None, moves).expect("legal moves");
    record.try_path(path).err().map(|message| message.text)
}

#[test]
fn illegal_paths_have_the_errors_of_typed_moves() {
    let loa = |path: &[Place]| tried(GameId::LOA, &[], path);
    assert_eq!(loa(&[[7, 3], [5, 3]]), None);
    assert_eq!(loa(&[[7, 3]]), None);
    let rule = "d1-d5 is not legal: two pieces stand on the d-file, so the piece moves exactly two squares.";
    assert_eq!(loa(&[[7, 3], [3, 3]]).as_deref(), Some(rule));
    let rule = "d1-e4 is not legal: a piece moves along a file, a rank or a diagonal.";
    assert_eq!(loa(&[[7, 3], [4, 4]]).as_deref(), Some(rule));
    let rule = "b1-d1 is not legal: six pieces stand on rank 1, so the piece moves exactly six squares.";
    assert_eq!(loa(&[[7, 1], [7, 3]]).as_deref(), Some(rule));
    assert_eq!(tried(GameId::JUMP61, &["1:1"], &[[0, 0]]).as_deref(), Some("1:1 is not legal: the square is Red's."));
    assert_eq!(tried(GameId::JUMP61, &["1:1"], &[[0, 1]]), None);
    let rule = "A6-A5 is not legal: a piece moves one square forward diagonally or jumps over an enemy piece; only \
                towers move backward.";
    assert_eq!(tried(GameId::CHECKERS, &[], &[[5, 0], [4, 0]]).as_deref(), Some(rule));
}

#[test]
fn squares_without_moves_have_an_explanation() {
    for (game, place, message) in [
        (GameId::LOA, [6, 0], "a2 cannot move: the piece on a2 is White's, and Black is to move."),
        (GameId::LOA, [3, 3], "d5 cannot move: d5 is empty."),
        (GameId::BREAKTHROUGH, [7, 3], "The piece on d1 has no legal move."),
        (GameId::CHECKERS, [2, 1], "B3 cannot move: the piece belongs to the opponent."),
        (GameId::CHECKERS, [7, 0], "The piece on A8 has no legal move."),
    ] {
        assert_eq!(tried(game, &[], &[place]).as_deref(), Some(message));
    }
    for path in [&[][..], &[[9, 0]], &[[0, 0], [0, 99]]] {
        assert_eq!(tried(GameId::LOA, &[], path).as_deref(), Some("The board has no such square."));
    }
}
