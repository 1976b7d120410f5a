//! Tests of a room without sockets and clocks.

use std::collections::BTreeSet;

use game::SplitMix64;
use games::GameId;

use super::*;
use crate::messages::game::{Clock, Who};

const ENGINE: Seat = Seat::engine(Level::FULL);

fn act(room: &mut Room, act: &Act) -> Result<(), Message> {
    at(room, act, 0)
}

/// Performs an action at a given time.
fn at(room: &mut Room, act: &Act, now: u64) -> Result<(), Message> {
    room.act(room.record.plies(), act, "me", now)
}

fn begin(room: &mut Room, new: &NewGame, client: &str, now: u64) -> Result<(), Message> {
    room.replace(Room::new(new, 0, now)?, new, client, now)
}

fn movetime(turn: &Turn) -> Option<Duration> {
    turn.seat.player()?.movetime
}

/// Creates a game with three seconds for each side.
fn timed(seats: [Seat; 2]) -> Room {
    let game = Game { game: "loa".into(), size: None, start: None, moves: vec![], limit: None };
    let clock = Some(Clock::Game { ms: 3_000, increment: 0 });
    Room::new(&NewGame { clock, ..NewGame::of(game, seats) }, 1, 0).expect("a room")
}

fn play(text: &str) -> Act {
    Act::Play { text: text.into() }
}

fn left(room: &Room, now: u64) -> [u64; 2] {
    room.view("t", "me", now).clock.expect("a clock").left
}

#[test]
fn a_game_is_lost_on_time() {
    let mut room = timed([Seat::Person; 2]);
    assert_eq!(room.deadline(), None, "the first move is free");
    at(&mut room, &play("b1-b3"), 60_000).expect("legal");
    assert_eq!((room.deadline(), left(&room, 61_000)), (Some(63_000), [3_000, 2_000]));
    at(&mut room, &play("a2-c2"), 62_000).expect("legal");
    // The move is too late, even if no timer has fired.
    let moves = room.record.plies();
    at(&mut room, &play("b3-b2"), 65_000).expect_err("too late");
    let end = room.view("t", "me", 65_000).scene.end.expect("over");
    assert_eq!((end.winner, end.message.text.as_str()), (Some(1), "White wins: Black’s time ran out."));
    assert_eq!((room.deadline(), room.record.plies()), (None, moves));
    let archived = room.take_finished(|| "x".into(), "now".into()).expect("a finished game");
    assert_eq!((archived.reason.as_str(), archived.winner, archived.moves.len()), ("time", Some(1), 2));
    // Taking a move back restores the times of the position.
    at(&mut room, &Act::Undo, 70_000).expect("taken back");
    assert_eq!((left(&room, 71_000), room.deadline()), ([3_000, 2_000], Some(73_000)));
    room.flag(72_999);
    assert!(!room.is_over());
    room.flag(73_000);
    assert!(room.is_over());
}

#[test]
fn engines_think_within_their_clock() {
    let mut room = timed([Seat::Person, ENGINE]);
    at(&mut room, &play("b1-b3"), 0).expect("legal");
    let turn = room.turn().expect("an engine's turn");
    assert_eq!(movetime(&turn), Some(Duration::from_millis(120)));
    at(&mut room, &Act::Pace { ms: 5_000 }, 500).expect("a pace");
    assert_eq!(room.turn().as_ref(), Some(&turn), "a search is not restarted as time passes");
    let first = room.scene.moves[0].text.clone();
    assert!(!room.engine_plays(&turn, &first, 3_000), "too late");
    assert_eq!(room.view("t", "me", 3_000).scene.end.and_then(|end| end.winner), Some(0));
    let quick = Seat::Engine { level: Level::FULL, seconds: Some(0.05), nodes: None, build: Build::Current };
    let room = timed([quick, quick]);
    let turn = room.turn().expect("an engine's turn");
    assert_eq!((movetime(&turn), turn.after), (Some(Duration::from_millis(50)), Duration::ZERO));
}

