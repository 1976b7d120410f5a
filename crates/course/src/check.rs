//! The check of an upload: from the received file to a version that can play, or to the reason and the remedy.
//!
//! The steps are those of the [intake](crate::intake), of [`arena::entry`], and the packing of the bundle. Each step is
//! reported when it begins and when it ends.

pub(crate) mod command;
mod file;
mod reason;

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use arena::entry::{self, Check, EntryError, State, Subject};
use arena::{AgentSpec, Bundle, BundleError, Spec, Venue, Words};
use thiserror::Error;

use crate::intake;
use crate::intake::limits::Limits;
use crate::intake::outcome::{IntakeError, Note};
use crate::introduction::Introduction;
use crate::store::error::CourseError;
use crate::store::uploads::{Step, StepState};

pub use file::FileCheck;

use reason::reason;

/// Name of the step that unpacks an upload.
const UNPACK: &str = "unpack";
/// Name of the step that reads the description of the agent.
const DESCRIPTION: &str = "description";
/// Name of the step that compares the files of an agent before and after its checks. Only a failure is reported.
const FILES: &str = "files";
/// Name of the step that packs the files of an accepted agent.
const PACK: &str = "pack";
/// Name of the check in which an agent reports its name.
const IDENTIFY: &str = "answers `identify`";

/// An upload to check.
pub(crate) struct Job<'a> {
    /// Fields of submissions that have none of their own.
    pub(crate) defaults: &'a AgentSpec,
    /// Maximum size of the file, in bytes.
    pub(crate) size: u64,
    /// Rules of the games.
    pub(crate) spec: &'a Spec,
    /// Sandbox.
    pub(crate) venue: &'a Venue,
    /// Folder for this check alone.
    pub(crate) folder: &'a Path,
    /// Received file.
    pub(crate) file: &'a Path,
    /// Name of the file on the sender's machine.
    pub(crate) file_name: &'a str,
    /// Id of the team.
    pub(crate) team: &'a str,
}

/// The result of a check.
pub(crate) enum Verdict {
    /// The upload becomes a version.
    Accepted(Box<Accepted>),
    /// The upload is refused for these reasons.
    Refused(Vec<String>),
    /// The caller has ended the check.
    Stopped,
}

/// An accepted upload.
pub(crate) struct Accepted {
    /// Agent, relative to its bundle.
    pub(crate) agent: AgentSpec,
    /// Files of the agent after its build.
    pub(crate) bundle: Bundle,
    /// Introduction that the program has printed; `None` if it printed none, or if another agent has that name.
    pub(crate) identify: Option<String>,
    /// Corrections and warnings.
    pub(crate) notes: Vec<String>,
}

impl Accepted {
    /// Returns the name that others see.
    pub(crate) fn name(&self) -> String {
        Introduction::parse(self.identify.as_deref().unwrap_or(&self.agent.name)).name
    }

    /// Gives the agent the name of its team, because another team's agent has a name that looks like its own.
    pub(crate) fn rename(&mut self, team_name: &str) {
        self.notes.push(format!(
            "another team's agent is called `{}`, or its name looks like that; yours is called `{team_name}`, as your \
             team, until you upload it with another name",
            self.name()
        ));
        team_name.clone_into(&mut self.agent.name);
        self.identify = None;
    }
}

/// Errors of the machine during a check. They are not the sender's fault.
#[derive(Debug, Error)]
pub enum CheckError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The upload cannot be unpacked on this machine.
    #[error(transparent)]
    Intake(IntakeError),
    /// The agent cannot be checked on this machine.
    #[error(transparent)]
    Entry(EntryError),
    /// The files of the agent cannot be packed.
    #[error(transparent)]
    Bundle(BundleError),
    /// The course's file cannot be read or written.
    #[error(transparent)]
    Store(#[from] CourseError),
}

/// Receives each step when it begins and when it ends, and decides whether the check continues.
pub(crate) type ShowStep<'a> = &'a mut dyn FnMut(&Step) -> ControlFlow<()>;

/// Reports steps.
struct Steps<'a> {
    show: ShowStep<'a>,
    /// Number of the current step.
    number: u32,
    /// Texts that must not be shown: the folder of the check, with its final slash and without it.
    hidden: [String; 2],
}

