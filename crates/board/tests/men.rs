//! Tests of [`Men`] with two [`Kind`]s: one in which Black is the first side, and one in which White is.

use board::{Bitboard, Colour, Kind, Men, Seeds, SetupError, SizeError, Square};
use game::{Key, Side, SplitMix64};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BlackFirst;

impl Kind for BlackFirst {
    const SEEDS: Seeds = Seeds { board: 0x100, men: 0x200, turn: 0x300 };
    const FIRST: Colour = Colour::Black;
    const FORM: &'static str = "rows as in `bbbb/----/----/wwww b`";
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum WhiteFirst {
    #[default]
    Usual,
    Misere,
}

impl Kind for WhiteFirst {
    const SEEDS: Seeds = Seeds { board: 0x1100, men: 0x1200, turn: 0x1300 };
    const FIRST: Colour = Colour::White;
    const FORM: &'static str = "rows as in `bbbb/----/----/wwww w`";
    const VARIANTS: &'static [(&'static str, Self)] = &[("misere", Self::Misere)];
}

#[test]
fn the_word_of_a_variant_follows_the_side_to_move() {
    let usual: Men<WhiteFirst> = read("-b--/----/----/--w- w");
    let misere: Men<WhiteFirst> = read("-b--/----/----/--w- w misere");
    assert_eq!((usual.variant(), misere.variant()), (WhiteFirst::Usual, WhiteFirst::Misere));
    assert_eq!(
        (misere.to_string().as_str(), misere.passed().variant()),
        ("-b--/----/----/--w- w misere", WhiteFirst::Misere)
    );
    assert!(misere != usual && misere.key() != usual.key());
    assert_eq!(usual.with_variant(WhiteFirst::Misere), misere);
    assert_eq!(misere.with_variant(WhiteFirst::Usual), usual);
    assert!("-b--/----/----/--w- misere".parse::<Men<WhiteFirst>>().is_err(), "no side to move");
}

fn square(name: &str) -> Square {
    Square::parse(name).expect("a square")
}

fn read<K: Kind>(text: &str) -> Men<K> {
    text.parse().expect("a position text")
}

/// Returns a board with random men and a random side to move.
fn random_board<K: Kind>(rng: &mut SplitMix64, size: usize) -> Men<K> {
    let mut men = Men::empty(size).expect("a size");
    for square in men.board() {
        let content = [None, Some(Side::First), Some(Side::Second)][rng.below(3)];
        men = men.with(square, content).expect("on the board");
    }
    if rng.below(2) == 0 { men } else { men.passed() }
}

#[test]
fn boards_have_4_to_8_squares_a_side() {
    for size in 0..20 {
        match Men::<BlackFirst>::empty(size) {
            Ok(men) => {
                assert_eq!((men.size(), men.board().count()), (size, (size * size) as u32));
                assert_eq!((men.occupied(), men.side_to_move()), (Bitboard::EMPTY, Side::First));
            }
            Err(error) => assert_eq!(error, SizeError(size)),
        }
        assert_eq!(Men::<BlackFirst>::empty(size).is_ok(), (4..=8).contains(&size));
    }
    assert_eq!(SizeError(9).to_string(), "board size 9: expected 4 to 8");
}

#[test]
fn a_board_has_32_bytes() {
    assert_eq!(size_of::<Men<BlackFirst>>(), 32);
}

#[test]
fn the_kind_defines_the_first_side() {
    let text = "bb--/----/----/---w b";
    let (black, white) = (read::<BlackFirst>(text), read::<WhiteFirst>(text));
    assert_eq!(black.sides().map(Bitboard::count), [2, 1]);
    assert_eq!(white.sides().map(Bitboard::count), [1, 2]);
    assert_eq!((black.side_to_move(), white.side_to_move()), (Side::First, Side::Second));
    assert_eq!((black.at(square("a4")), white.at(square("a4"))), (Some(Side::First), Some(Side::Second)));
    assert_eq!((black.at(square("c4")), black.at(square("d1"))), (None, Some(Side::Second)));
    assert_eq!((black.to_string(), white.to_string()), (text.to_owned(), text.to_owned()));
    assert_eq!(black.diagram(None).to_string(), white.diagram(None).to_string());
}

