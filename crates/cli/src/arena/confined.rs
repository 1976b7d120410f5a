//! Sandboxes of agents: `--sandbox`, and `plyhouse arena doctor`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::{AgentSpec, Spec, Venue, entry};
use clap::Args;
use engine::Resources;
use process::sandbox::{self, Finding, Tier};

/// The choice of a sandbox.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct SandboxOption {
    /// Sandbox of agents that are programs: bwrap, landlock or none; defaults to the best that this machine supports
    #[arg(long, value_name = "KIND")]
    pub(super) sandbox: Option<Tier>,
}

/// Returns the venue of a tournament, and sets the tournament's sandbox to the one in use. `hidden` lists files that
/// agents cannot see.
///
/// # Errors
/// See [`entry::venue`].
pub(super) fn venue(spec: &mut Spec, resources: Resources, hidden: Vec<PathBuf>) -> anyhow::Result<Venue> {
    Ok(warned(entry::venue(spec, resources, hidden, &launcher()?)?))
}

/// Returns the venue for a single agent outside a tournament, to build it, check it or let it practise.
///
/// # Errors
/// See [`entry::venue`].
pub(super) fn for_one(spec: &Spec, agent: &AgentSpec, option: SandboxOption) -> anyhow::Result<Venue> {
    let spec = Spec { sandbox: option.sandbox.or(spec.sandbox), ..spec.clone() };
    Ok(warned(entry::venue_of(&spec, agent, &launcher()?)?))
}

/// Prints the warnings about a venue, and returns the venue.
fn warned((venue, warnings): (Venue, Vec<entry::Warning>)) -> Venue {
    for warning in &warnings {
        warn(&warning.to_string());
    }
    venue
}

/// Returns the path of this program, which also supervises sandboxes.
fn launcher() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the path of this program, which sandboxes need")
}

/// Prints a warning on standard error.
pub(super) fn warn(text: &str) {
    // A closed standard error is not an error of the command.
    let _ = writeln!(std::io::stderr(), "plyhouse: warning: {}", game::text::printable(text));
}

/// Show which sandboxes this machine supports, what each prevents, and what to install
#[derive(Args)]
pub(super) struct DoctorOptions {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn doctor(options: &DoctorOptions, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let launcher = launcher()?;
    let findings = Tier::ALL.map(|tier| sandbox::try_tier(tier, &launcher));
    let best = findings.iter().find(|finding| finding.result.is_ok()).map(|finding| finding.tier);
    if options.json {
        let tiers: Vec<_> = findings
            .iter()
            .map(|Finding { tier, result }| {
                serde_json::json!({
                    "sandbox": tier.name(),
                    "works": result.is_ok(),
                    "seconds": result.as_ref().ok().map(std::time::Duration::as_secs_f64),
                    "why_not": result.as_ref().err(),
                    "keeps_out": tier.promise(),
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::json!({ "best": best.map(Tier::name), "sandboxes": tiers }))?;
    } else {
        for Finding { tier, result } in &findings {
            match result {
                Ok(time) => {
                    writeln!(out, "{tier:<9} works: {:.0} ms to start and end a program", time.as_secs_f64() * 1e3)?;
                }
                Err(why) => writeln!(out, "{tier:<9} not available: {why}")?,
            }
            writeln!(out, "{:9} {}", "", tier.promise())?;
        }
        let bounds = sandbox::exact_bounds();
        let bounds = if bounds.is_empty() {
            "none; limits are checked twenty times a second".to_owned()
        } else {
            bounds.join(", ")
        };
        writeln!(out, "\nLimits enforced by the kernel (control groups): {bounds}")?;
        match best {
            Some(Tier::None) | None => writeln!(out, "Agents would run with your permissions.")?,
            Some(tier) => writeln!(out, "Agents play in `{tier}` unless a tournament names another.")?,
        }
    }
    ensure!(best.is_some(), "cannot start any program on this machine");
    Ok(if best == Some(Tier::None) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