/// The reason why a check ends without an accepted version.
enum End {
    Refused(Vec<String>),
    Stopped,
    Failed(CheckError),
}

/// Checks an upload.
///
/// # Errors
/// If the machine fails; the check may be tried again.
pub(crate) fn check(job: &Job<'_>, show: ShowStep<'_>) -> Result<Verdict, CheckError> {
    // The submission's folder has the team's id as its name, because agents without a name get that of their folder.
    let folder = job.folder.join(job.team);
    let shown = folder.display().to_string();
    let hidden = [format!("{shown}/"), shown];
    let mut steps = Steps { show, number: 0, hidden };
    match run(job, &folder, &mut steps) {
        Ok(accepted) => Ok(Verdict::Accepted(Box::new(accepted))),
        Err(End::Refused(notes)) => Ok(Verdict::Refused(notes)),
        Err(End::Stopped) => Ok(Verdict::Stopped),
        Err(End::Failed(error)) => Err(error),
    }
}

fn run(job: &Job<'_>, folder: &Path, steps: &mut Steps<'_>) -> Result<Accepted, End> {
    let mut notes = unpack(job, folder, steps)?;
    let agent = describe(folder, job.defaults, steps)?;
    let subject = Subject { spec: job.spec, agent: &agent, venue: job.venue };
    let mut identify = None;
    let accepted = {
        let mut failed = None;
        let mut is_stopped = false;
        let mut advised = BTreeSet::new();
        let result = entry::accept(folder, &subject, &mut |check| {
            match (check.name, check.state) {
                (IDENTIFY, State::Passed | State::Warned) => identify = Some(check.detail.clone()),
                // A warning is noted once; the steps have it for each check.
                (name, State::Warned) if advised.insert(check.remedy.clone()) => {
                    let remedy = check.remedy.as_deref().unwrap_or_default();
                    notes.push(steps.plain(&format!("{name}: {}. {remedy}", check.detail)));
                }
                (_, State::Failed) => failed = Some(steps.plain(&format!("{}: {}", check.name, check.detail))),
                _ => (),
            }
            let flow = steps.show_check(check);
            is_stopped |= flow.is_break();
            flow
        });
        match result {
            Ok(Some(accepted)) => accepted,
            Ok(None) if is_stopped => return Err(End::Stopped),
            Ok(None) => return Err(End::Refused(failed.into_iter().collect())),
            Err(error @ EntryError::Setting(_)) => return Err(entry_end(error, DESCRIPTION, steps)),
            Err(error) => return Err(entry_end(error, FILES, steps)),
        }
    };
    let bundle = pack(&accepted, steps)?;
    let mut agent = relative(accepted);
    // The course keeps the bundle's hash instead, which does not depend on the versions of system programs.
    agent.sha256 = None;
    Ok(Accepted { agent, bundle, identify, notes })
}

fn unpack(job: &Job<'_>, folder: &Path, steps: &mut Steps<'_>) -> Result<Vec<String>, End> {
    steps.begin(UNPACK)?;
    let limits = Limits { size: job.size, ..Limits::default() };
    match intake::receive(job.file, job.file_name, folder, &limits, job.defaults) {
        Ok(unpacked) => {
            let notes: Vec<String> = unpacked.notes.iter().map(Note::to_string).collect();
            let state = if notes.is_empty() { StepState::Passed } else { StepState::Warned };
            steps.end(UNPACK, state, notes.join("\n"), String::new())?;
            Ok(notes)
        }
        Err(IntakeError::Refused(refusal)) => {
            steps.end(UNPACK, StepState::Failed, refusal.what.clone(), refusal.remedy)?;
            Err(End::Refused(vec![refusal.what]))
        }
        Err(error) => Err(End::Failed(CheckError::Intake(error))),
    }
}

fn describe(folder: &Path, defaults: &AgentSpec, steps: &mut Steps<'_>) -> Result<AgentSpec, End> {
    steps.begin(DESCRIPTION)?;
    let agent = entry::read_submission(folder, defaults).map_err(|error| entry_end(error, DESCRIPTION, steps))?;
    let words = agent.command.as_ref().map(Words::words).unwrap_or_default().join(" ");
    steps.end(DESCRIPTION, StepState::Passed, words, String::new())?;
    Ok(agent)
}

