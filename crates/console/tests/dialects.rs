//! Tests of Plyhouse's programs with the dialects that drive third-party programs.

use console::checkers::{Computer, Program};
use console::{Flow, Session, Transcript};
use game::{Position as _, Record, Side, TextGame};
use protocol::dialects::{Speaks, Variant};
use protocol::{Dialect, Heard, Talk, TimeLeft};

fn variant(game: &str, size: usize) -> Variant {
    Variant { game: game.to_owned(), title: String::new(), size, usual_start: String::new(), rules: None }
}

/// Sends lines to one of Plyhouse's programs and returns the answers.
fn say(session: &mut dyn Session, dialect: &mut dyn Dialect, talk: &Talk) -> Vec<Heard> {
    let mut seen = Transcript::default();
    for line in &talk.lines {
        assert_ne!(session.line(line.as_bytes(), &mut seen).map(|flow| flow == Flow::Quit), Ok(true), "{line}");
    }
    seen.printed.iter().map(|line| dialect.hear(line)).filter(|heard| *heard != Heard::Nothing).collect()
}

fn plays_a_game(variant: &Variant, mut game: Record<impl game::Position>, program: &mut dyn Session, side: Side) {
    let mut dialect = Speaks::Cs61b.dialect(variant).expect("a CS61B game");
    let opening = TextGame::legal_moves(&game);
    TextGame::play(&mut game, &opening[3]).expect("legal");
    let greeting = dialect.greet(&game, side, 5);
    assert_eq!(say(program, &mut *dialect, &greeting), [Heard::Ready]);
    let mut rng = game::SplitMix64::new(4);
    let mut claim = None;
    while TextGame::finish(&game).is_none() {
        let text = if TextGame::side_to_move(&game) == side {
            let talk = dialect.ask(&game, &TimeLeft::default());
            let heard = say(program, &mut *dialect, &talk);
            claim = heard.get(1).cloned();
            let Some(Heard::Move(text)) = heard.first() else { panic!("{heard:?}") };
            text.clone()
        } else {
            rng.choose(&TextGame::legal_moves(&game)).expect("a move").clone()
        };
        TextGame::play(&mut game, &text).expect("legal");
    }
    let mut talk = dialect.part(&game);
    assert_eq!(talk.lines.pop().as_deref(), Some("quit"));
    let said = say(program, &mut *dialect, &talk).first().cloned().or(claim);
    assert_eq!(said, TextGame::finish(&game).map(|finish| Heard::Claim(finish.outcome)));
}

#[test]
fn our_own_programs_play_whole_games_on_both_sides() {
    let weak = "level=1".parse().expect("a player");
    for side in Side::BOTH {
        let start = loa::Position::start(8).expect("a size");
        let mut program = console::loa::Console::new(&weak).expect("a player");
        plays_a_game(&variant("loa", 8), Record::new(start).with_move_limit(80), &mut program, side);
        let start = jump61::Position::start(4).expect("a size");
        let mut program = console::jump61::Console::new(&weak).expect("a player");
        plays_a_game(&variant("jump61", 4), Record::new(start), &mut program, side);
    }
}

#[test]
fn the_dialect_reads_our_own_checkers_program() {
    let mut game = Record::new(checkers::Position::start());
    let mut dialect = Speaks::Comp10002.dialect(&variant("checkers", 8)).expect("checkers");
    for text in ["G6-F5", "H3-G4"] {
        TextGame::play(&mut game, text).expect("legal");
    }
    let talk = dialect.ask(&game, &TimeLeft::default());
    let mut program = Program::new(Computer::default());
    program.feed((talk.lines.join("\n") + "\n").as_bytes());
    program.finish();
    let heard: Vec<Heard> =
        program.take_output().lines().map(|line| dialect.hear(line)).filter(|heard| *heard != Heard::Nothing).collect();
    let [Heard::Move(text)] = heard.as_slice() else { panic!("{heard:?}") };
    assert!(game.position().parse_move(text).is_ok(), "{text}");
}
