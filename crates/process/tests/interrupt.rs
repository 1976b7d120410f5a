//! Tests of interrupts, which also end the children. The test program has its own `main` function because it starts
//! itself as the program that is interrupted; the threads of the default test runner would receive the signal.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command as Process, ExitCode, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use process::interrupt::end_children_on_interrupt;
use process::{Child, Command, Exit, Output, Stream};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

fn main() -> ExitCode {
    match std::env::var("INTERRUPTED") {
        Ok(how) if how == "starting" => interrupted_while_starting(),
        Ok(_) => interrupted(),
        Err(_) => libtest_mimic::run(&Arguments::from_args(), trials()).exit_code(),
    }
}

fn trials() -> Vec<Trial> {
    let trial = |name: &str, run: fn()| {
        let run = move || {
            run();
            Ok(())
        };
        Trial::test(name, run)
    };
    vec![
        trial("sigint_ends_children", || check_how(Signal::INT, "waiting")),
        trial("sigterm_ends_children", || check_how(Signal::TERM, "waiting")),
        // The signal arrives at a random moment while a child is being started, so there are many tries.
        trial("a_signal_while_children_start_ends_them", || {
            (0..20).for_each(|_| check_how(Signal::TERM, "starting"));
        }),
        trial("an_ignored_signal_stays_ignored", an_ignored_signal_stays_ignored),
    ]
}

/// Returns `true` if this test was started with the signal ignored. Background jobs of scripts ignore `SIGINT`, and
/// their descendants inherit this setting.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
}

/// Returns the command that starts this test again with the signal's default effect; `None` if that is not possible. A
/// shell cannot undo an ignored signal, but `env` of the GNU coreutils can.
fn with_usual_effect(signal: Signal) -> Option<Process> {
    let program = std::env::current_exe().expect("a test is a program");
    if !is_ignored(signal) {
        return Some(Process::new(program));
    }
    let usual = ["--default-signal".as_ref(), program.as_os_str()];
    let can = Process::new("env").args(["--default-signal", "true"]).status().is_ok_and(|status| status.success());
    can.then(|| {
        let mut env = Process::new("env");
        env.args(usual);
        env
    })
}

/// Starts this test again as a program that waits for an interrupt. Returns the program and the process ID of its
/// child.
fn start(mut command: Process, how: &str) -> (std::process::Child, Pid) {
    let mut program = command.env("INTERRUPTED", how).stdout(Stdio::piped()).spawn().expect("the test starts itself");
    let mut line = String::new();
    BufReader::new(program.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let child = Pid::from_raw(line.trim().parse().expect("a number")).expect("a process");
    assert_eq!(test_kill_process(child), Ok(()), "the child runs");
    (program, child)
}

/// Starts a child that hangs, and waits for an interrupt.
fn interrupted() -> ! {
    end_children_on_interrupt().expect("signals can be blocked");
    let mut child = Child::start(&Command::new(["sh", "-c", "echo $$; exec sleep 600"])).expect("sh starts");
    // Children do not inherit the blocked signals.
    let mut other = Child::start(&Command::new(["sh", "-c", "kill -TERM $$; sleep 600"])).expect("sh starts");
    assert_eq!(other.wait(soon()), Some(Exit::Signal(15)));
    let Some(Output::Line(Stream::Stdout, pid)) = child.output(soon()) else { panic!("no number of the child") };
    writeln!(std::io::stdout(), "{}", String::from_utf8_lossy(&pid)).expect("a reader");
    child.wait(soon());
    panic!("no interrupt arrived");
}

/// Does the same as [`interrupted`] while other children start continuously.
fn interrupted_while_starting() -> ! {
    end_children_on_interrupt().expect("signals can be blocked");
    for _ in 0..4 {
        std::thread::spawn(|| {
            loop {
                if let Ok(mut child) = Child::start(&Command::new(["true"])) {
                    child.wait(soon());
                }
            }
        });
    }
    let mut child = Child::start(&Command::new(["sh", "-c", "echo $$; exec sleep 600"])).expect("sh starts");
    let Some(Output::Line(Stream::Stdout, pid)) = child.output(soon()) else { panic!("no number of the child") };
    writeln!(std::io::stdout(), "{}", String::from_utf8_lossy(&pid)).expect("a reader");
    child.wait(soon());
    panic!("no interrupt arrived");
}

fn check_how(signal: Signal, how: &str) {
    let Some(command) = with_usual_effect(signal) else {
        writeln!(std::io::stderr(), "skipped: {signal:?} is ignored here, and `env` cannot restore its default effect")
            .expect("open");
        return;
    };
    let (mut program, child) = start(command, how);
    kill_process(Pid::from_child(&program), signal).expect("the program runs");
    let status = program.wait().expect("it ends");
    assert_eq!(status.signal(), Some(signal.as_raw()), "the signal keeps its default effect: {status}");
    let patience = soon();
    while test_kill_process(child).is_ok() && !is_zombie(child) {
        assert!(Instant::now() < patience, "the child is left behind");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Checks that an ignored signal does not end the program, as under `nohup`.
fn an_ignored_signal_stays_ignored() {
    let program = std::env::current_exe().expect("a test is a program");
    let mut shell = Process::new("sh");
    shell.args(["-c", "trap '' INT; exec \"$0\""]).arg(program);
    let (mut program, child) = start(shell, "waiting");
    let pid = Pid::from_child(&program);
    kill_process(pid, Signal::INT).expect("the program runs");
    std::thread::sleep(Duration::from_millis(200));
    assert!(program.try_wait().expect("a child").is_none() && test_kill_process(child).is_ok(), "both continue");
    kill_process(pid, Signal::TERM).expect("the program runs");
    assert_eq!(program.wait().expect("it ends").signal(), Some(Signal::TERM.as_raw()));
}

/// Returns `true` if a process is a zombie. Orphans stay zombies if no process waits for them.
fn is_zombie(pid: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tZ"))
}

fn soon() -> Instant {
    Instant::now() + Duration::from_mins(2)
}
