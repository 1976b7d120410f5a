//! Tests of automated moves that are requested one by one, as in the programs that show a page.

use console::{CommandError, Flow, Session, Transcript, jump61, loa};
use engine::PlayerOptions;
use search::Stop;

/// Returns options of automated players that search few nodes.
fn quick() -> PlayerOptions {
    PlayerOptions { nodes: Some(300), ..PlayerOptions::default() }
}

/// Returns the output of a console after these commands, with each automated move requested separately.
fn asked(mut console: impl Session, lines: &[&str]) -> Transcript {
    let mut seen = Transcript::default();
    for line in lines {
        assert_eq!(console.command(line.as_bytes(), &mut seen), Ok(Flow::Continue));
        while console.is_automated_turn() {
            let before = console.shown().moves.len();
            console.advance(&Stop::new(), &mut seen);
            assert!(console.shown().moves.len() == before + 1, "one move");
        }
    }
    seen
}

/// Returns the output of a console that makes all automated moves before it returns.
fn at_once(mut console: impl Session, lines: &[&str]) -> Transcript {
    let mut seen = Transcript::default();
    for line in lines {
        assert_eq!(console.line(line.as_bytes(), &mut seen), Ok(Flow::Continue));
    }
    seen
}

#[test]
fn the_moves_are_the_same() {
    let jump61 = || jump61::Console::new(&quick()).expect("a player");
    let lines = ["seed 3", "1 1", "size 3", "auto red"];
    assert_eq!(asked(jump61(), &lines), at_once(jump61(), &lines));
    let loa = || loa::Console::new(&quick()).expect("a player");
    let lines = ["seed 3", "b1-b3", "limit 8", "auto black"];
    let seen = asked(loa(), &lines);
    assert_eq!(seen.printed.last().map(String::as_str), Some("* Tie game."));
    assert_eq!(seen, at_once(loa(), &lines));
}

#[test]
fn a_stopped_player_makes_no_move() {
    let mut console = jump61::Console::new(&quick()).expect("a player");
    let mut seen = Transcript::default();
    console.command(b"1 1", &mut seen).expect("a move");
    let before = seen.clone();
    let stop = Stop::new();
    stop.stop();
    console.advance(&stop, &mut seen);
    assert!(seen == before && console.is_automated_turn());
    // The user takes over the side in the meantime.
    console.command(b"manual blue", &mut seen).expect("a command");
    console.advance(&Stop::new(), &mut seen);
    assert!(!console.is_automated_turn());
    assert_eq!(console.shown().moves, ["1:1"]);
}

#[test]
fn a_user_does_not_move_for_the_program() {
    let mut console = loa::Console::new(&quick()).expect("a player");
    let mut seen = Transcript::default();
    console.command(b"auto black", &mut seen).expect("a command");
    let error = CommandError("the program plays Black: expected `manual black` before a move".into());
    assert_eq!(console.command(b"b1-b3", &mut seen), Err(error));
    assert_eq!(console.shown().moves.len(), 0);
}

#[test]
fn moves_and_commands_are_distinguished_by_their_form() {
    for (line, is_move) in [("b1-b3", true), (" 7 7 ", true), ("undo", false), ("", false), ("# 1 1", false)] {
        assert_eq!(loa::Console::is_move(line.as_bytes()), is_move, "{line}");
        let in_jump61 = is_move && line != "b1-b3";
        assert_eq!(jump61::Console::is_move(line.as_bytes()), in_jump61, "{line}");
    }
}
