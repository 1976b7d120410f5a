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

fn under(set: Option<&str>, start: Option<&str>) -> Setting {
    let rules = Rules::named(GameId::LOA, Some(6), set, start).expect("rules");
    Setting { game: GameId::LOA, size: Some(6), move_limit: 99, repetitions: None, rules }
}

#[test]
fn rule_sets_differ_in_simultaneous_connections_and_in_stuck_sides() {
    let both = "---b--/wb----/-bbw--/b-b---/------/------ b";
    let stuck = Some("---bbw/----bb/---b--/------/bb----/wb---- w");
    for set in [None, Some("cs61b"), Some("nus")] {
        let finish = under(set, None).record(Some(both), &["d6-d4"]).expect("legal").finish().expect("the end");
        assert_eq!((finish.outcome, finish.reason), (Outcome::Win(Side::First), game::Reason::Board), "{set:?}");
        assert!(under(set, None).record(stuck, &[]).expect("a position").is_stuck(), "{set:?}");
    }
    let finish = under(Some("mso"), None).record(Some(both), &["d6-d4"]).expect("legal").finish().expect("the end");
    assert_eq!((finish.outcome, finish.reason), (Outcome::Draw, game::Reason::Board));
    let mut passing = under(Some("mso"), None).record(stuck, &["pass"]).expect("legal");
    assert_eq!((passing.moves(), passing.scene().last.map(|way| way.text)), (vec!["pass".into()], Some("pass".into())));
    // A position text may name the rules, too. A rule set replaces them.
    let named = format!("{both} mso");
    assert!(under(None, None).record(Some(&named), &[]).expect("a position").start().ends_with(" mso"));
    assert!(!under(Some("nus"), None).record(Some(&named), &[]).expect("a position").start().ends_with(" mso"));
    assert_eq!(passing.undo().as_deref(), Some("pass"));
}

#[test]
fn a_third_repetition_draws_under_the_rules_of_the_mso() {
    let circle = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"];
    let start = Some("-b--b-/w----w/------/------/w----w/-b--b- b");
    let game = |set, times| under(set, None).record(start, &circle.repeat(times)).expect("legal");
    assert_eq!(game(None, 3).finish(), None, "no draws by repetition");
    assert_eq!(game(Some("mso"), 1).finish(), None);
    let finish = game(Some("mso"), 2).finish().expect("the third occurrence");
    assert_eq!((finish.outcome, finish.reason), (Outcome::Draw, game::Reason::Repetition));
}

#[test]
fn starts_and_rule_sets_have_names() {
    let eggs = under(Some("mso"), Some("scrambled-eggs"));
    let record = eggs.record(None, &[]).expect("a start");
    assert_eq!(record.start(), "-wbwb-/b----w/w----b/b----w/w----b/-bwbw- b mso");
    assert_eq!(eggs.random(0, 1).expect("a start").start(), record.start());
    assert_eq!(
        GameId::LOA.position(Some("scrambled-eggs"), Some(6)).map(|p| p.start()).ok(),
        record.start().strip_suffix(" mso").map(str::to_owned)
    );
    // A text may name the start and the rules. The rules on the board imply their rule for repetitions.
    let variants = GameId::LOA.about().variants;
    assert_eq!(variants, ["mso", "scrambled-eggs", "scrambled-eggs mso"]);
    assert_eq!(GameId::LOA.about().rules, ["mso"], "rules without a start");
    let starts = variants.iter().map(|text| under(None, None).record(Some(text), &[]).expect("a start").start());
    let usual = under(Some("mso"), None).record(None, &[]).expect("a start").start();
    let eggs = record.start().strip_suffix(" mso").map(str::to_owned).expect("the rules");
    assert_eq!(starts.collect::<Vec<_>>(), [usual, eggs, record.start()]);
    let circle = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"].repeat(2);
    let named = under(None, None).record(Some("-b--b-/w----w/------/------/w----w/-b--b- b mso"), &circle);
    assert_eq!(named.expect("legal").finish().map(|finish| finish.reason), Some(game::Reason::Repetition));
    assert!(under(None, None).record(Some("mso mso"), &[]).is_err());
    let wrong = |game, size, set, start| Rules::named(game, size, set, start).expect_err("unknown").to_string();
    let loa = |set, start| wrong(GameId::LOA, Some(6), set, start);
    assert_eq!(loa(Some("chess"), None), "rules `chess`: expected `cs61b`, `nus`, `mso` or `openspiel`");
    assert_eq!(loa(None, Some("eggs")), "start `eggs`: expected `scrambled-eggs`");
    assert_eq!(
        loa(Some("openspiel"), None),
        "rules `openspiel`: Lines of Action is played by them on 8 squares per side only"
    );
    assert_eq!(wrong(GameId::CHECKERS, None, Some("mso"), None), "rules `mso`: checkers has only one rule set");
    assert_eq!(wrong(GameId::JUMP61, None, None, Some("eggs")), "start `eggs`: Jump61 has only one start");
}
