//! A sandbox as the arena sees it.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use process::{Body, Child, Command, Exit, Host, Meter, Pipes, StartError, ThreadTimes, interrupt};
use rustix::fs::{Mode, OFlags};

use crate::control::{Ask, Closed, End, Link, Tell};
use crate::plan::{Plan, covers};
use crate::scratch::Scratch;
use crate::{Tier, bubblewrap, cgroup, watch};

/// How long a supervisor may take to answer. A busy machine needs a while to start it.
const PATIENCE: Duration = Duration::from_secs(20);

/// A place for the processes of one program, for the length of a game.
///
/// Nothing outlives it, not even if this process is killed: its supervisor notices that nobody listens any more.
pub struct Sandbox {
    plan: Plan,
    launcher: PathBuf,
    /// Whether a program that lies neither in its folder nor among the system's is refused.
    own_programs: bool,
    inside: Option<Arc<Mutex<Inside>>>,
}

/// A running supervisor.
struct Inside {
    supervisor: std::process::Child,
    link: Link,
    meter: Meter,
    /// How the program has ended.
    exit: Option<Exit>,
    /// The number of the program that was started last.
    program: u64,
    group: Option<cgroup::Group>,
    /// Removed last, when no process is left.
    _scratch: Option<Scratch>,
}

impl Sandbox {
    pub(crate) fn new(plan: Plan, launcher: PathBuf) -> Self {
        Self { plan, launcher, own_programs: false, inside: None }
    }

    /// Refuses programs that lie neither in the sandbox's folder nor among the system's: a stranger's command could
    /// name the program of another stranger, and play with it.
    #[must_use]
    pub fn own_programs_only(mut self) -> Self {
        self.own_programs = true;
        self
    }

    /// Returns the program that a command starts here and the one that it would start without the sandbox, if they
    /// differ. An example is the Python of a virtual environment that the sandbox hides.
    pub fn substitute(&self, command: &Command) -> Option<[PathBuf; 2]> {
        let program = command.words.first().filter(|_| self.plan.tier != Tier::None)?;
        let taken = self.find(program).ok()?;
        let taken = self.shown(&taken, taken.canonicalize().ok()?);
        let usual = process::find(program, Some(&self.plan.folder)).ok()?;
        (taken != usual).then_some([taken, usual])
    }

    /// Returns the name under which a program is started. A program that looks at its own name, as those do that are
    /// one file for several and the Python of a virtual environment, keeps it where it can be seen.
    fn shown(&self, path: &Path, real: PathBuf) -> PathBuf {
        let keeps_name = self.plan.tier == Tier::None || covers(&self.plan.readable, path);
        if keeps_name { path.to_owned() } else { real }
    }

