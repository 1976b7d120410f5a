//! Operations for which every system has its own calls.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::time::{ClockId, clock_gettime};

/// Checks that tournaments between programs can be played on this system.
///
/// # Errors
/// Never returns an error on this system.
pub fn check_tournaments() -> io::Result<()> {
    Ok(())
}

/// Returns `true` if some user may execute a file.
pub fn is_executable(data: &Metadata) -> bool {
    data.permissions().mode() & 0o111 != 0
}

/// Sets the permissions of a file or folder, as `chmod` does.
///
/// # Errors
/// Returns an error if the system rejects the call.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Makes these options create files that only this user can read.
pub fn keep_private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

/// Makes this program create only files and folders that no other user can read.
pub fn keep_all_private() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Returns the processor time of the calling thread, if the system reports it.
pub fn cpu_of_this_thread() -> Option<Duration> {
    clock_gettime(ClockId::ThreadCPUTime).try_into().ok()
}

/// Returns the name of this machine in the network.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Returns `true` if standard input is a terminal or another device, such as `/dev/null`.
pub fn stdin_is_device() -> bool {
    let metadata = io::stdin().as_fd().try_clone_to_owned().and_then(|input| File::from(input).metadata());
    metadata.is_ok_and(|metadata| metadata.file_type().is_char_device())
}

/// Returns a second handle of standard output, which the lock of [`std::io::stdout`] does not block.
///
/// # Errors
/// Returns an error if standard output is closed.
pub fn second_stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}
