use std::path::{Path, PathBuf};

use thiserror::Error;

#[cfg(not(target_os = "linux"))]
use super::elsewhere::Sandbox;
#[cfg(target_os = "linux")]
use super::host::Sandbox;
use super::plan::{self, Plan};
use crate::StartError;
use crate::sandbox::limits::Limits;
use crate::sandbox::tier::Tier;

/// The restrictions on programs. They are the same for all programs of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// The kind of sandbox.
    pub tier: Tier,
    /// Limits of each sandbox.
    pub limits: Limits,
    /// Folders and files that every program may read, in addition to the system's.
    pub readable: Vec<PathBuf>,
    /// Files that no program may read, even in its own folder. Files in the same folder whose names begin with a hidden
    /// file's name, such as its journal, are hidden, too.
    pub hidden: Vec<PathBuf>,
    /// Programs that no program may read or start, even in a readable folder: the arena's own programs, which a
    /// submission could use to play. The paths contain no symbolic links.
    pub concealed: Vec<PathBuf>,
    /// The program that serves as supervisor. It must call [`serve_if_asked`](super::serve_if_asked) first in `main`.
    pub launcher: PathBuf,
}

/// A program's access to its own folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read and execute.
    Read,
    /// Full access, for builds.
    Write,
}

/// Errors for folders in which a program cannot be confined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FolderError {
    /// The folder contains files that are not the program's.
    #[error(
        "folder {0}: it contains your home or the whole system, and a program in a sandbox can read its folder; \
         give the program a folder of its own"
    )]
    TooMuch(PathBuf),
    /// The folder does not exist or cannot be read.
    #[error("folder {0}: {1}")]
    Missing(PathBuf, String),
}

impl From<FolderError> for StartError {
    fn from(error: FolderError) -> Self {
        Self::Refused { command: "the sandbox".to_owned(), source: std::io::Error::other(error) }
    }
}

impl Confinement {
    /// Creates a confinement without a sandbox: programs have their caller's privileges.
    pub fn none(launcher: PathBuf) -> Self {
        let (readable, hidden, concealed) = (Vec::new(), Vec::new(), Vec::new());
        Self { tier: Tier::None, limits: Limits::default(), readable, hidden, concealed, launcher }
    }

    /// Creates a sandbox for a program whose files are in `folder`. Does not start a process.
    ///
    /// # Errors
    /// Returns an error if the program cannot be confined in the folder.
    pub fn sandbox(&self, folder: &Path, access: Access) -> Result<Sandbox, FolderError> {
        let folder =
            folder.canonicalize().map_err(|error| FolderError::Missing(folder.to_owned(), error.to_string()))?;
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let home = home.and_then(|home| home.canonicalize().ok());
        let holds_home = home.is_some_and(|home| home != Path::new("/") && home.starts_with(&folder));
        if self.tier != Tier::None && (holds_home || folder == Path::new("/")) {
            return Err(FolderError::TooMuch(folder));
        }
        let hidden: Vec<PathBuf> = self.hidden.iter().map(|file| absolute(file)).collect();
        let mut readable = plan::system();
        readable.extend(self.readable.iter().filter_map(|path| path.canonicalize().ok()));
        let writable = match access {
            Access::Read => {
                let parts = plan::visible(&folder, &hidden, plan::is_companion).into_iter();
                // A Landlock rule for a symbolic link would apply to its target.
                let has_rule = |path: &PathBuf| self.tier != Tier::Landlock || !path.is_symlink();
                readable.extend(parts.filter(has_rule));
                Vec::new()
            }
            Access::Write => vec![folder.clone()],
        };
        let mut shown = readable.clone();
        shown.extend(writable.iter().cloned());
        let search = std::env::var("PATH").unwrap_or_default();
        let path: Vec<&str> = search.split(':').filter(|entry| plan::covers(&shown, Path::new(entry))).collect();
        let plan = Plan {
            tier: self.tier,
            limits: self.limits,
            folder,
            readable,
            scratch: None,
            concealed: self.concealed.clone(),
            writable,
            path: if path.is_empty() { "/usr/local/bin:/usr/bin:/bin".to_owned() } else { path.join(":") },
            lang: std::env::var("LANG").unwrap_or_else(|_| "C.UTF-8".to_owned()),
            max_processes: None,
        };
        Ok(Sandbox::new(plan, self.launcher.clone()))
    }
}

/// Returns the path of a file without symbolic links. The file need not exist.
fn absolute(file: &Path) -> PathBuf {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file,
    }
}