#[test]
fn clients_of_a_shared_table_move_only_for_their_own_side() {
    let mut room = Room::shared();
    for client in ["a", "b", "c"] {
        room.enter(client, None);
    }
    let mut act = |client: &str, ply, act: &Act| room.act(ply, act, client, 0);
    act("b", 0, &play("b1-b3")).expect_err("the turn of a");
    act("c", 0, &play("b1-b3")).expect_err("watches");
    act("a", 0, &play("b1-b3")).expect("legal");
    act("c", 1, &Act::Resign).expect_err("watches");
    act("b", 1, &Act::Undo).expect_err("b has not moved");
    act("b", 1, &play("a2-c2")).expect("legal");
    // Both players must agree to take a move back. The last move of the player who asked first is taken back, together
    // with any reply to it.
    act("a", 2, &Act::Undo).expect("a request");
    act("a", 2, &Act::Undo).expect("still a request");
    act("b", 2, &Act::Undo).expect("agreed");
    act("b", 0, &play("b1-b3")).expect_err("the turn of a");
    act("a", 0, &play("b1-b3")).expect("legal");
    act("a", 1, &Act::Undo).expect("a request");
    act("b", 1, &play("a2-c2")).expect("legal");
    act("b", 2, &Act::Undo).expect("another request");
    act("a", 2, &Act::Undo).expect("agreed");
    act("c", 1, &Act::Undo).expect_err("watches");
    act("a", 1, &Act::Resign).expect("a client resigns its own side out of turn");
    let view = room.view("t", "b", 0);
    assert_eq!((view.scene.end.and_then(|end| end.winner), view.table.and_then(|table| table.you)), (Some(1), Some(1)));
    let game = Game { game: "jump61".into(), size: None, start: None, moves: vec![], limit: None };
    let new = NewGame { swap: true, ..NewGame::of(game, [Seat::Person; 2]) };
    begin(&mut room, &new, "c", 0).expect_err("watches");
    begin(&mut room, &new, "b", 0).expect("the game is over");
    assert_eq!(room.view("t", "b", 0).table.and_then(|table| table.you), Some(0));
}

#[test]
fn a_game_on_clocks_is_paused_when_the_only_person_leaves() {
    let game = Game { game: "loa".into(), size: None, start: None, moves: vec!["b1-b3".into()], limit: None };
    let clock = Some(Clock::Game { ms: 10_000, increment: 0 });
    let new = NewGame { clock, left: Some([10_000; 2]), ..NewGame::of(game, [Seat::Person, ENGINE]) };
    let mut room = Room::new(&new, 1, 0).expect("a room");
    let turn = room.turn().expect("the engine's turn");
    assert_eq!(room.deadline(), Some(10_000));
    assert!(room.set_asleep(true, 4_000) && !room.set_asleep(true, 5_000));
    assert_eq!((room.turn(), room.deadline()), (None, None));
    assert!(!room.engine_plays(&turn, "a2-c2", 6_000), "the move of a suspended engine is not played");
    // The game remains paused until the person continues.
    assert!(room.set_asleep(false, 60_000));
    assert_eq!((room.turn(), room.view("t", "me", 60_000).paused, left(&room, 61_000)), (None, true, [10_000, 6_000]));
    at(&mut room, &Act::Pause { on: false }, 61_000).expect("continued");
    let turn = room.turn().expect("the engine's turn again");
    assert!(room.engine_plays(&turn, "a2-c2", 62_000));
    // A move also continues the game.
    room.set_asleep(true, 63_000);
    assert_eq!(room.deadline(), None);
    room.set_asleep(false, 99_000);
    assert_eq!(left(&room, 99_000), [9_000, 5_000]);
    at(&mut room, &play("b3-b5"), 99_500).expect("legal");
    assert!(!room.view("t", "me", 99_500).paused && room.turn().is_some());
    // A person whose time runs out loses even without a page in the room. A game without clocks is not paused.
    room.set_asleep(true, 104_500);
    assert_eq!(room.end().map(|end| (end.cause, end.winner)), Some((Cause::Time, Some(0))));
    room.set_asleep(false, 104_600);
    let untimed = NewGame { clock: None, left: None, ..new.clone() };
    begin(&mut room, &untimed, "me", 0).expect("a game");
    room.set_asleep(true, 1_000);
    room.set_asleep(false, 2_000);
    assert!(room.turn().is_some());
    // The clocks of two people at one screen keep running. A shared table is not paused.
    let both = NewGame { seats: [Seat::Person; 2], ..new.clone() };
    begin(&mut room, &both, "me", 0).expect("a game");
    room.set_asleep(true, 4_000);
    assert_eq!(room.deadline(), Some(10_000));
    room.set_asleep(false, 4_000);
    let mut shared = Room::shared();
    shared.enter("me", None);
    begin(&mut shared, &new, "me", 0).expect("a game");
    shared.set_asleep(true, 1_000);
    assert!(!shared.view("t", "me", 1_000).paused);
    // A new game in the same room is also suspended.
    room.set_asleep(true, 73_000);
    begin(&mut room, &new, "me", 74_000).expect("a game");
    assert_eq!(room.turn(), None);
}

