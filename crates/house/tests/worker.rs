//! Tests of a house that is called in the same way as by the static site's web worker. The thinkers run in the same
//! thread, and time advances only when nothing else happens.

use std::collections::{BTreeMap, VecDeque};

use house::Program;
use serde_json::{Value, json};

use crate::conformance::{Driver, run_all};

struct Worker {
    house: Program,
    /// Thinkers with a proof, by the number of their task.
    thinkers: BTreeMap<u64, Program>,
    received: BTreeMap<u32, VecDeque<Value>>,
    ms: u64,
    wake: Option<u64>,
}

impl Worker {
    fn new() -> Self {
        let (thinkers, received) = (BTreeMap::new(), BTreeMap::new());
        let mut worker = Self { house: Program::new(search::SYSTEM), thinkers, received, ms: 0, wake: None };
        worker.call(json!({ "house": { "seed": 7, "archive": [] } }));
        worker
    }

    /// Calls the house and performs its effects, as `house.js` does.
    fn call(&mut self, mut call: Value) {
        call["now"] = json!({ "ms": self.ms, "date": 1_763_756_096 });
        for effect in outputs(&mut self.house, &call) {
            match effect["kind"].as_str().unwrap_or_default() {
                "tell" => self.tell(&effect["page"], &effect["answer"]),
                "begin" => self.think(&effect),
                "end" => drop(self.thinkers.remove(&number(&effect))),
                "wake" => self.wake = effect["at"].as_u64(),
                "keep" | "forget" => (),
                _ => panic!("{effect}"),
            }
        }
    }

    fn think(&mut self, effect: &Value) {
        let (number, task) = (number(effect), &effect["task"]);
        let prover = task["replies"]["of"].as_u64().and_then(|of| self.thinkers.remove(&of).map(|prover| (of, prover)));
        let (number, mut thinker) = prover.unwrap_or_else(|| (number, Program::new(search::SYSTEM)));
        for said in outputs(&mut thinker, &json!({ "task": { "task": task, "threads": 1 } })) {
            match said.get("move") {
                Some(text) => self.call(json!({ "moved": { "number": number, "text": text } })),
                None => self.tell(&effect["page"], &said["answer"]),
            }
        }
        self.thinkers.insert(number, thinker);
        self.call(json!({ "ended": { "number": effect["number"] } }));
    }

    fn tell(&mut self, page: &Value, answer: &Value) {
        let page = page.as_u64().expect("a page") as u32;
        self.received.entry(page).or_default().push_back(answer.clone());
    }
}

fn number(effect: &Value) -> u64 {
    effect["number"].as_u64().expect("a number")
}

fn outputs(program: &mut Program, call: &Value) -> Vec<Value> {
    let mut outputs = Vec::new();
    program.call(&call.to_string(), &mut |text| outputs.push(serde_json::from_str(text).expect("JSON")));
    outputs
}

impl Driver for Worker {
    fn open(&mut self, page: u32) {
        self.call(json!({ "open": { "page": page } }));
    }

    fn close(&mut self, page: u32) {
        self.call(json!({ "close": { "page": page } }));
    }

    fn say(&mut self, page: u32, text: &str) {
        self.call(json!({ "hear": { "page": page, "text": text } }));
    }

    fn next(&mut self, page: u32) -> Value {
        loop {
            if let Some(answer) = self.received.get_mut(&page).and_then(VecDeque::pop_front) {
                return answer;
            }
            self.ms = self.wake.take().expect("a wake-up is requested");
            self.call(json!({ "wake": {} }));
        }
    }
}

#[test]
fn the_worker_follows_the_transcripts() {
    run_all(Worker::new);
}

#[test]
fn wrong_calls_are_reported() {
    let mut program = Program::new(search::SYSTEM);
    for call in [json!({ "dance": {} }), json!({ "open": { "page": 1 } })] {
        assert!(outputs(&mut program, &call)[0]["wrong"].is_string(), "{call}");
    }
}
