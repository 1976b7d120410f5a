//! Requests the names of agents.

use std::time::{Duration, Instant};

use game::text::excerpt;
use process::sandbox::Access;
use process::{Child, Output, Stream};
use referee::{Fault, FaultKind};

use crate::agent_spec::{AgentSpec, Words};
use crate::entry::launch::start;
use crate::entry::recording::Recording;
use crate::players::Venue;
use crate::spec::Spec;

/// Maximum time for further output after a name.
const LINGER: Duration = Duration::from_secs(1);

/// Requests the name of an agent of the 6×6 competition. Lines after the name are ignored.
///
/// # Errors
/// If the agent does not answer with a valid name.
pub(crate) fn identify(agent: &AgentSpec, spec: &Spec, venue: &Venue) -> Result<String, Fault> {
    ask(agent, spec, venue, false)
}

/// Requests the name of an agent of the 6×6 competition, and checks that it prints nothing else.
///
/// # Errors
/// If the agent does not answer with a valid name in one line.
pub(crate) fn identify_strictly(agent: &AgentSpec, spec: &Spec, venue: &Venue) -> Result<String, Fault> {
    ask(agent, spec, venue, true)
}

fn ask(agent: &AgentSpec, spec: &Spec, venue: &Venue, is_strict: bool) -> Result<String, Fault> {
    let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs_f64(spec.time.start);
    let (_host, mut child) =
        start(agent, venue, Access::Read, None, words).map_err(|error| Fault::new(FaultKind::NoStart, error))?;
    for line in protocol::dialects::identify().lines {
        child.send(line.into_bytes());
    }
    child.close_input();
    let mut errors = Recording::default();
    if let Some(name) = next_line(&mut child, deadline, &mut errors) {
        let last = deadline.min(Instant::now() + LINGER);
        let second = if is_strict { next_text(&mut child, last, &mut errors) } else { None };
        let checked = match second {
            Some(second) => Err(format!("`{}` found after `{}`: expected one line", excerpt(&second), excerpt(&name))),
            None if name.is_empty() => protocol::dialects::check_name(&name),
            None => protocol::dialects::check_name(&name).map_err(|why| format!("`{}` found: {why}", excerpt(&name))),
        };
        return checked.map(|()| name).map_err(|why| Fault::new(FaultKind::Unreadable, why));
    }
    // The rest of its standard error may still arrive.
    let last = deadline.min(Instant::now() + LINGER);
    while let Some(output) = child.output(last) {
        if let Output::Line(Stream::Stderr, line) = output {
            errors.add(&line);
        }
    }
    let (kind, mut why) = match child.wait(deadline) {
        Some(exit) => (FaultKind::Crash, format!("it ended without printing a name: {exit}")),
        None => (FaultKind::Stall, format!("no name within {} s", spec.time.start)),
    };
    if let Some(line) = referee::error_line(&errors.text()) {
        why = format!("{why}; its standard error: {}", game::text::printable(&line));
    }
    Err(Fault::new(kind, why))
}

/// Returns the next line of the program without trailing blanks; `None` at the end of its output or at the deadline.
fn next_line(child: &mut Child, deadline: Instant, errors: &mut Recording) -> Option<String> {
    while let Some(output) = child.output(deadline) {
        match output {
            Output::Line(Stream::Stderr, line) => errors.add(&line),
            Output::Line(Stream::Stdout, line) => return Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Output::End(Stream::Stdout) => break,
            _ => (),
        }
    }
    None
}

/// Like [`next_line`], and skips empty lines.
fn next_text(child: &mut Child, deadline: Instant, errors: &mut Recording) -> Option<String> {
    std::iter::from_fn(|| next_line(child, deadline, errors)).find(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Draft;

    /// Returns the answers of a shell script to a tolerant and a strict request.
    fn names(script: &str) -> [Result<String, String>; 2] {
        let words = Words::List(["sh", "-c", script].map(str::to_owned).to_vec());
        let agent = AgentSpec { command: Some(words), ..AgentSpec::default() };
        let (spec, venue) = (Draft::new("loa").spec, Venue::default());
        [identify, identify_strictly].map(|ask| ask(&agent, &spec, &venue).map_err(|fault| fault.detail))
    }

    #[test]
    fn a_name_is_one_line_of_at_most_80_characters() {
        let [tolerant, strict] = names("echo Ann; echo; echo ready");
        assert_eq!(tolerant.as_deref(), Ok("Ann"));
        assert_eq!(strict, Err("`ready` found after `Ann`: expected one line".to_owned()));
        assert_eq!(names("echo Ann; echo").map(Result::ok), [(); 2].map(|()| Some("Ann".to_owned())));
        let [_, long] = names("printf '%081d\\n' 7");
        let zeros = "0".repeat(40);
        assert_eq!(long, Err(format!("`{zeros}…` found: the name has 81 bytes: expected at most 80")));
        let [_, none] = names("echo oops >&2; exit 4");
        assert_eq!(none, Err("it ended without printing a name: exit code 4; its standard error: oops".to_owned()));
    }
}
