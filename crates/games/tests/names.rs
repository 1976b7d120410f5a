//! Tests of names, sizes and the registration of games.

use games::{GameId, RegisterError, SizeError, register};

#[test]
fn an_unknown_game_is_refused_with_the_list_of_games() {
    let error = "chess".parse::<GameId>().expect_err("no such game");
    assert_eq!(error.to_string(), "unknown game `chess`: expected `loa`, `checkers`, `jump61` or `breakthrough`");
    for game in GameId::BUILT_IN {
        assert_eq!(game.to_string().parse(), Ok(game));
    }
}

#[test]
fn games_are_registered_once_and_under_new_names() {
    assert_eq!(register(&[GameId::CHECKERS]), Err(RegisterError::Taken("checkers")));
    assert_eq!(GameId::all(), GameId::BUILT_IN);
    assert_eq!(register(&[]), Err(RegisterError::Late));
}

#[test]
fn a_wrong_size_is_refused_with_the_sizes_of_the_game() {
    let text = |error: SizeError| error.to_string();
    let small = GameId::LOA.start(Some(3)).map(|_| ()).map_err(text);
    assert_eq!(small, Err("board size 3: loa is played on 4 to 8 squares per side".to_owned()));
    let large = GameId::CHECKERS.start(Some(9)).map(|_| ()).map_err(text);
    assert_eq!(large, Err("board size 9: checkers is played on 8 squares per side".to_owned()));
}
