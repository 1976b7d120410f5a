//! Tests of the position editor.

use games::{Edit, GameId, Setting};

fn setting(game: GameId) -> Setting {
    Setting::new(game, 60)
}

/// Returns the position text after some edits of a start position.
fn edited(game: GameId, start: Option<&str>, edits: &[Edit]) -> Result<String, String> {
    let mut text = start.map(str::to_owned);
    for edit in edits.iter().cloned() {
        let scene = setting(game)
            .record(text.as_deref(), &[])
            .and_then(|game| game.edit(edit))
            .map_err(|error| error.to_string())?;
        assert_eq!((scene.ply, &scene.start), (0, &scene.position));
        text = Some(scene.position);
    }
    Ok(text.unwrap_or_default())
}

fn paint(row: usize, column: usize, brush: usize) -> Edit {
    Edit::Paint { place: [row, column], brush }
}

#[test]
fn every_brush_leads_to_a_valid_position() {
    for game in GameId::BUILT_IN {
        let about = game.about();
        for size in about.sizes {
            let setting = Setting { size: Some(size), ..setting(game) };
            let empty = setting.record(None, &[]).and_then(|game| game.edit(Edit::Clear)).expect("an empty board");
            assert_eq!(empty.pieces, [0, 0], "{game}");
            for brush in 0..about.brushes.len() {
                // Row 0, column 1 is a dark cell.
                let painted = setting
                    .record(Some(&empty.position), &[])
                    .and_then(|game| game.edit(paint(0, 1, brush)))
                    .expect("a position");
                assert_eq!(painted.pieces != [0, 0], brush != 0, "{game}, {}", about.brushes[brush]);
                let again = setting
                    .record(Some(&painted.position), &[])
                    .and_then(|game| game.edit(paint(0, 1, 0)))
                    .expect("a position");
                assert_eq!(again.position, empty.position, "the first brush empties the square");
            }
        }
    }
}

#[test]
fn a_position_of_lines_of_action_is_set_up() {
    let edits = [Edit::Clear, paint(0, 0, 1), paint(5, 3, 2), Edit::Turn];
    let text = edited(GameId::LOA, None, &edits);
    assert_eq!(text.as_deref(), Ok("b-------/--------/--------/--------/--------/---w----/--------/-------- w"));
    let cleared = edited(GameId::LOA, text.ok().as_deref(), &[Edit::Clear]);
    assert_eq!(cleared.as_deref(), Ok("--------/--------/--------/--------/--------/--------/--------/-------- w"));
}

#[test]
fn every_edit_keeps_the_rules() {
    let start = "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- b mso";
    let carry = Edit::Carry { from: [0, 1], to: [3, 3] };
    for edit in [Edit::Clear, Edit::Start, Edit::Turn, Edit::Done, paint(4, 4, 1), paint(0, 1, 0), carry] {
        let scene =
            setting(GameId::LOA).record(Some("mso"), &[]).and_then(|game| game.edit(edit.clone())).expect("a position");
        assert!(scene.position.ends_with(" mso") && scene.variant == "mso", "{edit:?}: {}", scene.position);
        // The rules for draws stay, too.
        assert_eq!((scene.limit, &scene.start), (Some(60), &scene.position));
    }
    let text = edited(GameId::LOA, Some("scrambled-eggs mso"), &[Edit::Turn, Edit::Clear, Edit::Start]);
    assert_eq!(text.as_deref(), Ok(start), "the start position has its own side to move");
}

#[test]
fn the_rules_change_and_the_pieces_stay() {
    let rules = |name: &str| Edit::Rules { rules: name.to_owned() };
    let usual = "---b--/------/w-----/---b--/------/-----w w";
    let olympiad = format!("{usual} mso");
    let change = |start: &str, name: &str| edited(GameId::LOA, Some(start), &[rules(name)]);
    assert_eq!(change(usual, "mso").as_ref(), Ok(&olympiad));
    assert_eq!(change(&olympiad, "mso").as_ref(), Ok(&olympiad));
    for name in ["", "cs61b", "nus"] {
        assert_eq!(change(&olympiad, name).as_deref(), Ok(usual), "{name}");
    }
    assert_eq!(
        change(usual, "chess").expect_err("unknown"),
        "rules `chess`: expected `cs61b`, `nus`, `mso` or `openspiel`"
    );
    assert!(change(usual, "openspiel").is_err(), "these rules are for 8×8");
    for game in [GameId::CHECKERS, GameId::JUMP61, GameId::BREAKTHROUGH] {
        let start = edited(game, None, &[Edit::Start]);
        assert_eq!(edited(game, None, &[rules("")]), start, "{game}");
        assert!(edited(game, None, &[rules("mso")]).is_err(), "{game}");
    }
    // Whether a game can begin here depends on the rules.
    let connected = "-bb---/------/------/------/------/---ww- b";
    let done = |name: &str| edited(GameId::LOA, Some(connected), &[rules(name), Edit::Done]);
    assert_eq!(done("").expect_err("a win"), "White has already won here: all its pieces are connected.");
    assert_eq!(done("mso").expect_err("a draw"), "The game is already drawn here.");
    let stuck = "---bbw/----bb/---b--/------/bb----/wb---- w";
    let done = |name: &str| edited(GameId::LOA, Some(stuck), &[rules(name), Edit::Done]);
    assert_eq!(done("").expect_err("a loss"), "White is to move and has no legal move.");
    assert_eq!(done("mso"), Ok(format!("{stuck} mso")), "White passes");
}

