//! Tests of move lists with comments and variations.

use game::SplitMix64;
use games::{Game, GameId, Setting, Visitor, dispatch, main_line};

fn setting(game: GameId) -> Setting {
    Setting::new(game, 60)
}

/// Reads a move list and writes it. Checks that the written text has the same nodes.
fn rewritten(game: GameId, text: &str) -> String {
    let nodes = setting(game)
        .record(None, &[])
        .and_then(|game| game.read_moves(text))
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let written = setting(game).record(None, &[]).and_then(|game| game.write_moves(&nodes)).expect("legal");
    assert_eq!(
        setting(game).record(None, &[]).and_then(|game| game.read_moves(&written)).as_ref(),
        Ok(&nodes),
        "{written}"
    );
    written
}

#[test]
fn variations_comments_and_marks_are_written_as_they_were_read() {
    let full = "{Begin \\}\\\\} 1. b1-b3! {solid} (1. b1-h1 a2-c2) (1. d1-d3?? h2-f2 2. c1-c3) 1… a2-c2 (1… h2-f2 (1… a4-c4 {x}) 2. c1-c3) 2. d1-d3";
    let nodes = setting(GameId::LOA).record(None, &[]).and_then(|game| game.read_moves(full)).expect("legal");
    assert_eq!((nodes[0].comment.as_str(), nodes[1].mark.as_str()), ("Begin }\\", "!"));
    assert_eq!(main_line(&nodes), ["b1-b3", "a2-c2", "d1-d3"]);
    assert_eq!(nodes.iter().filter(|node| node.parent == 1).count(), 3);
    rewritten(GameId::LOA, full);
    assert_eq!(rewritten(GameId::JUMP61, "1.1:1 6:6 2.1:1"), "1. 1:1 6:6 2. 1:1");
    assert_eq!(rewritten(GameId::CHECKERS, "G6-H5 (A6-B5 B3-A4) B3-A4 1-0"), "1. G6-H5 (1. A6-B5 B3-A4) 1… B3-A4");
}

/// Parses other spellings of every legal move in a random game.
struct Spelled(Setting);

impl Visitor for Spelled {
    type Output = ();

    fn visit<P: Game>(self) {
        let mut rng = SplitMix64::new(5);
        let mut p = P::start(None).expect("the usual size");
        for _ in 0..30 {
            for m in p.legal_moves() {
                let text = m.to_string();
                let mut spelled =
                    vec![text.to_uppercase(), text.to_lowercase(), format!("{text}+"), format!(" {text}!? ")];
                if let Some((from, to)) = text.split_once(['-', 'x', ':']) {
                    let signs = ["-", ":", "\u{2013}", "\u{2014}", " ", " - ", "."];
                    spelled.extend(signs.map(|sign| format!("{from}{sign}{to}")));
                    if GameId::of::<P>() != GameId::JUMP61 {
                        spelled.extend([format!("{from}{to}"), format!("{from}{to}").to_uppercase()]);
                    }
                    if GameId::of::<P>() != GameId::BREAKTHROUGH || text.contains('x') {
                        spelled.extend([format!("{from}x{to}"), format!("{from}X{to}"), format!("{from}×{to}")]);
                    }
                }
                for other in spelled {
                    assert_eq!(p.read_move(&other), Ok(m), "{}: `{other}` is another spelling of {text}", self.0.game);
                }
            }
            match p.random_move(&mut rng) {
                Some(m) if p.outcome().is_none() => p.play(m),
                _ => break,
            }
        }
    }
}

#[test]
fn moves_are_read_as_people_and_other_programs_write_them() {
    for game in GameId::BUILT_IN {
        dispatch(game, Spelled(setting(game)));
    }
    assert_eq!(rewritten(GameId::LOA, "1. B1xB3! a2:c2 2. D1–D3 (2. E1:E3)"), "1. b1-b3! a2-c2 2. d1-d3 (2. e1-e3)");
    assert_eq!(rewritten(GameId::LOA, "1. b1 h1! a2 C2 2. d1d3"), "1. b1-h1! a2-c2 2. d1-d3");
    assert_eq!(rewritten(GameId::CHECKERS, "g6xh5 b3–a4"), "1. G6-H5 B3-A4");
    assert_eq!(rewritten(GameId::JUMP61, "1.1-1 6x6"), "1. 1:1 6:6");
    let refused = setting(GameId::LOA)
        .record(None, &[])
        .and_then(|game| game.read_moves("B1xB9"))
        .expect_err("not on the board")
        .to_string();
    assert!(refused.ends_with("I can't read “B1xB9”. Type a move like b1-d3."), "{refused}");
    let refused = setting(GameId::LOA)
        .record(None, &[])
        .and_then(|game| game.read_moves("B1xB4"))
        .expect_err("too far")
        .to_string();
    let rule = "b1-b4 is not legal: two pieces stand on the b-file, so the piece moves exactly two squares.";
    assert!(refused.ends_with(rule), "{refused}");
}

#[test]
fn illegal_moves_and_the_moves_after_them_are_skipped() {
    let read = |text: &str| {
        let (nodes, left_out) = setting(GameId::LOA).record(None, &[])?.read_legal_moves(text)?;
        Ok::<_, games::SettingError>((main_line(&nodes).join(" "), left_out.map(|l| (l.count, l.in_main_line))))
    };
    assert_eq!(read("b1-b3 (d1-d9 a2-c2 (h2-f2)) a2-c2"), Ok(("b1-b3 a2-c2".to_owned(), Some((3, false)))));
    assert_eq!(read("b1-b3 (d1-d9) a2-c9 d1-d3"), Ok(("b1-b3".to_owned(), Some((3, true)))));
    assert_eq!(read("b1-b3 a2-c2"), Ok(("b1-b3 a2-c2".to_owned(), None)));
    assert!(read("b1-b9 a2-c2").is_err());
}

#[test]
fn errors_contain_the_line_and_the_column() {
    for (text, part) in [
        ("1. b1-b3\nh7-f9", "line 2, column 1: move 2: "),
        ("1. b1-b3 (d1-d3", "line 1, column 16: the end found"),
        ("1. b1-b3 )", "column 10: `)`"),
        ("(b1-b3)", "column 1: `(` found"),
        ("b1-b3 {x", "column 7: `{`"),
        ("1. 2. 3.", "no move found"),
        ("hello", "line 1, column 1: move 1: "),
    ] {
        let error =
            setting(GameId::LOA).record(None, &[]).and_then(|game| game.read_moves(text)).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let deep = "b1-b3 (".repeat(60);
    assert!(setting(GameId::LOA).record(None, &[]).and_then(|game| game.read_moves(&deep)).is_err());
}
