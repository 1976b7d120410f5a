//! A sandbox as a host, and its connection to the supervisor.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, getuid, kill_process};

use super::control::{Closed, End, Link, Report, Request};
use super::plan::{Plan, covers};
use super::scratch::Scratch;
use super::{bubblewrap, cgroup, watch};
use crate::host::Host;
use crate::host::{find, on_path};
use crate::pressure::ThreadTimes;
use crate::sandbox::tier::Tier;
use crate::unix::interrupt;
use crate::unix::tree::Meter;
use crate::{Body, Child, Command, Exit, Pipes, StartError};

/// Maximum time for an answer from the supervisor, which may start slowly on a busy machine.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// A host for the processes of one program, for the duration of a game.
///
/// Its processes end with it. They also end if this process is killed, because the supervisor then loses its
/// connection.
pub struct Sandbox {
    plan: Plan,
    launcher: PathBuf,
    /// `true` if programs outside the sandbox's folder and the system's folders are refused.
    own_programs: bool,
    supervision: Option<Arc<Mutex<Supervision>>>,
}

/// A running supervisor and the state of its program.
struct Supervision {
    supervisor: std::process::Child,
    link: Link,
    meter: Meter,
    /// The exit of the last program, if it has ended.
    exit: Option<Exit>,
    /// Number of the last program.
    program: u64,
    group: Option<cgroup::Group>,
    /// Dropped last, when no process is left.
    _scratch: Option<Scratch>,
}

impl Sandbox {
    pub(crate) fn new(plan: Plan, launcher: PathBuf) -> Self {
        Self { plan, launcher, own_programs: false, supervision: None }
    }

    /// Refuses programs outside the sandbox's folder and the system's folders. Otherwise the command of a submission
    /// could start the program of another submission.
    #[must_use]
    pub fn own_programs_only(mut self) -> Self {
        self.own_programs = true;
        self
    }

    /// Returns the program that a command starts in the sandbox and the program that it would start without the
    /// sandbox, if they differ. An example is the Python of a virtual environment that the sandbox hides.
    pub fn substitute(&self, command: &Command) -> Option<[PathBuf; 2]> {
        let program = command.words.first().filter(|_| self.plan.tier != Tier::None)?;
        let taken = self.find(program).ok()?;
        let taken = self.shown(&taken, taken.canonicalize().ok()?);
        let usual = find(program, Some(&self.plan.folder)).ok()?;
        (taken != usual).then_some([taken, usual])
    }

    /// Returns the path by which a program is started. Symbolic links are kept if the sandbox shows them, because some
    /// programs depend on their name, such as the Python of a virtual environment and multi-call binaries.
    fn shown(&self, path: &Path, real: PathBuf) -> PathBuf {
        let keeps_name = self.plan.tier == Tier::None || covers(&self.plan.readable, path);
        if keeps_name { path.to_owned() } else { real }
    }