#[test]
fn checkers_pieces_on_light_cells_are_refused() {
    let text = edited(GameId::CHECKERS, None, &[Edit::Clear, paint(0, 1, 3), paint(7, 0, 2)]);
    assert_eq!(text.as_deref(), Ok(".B....../......../......../......../......../......../......../w....... b"));
    let refused = edited(GameId::CHECKERS, None, &[paint(0, 0, 1)]);
    assert_eq!(refused, Err("row 1, column 1: no place for `Black man`".into()));
}

#[test]
fn a_piece_is_carried_to_another_square() {
    let carry = |from, to| Edit::Carry { from, to };
    let start = "w-------/--------/--------/--------/--------/---b----/--------/-------- w";
    let moved = edited(GameId::LOA, Some(start), &[carry([0, 0], [7, 7])]);
    assert_eq!(moved.as_deref(), Ok("--------/--------/--------/--------/--------/---b----/--------/-------w w"));
    let taken = edited(GameId::LOA, Some(start), &[carry([0, 0], [5, 3])]);
    assert_eq!(taken.as_deref(), Ok("--------/--------/--------/--------/--------/---w----/--------/-------- w"));
    assert_eq!(edited(GameId::LOA, Some(start), &[carry([0, 0], [0, 0])]).as_deref(), Ok(start));
    let tower = ".B....../......../......../......../......../......../......../w....... b";
    let moved = edited(GameId::CHECKERS, Some(tower), &[carry([0, 1], [7, 2])]);
    assert_eq!(moved.as_deref(), Ok("......../......../......../......../......../......../......../w.B..... b"));
    let refused = edited(GameId::CHECKERS, Some(tower), &[carry([7, 0], [0, 0])]);
    assert_eq!(refused, Err("row 1, column 1: no place for `White man`".into()));
    for [from, to] in [[[3, 3], [4, 4]], [[0, 0], [9, 9]], [[usize::MAX, 0], [0, 0]]] {
        assert!(edited(GameId::LOA, Some(start), &[carry(from, to)]).is_err(), "{from:?} {to:?}");
    }
}

#[test]
fn a_brush_adds_one_spot_unless_the_square_is_full() {
    let spots = |times| edited(GameId::JUMP61, Some("1-1-/1-1-"), &vec![paint(0, 0, 1); times]);
    assert_eq!(spots(1).as_deref(), Ok("1r1-/1-1-"));
    assert_eq!(spots(2).as_deref(), Ok("2r1-/1-1-"));
    assert_eq!(spots(3).as_deref(), Ok("1r1-/1-1-"), "a corner holds at most two spots");
    assert_eq!(edited(GameId::JUMP61, Some("2r1-/1-1-"), &[paint(0, 0, 2)]).as_deref(), Ok("1b1-/1-1-"));
    assert!(edited(GameId::JUMP61, None, &[Edit::Turn]).is_err(), "the turn follows from the spots");
    // A blue square would make the red board undecided, but only a won board may have overfull squares.
    let refused = edited(GameId::JUMP61, Some("4r1r/1r1r"), &[paint(1, 1, 2)]);
    assert!(refused.is_err_and(|error| error.contains("at most 2 spots")));
}

#[test]
fn unknown_squares_and_brushes_are_refused() {
    for game in GameId::BUILT_IN {
        for edit in [paint(99, 0, 1), paint(0, 99, 1), paint(0, 1, 99), paint(usize::MAX - 1, 300, 1)] {
            let error = edited(game, None, &[edit]).expect_err("refused");
            assert!(error.starts_with("row "), "{error}");
        }
    }
}

#[test]
fn boards_on_which_no_game_can_be_played_are_refused() {
    for (game, start, part) in [
        (GameId::LOA, "--------/--------/--------/--------/--------/--------/--------/-------- b", "no pieces on"),
        (GameId::LOA, "b------b/--------/--------/--------/--------/--------/--------/-------- b", "White has no"),
        (GameId::LOA, "b------b/--------/--------/---ww---/--------/--------/--------/-------- b", "White has already"),
        (GameId::CHECKERS, "......../......../......../......../......../......../......../w....... w", "Black has no"),
        (GameId::CHECKERS, "......../......../......../......../......../w......./.b....../........ w", ""),
        (
            GameId::CHECKERS,
            "......../......../......../......../......../......../.b....../w....... w",
            "no legal move",
        ),
        (GameId::JUMP61, "1r1r/1r1r", "Red has already"),
        (GameId::JUMP61, "1-1-/1-1-", ""),
        (GameId::BREAKTHROUGH, "w---/----/----/b--b w", "already won"),
    ] {
        let refused = edited(game, Some(start), &[Edit::Done]);
        match part {
            "" => assert_eq!(refused.as_deref(), Ok(start)),
            part => assert!(refused.as_ref().is_err_and(|error| error.contains(part)), "{start}: {refused:?}"),
        }
    }
    for game in GameId::BUILT_IN {
        let start = edited(game, None, &[Edit::Clear, Edit::Start, Edit::Done]).expect("the start");
        assert_eq!(Ok(start), setting(game).record(None, &[]).map(|game| game.scene()).map(|scene| scene.position));
    }
}