#[test]
fn two_players_agree_to_a_draw() {
    let mut room = Room::shared();
    for (client, name) in [("a", Some("Ann")), ("b", Some("  ")), ("c", None)] {
        room.enter(client, name);
    }
    let mut act = |client: &str, ply, act: &Act| room.act(ply, act, client, 0);
    act("a", 0, &play("b1-b3")).expect("legal");
    act("a", 1, &Act::Draw).expect("an offer");
    act("c", 1, &Act::Draw).expect_err("watches");
    act("b", 1, &play("a2-c2")).expect("declines");
    act("b", 2, &Act::Draw).expect("an offer");
    act("a", 1, &Act::Draw).expect("accepted, although the page of a does not show the last move yet");
    act("b", 2, &Act::Draw).expect_err("over");
    act("c", 2, &Act::Name { name: "Cy".into() }).expect("spectators may have names");
    let archived = room.take_finished(|| "x".into(), "now".into()).expect("a finished game");
    let seats = [Who::Person { name: Some("Ann".into()) }, Who::PERSON];
    assert_eq!((archived.winner, archived.reason.as_str(), archived.seats), (None, "agreed", seats));
    // Both agree to play on.
    room.act(2, &Act::Undo, "a", 0).expect("a request");
    room.act(2, &Act::Undo, "b", 0).expect("agreed");
    assert!(!room.is_over() && room.record.plies() == 2);
    let mut alone = timed([Seat::Person, ENGINE]);
    at(&mut alone, &Act::Draw, 0).expect_err("not shared");
    at(&mut alone, &Act::Name { name: "Ann".into() }, 0).expect_err("not shared");
}

/// Plays whole random games, with captures, cascades, wins and games that end at the limit. Each position must look the
/// same when it is reached by taking a move back or by replaying one.
#[test]
fn undo_and_redo_go_through_whole_games() {
    let mut rng = SplitMix64::new(1);
    let mut wins = BTreeSet::new();
    for (name, size) in [("loa", 4), ("checkers", 8), ("jump61", 4), ("breakthrough", 5)] {
        for limit in [5, 20, 300, 300, 300] {
            let game = Game { game: name.into(), size: Some(size), start: None, moves: vec![], limit: Some(limit) };
            let mut room = Room::new(&NewGame::of(game, [Seat::Person, Seat::Person]), 1, 0).expect("a room");
            let look = |room: &Room| serde_json::to_value(&room.view("t", "me", 0).scene).expect("JSON");
            let mut seen = vec![look(&room)];
            while !room.is_over() {
                let moves = &room.scene.moves;
                let text = moves[rng.below(moves.len())].text.clone();
                act(&mut room, &Act::Play { text }).expect("legal");
                seen.push(look(&room));
            }
            wins.extend(room.scene.end.as_ref().is_some_and(|end| end.winner.is_some()).then_some(name));
            for earlier in seen.iter().rev().skip(1) {
                act(&mut room, &Act::Undo).expect("taken back");
                assert_eq!((look(&room), room.is_over()), (earlier.clone(), false), "{name}");
            }
            act(&mut room, &Act::Undo).expect_err("nothing is left to take back");
            for later in &seen[1..] {
                assert!(!room.is_over(), "{name}");
                act(&mut room, &Act::Redo).expect("played again");
                assert_eq!(look(&room), *later, "{name}");
            }
            assert!(room.is_over(), "{name}");
            act(&mut room, &Act::Redo).expect_err("nothing is left to play");
        }
    }
    assert_eq!(wins.len(), GameId::BUILT_IN.len(), "{wins:?}");
}

