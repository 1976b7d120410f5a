//! Whole-process timings of the courses' programs, compared with their limits. `make bench` runs them after a release
//! build.
//!
//! Each timing is the median of several runs. The limits come from the specifications and assume one core of an
//! ordinary machine.
#![allow(clippy::print_stdout)] // this program prints a report

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

/// A measurement: one line of the report.
struct Bar {
    what: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    input: &'static str,
    runs: usize,
    limit: Duration,
}

const BARS: [Bar; 8] = [
    Bar { what: "checkers, test3", program: "checkers", arguments: &[], input: "", runs: 50, limit: ms(3) },
    Bar { what: "loa, start to quit", program: "loa", arguments: &[], input: "quit\n", runs: 50, limit: ms(20) },
    Bar { what: "jump61, start to quit", program: "jump61", arguments: &[], input: "quit\n", runs: 50, limit: ms(20) },
    Bar { what: "loa6, identify", program: "loa6", arguments: &[], input: "identify\n", runs: 50, limit: ms(20) },
    Bar { what: "loa6, first move", program: "loa6", arguments: &[], input: FIRST_MOVE, runs: 3, limit: ms(2_000) },
    Bar {
        what: "loa, a self-played game",
        program: "loa",
        arguments: &[],
        input: LOA_GAME,
        runs: 3,
        limit: ms(15_000),
    },
    Bar {
        what: "jump61, a self-played game",
        program: "jump61",
        arguments: &[],
        input: JUMP61_GAME,
        runs: 3,
        limit: ms(20_000),
    },
    Bar {
        what: "jump61, 10x10, a game",
        program: "jump61",
        arguments: &[],
        input: LARGE_GAME,
        runs: 1,
        limit: ms(540_000),
    },
];

const FIRST_MOVE: &str = "move\n1\n6\n.XXXX.\nO....O\nO....O\nO....O\nO....O\n.XXXX.\n";
const LOA_GAME: &str = "seed 1\nauto black\n";
const JUMP61_GAME: &str = "seed 1\nauto red\n";
const LARGE_GAME: &str = "size 10\nseed 1\nauto red\n";

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sample = std::fs::read_to_string(root.join("testdata/checkers/test3.txt")).expect("the sample");
    println!("{:<28} {:>10} {:>10} {:>8}", "whole process", "median", "bar", "");
    let mut missed = 0;
    for bar in &BARS {
        let input = if bar.input.is_empty() { &sample } else { bar.input };
        let median = median(bar, input);
        let verdict = if median <= bar.limit { "ok" } else { "MISSED" };
        missed += usize::from(median > bar.limit);
        println!("{:<28} {:>10.1?} {:>10.1?} {verdict:>8}", bar.what, median, bar.limit);
        if bar.program == "checkers" {
            // `max_rss` is the maximum over all children so far, and only `checkers` has run.
            let peak = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
            let unit = if cfg!(target_os = "macos") { 1 << 20 } else { 1 << 10 };
            let mib = peak as f64 / f64::from(unit);
            let verdict = if mib < 6.0 { "ok" } else { "MISSED" };
            missed += usize::from(mib >= 6.0);
            println!("{:<28} {:>6.1} MiB {:>6.1} MiB {verdict:>8}", "checkers, peak memory", mib, 6.0);
        }
    }
    std::process::exit(i32::from(missed > 0));
}

/// Returns the path of a release program. Release programs are in the parent of this program's folder.
fn program(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("the path of this program");
    let folder = own.parent().and_then(Path::parent).expect("a target folder");
    folder.join(name)
}

fn median(bar: &Bar, input: &str) -> Duration {
    let mut times: Vec<Duration> = (0..bar.runs).map(|_| time(bar, input)).collect();
    times.sort();
    times[times.len() / 2]
}

fn time(bar: &Bar, input: &str) -> Duration {
    let start = Instant::now();
    let mut child = Command::new(program(bar.program))
        .args(bar.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the release programs are built");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let _ = child.wait();
    start.elapsed()
}
