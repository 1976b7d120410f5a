//! Tests that the rules crates agree with the reference implementation, which was written independently: along
//! thousands of random games, in perft counts of small depths, and on the leaf counts of `testdata/perft/`.

use game::{Outcome, Position, SplitMix64};
use reference::{Model, Side};

/// Maximum counts in `testdata/perft/` that the tests check with the rules crates.
const FAST: u64 = 3_000_000;
/// Maximum counts that the tests check with the reference implementation.
const SLOW: u64 = 20_000;

/// Converts a side to the type of the reference implementation.
fn model_side(side: game::Side) -> Side {
    match side {
        game::Side::First => Side::First,
        game::Side::Second => Side::Second,
    }
}

/// Plays random games with both implementations and compares texts, moves and winners at every position.
fn random_games_agree<P: Position, M: Model>(start: &P, games: u64, seed: u64) {
    let model = M::parse(&start.to_string()).expect("the reference implementation parses the start position");
    for game in 0..games {
        let mut rng = SplitMix64::new(seed << 32 | game);
        let (mut fast, mut slow) = (start.clone(), model.clone());
        loop {
            let winner = fast.outcome().and_then(Outcome::winner);
            assert_eq!(winner.map(model_side), slow.winner(), "winner\n{fast}");
            assert_eq!(fast.outcome() == Some(Outcome::Draw), slow.drawn(), "draw\n{fast}");
            if fast.outcome().is_some() {
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

/// Compares both implementations of Lines of Action on random crowded boards, where stuck sides and simultaneous
/// connections are common. Returns the numbers of passes and draws.
fn random_boards_agree(rules: &str) -> [u32; 2] {
    let mut rng = SplitMix64::new(7);
    let mut seen = [0; 2];
    for round in 0..12_000 {
        let size = 4 + round % 5;
        let contents: &[u8] = [b"bw-----".as_slice(), b"bbbbbw-", b"bbbww-"][round / 5 % 3];
        let row = |rng: &mut SplitMix64| (0..size).map(|_| char::from(contents[rng.below(contents.len())])).collect();
        let rows: Vec<String> = (0..size).map(|_| row(&mut rng)).collect();
        let text = format!("{} {}{rules}", rows.join("/"), ["b", "w"][rng.below(2)]);
        let fast: ::loa::Position = text.parse().expect("a position");
        if fast.pieces(!fast.side_to_move()) == fast.board() {
            continue; // `loa` represents a pass by a square that holds no enemy piece
        }
        let slow = reference::loa::Loa::parse(&text).expect("a position");
        assert_eq!(fast.outcome() == Some(Outcome::Draw), slow.drawn(), "draw {text}");
        assert_eq!(fast.outcome().and_then(Outcome::winner).map(model_side), slow.winner(), "winner {text}");
        let mut moves: Vec<String> = fast.movable().iter().map(ToString::to_string).collect();
        moves.sort_unstable();
        assert_eq!(moves, slow.moves(), "moves {text}");
        seen[0] += u32::from(moves == ["pass"]);
        seen[1] += u32::from(slow.drawn());
        assert_eq!(game::perft(&fast, 2), reference::perft(&slow, 2), "perft 2 {text}");
    }
    seen
}

#[test]
fn random_boards_of_loa_agree() {
    assert_eq!(random_boards_agree(""), [0, 0]);
    let [passes, draws] = random_boards_agree(" mso");
    assert!(passes > 50 && draws > 50, "{passes} passes, {draws} draws");
}

/// Defines the tests of each game. Each size has a number of random games and a depth at which the counts from the
/// start position are compared.
macro_rules! games {
    ($($name:ident: $game:ident, $model:ty, start: $start:expr, model: $slow:expr, seed: $seed:literal,
       size, games, depth: [$($sizes:tt),* $(,)?];)*) => {
        $(mod $name {
            use super::{perft_file_agrees, random_games_agree};
            use reference::Model as _;

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
                let model: fn(usize) -> $model = $slow;
                for &(size, _, depth) in SIZES {
                    assert_eq!(start(size).to_string(), model(size).text());
                    let slow = reference::perft(&model(size), depth);
                    assert_eq!(game::perft(&start(size), depth), slow, "size {size}");
                }
            }

            #[test]
            fn perft_file() {
                perft_file_agrees::<::$game::Position, $model>(stringify!($name));
            }
        })*
    };
}

games! {
    loa: loa, reference::loa::Loa, start: |size| ::loa::Position::start(size).expect("a size"),
    model: reference::loa::Loa::start, seed: 1,
    size, games, depth: [(4, 400, 3), (5, 400, 3), (6, 300, 3), (7, 100, 2), (8, 100, 2)];

    loa_mso: loa, reference::loa::Loa,
    start: |size| ::loa::Position::start(size).expect("a size").with_rules(::loa::Rules::Olympiad),
    model: |size| reference::loa::Loa::start(size).mso(), seed: 5,
    size, games, depth: [(4, 400, 3), (5, 400, 3), (6, 300, 3), (7, 100, 2), (8, 100, 2)];

    loa_scrambled: loa, reference::loa::Loa,
    start: |size| ::loa::Position::scrambled_eggs(size).expect("a size"),
    model: reference::loa::Loa::scrambled_eggs, seed: 6,
    size, games, depth: [(4, 400, 3), (5, 400, 3), (6, 300, 3), (7, 100, 2), (8, 100, 2)];

    checkers: checkers, reference::checkers::Checkers, start: |_| ::checkers::Position::start(),
    model: reference::checkers::Checkers::start, seed: 2,
    size, games, depth: [(8, 600, 6)];

    jump61: jump61, reference::jump61::Jump61, start: |size| ::jump61::Position::start(size).expect("a size"),
    model: reference::jump61::Jump61::start, seed: 3,
    size, games, depth: [
        (2, 400, 8), (3, 400, 5), (4, 300, 3), (5, 200, 2), (6, 150, 2), (7, 60, 2), (8, 40, 2), (9, 30, 2), (10, 20, 2),
    ];

    breakthrough: breakthrough, reference::breakthrough::Breakthrough,
    start: |size| ::breakthrough::Position::start(size).expect("a size"),
    model: reference::breakthrough::Breakthrough::start, seed: 4,
    size, games, depth: [(4, 400, 5), (5, 400, 4), (6, 300, 3), (7, 200, 3), (8, 150, 3)];
}
