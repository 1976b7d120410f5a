//! Transcripts of messages between pages and a house, for every driver of a house. The files are in
//! `crates/house/tests/transcripts`. Each line begins with the number of a page:
//!
//! * `1 opens` and `1 closes`: the page connects or disconnects.
//! * `1> MESSAGE`: the page sends a message.
//! * `1> "TEXT"`: the page sends a text that is not a message.
//! * `1< PATTERN`: the page receives an answer that has all fields of the pattern, with the same values. The pattern
//!   `$name` matches any value at first, and later only this value. The pattern `~part` matches a text that contains
//!   `part`. States and reports that do not match are skipped, because a driver may drop them; any other answer must
//!   match. A request for finished games is repeated until its answer matches or a time limit passes, because a server
//!   stores games in the background.

#![allow(unreachable_pub)] // the tests of two crates use it

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

/// A driver with its pages.
pub trait Driver {
    fn open(&mut self, page: u32);
    fn close(&mut self, page: u32);
    fn say(&mut self, page: u32, text: &str);
    /// Waits for the next answer to a page.
    fn next(&mut self, page: u32) -> Value;
}

/// Runs all transcripts, each with a new driver.
pub fn run_all<D: Driver>(mut driver: impl FnMut() -> D) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../house/tests/transcripts");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        run(&mut driver(), &std::fs::read_to_string(&path).expect("a transcript"), &path);
    }
}

/// The state of a running transcript.
#[derive(Default)]
struct Known {
    values: BTreeMap<String, Value>,
    /// The last message that was sent.
    last: String,
}

fn run(driver: &mut dyn Driver, transcript: &str, path: &Path) {
    let mut known = Known::default();
    for (number, line) in (1..).zip(transcript.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let at = format!("{}:{number}", path.display());
        let (page, rest) = line.split_at(1);
        let page: u32 = page.parse().expect(&at);
        match rest {
            " opens" => driver.open(page),
            " closes" => driver.close(page),
            _ => {
                let value = serde_json::from_str(rest[1..].trim()).expect(&at);
                if rest.starts_with('>') {
                    known.last = message(&value, &known.values);
                    driver.say(page, &known.last);
                } else if let Some(found) = hear(driver, page, &value, &mut known) {
                    panic!("{at}: expected {value}, found {found}");
                }
            }
        }
    }
}

/// Returns the text of a message, with the known values in place of their names.
fn message(value: &Value, known: &BTreeMap<String, Value>) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    known.iter().fold(text, |text, (name, value)| text.replace(&format!("\"{name}\""), &value.to_string()))
}

/// Waits for an answer that matches `wanted`. If another answer must not be skipped, returns that answer.
fn hear(driver: &mut dyn Driver, page: u32, wanted: &Value, known: &mut Known) -> Option<Value> {
    let mut tries = 100;
    loop {
        let found = driver.next(page);
        let mut tried = known.values.clone();
        if matches(wanted, &found, &mut tried) {
            known.values = tried;
            return None;
        }
        match found["is"].as_str() {
            Some("room" | "thought" | "proof" | "tournament") => (),
            Some("archive" | "explored") if tries > 0 => {
                tries -= 1;
                std::thread::sleep(Duration::from_millis(20));
                driver.say(page, &known.last);
            }
            _ => return Some(found),
        }
    }
}

fn matches(wanted: &Value, found: &Value, known: &mut BTreeMap<String, Value>) -> bool {
    match (wanted, found) {
        (Value::String(name), _) if name.starts_with('$') => {
            known.entry(name.clone()).or_insert_with(|| found.clone()) == found
        }
        (Value::String(text), Value::String(found)) if text.starts_with('~') => found.contains(&text[1..]),
        (Value::Object(fields), _) => fields.iter().all(|(name, wanted)| matches(wanted, &found[name], known)),
        (Value::Array(all), Value::Array(found)) => {
            all.len() == found.len() && all.iter().zip(found).all(|(wanted, found)| matches(wanted, found, known))
        }
        _ => wanted == found,
    }
}
