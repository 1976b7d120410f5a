//! Turns an upload into a folder with an agent's files.
//!
//! An upload is a zip archive, or a single file that the course's `[agent]` section names. Common mistakes are
//! corrected and reported as [`Note`]s: a folder around all files, the line ends of Windows in scripts, missing run
//! permissions, the byte-order mark of `agent.toml`, and files that systems add. Everything else leads to a [`Refusal`]
//! with its remedy.
//!
//! Archives are untrusted. Names are checked before a file is created, links and devices are refused, and sizes are
//! counted while files are unpacked, so an archive never writes more than [`Limits`] allow, whatever it declares.

mod entries;
mod kind;
pub(crate) mod limits;
mod missing;
mod names;
pub(crate) mod outcome;
mod programs;
mod root;
mod shown;
mod single;
mod tidy;
mod unpack;

use std::fs;
use std::path::{Path, PathBuf};

use arena::AgentSpec;

pub use limits::Limits;
pub use outcome::{IntakeError, Note, Refusal};

use kind::Kind;
use outcome::{Notes, at, refuse};
use programs::Programs;
use shown::{amount, quoted};
use unpack::Written;

/// An upload that was unpacked.
#[derive(Clone, Debug)]
pub struct Intake {
    /// Folder with the agent's files at its top.
    pub folder: PathBuf,
    /// Corrections, in the order in which they were made.
    pub notes: Vec<Note>,
}

/// Unpacks the upload `file`, which the sender called `name`, into the new folder `into`. `defaults` is the course's
/// `[agent]` section.
///
/// # Errors
/// If the upload is refused, or a file cannot be read or written. `into` does not exist then, unless it existed before.
pub fn receive(
    file: &Path,
    name: &str,
    into: &Path,
    limits: &Limits,
    defaults: &AgentSpec,
) -> Result<Intake, IntakeError> {
    // A new folder cannot contain links to other places.
    fs::create_dir(into).map_err(at(into))?;
    let mut notes = Notes::default();
    let result = fill(&Upload { file, name }, into, limits, defaults, &mut notes);
    if result.is_err() {
        // Best effort: `into` lies in a cache that can be deleted at any time.
        let _ = fs::remove_dir_all(into);
    }
    result.map(|()| Intake { folder: into.to_owned(), notes: notes.into_vec() })
}

/// A received file.
struct Upload<'a> {
    file: &'a Path,
    /// Name that the sender gave the file.
    name: &'a str,
}

/// Unpacks an upload into an empty folder, and corrects its files.
fn fill(
    upload: &Upload<'_>,
    into: &Path,
    limits: &Limits,
    defaults: &AgentSpec,
    notes: &mut Notes,
) -> Result<(), IntakeError> {
    let programs = Programs::of(defaults);
    let name = single::base_name(upload.name);
    let mut files = match examine(upload.file, name, limits)? {
        Kind::Zip if !programs.names(name) => unpack::unpack(upload.file, into, limits, &programs, notes)?,
        Kind::Foreign { what, remedy } => return refuse(format!("{} is {what}", quoted(name)), remedy),
        Kind::Zip | Kind::File => single::accept(upload.file, name, into, defaults, notes)?,
    };
    tidy::tidy(into, &mut files, defaults, notes)?;
    let shown: Vec<&str> = files.iter().map(Written::shown).collect();
    missing::check(&shown, defaults, &programs).map_err(IntakeError::Refused)
}

/// Checks the size of an upload, and returns its kind.
fn examine(file: &Path, name: &str, limits: &Limits) -> Result<Kind, IntakeError> {
    let size = fs::metadata(file).map_err(at(file))?.len();
    if size > limits.size {
        let (found, most) = (amount(size), amount(limits.size));
        return refuse(
            format!("{} has {found}, and an upload may have at most {most}", quoted(name)),
            "leave out files that the agent does not need, such as data, videos and compiled files",
        );
    }
    kind::of_file(file, name).map_err(at(file))
}
