//! Attacks by processes that outlive a move, a game or the arena.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::prctl;
use nix::sys::signal::SigSet;
use nix::unistd::setsid;

use super::processes::command_line;
use super::{Range, Verdict, accomplice, any, context, text};

/// Maximum lifetime of a process that nothing has killed.
const LIFETIME: Duration = Duration::from_secs(20);
/// Time that a process needs to start and hide.
const SETTLE_TIME: Duration = Duration::from_millis(150);

pub(super) fn escape(range: &Range) -> Verdict {
    // When this subreaper ends with the game, its orphans pass to the next subreaper above it.
    prctl::set_child_subreaper(true).map_err(context("subreaper"))?;
    let mut command = accomplice("daemon", range);
    command.process_group(0);
    let mut child = command.spawn().map_err(context("start"))?;
    sleep(SETTLE_TIME);
    let _ = child.try_wait();
    check_running(range)
}

/// Hides, then starts a process that computes. That process is orphaned when this one ends.
pub(super) fn daemon(range: &Range) -> Verdict {
    hide();
    accomplice("burn", range).spawn().map_err(text)?;
    Ok(String::new())
}

/// Makes this process hard to find and hard to kill. Failed steps are ignored.
fn hide() {
    let _ = setsid();
    let _ = prctl::set_pdeathsig(None);
    // Other processes of the user can no longer read its environment.
    let _ = prctl::set_dumpable(false);
    let _ = prctl::set_name(c") Z 1 1 1");
    let _ = SigSet::all().thread_block();
}

/// Hides and computes, and writes heartbeats to a file in the range's folder if that is possible.
pub(super) fn burn(range: &Range) -> String {
    hide();
    let start = Instant::now();
    let mut beats = 0_u64;
    let mut number = 0_u64;
    while start.elapsed() < LIFETIME {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if start.elapsed() > Duration::from_millis(20) * beats as u32 {
            beats += 1;
            let file = OpenOptions::new().create(true).append(true).open(range.folder.join("beats"));
            let _ = file.map(|mut file| file.write_all(b"."));
        }
    }
    format!("{beats} heartbeats, {number}")
}

pub(super) fn ponder(range: &Range) -> Verdict {
    accomplice("burn", range).spawn().map_err(context("start"))?;
    sleep(SETTLE_TIME);
    check_running(range).map(|how| format!("{how}; the next move checks it again"))
}

pub(super) fn starve(range: &Range) -> Verdict {
    for _ in 0..40 {
        accomplice("burn", range).spawn().map_err(context("start"))?;
    }
    Ok("40 processes compute".to_owned())
}

/// Succeeds if a process that was left behind still computes.
pub(super) fn check_running(range: &Range) -> Verdict {
    let folder = range.folder.to_string_lossy();
    let entries = std::fs::read_dir("/proc").map_err(context("/proc"))?.flatten();
    let pids: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let burning = |&pid: &i32| {
        let command = command_line(pid);
        command.contains("--accomplice burn") && command.contains(&*folder)
    };
    any(pids.into_iter().filter(burning), |pid| Ok(format!("process {pid} computes")))
}

pub(super) fn hold_pipes(range: &Range) -> Verdict {
    let mut command = accomplice("hold", range);
    command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit()).process_group(0);
    command.spawn().map_err(context("start"))?;
    Ok("a process keeps the pipes open".to_owned())
}

/// Hides, and keeps its parent's pipes open.
pub(super) fn hold() -> ! {
    hide();
    sleep(LIFETIME);
    std::process::exit(0)
}
