//! An interrupt ends the children, too. This is a separate program without the usual test threads, which would get the
//! signal.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use process::interrupt::end_children_on_interrupt;
use process::{Child, Command, Exit, Output, Stream};

fn main() {
    match std::env::var("INTERRUPTED") {
        Ok(_) => interrupted(),
        Err(_) => [Signal::SIGINT, Signal::SIGTERM].into_iter().filter(|&signal| !is_ignored(signal)).for_each(check),
    }
}

/// A background job of a script ignores `SIGINT`, and its children inherit that: then it does not interrupt them.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
}

/// Starts a child that hangs and waits for an interrupt.
fn interrupted() {
    end_children_on_interrupt().expect("signals can be held back");
    let mut child = Child::start(&Command::new(["sh", "-c", "echo $$; exec sleep 600"])).expect("sh starts");
    // Children do not inherit the blocked signals.
    let mut other = Child::start(&Command::new(["sh", "-c", "kill -TERM $$; sleep 600"])).expect("sh starts");
    assert_eq!(other.wait(soon()), Some(Exit::Signal(15)));
    let Some(Output::Line(Stream::Stdout, pid)) = child.output(soon()) else { panic!("no number of the child") };
    writeln!(std::io::stdout(), "{}", String::from_utf8_lossy(&pid)).expect("a reader");
    child.wait(soon());
    panic!("no interrupt came");
}

fn check(signal: Signal) {
    let program = std::env::current_exe().expect("a test is a program");
    let started = Process::new(program).env("INTERRUPTED", "yes").stdout(Stdio::piped()).spawn();
    let mut program = started.expect("the test starts itself");
    let mut line = String::new();
    let output = program.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let child = Pid::from_raw(line.trim().parse().expect("a number"));
    assert_eq!(kill(child, None), Ok(()), "the child runs");

    kill(Pid::from_raw(program.id() as i32), signal).expect("the program runs");
    let status = program.wait().expect("it ends");
    assert_eq!(status.signal(), Some(signal as i32), "ended as it would have been anyway: {status}");
    let patience = soon();
    while kill(child, None).is_ok() && !is_zombie(child) {
        assert!(Instant::now() < patience, "the child is left behind");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// If no process waits for orphans, they stay as zombies.
fn is_zombie(pid: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tZ"))
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}
