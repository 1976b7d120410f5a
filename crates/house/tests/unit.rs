//! Tests of a house, in which the test performs the tasks.

use engine::Resources;
use house::{House, Moment, Said, Task, Thinker};
use room::messages::{Answer, ProofState};
use room::thinking::Place;
use search::{Host, Stop};
use serde_json::{Value, json};

/// A house with its effects as JSON, at a time set by the test.
struct Test {
    house: House,
    now: Moment,
}

impl Test {
    fn new() -> Self {
        let mut house = House::new(7, Vec::new());
        house.open(1);
        Self { house, now: Moment { ms: 0, date: 1_763_756_096 } }
    }

    fn hear(&mut self, message: &Value) -> Vec<Value> {
        self.house.hear(1, &message.to_string(), self.now);
        self.effects()
    }

    fn act(&mut self, ply: u32, act: &Value) -> Vec<Value> {
        self.hear(&json!({ "do": "act", "ply": ply, "act": act }))
    }

    fn effects(&mut self) -> Vec<Value> {
        let as_json = |effect| serde_json::to_value(effect).expect("plain data");
        self.house.effects().iter().map(as_json).collect()
    }

    /// Performs the tasks among the effects, as a browser does, until none is left.
    fn work(&mut self, mut effects: Vec<Value>) -> Vec<Value> {
        let mut all = Vec::new();
        while !effects.is_empty() {
            all.extend(effects.clone());
            for effect in core::mem::take(&mut effects) {
                if effect["kind"] == "begin" {
                    let task: Task = serde_json::from_value(effect["task"].clone()).expect("a task");
                    let number = effect["number"].as_u64().expect("a number") as u32;
                    Thinker::default().carry_out(&task, &place(), &mut |said| match said {
                        Said::Move(text) => self.house.moved(number, text.as_deref(), self.now),
                        Said::Answer(answer) => {
                            all.push(json!({ "said": serde_json::to_value(answer).expect("JSON") }));
                        }
                    });
                    effects.extend(self.effects());
                }
            }
        }
        all
    }
}

fn place() -> Place {
    let threads = core::num::NonZeroUsize::MIN;
    Place { resources: Resources::default(), host: Host::NONE, threads, stop: Stop::new() }
}

fn small(first: &Value, second: &Value) -> Value {
    json!({ "do": "new", "game": { "game": "loa", "size": 4, "limit": 60 }, "seats": [first, second] })
}

fn level(name: &str) -> Value {
    json!({ "kind": "engine", "level": name })
}

fn person() -> Value {
    json!({ "kind": "person" })
}

/// Returns the last view of the room among the effects.
fn view(effects: &[Value]) -> &Value {
    let mut views = effects.iter().map(|effect| &effect["answer"]).filter(|answer| answer["is"] == "room");
    views.next_back().expect("a view")
}

#[test]
fn engines_play_a_game_to_its_end_and_it_is_archived() {
    let mut test = Test::new();
    test.hear(&json!({ "do": "join" }));
    test.act(0, &json!({ "kind": "pace", "ms": 0 }));
    let begun = test.hear(&small(&level("1"), &level("gentle1")));
    let mut effects = test.work(begun);
    // Two engines keep a pace between moves; the test advances the time.
    for _ in 0..200 {
        if view(&effects)["scene"]["end"].is_object() {
            break;
        }
        test.now.ms += 1_000;
        test.house.wake(test.now);
        let woken = test.effects();
        effects.extend(test.work(woken));
    }
    assert!(view(&effects)["scene"]["end"].is_object(), "{}", view(&effects));
    let kept: Vec<&Value> = effects.iter().filter(|effect| effect["kind"] == "keep").collect();
    assert_eq!((kept.len(), &kept[0]["game"]["date"]), (1, &json!("2025-11-21T20:14:56Z")));
    let listed = test.hear(&json!({ "do": "archive", "id": 5 }));
    assert_eq!((&listed[0]["answer"]["count"], &listed[0]["answer"]["games"][0]), (&json!(1), &kept[0]["game"]));
    let explored = test.hear(&json!({ "do": "explore", "id": 6, "game": { "game": "loa", "size": 4 } }));
    assert_eq!(explored[0]["answer"]["moves"].as_array().map(Vec::len), Some(1), "{explored:?}");
    let name = &kept[0]["game"]["id"];
    let forgotten = test.hear(&json!({ "do": "forget", "id": 7, "name": name }));
    assert_eq!((&forgotten[0]["kind"], &forgotten[1]["answer"]["is"]), (&json!("forget"), &json!("done")));
    let again = test.hear(&json!({ "do": "forget", "id": 8, "name": name }));
    assert_eq!(again[0]["answer"]["text"], "There is no such game any more.");
}

#[test]
fn a_search_for_a_position_that_is_gone_ends_and_its_move_is_not_made() {
    let mut test = Test::new();
    test.hear(&json!({ "do": "join" }));
    test.hear(&small(&person(), &level("1")));
    let effects = test.act(0, &json!({ "kind": "play", "text": "b1-b3" }));
    assert_eq!((&effects[0]["kind"], &effects[1]["kind"]), (&json!("tell"), &json!("begin")));
    assert_eq!((&view(&effects)["thinking"], &effects[1]["page"]), (&json!(true), &Value::Null));
    let effects = test.act(1, &json!({ "kind": "undo" }));
    assert_eq!(effects[1], json!({ "kind": "end", "number": 1 }));
    test.house.moved(1, Some("a2-c2"), test.now);
    assert!(test.effects().is_empty());
}

