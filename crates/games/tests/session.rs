//! Tests of games in progress.

use std::error::Error as _;

use games::{GameId, Setting, SettingError};

#[test]
fn a_game_in_progress_has_the_scene_of_the_replayed_game() {
    for game in GameId::BUILT_IN {
        let setting = Setting::new(game, 30);
        let mut session = setting.record(None, &[]).expect("a game");
        let mut moves: Vec<String> = Vec::new();
        for ply in 0.. {
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            let scene = session.scene();
            assert_eq!(scene, setting.record(None, &texts).map(|game| game.scene()).expect("legal"));
            assert_eq!((scene.turn, scene.ply), (session.side_to_move().index(), session.plies()));
            let Some(way) = scene.moves.get(5 * ply % scene.moves.len().max(1)) else { break };
            session.try_play(&way.text).expect("legal");
            moves.push(way.text.clone());
        }
        assert!(matches!(session.try_play("b1-b3"), Err(SettingError::AfterEnd { ply: 31 })), "{game}");
        while let Some(text) = session.undo() {
            assert_eq!(Some(text), moves.pop());
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            assert_eq!(session.scene(), setting.record(None, &texts).map(|game| game.scene()).expect("legal"));
        }
        assert!(moves.is_empty());
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let setting = Setting::new(GameId::LOA, 30);
    let mut session = setting.record(None, &["b1-b3"]).expect("a game");
    let before = session.scene();
    assert!(matches!(session.try_play("b3-b4"), Err(SettingError::Move { ply: 2, .. })));
    assert_eq!(session.scene(), before);
}

#[test]
fn a_game_continues_after_its_move_limit_is_raised() {
    let setting = Setting::new(GameId::JUMP61, 2);
    let mut session = setting.record(None, &["1:1", "2:2"]).expect("a game");
    assert!(session.scene().end.is_some());
    assert!(matches!(session.set_move_limit(2), Err(SettingError::Limit(_))));
    session.set_move_limit(3).expect("higher");
    assert_eq!((session.scene().end, session.scene().limit), (None, Some(3)));
    session.try_play("1:1").expect("legal");
    assert!(session.scene().end.is_some());
}

/// Checks that an error whose message contains an inner error has no source. Otherwise, callers that print the chain of
/// sources would print the inner error twice.
#[test]
fn inner_errors_are_printed_once() {
    let setting = Setting::new(GameId::JUMP61, 30);
    let size = Setting { size: Some(99), ..setting }.record(None, &[]).map(drop);
    let start = setting.record(Some("x"), &[]).map(drop);
    let mut record = setting.record(None, &["1:1"]).expect("a legal move");
    let moves = record.read_moves("(").map(drop);
    let limit = record.set_move_limit(1);
    for error in [size, start, moves, limit].map(|result| result.expect_err("an error")) {
        assert!(error.source().is_none(), "{error}");
    }
    let refusal = jump61::Refusal::from(jump61::OffBoard { row: 7, column: 1, size: 6 });
    assert!(refusal.source().is_none() && refusal.to_string().starts_with("no square 7:1"), "{refusal}");
}