#[test]
fn parsing_reverses_writing() {
    fn check<K: Kind>() {
        let mut rng = SplitMix64::new(1);
        for round in 0..200 {
            let men = random_board::<K>(&mut rng, 4 + round % 5);
            assert_eq!(read::<K>(&men.to_string()), men, "{men}");
        }
    }
    check::<BlackFirst>();
    check::<WhiteFirst>();
}

#[test]
fn parse_errors_name_the_mistake_and_its_place() {
    fn check<K: Kind>(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let found = text.parse::<Men<K>>().map_err(|error| error.to_string());
            assert_eq!(found, Err((*expected).to_owned()), "{text}");
        }
    }
    check::<BlackFirst>(&[
        ("", "nothing found, expected rows as in `bbbb/----/----/wwww b`"),
        ("-bb-/w--w/w--w b", "3 rows: expected 4 to 8 rows, joined by `/`"),
        ("-bb-/w--w/w--w/-bb b", "row 4 has 3 characters: expected 4"),
        ("-bb-/w--w/w-xw/-bb- b", "row 3, column 3: `x` found, expected `b`, `w` or `-`"),
        ("-bb-/w--w/w--w/-bb-", "side to move: nothing found, expected `b` or `w`"),
        ("-bb-/w--w/w--w/-bb- black", "side to move: `black` found, expected `b` or `w`"),
    ]);
    check::<WhiteFirst>(&[
        ("", "nothing found, expected rows as in `bbbb/----/----/wwww w`"),
        ("bbbb/----/----/wwwww w", "row 4 has 5 characters: expected 4"),
        ("bbbb/----/--B-/wwww w", "row 3, column 3: `B` found, expected `b`, `w` or `-`"),
        ("bbbb/----/----/wwww", "side to move: nothing found, expected `w` or `b`"),
        ("bbbb/----/----/wwww white", "side to move: `white` found, expected `w` or `b`"),
    ]);
}

/// Computes the key as specified by [`Seeds`].
fn key<K: Kind>(men: &Men<K>) -> Key {
    let mut key = Key::mix(K::SEEDS.board + men.size() as u64);
    for side in Side::BOTH {
        for square in men.pieces(side) {
            key ^= Key::mix(K::SEEDS.men + (64 * side.index() + square.index()) as u64);
        }
    }
    if men.side_to_move() == Side::Second { key ^ Key::mix(K::SEEDS.turn) } else { key }
}

#[test]
fn the_key_depends_on_the_men_and_the_side_to_move_alone() {
    let mut rng = SplitMix64::new(2);
    for round in 0..500 {
        let men = random_board::<WhiteFirst>(&mut rng, 4 + round % 5);
        assert_eq!(men.key(), key(&men), "{men}");
    }
}

#[test]
fn changed_squares_update_the_key() {
    let start = read::<BlackFirst>("-bbbb-/w----w/w----w/w----w/w----w/-bbbb- b");
    let changed = start.with(square("b1"), Some(Side::Second)).expect("on the board").with_turn(Side::Second);
    assert_eq!(changed.to_string(), "-bbbb-/w----w/w----w/w----w/w----w/-wbbb- w");
    assert_eq!(changed.key(), key(&changed));
    let emptied = changed.with(square("b1"), None).expect("on the board");
    assert_eq!((emptied.at(square("b1")), emptied.key()), (None, key(&emptied)));
    let back = emptied.with(square("b1"), Some(Side::First)).expect("on the board").with_turn(Side::First);
    assert_eq!((back, back.key()), (start, start.key()));
    let refused = start.with(square("g1"), None);
    assert_eq!(refused, Err(SetupError::OffBoard { square: square("g1"), size: 6 }));
    assert_eq!(refused.map_err(|error| error.to_string()), Err("g1 is outside of the 6x6 board".to_owned()));
}

#[test]
fn the_diagram_marks_the_last_move() {
    let men = read::<BlackFirst>("-bb-/w--w/w-bw/-b-- w");
    let drawn = "   4  .  b  b  .\n   3  w  .  .  w\n   2  w  . [b] w\n   1  .  b (.) .\n      a  b  c  d";
    assert_eq!(men.diagram(Some((square("c1"), square("c2")))).to_string(), drawn);
}
