//! Runs untrusted programs.
//!
//! A [`Sandbox`] holds the processes of one program for the duration of a game. A supervisor process inside it starts
//! the program, once or for each move, kills leftover processes, and measures the use of resources. A [`Confinement`]
//! defines the files and resources that the program may use. A [`Tier`] is the mechanism that enforces it:
//!
//! * [`Tier::Bwrap`]: bubblewrap, which needs no privileges;
//! * [`Tier::Landlock`]: Landlock and a filter of system calls, for machines without bubblewrap;
//! * [`Tier::None`]: no isolation. Processes still end with their supervisor, even if the arena is killed.
//!
//! The supervisor is another process of the calling program, which must call [`serve_if_asked`] first in `main`.
//! `docs/security.md` lists the attacks that each tier was tested against.
//!
//! The protocols of programs are in the crate `protocol`, and tournaments are in the crate `arena`.
//!
//! ```
//! use process::sandbox::{Limits, Tier};
//!
//! assert_eq!("bwrap".parse(), Ok(Tier::Bwrap));
//! assert_eq!(Limits::default().check(), Ok(()));
//! ```

#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod confine;
mod confinement;
#[cfg(target_os = "linux")]
mod control;
mod doctor;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod host;
mod limits;
mod plan;
#[cfg(target_os = "linux")]
mod privilege;
#[cfg(target_os = "linux")]
mod scratch;
#[cfg(target_os = "linux")]
mod supervisor;
mod tier;
#[cfg(target_os = "linux")]
mod watch;

#[cfg(target_os = "linux")]
use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::io::{self, Write};
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::process::ExitCode;

pub use confinement::{Access, Confinement, FolderError};
pub use doctor::{Finding, best, try_tier};
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Sandbox, remove_privileges};
#[cfg(target_os = "linux")]
pub use host::Sandbox;
pub use limits::{BadBytes, Bytes, Limits};
pub use plan::is_of_system;
#[cfg(target_os = "linux")]
pub use privilege::remove_privileges;
pub use tier::{Tier, UnknownTier};

/// The first word of a supervisor's arguments.
#[cfg(target_os = "linux")]
const SUPERVISE: &str = "sandbox-supervisor";

/// Returns the names of the limits that control groups enforce exactly on this machine.
pub fn exact_bounds() -> Vec<&'static str> {
    #[cfg(target_os = "linux")]
    return cgroup::bounds();
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// Runs this process as a sandbox's supervisor or launcher if it was started as one. A program that creates sandboxes
/// must call this function first in `main` and exit with the returned code.
pub fn serve_if_asked() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    return serve(std::env::args_os().skip(1));
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(target_os = "linux")]
fn serve(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let role = arguments.next()?;
    let result = if role == SUPERVISE {
        supervise(arguments)
    } else if role == supervisor::CONFINE {
        launch(arguments)
    } else {
        return None;
    };
    Some(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The arena reads this as the program's standard error. Write errors are ignored.
            let _ = writeln!(std::io::stderr(), "sandbox: {error}");
            ExitCode::from(126)
        }
    })
}

#[cfg(target_os = "linux")]
fn supervise(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let text = arguments.next().unwrap_or_default().to_string_lossy().into_owned();
    supervisor::run(&serde_json::from_str(&text)?, &text)
}

#[cfg(target_os = "linux")]
fn launch(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut next = || arguments.next().unwrap_or_default();
    let plan: plan::Plan = serde_json::from_str(&next().to_string_lossy())?;
    let scratch = PathBuf::from(next());
    let supervisor = next().to_string_lossy().parse().map_err(io::Error::other)?;
    let words: Vec<_> = arguments.collect();
    Err(confine::run(&plan, &scratch, supervisor, &words))
}
