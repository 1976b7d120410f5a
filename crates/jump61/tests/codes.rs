//! Tests of `Position::code`, which identifies a small board, and of `Position::folded_code`, which is the same for
//! all symmetric images of a board.

use std::collections::HashMap;

use game::{Position as _, SplitMix64};

use jump61::{Position, Square};

/// Computes the eight symmetric images of a board, square by square, without the code under test.
fn images(p: &Position) -> Vec<String> {
    let n = p.size();
    let image = |turn: usize| {
        let mut image = Position::start(n).expect("a size");
        for (row, column) in (0..n * n).map(|i| (i / n, i % n)) {
            let (r, c) = if turn & 1 == 0 { (row, column) } else { (column, row) };
            let r = if turn & 2 == 0 { r } else { n - 1 - r };
            let c = if turn & 4 == 0 { c } else { n - 1 - c };
            let from = Square::new(row, column).expect("on the board");
            image = image.with(Square::new(r, c).expect("on the board"), p.at(from)).expect("a valid pile");
        }
        image.to_string()
    };
    (0..8).map(image).collect()
}

#[test]
fn boards_have_the_same_code_if_and_only_if_they_are_images() {
    for size in 2..=4 {
        let (mut codes, mut folded): (HashMap<u64, String>, HashMap<u64, Vec<String>>) = Default::default();
        for seed in 0..200 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(size).expect("a size");
            while p.decided().is_none() {
                let code = p.code().expect("a small board");
                assert_eq!(code & 0x2002_0000_0000_2002, 0, "{p}: the code has bits that are reserved for tables");
                assert_eq!(codes.entry(code).or_insert_with(|| p.to_string()), &p.to_string());
                let images = images(&p);
                let same = folded.entry(p.folded_code().expect("a small board")).or_insert_with(|| images.clone());
                assert!(same.contains(&p.to_string()), "{p} has the code of {}", same[0]);
                for image in &images {
                    let image: Position = image.parse().expect("a position");
                    assert_eq!(image.folded_code(), p.folded_code(), "{p} and {image}");
                }
                p.play(*rng.choose(&p.legal_moves()).expect("a move"));
            }
        }
        assert!(codes.len() > folded.len() && codes.len() > 20);
        assert_eq!(Position::start(size).expect("a size").code(), Some(0));
    }
    assert_eq!(Position::start(5).expect("a size").code(), None);
    let full: Position = "5r1r/1r1r".parse().expect("a won board");
    assert_eq!(full.code(), None);
}
