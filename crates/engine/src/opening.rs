//! Random openings, so that the games of a match differ.

use game::{PliesLeft, Position, Record, SplitMix64};
use search::{Blind, ForcedWins, Stop};

/// Returns an opening: random moves from the start, determined by the seed. In the final position, neither side has won
/// or can win within three plies, unless many tries find no such position.
pub fn opening<P: Position>(start: &P, plies: u32, move_limit: u32, seed: u64) -> Record<P> {
    let mut rng = SplitMix64::new(seed);
    // From some starts every continuation is decided, so after many tries any position is accepted.
    for attempt in 0.. {
        let mut record = Record::new(start.clone()).with_move_limit(move_limit).with_match_draws();
        for _ in 0..plies {
            let moves = record.position().legal_moves();
            match rng.choose(&moves) {
                Some(&m) if record.finish().is_none() => record.play(m),
                _ => break,
            }
        }
        let open = record.finish().is_none() && !wins_soon(record.position());
        if attempt == 1_000 || (open && record.moves_made() == plies) {
            return record;
        }
    }
    unreachable!("invariant: the loop ends at its last attempt")
}

fn wins_soon<P: Position>(p: &P) -> bool {
    let mut forced = ForcedWins::new(&Blind, Stop::new(), 1);
    forced.wins(p, 3, PliesLeft::UNLIMITED) == Ok(true)
        || p.movable().into_iter().all(|m| forced.loses_after(p, m, 4, PliesLeft::UNLIMITED) == Ok(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_open_and_differ() {
        let start = loa::Position::start(6).expect("a size");
        let texts: std::collections::HashSet<String> =
            (0..40).map(|seed| opening(&start, 6, 200, seed).position().to_string()).collect();
        assert_eq!(texts.len(), 40);
        assert!(texts.iter().all(|text| !wins_soon(&text.parse::<loa::Position>().expect("a position"))));
    }
}
