use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::{Child, Command, StartError};

/// A place where a program's processes run, for the length of a game.
///
/// [`Bare`] is this machine as it is. A sandbox (crate `sandbox`) is another.
pub trait Host: Send {
    /// Prepares the place. Does nothing if it is ready.
    ///
    /// # Errors
    /// If it cannot be made.
    fn open(&mut self) -> Result<(), StartError>;

    /// Checks that the program of a command exists and may be executed, without starting it. A host that cannot tell
    /// accepts every command.
    ///
    /// # Errors
    /// If the program cannot be started.
    fn check(&mut self, command: &Command) -> Result<(), StartError> {
        let _ = command;
        Ok(())
    }

    /// Starts a process.
    ///
    /// # Errors
    /// If it does not start.
    fn start(&mut self, command: &Command) -> Result<Child, StartError>;

    /// Receives whether the program is to move. A place may stop a program that computes while it is not; it does so
    /// by default never.
    fn set_to_move(&mut self, _is_to_move: bool) {}

    /// Ends every process that is still running here. The place stays ready.
    fn clear(&mut self);

    /// Ends every process and gives the place up.
    fn close(&mut self);
}

/// This machine as it is: every process is a child of ours.
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

    // A `Child` ends with everything it has started when it is dropped.
    fn clear(&mut self) {}

    fn close(&mut self) {}
}

/// Finds the file that the system would execute for a program in a directory.
///
/// # Errors
/// If there is none.
pub fn find(program: &str, directory: Option<&Path>) -> io::Result<PathBuf> {
    if program.contains('/') {
        let path = directory.unwrap_or(Path::new("")).join(program);
        return is_executable(&path).map(|()| path);
    }
    let search = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&search).map(|folder| folder.join(program));
    found.into_iter().find(|path| is_executable(path).is_ok()).ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn is_executable(path: &Path) -> io::Result<()> {
    let data = path.metadata()?;
    if data.is_file() && data.permissions().mode() & 0o111 != 0 {
        Ok(())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}
