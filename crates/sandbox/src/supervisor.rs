//! The first process of a sandbox. It starts the program, one process after the other, ends what they leave behind,
//! and watches what they use.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    DumpableBehavior, PidfdFlags, WaitOptions, pidfd_open, set_child_subreaper, set_dumpable_behavior, wait,
};

use crate::control::{Ask, Closed, End, Link, Tell, timespec};
use crate::plan::Plan;
use crate::watch::Shared;
use crate::{Tier, confine, scratch, watch};

/// How often the supervisor looks at what its processes use.
const TICK: Duration = Duration::from_millis(50);
/// Processor time that a program may use after its move, until it is to move again.
const REST: Duration = Duration::from_millis(100);
/// How long killed processes may take to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves the arena at the other end of standard input, until it hangs up.
///
/// # Errors
/// If the system refuses what a supervisor needs.
pub(crate) fn run(plan: &Plan, plan_text: &str) -> io::Result<()> {
    // Processes of the same user cannot read or stop it through `/proc` or by tracing.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    // Whatever the program starts becomes our child when its parent ends, in whatever session or group it is.
    set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    confine::close_descriptors();
    let link = Link::of_stdin()?;
    let folder = plan.scratch.clone().unwrap_or_else(|| PathBuf::from("/tmp"));
    let plan_text = plan_text.to_owned();
    let built = plan.writable.iter().map(|folder| watch::size(folder, u64::MAX - 1)).collect();
    let mut supervisor =
        Supervisor { plan, plan_text, folder, built, link, program: None, turn: Turn::Own, shared: Shared::default() };
    supervisor.serve()?;
    supervisor.end_all();
    if let Some(scratch) = &plan.scratch {
        // The arena does this, too, unless it was killed.
        scratch::remove(scratch);
    }
    Ok(())
}

/// A running program.
struct Program {
    process: u32,
    /// Readable when it has ended.
    ended: OwnedFd,
}

/// The side to move.
enum Turn {
    /// The program's.
    Own,
    /// The opponent's. The program had used this processor time when its own turn ended.
    Other(Duration),
    /// The opponent's, and the program is stopped.
    Stopped,
}

struct Supervisor<'a> {
    plan: &'a Plan,
    plan_text: String,
    /// The folder that programs may write.
    folder: PathBuf,
    /// Size of each writable folder before the build, in bytes.
    built: Vec<u64>,
    link: Link,
    program: Option<Program>,
    turn: Turn,
    shared: Shared,
}

