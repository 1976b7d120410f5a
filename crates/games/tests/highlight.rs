//! Tests of the squares that the page marks at the end of a game.

use games::{GameId, Highlight, Setting};

/// Returns the marked squares at the end of a game.
fn highlight(game: GameId, start: &str, moves: &[&str]) -> Highlight {
    let setting = Setting::new(game, 60);
    let scene = setting.record(Some(start), moves).map(|game| game.scene()).expect("legal moves");
    scene.end.unwrap_or_else(|| panic!("{game}: the game is not over: {}", scene.position)).highlight
}

#[test]
fn lines_of_action_links_the_winners_group_from_the_moved_piece() {
    let start = "--------/--------/---b----/----b---/--------/-----b--/--------/w------w b";
    let Highlight { steps, links } = highlight(GameId::LOA, start, &["f3-f4"]);
    assert_eq!(steps, [[[4, 5]], [[3, 4]], [[2, 3]]]);
    assert_eq!(links, [[[4, 5], [3, 4]], [[3, 4], [2, 3]]]);
    // Black captures the white piece that was not connected, so White wins.
    let start = "w-------/-w------/--------/--------/--------/b-------/--------/b-w----- b";
    let Highlight { steps, links } = highlight(GameId::LOA, start, &["a1-c1"]);
    assert_eq!((steps.concat().len(), links.len()), (2, 1), "{steps:?} {links:?}");
}

#[test]
fn breakthrough_marks_the_row_that_was_reached() {
    let start = "------/w-----/------/------/-----b/------ w";
    let Highlight { steps, links } = highlight(GameId::BREAKTHROUGH, start, &["a5-b6"]);
    assert_eq!(steps, [vec![[0, 1]], vec![[0, 0], [0, 2]], vec![[0, 3]], vec![[0, 4]], vec![[0, 5]]]);
    assert!(links.is_empty());
    // If the loser has no pieces left, all the winner's pieces are marked.
    let start = "------/------/-b----/w-----/------/----w- w";
    assert_eq!(highlight(GameId::BREAKTHROUGH, start, &["a3xb4"]).steps, [[[2, 1], [5, 4]]]);
}

#[test]
fn jump61_marks_the_board_from_the_last_move() {
    let Highlight { steps, .. } = highlight(GameId::JUMP61, "2r3r2r/3r4r3r/2r3r1b", &["1 1"]);
    assert_eq!(steps.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 3, 2, 1]);
    assert_eq!(steps[0], [[0, 0]]);
}

#[test]
fn checkers_marks_the_winners_pieces() {
    let start = "......../......../...w..../..b...../......../......../......../........ b";
    let over = highlight(GameId::CHECKERS, start, &["C4-E2"]);
    assert_eq!(over.steps, [[[1, 4]]]);
}
