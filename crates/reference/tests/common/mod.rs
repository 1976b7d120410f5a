//! Helpers for the tests of all games.

use reference::{Model, perft};

/// Parses a valid position.
pub(crate) fn position<M: Model>(text: &str) -> M {
    let position = M::parse(text).expect("a position text");
    assert_eq!(position.text(), text, "a text is printed as it was read");
    position
}

/// Plays legal moves.
pub(crate) fn play_all<M: Model>(start: &M, moves: &[&str]) -> M {
    let mut position = start.clone();
    for name in moves {
        position = position.play(name).expect("a legal move");
    }
    position
}

/// Returns the perft counts for depths 1 to `depth`.
pub(crate) fn perft_counts<M: Model>(position: &M, depth: u32) -> Vec<u64> {
    (1..=depth).map(|depth| perft(position, depth)).collect()
}