#[test]
fn a_hint_an_undo_or_another_player_is_help() {
    let game = |moves: &[&str]| {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        Game { game: "loa".into(), size: None, start: None, moves, limit: None }
    };
    let seats = [Seat::Person, ENGINE];
    let begun = |helped, moves: &[&str]| {
        Room::new(&NewGame { helped, ..NewGame::of(game(moves), seats) }, 1, 0).expect("a room")
    };
    let two = ["b1-b3", "a2-c2"];
    let seat = Act::Seat { side: 1, seat: Seat::engine(Level::FULL) };
    assert!(!begun(None, &[]).helped && begun(None, &two).helped, "moves of an analysis are help");
    assert!(!begun(Some(false), &two).helped && begun(Some(true), &[]).helped, "a page restores a game");
    for (moves, act, helped) in [
        (&two[..], Act::Hint, true),
        (&two[..], Act::Undo, true),
        (&two[..], seat.clone(), true),
        (&[], seat, false),
        (&two[..], Act::Play { text: "b3-b1".into() }, false),
        (&two[..], Act::Pace { ms: 5 }, false),
        (&two[..], Act::Resign, false),
    ] {
        let mut room = begun(Some(false), moves);
        room.act(moves.len() as u32, &act, "", 0).expect("allowed");
        assert_eq!(room.view("", "", 0).helped, helped, "{act:?}");
    }
    let mut room = begun(Some(false), &two);
    assert!(room.act(2, &Act::Play { text: "a1-a2".into() }, "", 0).is_err() && !room.helped);
}

#[test]
fn a_loss_without_help_remains_in_the_archive() {
    let seats = [Seat::Person, ENGINE];
    let game =
        Game { game: "loa".into(), size: None, start: None, moves: vec!["b1-b3".into(), "a2-c2".into()], limit: None };
    let mut room = Room::new(&NewGame { helped: Some(false), ..NewGame::of(game, seats) }, 1, 0).expect("a room");
    let mut names = (1..).map(|number: usize| number.to_string());
    let mut end = |room: &mut Room| {
        room.act(2, &Act::Resign, "", 0).expect("allowed");
        let archived = room.take_finished(|| names.next().expect("endless"), String::new());
        room.act(2, &Act::Undo, "", 0).expect("allowed");
        archived.map(|game| (game.id, game.helped))
    };
    assert_eq!(end(&mut room), Some(("1".into(), false)));
    assert_eq!(end(&mut room), None, "this end is in the archive");
    room.act(2, &Act::Undo, "", 0).expect("allowed");
    let play = |room: &mut Room, text: &str| room.act(room.record.plies(), &Act::Play { text: text.into() }, "", 0);
    play(&mut room, "d1-d3").expect("legal");
    room.record_mut().try_play("a2-c2").expect("legal");
    room.show();
    assert_eq!(end(&mut room), Some(("2".into(), true)), "the game with help has another entry");
    room.act(2, &Act::Undo, "", 0).expect("allowed");
    play(&mut room, "e1-e3").expect("legal");
    room.record_mut().try_play("a2-c2").expect("legal");
    room.show();
    assert_eq!(end(&mut room), Some(("2".into(), true)), "the next end replaces the entry");
}
