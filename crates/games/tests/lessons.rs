//! Tests of lessons and their texts.

use games::{Game, GameId, Setting, Visitor, dispatch};
use serde_json::Value;

/// Returns the keys of an object in alphabetical order.
fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

struct Words;

impl Visitor for Words {
    type Output = ();

    fn visit<P: Game>(self) {
        assert_eq!(P::LESSON_WORDS[0].0, "en");
        for (language, text) in P::LESSON_WORDS {
            assert_eq!(GameId::of::<P>().lessons(language).len(), P::LESSONS.len(), "{language}, {}", P::NAME);
            let words: Value =
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{language}, {}: {error}", P::NAME));
            let named = keys(&words);
            let mut wanted: Vec<&str> = P::LESSONS.iter().map(|lesson| lesson.key).collect();
            wanted.sort_unstable();
            assert_eq!(named, wanted, "{language}, {}", P::NAME);
            for lesson in P::LESSONS {
                let named = keys(&words[lesson.key]["steps"]);
                let mut wanted: Vec<&str> = lesson.steps.iter().map(|step| step.key).collect();
                wanted.sort_unstable();
                assert_eq!(named, wanted, "{language}, {}, {}", P::NAME, lesson.key);
            }
        }
    }
}

#[test]
fn every_lesson_has_texts_in_every_language() {
    for game in GameId::BUILT_IN {
        dispatch(game, Words);
        assert_eq!(game.lessons("en"), game.lessons("tlh"));
    }
}

/// Plays the accepted moves of every step, which must be legal. A step with a task must have a message for accepted
/// moves. It must also have a message for other moves, unless every move is accepted.
#[test]
fn lessons_can_be_completed() {
    for game in GameId::BUILT_IN {
        let setting = Setting::new(game, 200);
        let lessons = game.lessons("en");
        assert!(lessons.len() >= 4, "{game}");
        for step in lessons.iter().flat_map(|lesson| &lesson.steps) {
            let name = format!("{game}, {}", step.key);
            let scene = setting.record(step.start, &step.moves).map(|game| game.scene());
            let scene = scene.unwrap_or_else(|error| panic!("{name}: {error}"));
            let legal: Vec<&str> = scene.moves.iter().map(|way| way.text.as_str()).collect();
            let Some(find) = step.find else { continue };
            assert!(!legal.is_empty(), "{name}: no legal move");
            assert!(step.praise().is_some(), "{name}: no message for accepted moves");
            assert_eq!(step.refutation().is_some(), !find.is_empty() && find.len() < legal.len(), "{name}");
            assert!(find.iter().all(|text| legal.contains(text)), "{name}: {find:?} of {legal:?}");
            for found in if find.is_empty() { &legal } else { find } {
                let line = [&step.moves[..], &[*found], step.then].concat();
                assert!(setting.record(step.start, &line).map(|game| game.scene()).is_ok(), "{name}: {line:?}");
            }
        }
    }
}
