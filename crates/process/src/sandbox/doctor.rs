//! The kinds of sandboxes that a machine supports.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::host::Host;
use crate::sandbox::confinement::{Access, Confinement};
use crate::sandbox::tier::Tier;
use crate::{Command, Exit, Output, Stream};

/// The result of trying a kind of sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub tier: Tier,
    /// Time taken to start a sandbox and a program in it, or the reason why the kind is unavailable, with a remedy.
    pub result: Result<Duration, String>,
}

/// Tests a kind of sandbox: starts one and runs a program in it.
pub fn try_tier(tier: Tier, launcher: &Path) -> Finding {
    let began = Instant::now();
    let result = run(tier, launcher).map(|()| began.elapsed()).map_err(|why| format!("{why}. {}", remedy(tier)));
    Finding { tier, result }
}

/// Returns the strongest kind of sandbox that works on this machine.
pub fn best(launcher: &Path) -> Tier {
    Tier::ALL.into_iter().find(|&tier| try_tier(tier, launcher).result.is_ok()).unwrap_or(Tier::None)
}

fn run(tier: Tier, launcher: &Path) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    if tier == Tier::Landlock && !super::confine::has_landlock() {
        return Err("the kernel's Landlock is missing or cannot restrict signals".to_owned());
    }
    let confinement = Confinement { tier, ..Confinement::none(launcher.to_owned()) };
    let mut sandbox = confinement.sandbox(Path::new("/usr"), Access::Read).map_err(|error| error.to_string())?;
    let mut child = sandbox.start(&Command::new(["sh", "-c", "echo ready"])).map_err(|error| error.to_string())?;
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut last_line = String::new();
    while let Some(output) = child.output(deadline) {
        if let Output::Line(stream, line) = output {
            let line = String::from_utf8_lossy(&line).into_owned();
            if stream == Stream::Stdout && line == "ready" {
                return Ok(());
            }
            last_line = line;
        }
    }
    let exit = child.wait(deadline).map(|exit: Exit| exit.to_string()).unwrap_or_default();
    Err(format!("a program did not run in the sandbox: {exit}; {last_line}"))
}

const fn remedy(tier: Tier) -> &'static str {
    match tier {
        Tier::Bwrap => {
            "Install bubblewrap (Debian, Ubuntu: `apt install bubblewrap`); in a container it needs permission to \
             create user namespaces"
        }
        Tier::Landlock => "This sandbox needs Linux 6.12 or later with Landlock enabled",
        Tier::None => "Sandboxes need Linux",
    }
}