impl Supervisor<'_> {
    /// Returns when the arena has hung up.
    fn serve(&mut self) -> io::Result<()> {
        self.link.send(&Tell::Ready, &[])?;
        let mut next_look = Instant::now();
        loop {
            let busy = self.program.is_some() || !watch::descendants(std::process::id()).is_empty();
            self.wait(busy.then_some(TICK));
            match self.link.receive(Instant::now()) {
                Err(Closed) => return Ok(()),
                Ok(None) => (),
                Ok(Some((Ask::Start(words), pipes))) => {
                    self.clear();
                    let answer = match self.start(&words, pipes) {
                        Ok(()) => Tell::Started,
                        Err(error) => Tell::Refused(error.to_string()),
                    };
                    self.link.send(&answer, &[])?;
                }
                Ok(Some((Ask::Clear, _))) => {
                    self.clear();
                    self.link.send(&Tell::Cleared, &[])?;
                }
                Ok(Some((Ask::Wait, _))) => {
                    let me = std::process::id();
                    self.turn = Turn::Other(watch::usage(me, &watch::descendants(me)).cpu);
                }
                Ok(Some((Ask::Go, _))) => self.go(),
            }
            self.reap();
            if Instant::now() >= next_look {
                let began = Instant::now();
                let end = self.over_limit();
                // Folders with many files take longer to measure.
                next_look = Instant::now() + TICK.max(4 * began.elapsed());
                if let Some(end) = end {
                    // Report the reason first: killing closes the program's output, and freeing much memory takes long.
                    self.tell_end(end);
                    self.end_all();
                }
            }
        }
    }

    /// Waits for a message or the end of the program; at most `time`, if given.
    fn wait(&self, time: Option<Duration>) {
        let mut events = vec![self.link.poll_fd()];
        events.extend(self.program.iter().map(|program| PollFd::new(&program.ended, PollFlags::IN)));
        // An error means that a signal came; the caller looks at everything again.
        let _ = poll(&mut events, time.map(timespec).as_ref());
    }

    fn start(&mut self, words: &[String], pipes: Vec<OwnedFd>) -> io::Result<()> {
        let [stdin, stdout, stderr] = <[OwnedFd; 3]>::try_from(pipes)
            .map_err(|pipes| io::Error::other(format!("{} descriptors, expected 3", pipes.len())))?;
        // The program's own launcher is this program, wherever it lies.
        let mut command = Command::new("/proc/self/exe");
        command.arg(crate::CONFINE).arg(&self.plan_text).arg(&self.folder).arg(std::process::id().to_string());
        command.args(words).current_dir(&self.plan.folder).process_group(0);
        command.stdin(stdin).stdout(stdout).stderr(Stdio::from(stderr));
        let process = command.spawn()?.id();
        let number = rustix::process::Pid::from_raw(process as i32).ok_or(io::ErrorKind::NotFound)?;
        let ended = pidfd_open(number, PidfdFlags::empty())?;
        self.program = Some(Program { process, ended });
        Ok(())
    }

    /// Waits for every process that has ended. Says whether any is left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) => {
                    let is_program =
                        self.program.as_ref().is_some_and(|program| program.process as i32 == process.as_raw_pid());
                    if is_program {
                        self.program = None;
                        self.tell_end(match (status.exit_status(), status.terminating_signal()) {
                            (_, Some(signal)) if signal == Signal::SIGXFSZ as i32 => End::Disk,
                            (_, Some(signal)) if signal == Signal::SIGXCPU as i32 => End::ProcessorTime,
                            (_, Some(signal)) => End::Signal(signal),
                            (code, None) => End::Code(code.unwrap_or(0)),
                        });
                    }
                }
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    fn tell_end(&self, end: End) {
        // If the arena has gone, the next message that is missing says so.
        let _ = self.link.send(&Tell::Exited(end), &[]);
    }

    /// Lets processes continue that were stopped in the opponent's turn.
    fn go(&mut self) {
        if matches!(std::mem::replace(&mut self.turn, Turn::Own), Turn::Stopped) {
            signal(Signal::SIGCONT);
        }
    }

    /// Stops a program that computes while it is not to move: its opponent needs the processor.
    fn rest(&mut self, used: Duration) {
        match self.turn {
            Turn::Other(before) if used > before + REST => {
                self.turn = Turn::Stopped;
                signal(Signal::SIGSTOP);
            }
            // A process may have been started while others were being stopped.
            Turn::Stopped => signal(Signal::SIGSTOP),
            Turn::Own | Turn::Other(_) => (),
        }
    }

    /// The limit that the processes have reached together, if any.
    fn over_limit(&mut self) -> Option<End> {
        if self.plan.tier == Tier::None {
            return None;
        }
        let limits = &self.plan.limits;
        let processes = watch::descendants(std::process::id());
        let mut used = watch::usage(std::process::id(), &processes);
        self.rest(used.cpu);
        used.memory += used.shared.max(self.shared.measure(&processes));
        let written = match self.plan.tier {
            // The namespaces are the sandbox's own, and its scratch folders have a size, but any number of entries.
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
        let is_full = written > limits.scratch.0 || self.plan.writable.iter().zip(&self.built).any(has_grown);
        is_full.then_some(End::Disk)
    }

    /// Ends every process, and forgets the program.
    fn clear(&mut self) {
        self.program = None;
        self.end_all();
    }

    fn end_all(&mut self) {
        self.program = None;
        self.turn = Turn::Own;
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            // Processes that are stopped first start no others meanwhile.
            signal(Signal::SIGSTOP);
            signal(Signal::SIGKILL);
            if !self.reap() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Sends a signal to every process that this one has started, and to theirs.
fn signal(signal: Signal) {
    let me = std::process::id();
    if me == 1 {
        // The first process of a namespace reaches exactly those inside, all at once.
        let _ = kill(Pid::from_raw(-1), signal);
        return;
    }
    for process in watch::descendants(me) {
        let _ = kill(Pid::from_raw(process as i32), signal);
    }
}
