//! Tests of the limits of a house on rooms, moves and tasks. The tests perform the tasks themselves.

use core::num::NonZeroUsize;

use house::messages::{Answer, Board, ResultView, Tournament};
use house::{Effect, House, Incoming, Library, Limits, Moment, Outcome, Stage, Start};
use serde_json::{Value, json};

/// A house at a time set by the test.
struct Test {
    house: House,
    now: u64,
    /// Tasks that were begun and have not ended.
    tasks: Vec<Start>,
    ended: Vec<u32>,
}

impl Test {
    fn new(limits: Limits) -> Self {
        let mut count = 0;
        let random = move || {
            count += 1;
            count
        };
        let house = House::new(limits, Library::default().into(), Box::new(random));
        Self { house, now: 0, tasks: Vec::new(), ended: Vec::new() }
    }

    fn server() -> Self {
        Self::new(Limits::server(NonZeroUsize::MIN))
    }

    fn moment(&self) -> Moment {
        Moment { ms: self.now, date: 0 }
    }

    /// Performs the effects and returns the answers. Requests that replay a game are answered at once.
    fn answers(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        loop {
            let effects = self.house.effects();
            if effects.is_empty() {
                return answers;
            }
            for effect in effects {
                match effect {
                    Effect::Ready { page } => {
                        let now = self.moment();
                        answers.extend(core::iter::from_fn(|| self.house.next(page, now)));
                    }
                    Effect::Begin(start) if start.task.slot() == house::Slot::Replay => {
                        let place = start.place(&place());
                        let outcome = start.task.step(&place, &mut |_| ());
                        self.house.report(start.number, outcome, self.moment());
                    }
                    Effect::Begin(start) => self.tasks.push(*start),
                    Effect::End { number } => self.ended.push(number),
                    Effect::Wake { .. } | Effect::Command { .. } => (),
                }
            }
        }
    }

    fn say(&mut self, page: u32, message: &Value) -> Vec<Answer> {
        self.house.hear(page, Incoming::read(message.to_string().as_bytes()), self.moment());
        self.answers()
    }

    /// Opens a page in a room. Returns the name of the room.
    fn join(&mut self, page: u32, room: Option<&str>) -> String {
        self.house.open(page, true);
        self.rejoin(page, room)
    }

    fn rejoin(&mut self, page: u32, room: Option<&str>) -> String {
        match self.say(page, &json!({ "do": "join", "room": room })).pop() {
            Some(Answer::Room(view)) => view.room,
            other => panic!("no room: {other:?}"),
        }
    }

    fn close(&mut self, page: u32) {
        self.house.close(page, self.moment());
        self.answers();
    }

    fn play(&mut self, page: u32) -> Vec<Answer> {
        self.say(page, &json!({ "do": "act", "ply": 0, "act": { "kind": "play", "text": "b1-b3" } }))
    }

    /// Begins a game with this number of moves. Returns `true` if the house accepts it.
    fn begin(&mut self, page: u32, moves: usize) -> bool {
        let moves = ["b1-b3", "h7-f7", "b3-b1", "f7-h7"].repeat(moves / 4);
        let game = json!({ "game": "loa", "moves": moves });
        let new = json!({ "do": "new", "game": game, "seats": [{ "kind": "person" }, { "kind": "person" }] });
        !self.say(page, &new).iter().any(|answer| matches!(answer, Answer::Refused { .. }))
    }

    fn wait(&mut self, seconds: u64) {
        self.now += 1_000 * seconds;
        self.house.wake(self.moment());
        self.answers();
    }

    /// Returns `true` if the house still has a room.
    fn has(&mut self, room: &str) -> bool {
        let has = self.join(999, Some(room)) == room;
        self.close(999);
        has
    }
}

fn place() -> house::Place {
    house::Place {
        resources: engine::Resources::default(),
        host: search::SYSTEM,
        threads: NonZeroUsize::MIN,
        is_brief: false,
        table_mib: 1,
        stop: search::Stop::new(),
    }
}