/// Packs the files of an accepted agent.
fn pack(agent: &AgentSpec, steps: &mut Steps<'_>) -> Result<Bundle, End> {
    steps.begin(PACK)?;
    let folder = agent.directory.clone().unwrap_or_default();
    match Bundle::pack(&folder, &agent.writes) {
        Ok(bundle) => {
            steps.end(PACK, StepState::Passed, String::new(), String::new())?;
            Ok(bundle)
        }
        Err(error @ (BundleError::Kind { .. } | BundleError::Large(_) | BundleError::Path { .. })) => {
            let remedy = "submit only ordinary files and folders, and let the build create no others";
            let what = steps.plain(&error.to_string());
            steps.end(PACK, StepState::Failed, what.clone(), remedy.to_owned())?;
            Err(End::Refused(vec![what]))
        }
        Err(error) => Err(End::Failed(CheckError::Bundle(error))),
    }
}

/// Returns the agent with paths relative to its bundle.
fn relative(mut agent: AgentSpec) -> AgentSpec {
    if let (Some(folder), Some(command)) = (agent.directory.take(), &agent.command) {
        let word = |word: String| match Path::new(&word).strip_prefix(&folder) {
            Ok(rest) => rest.to_string_lossy().into_owned(),
            Err(_) => word,
        };
        agent.command = Some(Words::List(command.words().into_iter().map(word).collect()));
    }
    agent
}

/// Ends a check with an error of the submission or of the machine.
fn entry_end(error: EntryError, step: &str, steps: &mut Steps<'_>) -> End {
    let is_of_machine = match &error {
        EntryError::Io { error, .. } => matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
        ),
        EntryError::Sandbox { .. } | EntryError::Unconfined(_) | EntryError::NoSandbox => true,
        _ => false,
    };
    if is_of_machine {
        return End::Failed(CheckError::Entry(error));
    }
    let (what, remedy) = reason(&error);
    let (what, remedy) = (steps.plain(&what), steps.plain(&remedy));
    match steps.end(step, StepState::Failed, what.clone(), remedy) {
        Ok(()) => End::Refused(vec![what]),
        Err(end) => end,
    }
}

impl Steps<'_> {
    fn begin(&mut self, name: &str) -> Result<(), End> {
        self.send(name, StepState::Running, String::new(), String::new())
    }

    fn end(&mut self, name: &str, state: StepState, detail: String, remedy: String) -> Result<(), End> {
        self.send(name, state, detail, remedy)?;
        self.number += 1;
        Ok(())
    }

    fn send(&mut self, name: &str, state: StepState, detail: String, remedy: String) -> Result<(), End> {
        let step = Step { number: self.number, name: name.to_owned(), state, detail, remedy, position: None };
        self.send_step(&step)
    }

    fn send_step(&mut self, step: &Step) -> Result<(), End> {
        if (self.show)(step).is_break() { Err(End::Stopped) } else { Ok(()) }
    }

    /// Reports a check of [`arena::entry`].
    fn show_check(&mut self, check: &Check) -> ControlFlow<()> {
        let state = match check.state {
            State::Begun => StepState::Running,
            State::Passed => StepState::Passed,
            State::Warned => StepState::Warned,
            State::Failed => StepState::Failed,
        };
        let board = check.board.as_ref().map(|board| format!("\n{board}")).unwrap_or_default();
        let detail = self.plain(&check.detail) + &board;
        let remedy = self.plain(check.remedy.as_deref().unwrap_or_default());
        let (number, name, position) = (self.number, check.name.to_owned(), check.position.clone());
        let sent = self.send_step(&Step { number, name, state, detail, remedy, position });
        self.number += u32::from(state != StepState::Running);
        if sent.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns a text without the path of the server's folder.
    fn plain(&self, text: &str) -> String {
        let [inside, folder] = &self.hidden;
        text.replace(inside, "").replace(folder, "the submission")
    }
}
