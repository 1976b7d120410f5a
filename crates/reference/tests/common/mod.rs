//! What the tests of all games share.

use reference::{Model, perft};

/// Reads a position that the test knows to be one.
pub(crate) fn position<M: Model>(text: &str) -> M {
    let position = M::parse(text).expect("a position text");
    assert_eq!(position.text(), text, "a text is printed as it was read");
    position
}

/// Plays moves that the test knows to be legal.
pub(crate) fn play_all<M: Model>(start: &M, moves: &[&str]) -> M {
    let mut position = start.clone();
    for name in moves {
        position = position.play(name).expect("a legal move");
    }
    position
}

/// The perft counts for depths 1 to `depth`.
pub(crate) fn perft_counts<M: Model>(position: &M, depth: u32) -> Vec<u64> {
    (1..=depth).map(|depth| perft(position, depth)).collect()
}
