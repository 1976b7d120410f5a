use std::env::consts::EXE_EXTENSION;
use std::io;
use std::path::{Path, PathBuf, is_separator};

#[cfg(unix)]
use crate::unix::system::is_executable;
#[cfg(windows)]
use crate::windows::system::is_executable;
use crate::{Child, Command, StartError};

/// A place where a program's processes run for the duration of a game.
///
/// [`Bare`] runs them without isolation. A [`Sandbox`](crate::sandbox::Sandbox) isolates them.
pub trait Host: Send {
    /// Prepares the host. Does nothing if it is ready.
    ///
    /// # Errors
    /// Returns an error if the host cannot be prepared.
    fn open(&mut self) -> Result<(), StartError>;

    /// Checks that the program of a command exists and may be executed, without starting it. The default implementation
    /// accepts every command.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    fn check(&mut self, command: &Command) -> Result<(), StartError> {
        let _ = command;
        Ok(())
    }

    /// Starts a process.
    ///
    /// # Errors
    /// Returns an error if the process does not start.
    fn start(&mut self, command: &Command) -> Result<Child, StartError>;

    /// Sets whether the program is to move. A host may stop a program that computes during the opponent's turn. The
    /// default implementation does nothing.
    fn set_to_move(&mut self, _is_to_move: bool) {}

    /// Ends every process that is still running on the host. The host stays ready.
    fn clear(&mut self);

    /// Ends every process and releases the host.
    fn close(&mut self);
}

/// This machine itself. Each process of a `Bare` host is a child of this program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bare;

impl Host for Bare {
    fn open(&mut self) -> Result<(), StartError> {
        Ok(())
    }

    fn check(&mut self, command: &Command) -> Result<(), StartError> {
        let program = command.words.first().ok_or(StartError::Empty)?;
        let refused = |source| StartError::Refused { command: command.to_string(), source };
        find(program, command.directory.as_deref()).map(drop).map_err(refused)
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        Child::start(command)
    }

    // A `Child` ends with all its descendants when it is dropped.
    fn clear(&mut self) {}

    fn close(&mut self) {}
}

/// Returns the file that the system would execute if `program` were started in `directory`.
///
/// # Errors
/// Returns an error if there is no executable file.
pub fn find(program: &str, directory: Option<&Path>) -> io::Result<PathBuf> {
    if program.contains(is_separator) {
        return executable(&directory.unwrap_or(Path::new("")).join(program));
    }
    on_path(program).into_iter().next().ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Returns the executable files with this name in the folders of `PATH`, in their order.
pub(crate) fn on_path(program: &str) -> Vec<PathBuf> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search).filter_map(|folder| executable(&folder.join(program)).ok()).collect()
}

/// Returns the executable file with this path. On Windows, the path may lack the ending `.exe`.
fn executable(path: &Path) -> io::Result<PathBuf> {
    let with_ending = path.with_added_extension(EXE_EXTENSION);
    let path = if with_ending.is_file() { &with_ending } else { path };
    let data = path.metadata()?;
    if data.is_file() && is_executable(&data) {
        Ok(path.to_owned())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}