#[test]
fn a_clock_runs_out_when_the_house_is_woken() {
    let mut test = Test::new();
    test.hear(&json!({ "do": "join" }));
    let mut new = small(&person(), &person());
    new["clock"] = json!({ "kind": "game", "ms": 3_000 });
    test.hear(&new);
    let effects = test.act(0, &json!({ "kind": "play", "text": "b1-b3" }));
    assert_eq!(effects[1], json!({ "kind": "wake", "at": 3_000 }));
    test.now.ms = 2_999;
    test.house.wake(test.now);
    assert!(test.effects().is_empty(), "too early");
    test.now.ms = 3_000;
    test.house.wake(test.now);
    let effects = test.effects();
    assert_eq!(view(&effects)["scene"]["end"]["cause"], "time", "{effects:?}");
}

#[test]
fn pages_analyse_prove_and_ask_and_each_search_ends_the_one_before() {
    let mut test = Test::new();
    // The move a1-a2 connects Black.
    let game = json!({ "game": "loa", "size": 4, "start": "w---/-b--/----/b--w b" });
    let first = test.hear(&json!({ "do": "analyse", "id": 1, "game": game, "lines": 1 }));
    assert_eq!((&first[0]["kind"], &first[0]["page"]), (&json!("begin"), &json!(1)));
    let second = test.hear(&json!({ "do": "judge", "id": 2, "game": game }));
    assert_eq!((&second[0], &second[1]["kind"]), (&json!({ "kind": "end", "number": 1 }), &json!("begin")));
    let judged = test.work(second);
    assert_eq!(judged.last().expect("a judgement")["said"]["done"], true);
    assert_eq!(test.hear(&json!({ "do": "rest" })), [json!({ "kind": "end", "number": 2 })]);
    let analysed = test.hear(&json!({ "do": "analyse", "id": 3, "game": game, "lines": 1 }));
    let analysed = test.work(analysed);
    let last = &analysed.last().expect("a thought")["said"];
    assert_eq!((&last["done"], last["thought"]["lines"][0]["value"].get("wins").is_some()), (&json!(true), true));
    let hopeless = test.hear(&json!({ "do": "replies", "id": 4, "line": [] }));
    assert_eq!(hopeless[0]["answer"]["text"], "Nothing is proven yet.");
    let bad = test.hear(&json!({ "do": "analyse", "id": 5, "game": { "game": "chess" }, "lines": 1 }));
    assert_eq!((&bad[0]["answer"]["is"], &bad[0]["answer"]["id"]), (&json!("refused"), &json!(5)));
    let look = test.hear(&json!({ "do": "look", "id": 6, "game": { "game": "jump61" } }));
    assert_eq!(look[0]["answer"]["scene"]["game"], "jump61");
}

#[test]
fn a_hand_proves_and_then_knows_the_replies() {
    let task = json!({ "prove": { "attempted": { "id": 9, "game": { "game": "loa", "size": 4 } } } });
    let task: Task = serde_json::from_value(task).expect("a task");
    let mut thinker = Thinker::default();
    let mut said = Vec::new();
    thinker.carry_out(&task, &place(), &mut |one| said.push(one));
    let Some(Said::Answer(last)) = said.last() else { panic!("an answer") };
    let Answer::Proof { state: ProofState::Won | ProofState::Drawn, .. } = **last else { panic!("{last:?}") };
    let replies = thinker.replies(4, &["b1-b3".into(), "nonsense".into()]);
    assert!(matches!(replies, Answer::Refused { id: Some(4), .. }), "{replies:?}");
}

#[test]
fn rooms_are_left_and_found_again_and_nonsense_changes_nothing() {
    let mut test = Test::new();
    let joined = test.hear(&json!({ "do": "join" }));
    let name = view(&joined)["room"].as_str().expect("a name").to_owned();
    test.act(0, &json!({ "kind": "play", "text": "b1-b3" }));
    test.house.close(1, test.now);
    let effects = test.effects();
    assert!(effects.iter().all(|effect| effect["kind"] == "end"), "the engine rests: {effects:?}");
    test.house.hear(1, r#"{"do":"join"}"#, test.now);
    assert!(test.effects().is_empty(), "the page has gone");
    test.house.open(1);
    for nonsense in ["", "{}", r#"{"do":"join","room":3}"#, r#"{"do":"act","ply":0,"act":{"kind":"undo"}}"#] {
        test.house.hear(1, nonsense, test.now);
        assert_eq!(test.effects()[0]["answer"]["is"], "refused", "{nonsense}");
    }
    let table = test.hear(&json!({ "do": "join", "room": "table" }));
    assert!(table[0]["answer"]["text"].as_str().is_some_and(|text| text.contains("no server")));
    let again = test.hear(&json!({ "do": "join", "room": name }));
    assert_eq!((&view(&again)["room"], &view(&again)["scene"]["ply"]), (&json!(name), &json!(1)));
    assert_eq!(again.last().expect("an effect")["kind"], "begin", "the engine goes on");
    // Sixteen rooms without pages are kept.
    let pages = 2..40;
    let joined = pages.clone().map(|page| {
        test.house.open(page);
        test.house.hear(page, r#"{"do":"join"}"#, test.now);
        test.house.close(page, test.now);
        view(&test.effects())["room"].clone()
    });
    let names: Vec<Value> = joined.collect();
    let stay = pages.zip(&names).filter(|(page, name)| {
        test.house.open(*page);
        test.house.hear(*page, &json!({ "do": "join", "room": name }).to_string(), test.now);
        view(&test.effects())["room"] == **name
    });
    assert_eq!(stay.count(), 16);
}
