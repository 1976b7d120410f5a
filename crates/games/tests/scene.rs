//! Tests of scenes.

use std::collections::BTreeSet;

use games::{Cause, GameId, Scene, Setting, Spot, Way};

fn scene(game: GameId, start: Option<&str>, moves: &[&str]) -> Scene {
    Setting::new(game, 60).record(start, moves).map(|game| game.scene()).expect("legal")
}

#[test]
fn a_scene_names_its_rules_and_its_start() {
    let variant = |start: Option<&str>, moves: &[&str]| scene(GameId::LOA, start, moves).variant;
    assert_eq!(variant(None, &["b1-d3"]), "");
    for name in GameId::LOA.about().variants {
        assert_eq!(variant(Some(&name), &["b1-b3"]), name);
        let text = scene(GameId::LOA, Some(&name), &[]).start;
        assert_eq!(variant(Some(&text), &[]), name, "{text}");
    }
    assert_eq!(variant(Some("-bb-/w--w/w--w/-bb- b mso"), &[]), "mso", "on every board");
    assert_eq!(variant(Some("-wb-/w--b/b--w/-bw- w mso"), &[]), "mso", "another start than Scrambled Eggs");
    assert_eq!(variant(Some("-wb-/w--b/b--w/-bw- w"), &[]), "");
    assert_eq!(scene(GameId::CHECKERS, None, &[]).variant, "");
}

#[test]
fn a_scene_has_the_data_of_a_board() {
    let loa = scene(GameId::LOA, None, &["b1-d3"]);
    assert_eq!((loa.turn, loa.ply, loa.pieces, loa.lost), (1, 1, [12, 12], [0, 0]));
    let taken = scene(
        GameId::LOA,
        Some("--------/--b-w---/--------/--------/--b-----/--------/--------/-w----b- b"),
        &["c7-e7"],
    );
    assert_eq!((taken.pieces, taken.lost), ([3, 1], [0, 1]));
    assert_eq!(loa.last, Some(Way { text: "b1-d3".into(), path: vec![[7, 1], [5, 3]] }));
    assert_eq!(loa.rows[5][3], ("b".into(), Some(0)));
    // Three pieces stand on rank 3, so the white piece on a3 can move along the rank only to d3.
    let rank = loa.lines.iter().find(|line| line.from == [5, 0] && line.squares.contains(&[5, 7])).expect("a line");
    assert_eq!((rank.count, rank.squares.len(), rank.to.as_slice()), (3, 8, &[[5, 3]][..]));
    assert_eq!(loa.groups.iter().map(Vec::len).sum::<usize>(), 24);
    let checkers = scene(GameId::CHECKERS, None, &["G6-H5"]);
    assert_eq!(checkers.last.map(|way| way.path), Some(vec![[5, 6], [4, 7]]));
    assert!(checkers.lines.is_empty() && checkers.groups.is_empty());
}

#[test]
fn cascades_have_one_frame_for_each_wave() {
    let full = "2r3r1-1-1-1-/2r1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-";
    let start = scene(GameId::JUMP61, Some(full), &[]);
    let text = &start.moves.iter().find(|way| way.path == [[0, 0]]).expect("a move").text.clone();
    let after = scene(GameId::JUMP61, Some(full), &[text]);
    assert!(after.frames.len() >= 2, "{:?}", after.frames.len());
    assert_eq!(after.frames[0][0][0], ("3r".into(), Some(0)), "the first frame shows the added spot");
    assert_eq!(after.frames.last(), Some(&after.rows));
    assert_eq!(after.flights.len(), after.frames.len());
    assert!(after.flights[0].is_empty());
    assert_eq!(after.flights[1], [[[0, 0], [1, 0]], [[0, 0], [0, 1]]], "the corner topples first");
    let spots = |frame: &[Vec<Spot>]| frame.iter().flatten().map(|(text, _)| text.clone()).collect::<Vec<_>>();
    for (i, flights) in after.flights.iter().enumerate().skip(1) {
        assert!(!flights.is_empty(), "wave {i} has no flights");
        for [_, [row, column]] in flights {
            assert_eq!(after.frames[i][*row][*column].1, Some(0), "the target of a flight changes its colour");
        }
        assert_ne!(spots(&after.frames[i - 1]), spots(&after.frames[i]));
    }
}

#[test]
fn the_end_of_a_game_has_a_sentence() {
    let p = "--------/--------/--------/---b----/--------/----b---/w------w/-------- b";
    let start = scene(GameId::LOA, Some(p), &[]);
    let ends = start.moves.iter().filter_map(|way| scene(GameId::LOA, Some(p), &[&way.text]).end);
    let won = ends.filter(|end| end.winner == Some(0) && end.cause == Cause::Board);
    let texts: BTreeSet<String> = won.map(|end| end.message.text).collect();
    assert_eq!(texts, BTreeSet::from(["Black wins: all its pieces are connected.".to_owned()]));
}