#[test]
fn idle_rooms_are_removed() {
    let mut test = Test::server();
    let (used, untouched, played) = (test.join(1, None), test.join(2, None), test.join(3, None));
    test.play(3);
    test.close(2);
    test.close(3);
    test.wait(59);
    assert!(test.has(&untouched), "not idle for long");
    test.wait(61);
    assert!(!test.has(&untouched) && test.has(&played) && test.has(&used));
    test.wait(3 * 3_600);
    assert!(!test.has(&played) && test.has(&used));
}

#[test]
fn rooms_without_moves_are_removed_first_and_rooms_with_pages_never() {
    let mut test = Test::server();
    let watched = test.join(1, None);
    let first = test.join(2, None);
    test.play(2);
    test.close(2);
    for page in 10..3_000 {
        test.join(page, None);
        test.close(page);
    }
    assert_eq!(test.house.rooms(), 1_024);
    assert!(test.has(&first) && test.has(&watched));
    // When every room has moves, the least recently used one is removed.
    for page in 3_000..4_024 {
        test.now += 1;
        test.join(page, None);
        test.play(page);
        test.close(page);
    }
    assert!(!test.has(&first) && test.has(&watched));
}

#[test]
fn the_number_of_stored_moves_is_limited() {
    let mut test = Test::server();
    let rooms: Vec<String> = (0..60).map(|page| test.join(page, None)).collect();
    assert_eq!((0..60).filter(|&page| test.begin(page, 1_800)).count(), 100_000 / 1_800);
    assert!(test.begin(59, 0) && test.begin(0, 0), "a short game is always begun");
    assert!(test.begin(59, 1_800), "there is capacity again");
    for page in 0..60 {
        test.now += 1;
        test.close(page);
    }
    assert_eq!(rooms.iter().filter(|room| test.has(room)).count(), 50_000 / 1_800);
    assert!(test.has(&rooms[59]));
}

#[test]
fn one_page_has_few_rooms() {
    let mut test = Test::server();
    let mut rooms = vec![test.join(1, None)];
    test.play(1);
    for _ in 1..40 {
        rooms.push(test.rejoin(1, None));
        test.play(1);
    }
    assert_eq!(rooms.iter().filter(|room| test.has(room)).count(), 8);
    // In a browser, sixteen rooms without pages are kept.
    let mut test = Test::new(Limits::BROWSER);
    test.join(1, None);
    (0..38).for_each(|_| drop(test.rejoin(1, None)));
    test.close(1);
    assert_eq!(test.house.rooms(), 16);
}

#[test]
fn a_search_for_an_outdated_position_is_stopped_and_its_move_is_ignored() {
    let mut test = Test::server();
    test.join(1, None);
    test.play(1);
    let number = test.tasks.pop().expect("the engine's turn").number;
    test.say(1, &json!({ "do": "act", "ply": 1, "act": { "kind": "undo" } }));
    assert_eq!(test.ended, [number]);
    test.house.report(number, Outcome::Move(Some("a2-c2".into())), test.moment());
    assert!(test.answers().is_empty());
}

#[test]
fn engines_stop_in_rooms_without_pages() {
    let mut test = Test::server();
    let room = test.join(1, None);
    test.play(1);
    test.close(1);
    test.wait(1);
    assert!(test.ended.is_empty(), "a page may be reloading");
    test.wait(1);
    assert_eq!(test.ended.len(), 1);
    test.join(2, Some(&room));
    assert_eq!(test.tasks.len(), 1, "the slot is still in use");
    test.house.report(test.ended[0], Outcome::Nothing, test.moment());
    test.answers();
    assert_eq!(test.tasks.len(), 2);
}

