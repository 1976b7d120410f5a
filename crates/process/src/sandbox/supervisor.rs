//! The first process of a sandbox. It starts the program's processes one after the other, kills leftover processes, and
//! measures the use of resources.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, set_dumpable_behavior, wait,
};

use super::control::{Closed, End, Link, Report, Request, timespec};
use super::plan::Plan;
use super::watch::SharedMemory;
use super::{confine, scratch, watch};
use crate::sandbox::tier::Tier;
use crate::unix::system::cpu_of_this_thread;

/// The first word of a launcher's arguments.
pub(super) const CONFINE: &str = "sandbox-launcher";
/// Interval between measurements of the use of resources.
const TICK: Duration = Duration::from_millis(50);
/// Processor time that a program may use during its opponent's turn before it is stopped.
const GRACE: Duration = Duration::from_millis(100);
/// Maximum time for killed processes to end.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// Executes the arena's requests, which arrive on standard input, until the arena closes the connection.
///
/// # Errors
/// Returns an error if a system call that a supervisor needs fails.
pub(crate) fn run(plan: &Plan, plan_text: &str) -> io::Result<()> {
    // Prevents processes of the same user from reading or stopping this process through `/proc` or by tracing.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    // Every descendant becomes a child of this process when its parent ends, in any session or group.
    set_child_subreaper(Pid::from_raw(1))?;
    confine::close_descriptors();
    let link = Link::of_stdin()?;
    let folder = plan.scratch.clone().unwrap_or_else(|| PathBuf::from("/tmp"));
    let plan_text = plan_text.to_owned();
    let initial_sizes = plan.writable.iter().map(|folder| watch::size(folder, u64::MAX - 1)).collect();
    let (turn, shared) = (Turn::Own, SharedMemory::default());
    let mut supervisor = Supervisor { plan, plan_text, folder, initial_sizes, link, program: None, turn, shared };
    supervisor.serve()?;
    supervisor.kill_all();
    if let Some(scratch) = &plan.scratch {
        // The arena also removes it, unless the arena was killed.
        scratch::remove(scratch);
    }
    Ok(())
}

/// A running program.
struct Program {
    process: u32,
    /// Descriptor that becomes readable when the process ends.
    ended: OwnedFd,
}

/// The side to move.
enum Turn {
    /// The program is to move.
    Own,
    /// The opponent is to move. The value is the processor time that the program had used when its own turn ended.
    Other(Duration),
    /// The opponent is to move, and the program is stopped.
    Stopped,
}

struct Supervisor<'a> {
    plan: &'a Plan,
    plan_text: String,
    /// The folder that programs may write to.
    folder: PathBuf,
    /// Size of each writable folder before the build, in bytes.
    initial_sizes: Vec<u64>,
    link: Link,
    program: Option<Program>,
    turn: Turn,
    shared: SharedMemory,
}

