//! Students who write agents and upload them.

use std::io::{Cursor, Write};
use std::thread;
use std::time::{Duration, Instant};

use game::SplitMix64;
use zip::write::SimpleFileOptions;

use super::record::{Received, Record};
use super::served::{Served, id};

const AGENT: &str = include_str!("agent.sh");
/// Size of the file of weights in each archive, in bytes.
const WEIGHTS: usize = 50_000;
/// Pause before a student whose upload had no answer tries again.
const PAUSE: Duration = Duration::from_millis(50);

/// A kind of agents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quality {
    /// Agents that are accepted.
    Good,
    /// Agents whose moves are illegal, so they are refused.
    Bad,
}

/// The answer to an upload.
pub(crate) struct Sent {
    /// Status of the answer.
    pub(crate) status: u16,
    /// Duration of the request that was answered.
    pub(crate) time: Duration,
}

/// Uploads an agent until an answer comes, and records what the server acknowledges.
pub(crate) fn upload(served: &Served, record: &Record, team: usize, quality: Quality) -> Sent {
    loop {
        let attempt = record.next_attempt();
        let file = archive(team, attempt, quality);
        let hash = record.attempt(team, &file);
        let began = Instant::now();
        match served.upload(team, &file) {
            // The server is stopping.
            Some(answer) if answer.status == 503 => (),
            Some(answer) => {
                if answer.status == 202 {
                    let receipt = answer.json();
                    let number = |field: &str| receipt[field].as_i64().expect("a number");
                    record.receive(Received { upload: number("upload"), number: number("number"), hash, quality });
                }
                return Sent { status: answer.status, time: began.elapsed() };
            }
            None => (),
        }
        thread::sleep(PAUSE);
    }
}

/// Returns a submission in a folder of its own. Each one differs from all others.
fn archive(team: usize, attempt: u64, quality: Quality) -> Vec<u8> {
    let mut rng = SplitMix64::new(attempt);
    let weights: Vec<u8> = (0..WEIGHTS / 8).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [("agent.sh", agent(&mut rng, quality).as_bytes()), ("weights.bin", &weights)] {
        let path = format!("submission-{}/{name}", id(team));
        archive.start_file(path, SimpleFileOptions::default()).expect("an entry");
        archive.write_all(content).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

/// Returns an agent that prefers pawns and directions at random.
fn agent(rng: &mut SplitMix64, quality: Quality) -> String {
    let mut shuffled = |words: Vec<String>| {
        let mut keyed: Vec<(u64, String)> = words.into_iter().map(|word| (rng.next_u64(), word)).collect();
        keyed.sort();
        keyed.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    };
    let squares = ('a'..='e').flat_map(|file| (1..=5).map(move |rank| format!("{file}{rank}"))).collect();
    let squares = shuffled(squares);
    let directions = shuffled(["ahead", "left", "right"].map(str::to_owned).to_vec());
    let choose = if quality == Quality::Good { "choose" } else { "echo bestmove a1-a5" };
    AGENT.replace("SQUARES", &squares).replace("DIRECTIONS", &directions).replace("CHOOSE", choose)
}
