//! Checks that the files of a submission say how to start it.

use arena::entry::suggestion;
use arena::{AgentSpec, Words};

use super::outcome::{Refusal, refuse};
use super::programs::Programs;
use super::shown::quoted;

/// Name of the description of an agent.
pub(super) const DESCRIPTION: &str = "agent.toml";

/// Checks that there is an `agent.toml`, or that the course says how to start an agent and its files are there.
/// `files` are paths from the agent's folder.
///
/// # Errors
/// If neither is the case. The refusal has the lines of the `agent.toml` that is missing.
pub(super) fn check(files: &[&str], defaults: &AgentSpec, programs: &Programs) -> Result<(), Refusal> {
    if files.contains(&DESCRIPTION) {
        return Ok(());
    }
    let lines = || format!("add a text file `agent.toml` with these lines:\n{}", first_lines(files, defaults));
    if defaults.command.is_none() || defaults.dialect.is_none() {
        return refuse("there is no `agent.toml`, which says how to start the agent", lines());
    }
    // Java's class may be there as source or compiled.
    let is_there = |name: &str| {
        let compiled = name.strip_suffix(".java").map(|stem| format!("{stem}.class"));
        let source = name.strip_suffix(".class").map(|stem| format!("{stem}.java"));
        let other = compiled.or(source);
        files.contains(&name) || other.is_some_and(|other| files.contains(&other.as_str()))
    };
    match programs.needed().find(|name| !is_there(name)) {
        None => Ok(()),
        Some(missing) => refuse(
            format!(
                "there is neither an `agent.toml` nor the file {}, and the course starts {}",
                quoted(missing),
                shown_command(defaults)
            ),
            format!("rename your file to {}, or {}", quoted(missing), lines()),
        ),
    }
}

/// Returns a command for a message.
pub(super) fn shown_command(agent: &AgentSpec) -> String {
    quoted(&agent.command.as_ref().map(Words::words).unwrap_or_default().join(" "))
}

/// Returns the lines of an `agent.toml` for these files.
pub(super) fn first_lines(files: &[&str], defaults: &AgentSpec) -> String {
    let dialect = defaults.dialect.as_deref();
    let lines = suggestion(files, dialect).or_else(|| suggestion(&["agent"], dialect));
    lines.expect("invariant: `agent` is the name of a program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_courses_command_needs_its_files() {
        let course = |command: &str, build: Option<&str>| AgentSpec {
            command: Some(Words::Text(command.to_owned())),
            dialect: Some("nus".to_owned()),
            build: build.map(str::to_owned),
            ..AgentSpec::default()
        };
        let checked = |files: &[&str], defaults: &AgentSpec| {
            check(files, defaults, &Programs::of(defaults)).map_err(|refusal| refusal.to_string())
        };
        let java = course("java -cp . Agent", Some("javac *.java"));
        assert_eq!(checked(&["Agent.class"], &java), Ok(()));
        assert_eq!(checked(&["Agent.java"], &java), Ok(()));
        assert_eq!(checked(&["agent.c"], &course("./agent", Some("gcc -o agent agent.c"))), Ok(()));
        assert_eq!(checked(&["agent.toml"], &AgentSpec::default()), Ok(()));
        let error = checked(&["main.py"], &course("python3 agent.py", None)).expect_err("missing");
        assert!(error.contains("nor the file `agent.py`") && error.contains("\"python3 main.py\""), "{error}");
        let error = checked(&["agent.c"], &AgentSpec::default()).expect_err("missing");
        assert!(error.contains("no `agent.toml`") && error.contains("gcc"), "{error}");
    }
}