impl Supervisor<'_> {
    /// Executes requests until the arena closes the connection.
    fn serve(&mut self) -> io::Result<()> {
        self.link.send(&Report::Ready, &[])?;
        let mut next_measurement = Instant::now();
        loop {
            let busy = self.program.is_some() || !watch::descendants(std::process::id()).is_empty();
            self.wait(busy.then_some(TICK));
            match self.link.receive(Instant::now()) {
                Err(Closed) => return Ok(()),
                Ok(None) => (),
                Ok(Some((Request::Start(words), pipes))) => {
                    self.kill_all();
                    let answer = match self.start(&words, pipes) {
                        Ok(()) => Report::Started,
                        Err(error) => Report::Refused(error.to_string()),
                    };
                    self.link.send(&answer, &[])?;
                }
                Ok(Some((Request::Clear, _))) => {
                    self.kill_all();
                    self.link.send(&Report::Cleared, &[])?;
                }
                Ok(Some((Request::EndTurn, _))) => {
                    let me = std::process::id();
                    self.turn = Turn::Other(watch::usage(me, &watch::descendants(me)).cpu);
                }
                Ok(Some((Request::BeginTurn, _))) => self.begin_turn(),
            }
            self.reap();
            if Instant::now() >= next_measurement {
                let began = cpu_of_this_thread();
                let end = self.over_limit();
                // Folders with many files take longer to measure, so the interval grows with the processor time of a
                // measurement. Waiting time does not count: otherwise measurements would be rare on a loaded machine.
                next_measurement = Instant::now() + TICK.max(4 * cpu_since(began));
                if let Some(end) = end {
                    // Report the reason first: killing closes the program's output, and freeing much memory takes long.
                    self.report_end(end);
                    self.kill_all();
                }
            }
        }
    }

    /// Waits for a message or the end of the program, at most for `time` if it is set.
    fn wait(&self, time: Option<Duration>) {
        let mut events = vec![self.link.poll_fd()];
        events.extend(self.program.iter().map(|program| PollFd::new(&program.ended, PollFlags::IN)));
        // An error means that a signal arrived. The caller checks all sources in any case.
        let _ = poll(&mut events, time.map(timespec).as_ref());
    }

    fn start(&mut self, words: &[String], pipes: Vec<OwnedFd>) -> io::Result<()> {
        let [stdin, stdout, stderr] = <[OwnedFd; 3]>::try_from(pipes)
            .map_err(|pipes| io::Error::other(format!("{} descriptors, expected 3", pipes.len())))?;
        // The launcher is this program, which may have no path in the sandbox.
        let mut command = Command::new("/proc/self/exe");
        command.arg(CONFINE).arg(&self.plan_text).arg(&self.folder).arg(std::process::id().to_string());
        command.args(words).current_dir(&self.plan.folder).process_group(0);
        command.stdin(stdin).stdout(stdout).stderr(Stdio::from(stderr));
        let process = command.spawn()?.id();
        let number = Pid::from_raw(process as i32).ok_or(io::ErrorKind::NotFound)?;
        let ended = pidfd_open(number, PidfdFlags::empty())?;
        self.program = Some(Program { process, ended });
        Ok(())
    }

    /// Reaps every process that has ended. Returns `true` if processes are left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) => {
                    let is_program =
                        self.program.as_ref().is_some_and(|program| program.process as i32 == process.as_raw_pid());
                    if is_program {
                        self.program = None;
                        let end = match (status.exit_status(), status.terminating_signal()) {
                            (_, Some(signal)) if signal == Signal::XFSZ.as_raw() => End::Disk,
                            (_, Some(signal)) if signal == Signal::XCPU.as_raw() => End::ProcessorTime,
                            (_, Some(signal)) => End::Signal(signal),
                            (code, None) => End::Code(code.unwrap_or(0)),
                        };
                        // A program may fail at a limit before the next measurement, for example at a full disk.
                        let limit = if end.is_unexplained() { self.over_limit() } else { None };
                        self.report_end(limit.unwrap_or(end));
                    }
                }
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    fn report_end(&self, end: End) {
        // If the arena has ended, the next call of `receive` returns an error.
        let _ = self.link.send(&Report::Exited(end), &[]);
    }

    /// Resumes the processes if they were stopped during the opponent's turn.
    fn begin_turn(&mut self) {
        if matches!(std::mem::replace(&mut self.turn, Turn::Own), Turn::Stopped) {
            signal(Signal::CONT);
        }
    }

    /// Stops a program that computes during its opponent's turn, because the opponent needs the processor.
    fn stop_if_computing(&mut self, used: Duration) {
        match self.turn {
            Turn::Other(before) if used > before + GRACE => {
                self.turn = Turn::Stopped;
                signal(Signal::STOP);
            }
            // A process may have been started while others were being stopped.
            Turn::Stopped => signal(Signal::STOP),
            Turn::Own | Turn::Other(_) => (),
        }
    }

    /// Returns the limit that the processes together exceed, if any.
    fn over_limit(&mut self) -> Option<End> {
        if self.plan.tier == Tier::None {
            return None;
        }
        let limits = &self.plan.limits;
        let processes = watch::descendants(std::process::id());
        let mut used = watch::usage(std::process::id(), &processes);
        self.stop_if_computing(used.cpu);
        used.memory += used.shared.max(self.shared.measure(&processes));
        let written = match self.plan.tier {
            // The network namespace is the sandbox's own, so all its sockets count. Its scratch folders have a maximum
            // size, but no maximum number of entries.
            Tier::Bwrap => {
                used.memory += watch::sockets();
                watch::inodes("/tmp").max(watch::inodes("/dev/shm"))
            }
            _ => watch::size(&self.folder, limits.scratch.0),
        };
        if used.tasks > limits.processes.into() {
            return Some(End::Processes);
        }
        if used.memory > limits.memory.0 {
            return Some(End::Memory);
        }
        if used.cpu > Duration::from_secs(limits.cpu.into()) {
            return Some(End::ProcessorTime);
        }
        let has_grown = |(folder, before): (&PathBuf, &u64)| {
            let most = before.saturating_add(limits.scratch.0);
            watch::size(folder, most) > most
        };
        let is_full = written > limits.scratch.0 || self.plan.writable.iter().zip(&self.initial_sizes).any(has_grown);
        is_full.then_some(End::Disk)
    }

    /// Kills every process. If the program has already ended, first reports how.
    fn kill_all(&mut self) {
        self.reap();
        self.program = None;
        self.turn = Turn::Own;
        let deadline = Instant::now() + KILL_TIMEOUT;
        while Instant::now() < deadline {
            // Stopped processes cannot start others while they are killed one by one.
            signal(Signal::STOP);
            signal(Signal::KILL);
            if !self.reap() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Sends a signal to all descendants of this process.
fn signal(signal: Signal) {
    let me = std::process::id();
    if me == 1 {
        // `kill(-1)`: in a process namespace, this signals all other processes of the namespace at once.
        let _ = kill_process_group(Pid::INIT, signal);
        return;
    }
    for process in watch::descendants(me).into_iter().filter_map(|process| Pid::from_raw(process as i32)) {
        let _ = kill_process(process, signal);
    }
}

/// Returns the processor time of this thread since `began`; zero if the system does not report it.
fn cpu_since(began: Option<Duration>) -> Duration {
    cpu_of_this_thread().zip(began).map_or(Duration::ZERO, |(now, began)| now.saturating_sub(began))
}
