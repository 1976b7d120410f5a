//! Tests of opening files.

use games::{GameId, OpeningError, Repetitions, Setting};

fn setting(game: GameId, size: Option<usize>) -> Setting {
    Setting { size, ..Setting::new(game, 60) }
}

#[test]
fn byte_order_marks_are_skipped() {
    let loa = setting(GameId::LOA, None);
    for text in ["b1-b3 a2-c2", "# moves\nb1-b3 a2-c2", "(;GM[9];B[b1-b3];W[a2-c2])", "\n (;GM[9];B[b1-b3];W[a2-c2])"] {
        let marked = format!("\u{feff}{text}");
        assert_eq!(loa.openings(&marked, None), Ok(vec!["b1-b3 a2-c2".to_owned()]), "{text}");
        assert_eq!(games::decode_file(marked.as_bytes()).as_deref(), Ok(text));
    }
    let latin_1 = b"(;GM[9]CA[ISO-8859-1]PB[J\xf6rg];B[b1-b3])";
    assert!(games::decode_file(latin_1).is_ok_and(|text| text.contains("J\u{f6}rg")));
    assert!(games::decode_file(b"b1-b3 \xf6").is_err_and(|error| error.contains("byte 7")));
}

#[test]
fn an_opening_is_a_move_list_or_a_position_or_both() {
    let loa = setting(GameId::LOA, Some(4));
    let error = loa.openings("# moves\n\nb1-b3 a2-c2\n-bb-/w--w/w--w/-bb- w moves b1-b3", None);
    let error = error.expect_err("White is to move").to_string();
    assert!(error.starts_with("line 4: move 1: illegal move b1-b3"), "{error}");
    let first = loa.random(0, 0).expect("a game");
    let moves = first.legal_moves();
    let m = &moves[0];
    let text = format!("# two of the same\n\n{m}\n 1. {m}! *\r\n-bb-/w--w/w--w/-bb- w\n{} moves {m}\n", first.start());
    let lines = loa.openings(&text, None).expect("openings");
    assert_eq!(lines, [m.clone(), "-bb-/w--w/w--w/-bb- w".to_owned()]);
    for line in &lines {
        let game = loa.opened(line).expect("an opening");
        assert_eq!((game.finish(), game.side_to_move()), (None, game::Side::Second), "{line}");
    }
    assert_eq!(loa.openings(&text, Some(0)).map(|lines| lines.len()), Ok(2), "the start and the other position");
}

#[test]
fn invalid_openings_are_refused_with_their_line() {
    for (text, part) in [
        ("", "no opening found"),
        ("b1-b3\nb1-b4", "line 2: move 1: illegal move b1-b4"),
        ("b1-b3 hello", "line 1: move 2: "),
        (
            "--------/--------/--------/-bb--w--/-----w--/--------/--------/-------- b",
            "the game is over after this opening",
        ),
        ("-bb-/w--w/w--w/-bb- b", "line 1: a board of 4 squares per side found, expected 8"),
        ("(;FF[4]GM[9]SZ[8];B[b1-b3]", "The file ends too early."),
        ("(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-a9])", "SGF, line 1, column 28: W[a2-a9]: "),
        ("(;FF[4]GM[9]SZ[8];B[b1-b4])", "SGF, line 1, column 19: B[b1-b4]: "),
    ] {
        let error = setting(GameId::LOA, None).openings(text, None).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let short = Setting { move_limit: 2, ..setting(GameId::LOA, None) };
    let error = short.openings("b1-b3 a2-c2", None).expect_err("the limit").to_string();
    assert_eq!(error, "line 1: the game is over after this opening");
    let twice = Setting { repetitions: Some(Repetitions::Times(2)), ..setting(GameId::LOA, None) };
    let there_and_back = "d1-d3\nb1-b3 a2-c2 b3-b1 c2-a2";
    let error = twice.openings(there_and_back, None).expect_err("a repetition").to_string();
    assert_eq!(error, "line 2: the game is over after this opening");
    let error = twice.openings(&format!("{there_and_back} d1-d3"), None).expect_err("a repetition").to_string();
    assert!(error.starts_with("line 2: ") && error.contains("over"), "{error}");
    let thrice = Setting { repetitions: Some(Repetitions::Times(3)), ..twice };
    assert_eq!(thrice.openings(there_and_back, None).map(|lines| lines.len()), Ok(2));
}

#[test]
fn openings_of_every_game_are_read() {
    for game in GameId::BUILT_IN {
        let setting = setting(game, None);
        let opened = setting.random(5, 3).expect("a game");
        let moves = opened.moves().join(" ");
        let text = format!("{moves}\n{}\n{}", opened.position(), opened.start());
        let lines = setting.openings(&text, None).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(lines, [moves, opened.start()], "{game}");
        let again = setting.opened(&lines[0]).expect("an opening");
        assert_eq!((again.position(), again.start()), (opened.position(), opened.start()), "{game}");
    }
}

#[test]
fn each_game_of_a_collection_is_an_opening() {
    let text = "\n(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2](;B[d1-d3])(;B[e1-e3]))(;FF[4]GM[9]SZ[8];B[d1-d3])";
    let loa = setting(GameId::LOA, None);
    assert_eq!(loa.openings(text, None), Ok(vec!["b1-b3 a2-c2 d1-d3".to_owned(), "d1-d3".to_owned()]));
    assert_eq!(loa.openings(text, Some(2)), Ok(vec!["b1-b3 a2-c2".to_owned(), "d1-d3".to_owned()]));
    let jump61 = setting(GameId::JUMP61, None);
    assert!(matches!(jump61.openings(text, None), Err(OpeningError::Form(_))), "another game's file");
}
