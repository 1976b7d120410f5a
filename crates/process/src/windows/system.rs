//! Operations for which every system has its own calls.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, IsTerminal};
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::time::Duration;

/// Checks that tournaments between programs can be played on this system.
///
/// # Errors
/// Always returns an error: the sandboxes need Linux, and the limits of programs need Unix.
pub fn check_tournaments() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "tournaments of programs need Linux or macOS"))
}

/// Returns `true`: on Windows, a file's name decides whether it can be executed.
pub fn is_executable(_: &Metadata) -> bool {
    true
}

/// Does nothing: files and folders of Windows have the access rights of the folder that contains them.
///
/// # Errors
/// Never returns an error on this system.
pub fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Does nothing: files of Windows have the access rights of their folder.
pub fn keep_private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Does nothing: files of Windows have the access rights of their folder.
pub fn keep_all_private() {}

/// Returns `None`: the processor time of a thread is not read on Windows.
pub fn cpu_of_this_thread() -> Option<Duration> {
    None
}

/// Returns the name of this machine in the network.
pub fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Returns `true` if standard input is a terminal.
pub fn stdin_is_device() -> bool {
    io::stdin().is_terminal()
}

/// Returns a second handle of standard output, which the lock of [`std::io::stdout`] does not block.
///
/// # Errors
/// Returns an error if standard output is closed.
pub fn second_stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}
