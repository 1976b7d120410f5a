//! Tests of squares and sets of squares.

use board::{Bitboard, Square};

fn square(name: &str) -> Square {
    Square::parse(name).expect("a square")
}

fn set(names: &str) -> Bitboard {
    names.split_whitespace().map(square).collect()
}

#[test]
fn squares_are_read_as_they_are_written() {
    for (index, square) in Bitboard(u64::MAX).into_iter().enumerate() {
        assert_eq!((square.index(), Square::new(square.file(), square.rank())), (index, Some(square)));
        assert_eq!(Square::parse(&square.to_string()), Some(square));
    }
    assert_eq!((square("a1").index(), square("h8").index()), (0, 63));
    for text in ["", "a", "a0", "a9", "i1", "A1", "a1 ", " a1", "a11", "é"] {
        assert_eq!(Square::parse(text), None, "{text}");
    }
    assert_eq!((Square::new(8, 0), Square::new(0, 8)), (None, None));
}

#[test]
fn boards_lie_in_the_lower_left_corner() {
    assert_eq!(Bitboard::board(4).0, 0x0f0f_0f0f);
    assert_eq!(Bitboard::board(8).0, u64::MAX);
}

#[test]
fn sets_are_visited_in_order_of_index() {
    let squares = set("h8 c2 a1").into_iter();
    assert_eq!(squares.len(), 3);
    assert_eq!(squares.collect::<Vec<_>>(), [square("a1"), square("c2"), square("h8")]);
    assert_eq!((Bitboard::EMPTY.first(), Bitboard::EMPTY.into_iter().next()), (None, None));
    let by_number: Vec<_> = (0..5).map(|n| set("h8 c2 a1").nth(n)).collect();
    assert_eq!(by_number, [Some(square("a1")), Some(square("c2")), Some(square("h8")), None, None]);
}

#[test]
fn neighbours_do_not_wrap_around_the_board() {
    assert_eq!(set("a1").neighbours(), set("b1 a2 b2"));
    assert_eq!(set("h4").neighbours(), set("g4 g3 h3 g5 h5"));
    assert_eq!(set("h8").with_neighbours(), set("h8 g8 g7 h7"));
    assert_eq!(set("a1 a2").neighbours(), set("a1 a2 b1 b2 a3 b3"));
}

#[test]
fn transposing_exchanges_files_and_ranks() {
    for square in Bitboard(u64::MAX) {
        let exchanged = Square::new(square.rank(), square.file()).expect("a square");
        assert_eq!(Bitboard::of(square).transposed(), Bitboard::of(exchanged));
    }
    assert_eq!(Bitboard::FILE_A.transposed(), Bitboard(0xff));
}
