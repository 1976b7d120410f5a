//! What kinds of sandboxes a machine has.

use std::path::Path;
use std::time::{Duration, Instant};

use process::{Command, Exit, Host, Output, Stream};

use crate::{Access, Confinement, Tier};

/// The result of trying a kind of sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub tier: Tier,
    /// How long a sandbox took to start and end a program, or why it cannot be had and what to do about it.
    pub result: Result<Duration, String>,
}

/// Tries a kind of sandbox: starts one and runs a program in it.
pub fn try_tier(tier: Tier, launcher: &Path) -> Finding {
    let began = Instant::now();
    let result = run(tier, launcher).map(|()| began.elapsed()).map_err(|why| format!("{why}. {}", remedy(tier)));
    Finding { tier, result }
}

/// The strongest kind of sandbox that works here.
pub fn best(launcher: &Path) -> Tier {
    Tier::ALL.into_iter().find(|&tier| try_tier(tier, launcher).result.is_ok()).unwrap_or(Tier::None)
}

fn run(tier: Tier, launcher: &Path) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    if tier == Tier::Landlock && !crate::confine::has_landlock() {
        return Err("this kernel has no Landlock that keeps signals in".to_owned());
    }
    let confinement = Confinement { tier, ..Confinement::none(launcher.to_owned()) };
    let mut sandbox = confinement.sandbox(Path::new("/usr"), Access::Read).map_err(|error| error.to_string())?;
    let mut child = sandbox.start(&Command::new(["sh", "-c", "echo ready"])).map_err(|error| error.to_string())?;
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut said = String::new();
    while let Some(output) = child.output(deadline) {
        if let Output::Line(stream, line) = output {
            let line = String::from_utf8_lossy(&line).into_owned();
            if stream == Stream::Stdout && line == "ready" {
                return Ok(());
            }
            said = line;
        }
    }
    let exit = child.wait(deadline).map(|exit: Exit| exit.to_string()).unwrap_or_default();
    Err(format!("a program did not run in it: {exit}; {said}"))
}

const fn remedy(tier: Tier) -> &'static str {
    match tier {
        Tier::Bwrap => {
            "Install bubblewrap (Debian, Ubuntu: `apt install bubblewrap`); in a container it needs the right to make \
             user namespaces"
        }
        Tier::Landlock => "It needs Linux 6.12 or later with Landlock switched on",
        Tier::None => "It needs Linux",
    }
}