    /// Finds a program as the system does, but prefers programs that the sandbox shows.
    fn find(&self, program: &str) -> io::Result<PathBuf> {
        if program.contains('/') {
            return Ok(self.plan.folder.join(program));
        }
        let mut found = on_path(program);
        if self.plan.tier == Tier::None {
            found.truncate(1);
        }
        // For example, the system's `python3` is preferred to one in a user's home.
        let shown = found.iter().find(|path| path.canonicalize().is_ok_and(|path| covers(&self.plan.readable, &path)));
        shown.or(found.first()).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Checks a command, and returns the program and the arguments that the supervisor must start.
    fn resolve(&mut self, command: &Command) -> Result<Vec<String>, StartError> {
        let (program, arguments) = command.words.split_first().ok_or(StartError::Empty)?;
        let refused = |source| StartError::Refused { command: command.to_string(), source };
        let path = self.find(program).map_err(refused)?;
        let real = path.canonicalize().map_err(refused)?;
        if let Some(at) = self.plan.concealed.iter().position(|program| *program == real)
            && self.plan.tier != Tier::None
        {
            if self.own_programs {
                let why = "it is a program of the arena; a submission may start only its own and the system's programs";
                return Err(refused(io::Error::other(why)));
            }
            // The tournament names this program, so it may be used.
            self.plan.concealed.swap_remove(at);
            self.close();
        }
        if self.plan.tier != Tier::None && !covers(&self.plan.readable, &real) && !covers(&self.plan.writable, &real) {
            if self.own_programs {
                let why = "it is outside its folder; a submission may start only its own and the system's programs";
                return Err(refused(io::Error::other(why)));
            }
            // The tournament names this program, so the program may be read, but other files in its folder may not.
            self.plan.readable.push(real.clone());
            self.close();
        }
        let name = self.shown(&path, real);
        Ok([name.to_string_lossy().into_owned()].into_iter().chain(arguments.iter().cloned()).collect())
    }

    fn launch(&mut self) -> io::Result<Supervision> {
        if self.plan.tier != Tier::None && getuid().as_raw() != 0 {
            let others = match self.plan.tier {
                // The kernel counts only the processes in the user namespace of the sandbox.
                Tier::Bwrap => 0,
                _ => watch::tasks_of(getuid().as_raw()),
            };
            self.plan.max_processes = Some(others + 4 * u64::from(self.plan.limits.processes));
        }
        let scratch = (self.plan.tier == Tier::Landlock).then(Scratch::new).transpose()?;
        self.plan.scratch = scratch.as_ref().map(|scratch| scratch.path().to_owned());
        let group = (self.plan.tier != Tier::None).then(|| cgroup::Group::new(&self.plan.limits));
        let text = serde_json::to_string(&self.plan)?;
        let (link, theirs) = Link::pair()?;
        let (words, stdout) = match self.plan.tier {
            Tier::Bwrap => {
                let program = rustix::fs::open(&self.launcher, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
                (bubblewrap::words(&self.plan, &text), Stdio::from(program))
            }
            Tier::Landlock | Tier::None => {
                (vec![self.launcher.clone().into_os_string(), super::SUPERVISE.into(), text.into()], Stdio::null())
            }
        };
        let mut command = std::process::Command::new(&words[0]);
        command.args(&words[1..]).process_group(0);
        command.stdin(Stdio::from(theirs)).stdout(stdout).stderr(Stdio::piped());
        let mut supervisor = interrupt::with_interrupts(|| command.spawn())?;
        // The command holds a copy of the supervisor's end of the socket. With this copy open, `receive` would not
        // report that the supervisor has ended.
        drop(command);
        let meter = Meter::new(supervisor.id());
        match link.receive::<Report>(Instant::now() + ANSWER_TIMEOUT) {
            Ok(Some((Report::Ready, _))) => (),
            answer => {
                let _ = supervisor.kill();
                let errors = supervisor.wait_with_output().map(|output| output.stderr).unwrap_or_default();
                let errors = String::from_utf8_lossy(&errors).trim().to_owned();
                let why = if answer.is_ok() { "it did not start in time" } else { errors.as_str() };
                return Err(io::Error::other(format!("{}: {why}", self.plan.tier)));
            }
        }
        // The standard error of the supervisor is not read after its start.
        supervisor.stderr = None;
        let members = watch::descendants(supervisor.id()).into_iter().chain([supervisor.id()]);
        let group = group.and_then(|group| group.join(members));
        Ok(Supervision { supervisor, link, meter, exit: None, program: 0, group, _scratch: scratch })
    }
}

impl Host for Sandbox {
    fn open(&mut self) -> Result<(), StartError> {
        if self.supervision.is_none() {
            let refused = |source| StartError::Refused { command: "the sandbox".to_owned(), source };
            self.supervision = Some(Arc::new(Mutex::new(self.launch().map_err(refused)?)));
        }
        Ok(())
    }

    fn check(&mut self, command: &Command) -> Result<(), StartError> {
        self.resolve(command).map(drop)
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        let words = self.resolve(command)?;
        self.open()?;
        let refused = |source| StartError::Refused { command: command.to_string(), source };
        let Some(supervision) = &self.supervision else { unreachable!("invariant: it was opened above") };
        let (program, pipes) = lock(supervision).start(words).map_err(refused)?;
        let before = lock(supervision).meter.cpu();
        let body = SandboxedProgram { supervision: Arc::clone(supervision), program, before };
        Ok(Child::over(Box::new(body), pipes))
    }

    fn set_to_move(&mut self, is_to_move: bool) {
        if let Some(supervision) = &self.supervision {
            let request = if is_to_move { Request::BeginTurn } else { Request::EndTurn };
            // An error means that the supervisor has ended, which the next call of `receive` reports.
            let _ = lock(supervision).link.send(&request, &[]);
        }
    }

    fn clear(&mut self) {
        if let Some(supervision) = &self.supervision {
            lock(supervision).clear();
        }
    }

    fn close(&mut self) {
        self.supervision = None;
    }
}

fn lock(supervision: &Mutex<Supervision>) -> MutexGuard<'_, Supervision> {
    supervision.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Supervision {
    fn start(&mut self, words: Vec<String>) -> io::Result<(u64, Pipes)> {
        let (stdin, ours_in) = io::pipe()?;
        let (ours_out, stdout) = io::pipe()?;
        let (ours_err, stderr) = io::pipe()?;
        let theirs: [OwnedFd; 3] = [stdin.into(), stdout.into(), stderr.into()];
        if let Some(group) = &mut self.group {
            group.begin();
        }
        self.link.send(&Request::Start(words), &theirs)?;
        drop(theirs);
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        loop {
            match self.link.receive::<Report>(deadline) {
                Ok(Some((Report::Started, _))) => break,
                Ok(Some((Report::Refused(why), _))) => return Err(io::Error::other(why)),
                // A report about the previous program.
                Ok(Some(_)) => (),
                Ok(None) => return Err(io::Error::other("the sandbox does not answer")),
                Err(Closed) => return Err(io::Error::other("the sandbox has ended")),
            }
        }
        self.exit = None;
        self.program += 1;
        let pipes = Pipes { stdin: Box::new(ours_in), stdout: Box::new(ours_out), stderr: Box::new(ours_err) };
        Ok((self.program, pipes))
    }

    /// Handles reports from the supervisor until the deadline, or until an awaited report arrives. Returns `false` if
    /// the supervisor has ended.
    fn handle_reports(&mut self, deadline: Instant, is_awaited: impl Fn(&Report) -> bool) -> bool {
        loop {
            match self.link.receive::<Report>(deadline) {
                Ok(Some((report, _))) => {
                    if let Report::Exited(end) = report {
                        // Later reports are consequences of the first one.
                        self.exit = self.exit.or_else(|| Some(self.verdict(end)));
                    }
                    if is_awaited(&report) {
                        return true;
                    }
                }
                Ok(None) => return true,
                Err(Closed) => {
                    self.exit = self.exit.or_else(|| Some(self.verdict(End::Signal(9))));
                    return false;
                }
            }
        }
    }

    /// Returns the limit that the kernel enforced by ending the program, if any; otherwise returns `end`.
    fn verdict(&self, end: End) -> Exit {
        self.group.as_ref().map_or(end, |group| group.verdict(end)).into()
    }

    /// Kills the supervisor and its descendants.
    fn kill(&mut self) {
        // Descendants are killed first: they cannot be found after the supervisor has ended.
        let descendants = watch::descendants(self.supervisor.id()).into_iter();
        for process in descendants.filter_map(|process| Pid::from_raw(process as i32)) {
            let _ = kill_process(process, Signal::KILL);
        }
        // An error means that it has already ended.
        let _ = self.supervisor.kill();
    }

    fn clear(&mut self) {
        let is_cleared = |report: &Report| matches!(report, Report::Cleared);
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let is_sent = self.link.send(&Request::Clear, &[]).is_ok();
        let is_answered = is_sent && self.handle_reports(deadline, is_cleared) && Instant::now() < deadline;
        if !is_answered {
            self.kill();
        }
        self.exit = self.exit.or_else(|| Some(self.verdict(End::Signal(9))));
    }
}

impl Drop for Supervision {
    fn drop(&mut self) {
        // When its connection is closed, the supervisor kills its descendants and ends. In bubblewrap, its end also
        // ends all processes of its namespace.
        self.link.shut_down();
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        while self.supervisor.try_wait().is_ok_and(|exit| exit.is_none()) {
            if Instant::now() > deadline {
                self.kill();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A program in a sandbox.
struct SandboxedProgram {
    supervision: Arc<Mutex<Supervision>>,
    /// Number of the program.
    program: u64,
    /// Processor time of the sandbox before the program was started.
    before: Option<Duration>,
}

impl Body for SandboxedProgram {
    fn exit(&mut self) -> Option<Exit> {
        let mut supervision = lock(&self.supervision);
        if supervision.program != self.program {
            return Some(Exit::Signal(9));
        }
        if supervision.exit.is_none() {
            supervision.handle_reports(Instant::now(), |_| false);
        }
        supervision.exit
    }

    fn cpu(&mut self) -> Option<Duration> {
        let now = lock(&self.supervision).meter.cpu()?;
        Some(now.saturating_sub(self.before?))
    }

    fn threads(&mut self) -> ThreadTimes {
        lock(&self.supervision).meter.threads()
    }

    fn kill(&mut self) {
        let mut supervision = lock(&self.supervision);
        if supervision.program == self.program {
            supervision.clear();
        }
    }
}