    /// Finds a program, as the system would; in a sandbox, one that can be seen there comes first.
    fn find(&self, program: &str) -> io::Result<PathBuf> {
        if program.contains('/') {
            return Ok(self.plan.folder.join(program));
        }
        let mut found = process::on_path(program);
        if self.plan.tier == Tier::None {
            found.truncate(1);
        }
        // Of several, one that the sandbox shows: `python3` of the system rather than that of a user's home.
        let shown = found.iter().find(|path| path.canonicalize().is_ok_and(|path| covers(&self.plan.readable, &path)));
        shown.or(found.first()).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The command as the supervisor is to start it.
    fn resolve(&mut self, command: &Command) -> Result<Vec<String>, StartError> {
        let (program, arguments) = command.words.split_first().ok_or(StartError::Empty)?;
        let refused = |source| StartError::Refused { command: command.to_string(), source };
        let path = self.find(program).map_err(refused)?;
        let real = path.canonicalize().map_err(refused)?;
        if let Some(at) = self.plan.concealed.iter().position(|program| *program == real)
            && self.plan.tier != Tier::None
        {
            if self.own_programs {
                let why =
                    "it is a program of the arena; a submission starts only programs of its own and of the system";
                return Err(refused(io::Error::other(why)));
            }
            // The tournament names this program.
            self.plan.concealed.swap_remove(at);
            self.close();
        }
        if self.plan.tier != Tier::None && !covers(&self.plan.readable, &real) && !covers(&self.plan.writable, &real) {
            if self.own_programs {
                let why = "it lies outside its folder; a submission starts only programs of its own and of the system";
                return Err(refused(io::Error::other(why)));
            }
            // The tournament names this program; it may be read, but not what lies beside it.
            self.plan.readable.push(real.clone());
            self.close();
        }
        let name = self.shown(&path, real);
        Ok([name.to_string_lossy().into_owned()].into_iter().chain(arguments.iter().cloned()).collect())
    }

    fn launch(&mut self) -> io::Result<Inside> {
        if self.plan.tier != Tier::None && rustix::process::getuid().as_raw() != 0 {
            let others = match self.plan.tier {
                // Counted within the user namespace.
                Tier::Bwrap => 0,
                _ => watch::tasks_of(rustix::process::getuid().as_raw()),
            };
            self.plan.most_processes = Some(others + 4 * u64::from(self.plan.limits.processes));
        }
        let scratch = (self.plan.tier == Tier::Landlock).then(Scratch::new).transpose()?;
        self.plan.scratch = scratch.as_ref().map(|scratch| scratch.path().to_owned());
        let text = serde_json::to_string(&self.plan)?;
        let (link, theirs) = Link::pair()?;
        let (words, stdout) = match self.plan.tier {
            Tier::Bwrap => {
                let program = rustix::fs::open(&self.launcher, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
                (bubblewrap::words(&self.plan, &text), Stdio::from(program))
            }
            Tier::Landlock | Tier::None => {
                (vec![self.launcher.clone().into_os_string(), crate::SUPERVISE.into(), text.into()], Stdio::null())
            }
        };
        let mut command = std::process::Command::new(&words[0]);
        command.args(&words[1..]).process_group(0);
        command.stdin(Stdio::from(theirs)).stdout(stdout).stderr(Stdio::piped());
        let mut supervisor = interrupt::with_interrupts(|| command.spawn())?;
        // Our copy of the other end closes with the command, so that we notice when the supervisor ends.
        drop(command);
        let meter = Meter::new(supervisor.id());
        match link.receive::<Tell>(Instant::now() + PATIENCE) {
            Ok(Some((Tell::Ready, _))) => (),
            answer => {
                let _ = supervisor.kill();
                let said = supervisor.wait_with_output().map(|output| output.stderr).unwrap_or_default();
                let said = String::from_utf8_lossy(&said).trim().to_owned();
                let why = if answer.is_ok() { "it did not start in time" } else { said.as_str() };
                return Err(io::Error::other(format!("{}: {why}", self.plan.tier)));
            }
        }
        // It writes no more there; if it did, it would have to be read.
        supervisor.stderr = None;
        let members = watch::descendants(supervisor.id()).into_iter().chain([supervisor.id()]);
        let group = (self.plan.tier != Tier::None).then(|| cgroup::Group::new(&self.plan.limits, members)).flatten();
        Ok(Inside { supervisor, link, meter, exit: None, program: 0, group, _scratch: scratch })
    }
}

impl Host for Sandbox {
    fn open(&mut self) -> Result<(), StartError> {
        if self.inside.is_none() {
            let refused = |source| StartError::Refused { command: "the sandbox".to_owned(), source };
            self.inside = Some(Arc::new(Mutex::new(self.launch().map_err(refused)?)));
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
        let Some(inside) = &self.inside else { unreachable!("invariant: it was opened above") };
        let (program, pipes) = lock(inside).start(words).map_err(refused)?;
        let before = lock(inside).meter.cpu();
        let body = Guest { inside: Arc::clone(inside), program, before };
        Ok(Child::over(Box::new(body), pipes))
    }

    fn set_to_move(&mut self, is_to_move: bool) {
        if let Some(inside) = &self.inside {
            // An error means that the supervisor has ended, which the next message finds.
            let _ = lock(inside).link.send(&if is_to_move { Ask::Go } else { Ask::Wait }, &[]);
        }
    }

    fn clear(&mut self) {
        if let Some(inside) = &self.inside {
            lock(inside).clear();
        }
    }

    fn close(&mut self) {
        self.inside = None;
    }
}

fn lock(inside: &Mutex<Inside>) -> MutexGuard<'_, Inside> {
    inside.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inside {
    fn start(&mut self, words: Vec<String>) -> io::Result<(u64, Pipes)> {
        let (stdin, ours_in) = io::pipe()?;
        let (ours_out, stdout) = io::pipe()?;
        let (ours_err, stderr) = io::pipe()?;
        let theirs: [OwnedFd; 3] = [stdin.into(), stdout.into(), stderr.into()];
        self.link.send(&Ask::Start(words), &theirs)?;
        drop(theirs);
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.link.receive::<Tell>(deadline) {
                Ok(Some((Tell::Started, _))) => break,
                Ok(Some((Tell::Refused(why), _))) => return Err(io::Error::other(why)),
                // Of the program before.
                Ok(Some(_)) => (),
                Ok(None) => return Err(io::Error::other("the sandbox does not answer")),
                Err(Closed) => return Err(io::Error::other("the sandbox has ended")),
            }
        }
        self.exit = None;
        self.program += 1;
        let pipes = [OwnedFd::from(ours_in), ours_out.into(), ours_err.into()].map(Into::into);
        let [stdin, stdout, stderr] = pipes;
        Ok((self.program, Pipes { stdin, stdout, stderr }))
    }

    /// Reads what the supervisor has said by now. Says whether it still runs.
    fn hear(&mut self, until: Instant, awaited: impl Fn(&Tell) -> bool) -> bool {
        loop {
            match self.link.receive::<Tell>(until) {
                Ok(Some((message, _))) => {
                    if let Tell::Exited(end) = message {
                        self.exit = Some(self.verdict(end));
                    }
                    if awaited(&message) {
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

    /// Returns the limit that ended the program, if the kernel did it, or else `end`.
    fn verdict(&self, end: End) -> Exit {
        self.group.as_ref().map_or(end, |group| group.verdict(end)).into()
    }

    /// Kills the supervisor with everything that it has started.
    fn kill(&mut self) {
        // They would be out of reach once their parent has ended.
        for process in watch::descendants(self.supervisor.id()) {
            let _ = kill(Pid::from_raw(process as i32), Signal::SIGKILL);
        }
        // An error means that it has ended already.
        let _ = self.supervisor.kill();
    }

    fn clear(&mut self) {
        let is_cleared = |message: &Tell| matches!(message, Tell::Cleared);
        let deadline = Instant::now() + PATIENCE;
        let asked = self.link.send(&Ask::Clear, &[]).is_ok();
        let heard = asked && self.hear(deadline, is_cleared) && Instant::now() < deadline;
        if !heard {
            // Without a supervisor that answers, the sandbox itself has to go.
            self.kill();
        }
        self.exit = self.exit.or(Some(Exit::Signal(9)));
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        // It ends everything when the other end of its socket is closed, and then itself. With namespaces, ending
        // their first process ends all others.
        self.link.hang_up();
        let deadline = Instant::now() + PATIENCE;
        while self.supervisor.try_wait().is_ok_and(|exit| exit.is_none()) {
            if Instant::now() > deadline {
                self.kill();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A program in a sandbox, as its `Child` knows it.
struct Guest {
    inside: Arc<Mutex<Inside>>,
    program: u64,
    /// Processor time of the sandbox before the program was started.
    before: Option<Duration>,
}

impl Body for Guest {
    fn exit(&mut self) -> Option<Exit> {
        let mut inside = lock(&self.inside);
        if inside.program != self.program {
            return Some(Exit::Signal(9));
        }
        if inside.exit.is_none() {
            inside.hear(Instant::now(), |_| false);
        }
        inside.exit
    }

    fn cpu(&mut self) -> Option<Duration> {
        let now = lock(&self.inside).meter.cpu()?;
        Some(now.saturating_sub(self.before?))
    }

    fn threads(&mut self) -> ThreadTimes {
        lock(&self.inside).meter.threads()
    }

    fn kill(&mut self) {
        let mut inside = lock(&self.inside);
        if inside.program == self.program {
            inside.clear();
        }
    }
}
