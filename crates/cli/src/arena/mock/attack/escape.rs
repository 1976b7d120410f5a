//! Attacks that outlive a move, a game or the arena.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::prctl;
use nix::sys::signal::SigSet;
use nix::unistd::setsid;

use super::processes::line;
use super::{Accomplice, Range, Verdict, any, of, text};

/// The longest that a process lives which nothing has ended.
const LIFE: Duration = Duration::from_secs(20);
/// Time for a process to start and to hide.
const A_MOMENT: Duration = Duration::from_millis(150);

pub(super) fn escape(range: &Range) -> Verdict {
    // A subreaper that ends with the game leaves its orphans to the next one above.
    prctl::set_child_subreaper(true).map_err(of("subreaper"))?;
    let mut command = Accomplice::Daemon.command(range);
    command.process_group(0);
    let mut child = command.spawn().map_err(of("start"))?;
    sleep(A_MOMENT);
    let _ = child.try_wait();
    look(range)
}

/// Leaves its session and its marks, and its parent loses sight of it.
pub(super) fn daemon(range: &Range) -> Verdict {
    hide();
    Accomplice::Burn.command(range).spawn().map_err(text)?;
    Ok(String::new())
}

/// Makes itself hard to find and hard to end. Each step may fail; the next is tried nevertheless.
fn hide() {
    let _ = setsid();
    let _ = prctl::set_pdeathsig(None);
    // Others of the same user can no longer read its environment.
    let _ = prctl::set_dumpable(false);
    let _ = prctl::set_name(c") Z 1 1 1");
    let _ = SigSet::all().thread_block();
}

/// Computes, and writes a heartbeat wherever it can.
pub(super) fn burn(range: &Range) -> String {
    hide();
    let start = Instant::now();
    let mut beats = 0_u64;
    let mut number = 0_u64;
    while start.elapsed() < LIFE {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if start.elapsed() > Duration::from_millis(20) * beats as u32 {
            beats += 1;
            let file = OpenOptions::new().create(true).append(true).open(range.range.join("beats"));
            let _ = file.map(|mut file| file.write_all(b"."));
        }
    }
    format!("{beats} heartbeats, {number}")
}

pub(super) fn ponder(range: &Range) -> Verdict {
    Accomplice::Burn.command(range).spawn().map_err(of("start"))?;
    sleep(A_MOMENT);
    look(range).map(|how| format!("{how}; to be looked at in the next move"))
}

pub(super) fn starve(range: &Range) -> Verdict {
    for _ in 0..40 {
        Accomplice::Burn.command(range).spawn().map_err(of("start"))?;
    }
    Ok("40 processes compute".to_owned())
}

/// Whether a process that was left behind still computes.
pub(super) fn look(range: &Range) -> Verdict {
    let folder = range.range.to_string_lossy();
    let entries = std::fs::read_dir("/proc").map_err(of("/proc"))?.flatten();
    let pids: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let burning = |&pid: &i32| {
        let line = line(pid);
        line.contains("--accomplice burn") && line.contains(&*folder)
    };
    any(pids.into_iter().filter(burning), |pid| Ok(format!("process {pid} computes")))
}

pub(super) fn hold_pipes(range: &Range) -> Verdict {
    let mut command = Accomplice::Hold.command(range);
    command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit()).process_group(0);
    command.spawn().map_err(of("start"))?;
    Ok("a process holds the pipes".to_owned())
}

pub(super) fn hold() {
    hide();
    sleep(LIFE);
}
