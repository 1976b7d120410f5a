//! Tests that the rules crates agree with the reference implementation, which was written independently: along
//! thousands of random games, in perft counts of small depths, and on the leaf counts of `testdata/perft/`.

use game::{Outcome, Position, SplitMix64};
use reference::{Model, Side};

/// Maximum counts in `testdata/perft/` that the tests check with the rules crates.
const FAST: u64 = 3_000_000;
/// Maximum counts that the tests check with the reference implementation.
const SLOW: u64 = 20_000;

/// Plays random games with both implementations and compares texts, moves and winners at every position.
fn random_games_agree<P: Position, M: Model>(start: &P, games: u64, seed: u64) {
    let model = M::parse(&start.to_string()).expect("the reference implementation parses the start position");
    for game in 0..games {
        let mut rng = SplitMix64::new(seed << 32 | game);
        let (mut fast, mut slow) = (start.clone(), model.clone());
        loop {
            let winner = fast.outcome().and_then(Outcome::winner);
            let slow_winner = slow.winner().map(|side| match side {
                Side::First => game::Side::First,
                Side::Second => game::Side::Second,
            });
            assert_eq!(winner, slow_winner, "winner\n{fast}");
            if winner.is_some() {
                break;
            }
            // The texts may differ only on won boards.
            assert_eq!(fast.to_string(), slow.text(), "position text");
            let moves = fast.legal_moves();
            let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
            texts.sort_unstable();
            assert_eq!(texts, slow.moves(), "moves\n{fast}");
            let m = *rng.choose(&moves).expect("an undecided position has a move");
            slow = slow.play(&m.to_string()).expect("the reference implementation accepts a legal move");
            fast.play(m);
        }
    }
}

/// Compares the counts of a file in `testdata/perft/` with both implementations.
fn perft_file_agrees<P: Position, M: Model>(game: &str) {
    let path = format!("{}/../../testdata/perft/{game}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a perft file");
    let mut counted = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (position, counts) = line.split_once(" ; ").expect("a position and counts");
        let fast: P = position.parse().expect("a position");
        let slow = M::parse(position).expect("a position");
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count: u64 = count.parse().expect("a count");
            if count <= FAST {
                assert_eq!(game::perft(&fast, depth), count, "depth {depth} of {position}");
                counted += 1;
            }
            if count <= SLOW {
                assert_eq!(
                    reference::perft(&slow, depth),
                    count,
                    "depth {depth} of {position} in the reference implementation"
                );
            }
        }
    }
    assert!(counted >= 15, "{counted} counts are too few");
}

/// Defines the tests of each game. Each size has a number of random games and a depth at which the counts from the
/// start position are compared.
macro_rules! games {
    ($($game:ident: $model:ty, start: $start:expr, seed: $seed:literal,
       size, games, depth: [$($sizes:tt),* $(,)?];)*) => {
        $(mod $game {
            use super::{Model, perft_file_agrees, random_games_agree};

            const SIZES: &[(usize, u64, u32)] = &[$($sizes),*];

            #[test]
            fn random_games() {
                let start: fn(usize) -> ::$game::Position = $start;
                for &(size, games, _) in SIZES {
                    random_games_agree::<_, $model>(&start(size), games, $seed);
                }
            }

            #[test]
            fn perft() {
                let start: fn(usize) -> ::$game::Position = $start;
                for &(size, _, depth) in SIZES {
                    let slow = reference::perft(&<$model>::start(size), depth);
                    assert_eq!(game::perft(&start(size), depth), slow, "size {size}");
                }
            }

            #[test]
            fn perft_file() {
                perft_file_agrees::<::$game::Position, $model>(stringify!($game));
            }
        })*
    };
}

games! {
    loa: reference::loa::Loa, start: |size| ::loa::Position::start(size).expect("a size"), seed: 1,
    size, games, depth: [(4, 400, 3), (5, 400, 3), (6, 300, 3), (7, 100, 2), (8, 100, 2)];

    checkers: reference::checkers::Checkers, start: |_| ::checkers::Position::start(), seed: 2,
    size, games, depth: [(8, 600, 6)];

    jump61: reference::jump61::Jump61, start: |size| ::jump61::Position::start(size).expect("a size"), seed: 3,
    size, games, depth: [
        (2, 400, 8), (3, 400, 5), (4, 300, 3), (5, 200, 2), (6, 150, 2), (7, 60, 2), (8, 40, 2), (9, 30, 2), (10, 20, 2),
    ];

    breakthrough: reference::breakthrough::Breakthrough,
    start: |size| ::breakthrough::Position::start(size).expect("a size"), seed: 4,
    size, games, depth: [(4, 400, 5), (5, 400, 4), (6, 300, 3), (7, 200, 3), (8, 150, 3)];
}
