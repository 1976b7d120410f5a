//! Tests of the settings of games.

use std::collections::BTreeMap;

use game::{Outcome, Side};
use games::{GameId, Repetitions, Rules, Setting};

#[test]
fn a_setting_can_make_the_first_repetition_a_draw() {
    let setting = Setting {
        game: GameId::LOA,
        size: Some(6),
        move_limit: 99,
        repetitions: Some(Repetitions::Times(2)),
        rules: Rules::default(),
    };
    let start = setting.random(0, 0).expect("a game");
    let back = |text: &str| text.split_once('-').map(|(from, to)| format!("{to}-{from}")).unwrap_or_default();
    // Each side makes a move and reverses it, which leads back to the start position.
    let there_and_back = start.legal_moves().into_iter().find_map(|one| {
        let mut game = start.cloned();
        game.play(&one).ok()?;
        let other = game.legal_moves().into_iter().find(|other| {
            let mut game = game.cloned();
            [other.clone(), back(&one), back(other)].iter().all(|text| game.play(text).is_ok())
        })?;
        Some([one.clone(), other.clone(), back(&one), back(&other)])
    });
    let moves = there_and_back.expect("moves that can be reversed");
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let finish = |setting: Setting| setting.record(Some(&start.start()), &moves).expect("legal").finish();
    assert_eq!(finish(setting).map(|finish| finish.reason), Some(game::Reason::Repetition));
    assert_eq!(finish(Setting { repetitions: None, ..setting }), None);
}

/// Checks that games recorded by OpenSpiel end with their last move and with the same result.
#[test]
fn games_of_openspiel_end_as_recorded() {
    let text = include_str!("../../../testdata/openspiel/lines_of_action.txt");
    let (mut reasons, mut by_our_rules) = (BTreeMap::new(), 0);
    for line in text.lines() {
        let mut words = line.split(' ');
        let limit = words.next().and_then(|word| word.parse().ok()).expect("a move limit");
        let result = words.next().expect("a result");
        let moves: Vec<&str> = words.collect();
        let repetitions = Some(Repetitions::OpenSpiel);
        let setting =
            Setting { game: GameId::LOA, size: None, move_limit: limit, repetitions, rules: Rules::default() };
        let start = setting.random(0, 0).expect("a game").start();
        let finish = setting.record(Some(&start), &moves).unwrap_or_else(|error| panic!("{error}: {line}")).finish();
        let finish = finish.unwrap_or_else(|| panic!("unfinished: {line}"));
        let found = match finish.outcome {
            Outcome::Draw => "draw",
            Outcome::Win(Side::First) => "first",
            Outcome::Win(Side::Second) => "second",
        };
        assert_eq!(found, result, "{line}");
        *reasons.entry(format!("{:?}", finish.reason)).or_insert(0) += 1;
        let ours = Setting { repetitions: Some(Repetitions::Times(2)), ..setting };
        by_our_rules += u32::from(ours.record(Some(&start), &moves).is_ok_and(|game| game.finish() == Some(finish)));
    }
    let expected = [("Board", 15), ("MoveLimit", 6), ("Repetition", 15)].map(|(name, n)| (name.to_owned(), n));
    assert_eq!(reasons, expected.into());
    // Our rules give a different result if a board repeats with the other side to move, or for a win at the move limit.
    assert_eq!(by_our_rules, 36 - 6 - 6);
}