#[test]
fn tasks_wait_for_a_slot_in_order_and_a_page_has_one_of_each_kind() {
    let mut test = Test::server();
    let game = json!({ "game": "loa" });
    for page in 1..4 {
        test.house.open(page, true);
        test.say(page, &json!({ "do": "analyse", "id": page, "game": game, "lines": 1 }));
    }
    assert_eq!(test.tasks.len(), 1);
    let first = test.tasks[0].number;
    test.say(2, &json!({ "do": "judge", "id": 9, "game": game }));
    test.house.report(first, Outcome::Nothing, test.moment());
    test.answers();
    assert_eq!(test.tasks.iter().map(|start| start.page).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert!(test.tasks[1].is_brief || test.tasks[1].threads == NonZeroUsize::MIN);
    // The second page's proof waits for the first page's proof.
    for page in 1..3 {
        let told = test.say(page, &json!({ "do": "prove", "id": page, "game": game }));
        let waits = told.iter().any(|answer| serde_json::to_value(answer).is_ok_and(|told| told["state"] == "waiting"));
        assert_eq!(waits, page == 2);
    }
}

fn board(key: &str, moves: &[&str], left: u64) -> Board {
    let game = json!({ "game": "loa", "moves": moves });
    Board {
        key: key.to_owned(),
        number: 3,
        names: ["a".to_owned(), "b".to_owned()],
        game: serde_json::from_value(game).expect("a game"),
        record: None,
        plies: 0,
        left: [Some(left), None],
        running: Some(0),
        end: None,
    }
}

#[test]
fn a_page_receives_the_changes_of_a_tournament() {
    let mut test = Test::server();
    let mut stage = Stage::default();
    // Returns three things: whether the answer contains the tournament, the keys of its boards, and the keys of all
    // boards.
    let told = |answers: Vec<Answer>| {
        let [Answer::Tournament { tournament, boards, keys, .. }] = &answers[..] else { return None };
        let keys_of_boards: Vec<String> = boards.iter().map(|board| board.key.clone()).collect();
        Some((tournament.is_some(), keys_of_boards.join(" "), keys.join(" ")))
    };
    let expect = |is_told: bool, boards: &str, keys: &str| Some((is_told, boards.to_owned(), keys.to_owned()));
    let mut show = |test: &mut Test, played, boards| {
        stage.show(Tournament { played, ..Tournament::default() }, boards, test.now);
        test.house.set_stage(stage.clone());
        test.answers()
    };
    // A board without a valid position is omitted.
    show(&mut test, 0, vec![board("0", &[], 5_000), board("1", &[], 5_000), board("2", &["b1-b2"], 0)]);
    test.house.open(1, false);
    let answers = test.say(1, &json!({ "do": "watch" }));
    assert_eq!(told(answers), expect(true, "0 1", "0 1"));
    // A running clock is a change only if it differs from the expected time.
    test.now = 300;
    let answers = show(&mut test, 0, vec![board("0", &[], 4_700), board("1", &["b1-b3"], 5_000)]);
    assert_eq!(told(answers), expect(false, "1", "0 1"));
    assert!(show(&mut test, 0, vec![board("0", &[], 4_690), board("1", &["b1-b3"], 5_000)]).is_empty());
    let answers = show(&mut test, 0, vec![board("0", &[], 500), board("1", &["b1-b3"], 5_000)]);
    assert_eq!(told(answers), expect(false, "0", "0 1"));
    let answers = show(&mut test, 1, vec![board("1", &["b1-b3"], 5_000)]);
    assert_eq!(told(answers), expect(true, "", "1"));
    let answers = test.say(1, &json!({ "do": "watch" }));
    assert_eq!(told(answers), expect(true, "1", "1"));
}

#[test]
fn a_page_replays_the_games_of_a_tournament() {
    let mut test = Test::server();
    let record = |moves: &[&str]| serde_json::from_value(json!({ "game": "loa", "moves": moves })).ok();
    let live = Board { record: record(&["b1-b3", "a2-c2"]), ..board("0", &["b1-b3"], 5_000) };
    let result = ResultView { number: 7, record: record(&["d1-d3"]), ..ResultView::default() };
    let mut stage = Stage::default();
    test.house.open(1, false);
    let ask = |test: &mut Test, number: u32| match &test.say(1, &json!({ "do": "replay", "id": 5, "number": number }))[..]
    {
        [Answer::Game { id: 5, game, .. }] => game.moves.join(" "),
        [Answer::Refused { id: Some(5), message }] => message.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(ask(&mut test, 3).contains("no longer on a board"));
    stage.show(Tournament { recent: vec![result], ..Tournament::default() }, vec![live], test.now);
    test.house.set_stage(stage);
    test.answers();
    assert_eq!([3, 7].map(|number| ask(&mut test, number)), ["b1-b3 a2-c2", "d1-d3"]);
    assert!(ask(&mut test, 4).contains("no longer on a board"));
}
