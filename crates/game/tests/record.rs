//! Tests of game records: results, undo, and illegal moves.

use game::examples::Nim;
use game::{
    Finish, IllegalMove, LimitError, Origin, Outcome, PlayError, PliesLeft, Position as _, Reason, Record, Side,
};

fn nim(text: &str) -> Nim {
    text.parse().expect("a heap")
}

fn play(game: &mut Record<Nim>, text: &str) {
    let m = game.position().parse_move(text).expect("a legal move");
    game.play(m);
}

#[test]
fn a_win_takes_precedence_over_the_move_limit() {
    let mut game = Record::new(nim("3 a")).with_move_limit(1);
    play(&mut game, "3");
    assert_eq!(game.finish(), Some(Finish { outcome: Outcome::Win(Side::First), reason: Reason::Board }));
    let mut game = Record::new(nim("3 a")).with_move_limit(1);
    play(&mut game, "1");
    assert_eq!(game.finish(), Some(Finish { outcome: Outcome::Draw, reason: Reason::MoveLimit }));
}

#[test]
fn a_set_up_position_is_no_move_and_does_not_end_the_game() {
    let mut game = Record::new(nim("3 a")).with_move_limit(9);
    play(&mut game, "1");
    game.set_up(nim("7 b"));
    game.set_up(nim("0 b"));
    assert_eq!((game.finish(), game.moves_made(), game.last_move()), (None, 1, None));
    assert_eq!(game.judge().map(|f| f.reason), Some(Reason::Board));
    assert_eq!(game.undo(), Some(Origin::SetUp));
    assert_eq!((game.moves_made(), game.finish()), (1, None));
    assert!(matches!(game.undo(), Some(Origin::Move(_))));
    assert_eq!(game.undo(), None);
    assert_eq!(game.moves_made_by(Side::First), 0);
}

#[test]
fn a_move_limit_must_exceed_the_moves_made() {
    let mut game = Record::new(nim("9 a"));
    play(&mut game, "1");
    play(&mut game, "1");
    assert_eq!(game.set_move_limit(Some(2)), Err(LimitError { limit: 2, made: 2 }));
    assert_eq!(game.set_move_limit(Some(3)), Ok(()));
    assert_eq!(game.plies_left(), PliesLeft::new(1));
}

#[test]
fn earlier_moves_count_towards_the_limit() {
    for (heap, by_sides) in [("9 a", [2, 3]), ("9 b", [3, 2])] {
        let mut game = Record::new(nim(heap)).with_earlier_moves(5).with_move_limit(7);
        assert_eq!((game.moves_made(), game.plies_left()), (5, PliesLeft::new(2)));
        assert_eq!(Side::BOTH.map(|side| game.moves_made_by(side)), by_sides);
        play(&mut game, "1");
        assert_eq!(game.finish(), None);
        play(&mut game, "1");
        assert_eq!(game.finish().map(|finish| finish.reason), Some(Reason::MoveLimit));
    }
}

#[test]
fn errors_contain_the_refused_move() {
    let mut game = Record::new(nim("3 a"));
    let three = game.position().parse_move("3").expect("a legal move");
    let mut shorter = Record::new(nim("2 a"));
    let error = shorter.try_play(three).expect_err("there are two stones");
    assert_eq!(error.to_string(), "illegal move 3: one to three of the 2 stones are taken");
    assert!(matches!(error, PlayError::Illegal(IllegalMove { m, .. }) if m == three));
    assert_eq!((shorter.moves_made(), game.try_play(three)), (0, Ok(())));
    let finish = game.finish().expect("the last stone is taken");
    assert_eq!(game.try_play(three), Err(PlayError::Finished { m: three, finish }));
}
