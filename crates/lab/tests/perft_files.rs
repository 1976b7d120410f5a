//! The leaf counts of `testdata/perft/`, by the fast rules and, for small counts, by the slow ones.

use game::Position;
use reference::Model;

/// The largest counts that the fast and the slow rules check in a test.
const FAST: u64 = 3_000_000;
const SLOW: u64 = 20_000;

fn check<P: Position, M: Model>(game: &str) {
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
                assert_eq!(reference::perft(&slow, depth), count, "depth {depth} of {position} by the model");
            }
        }
    }
    assert!(counted >= 15, "the file holds counts");
}

#[test]
fn lines_of_action() {
    check::<loa::Position, reference::loa::Loa>("loa");
}

#[test]
fn checkers() {
    check::<checkers::Position, reference::checkers::Checkers>("checkers");
}

#[test]
fn breakthrough() {
    check::<breakthrough::Position, reference::breakthrough::Breakthrough>("breakthrough");
}

#[test]
fn jump61() {
    check::<jump61::Position, reference::jump61::Jump61>("jump61");
}
