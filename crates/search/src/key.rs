//! Table keys of positions.

use game::{Key, PliesLeft, Position};

use crate::params::PLIES_LEFT_IN_KEY;

/// Returns the key of a position in a search. Near the move limit, the key includes the number of plies left.
pub(crate) fn search_key<P: Position>(p: &P, left: PliesLeft) -> Key {
    match left.count() {
        Some(n) if n < PLIES_LEFT_IN_KEY => p.key() ^ Key::mix(0x11_0000 + u64::from(n)),
        _ => p.key(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::examples::Nim;

    #[test]
    fn plies_left_tell_positions_apart_if_the_limit_is_near() {
        let p: Nim = "7 a".parse().expect("a heap");
        let key = |n| search_key(&p, PliesLeft::new(n));
        assert!(key(3) != key(4) && key(31) != key(32));
        assert!(key(32) == key(50) && key(32) == search_key(&p, PliesLeft::UNLIMITED));
    }
}
