//! Checks that the files of a submission say how to start it.

use arena::{AgentSpec, Words};

use super::kind::has_extension;
use super::outcome::{Refusal, refuse};
use super::programs::{Programs, is_source};
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
    let dialect = defaults.dialect.as_deref().unwrap_or("cs61b");
    let choice = if defaults.dialect.is_none() { "  # or nus, comp10002, ugi: the protocol of your agent" } else { "" };
    let (command, build) = start_of(files);
    let command = format!("command = {}", toml_list(&command));
    let dialect = format!("dialect = {}{choice}", toml::Value::from(dialect));
    let build = build.map(|build| format!("build = {}", toml::Value::from(build)));
    [Some(command), Some(dialect), build].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Returns words as a TOML value.
fn toml_list(words: &[String]) -> toml::Value {
    let is_plain = words.iter().all(|word| !word.contains(char::is_whitespace));
    if is_plain { toml::Value::from(words.join(" ")) } else { toml::Value::from(words.to_vec()) }
}

/// Returns the command and the build line that suit the most likely of these files.
fn start_of(files: &[&str]) -> (Vec<String>, Option<String>) {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let Some(main) = main_file(files) else { return (words(&["./agent"]), None) };
    let stem = main.rsplit_once('.').map_or(main, |(stem, _)| stem);
    let extension = main.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let all_of = |extension: &str| {
        let is_alone = files.iter().filter(|file| has_extension(file, extension)).count() == 1;
        if is_alone { shell_quoted(main) } else { format!("*.{extension}") }
    };
    let has_makefile = files.iter().any(|file| is_makefile(file));
    let compiled = |build: String| (words(&["./agent"]), Some(if has_makefile { "make".to_owned() } else { build }));
    match extension.as_str() {
        "py" => (words(&["python3", main]), None),
        "java" => (words(&["java", "-cp", ".", stem]), Some(format!("javac {}", all_of("java")))),
        "class" => (words(&["java", "-cp", ".", stem]), None),
        "jar" => (words(&["java", "-jar", main]), None),
        "c" => compiled(format!("gcc -O2 -o agent {} -lm", all_of("c"))),
        "cc" | "cpp" | "cxx" => compiled(format!("g++ -O2 -o agent {}", all_of(&extension))),
        "rs" => compiled(format!("rustc -O -o agent {}", shell_quoted(main))),
        "go" => compiled(format!("go build -o agent {}", all_of("go"))),
        "js" | "mjs" | "cjs" => (words(&["node", main]), None),
        "sh" => (words(&["sh", main]), None),
        _ => (vec![format!("./{main}")], None),
    }
}

/// Returns `true` for the names under which `make` finds its rules.
pub(super) fn is_makefile(name: &str) -> bool {
    matches!(name, "Makefile" | "makefile" | "GNUmakefile")
}

/// Returns the file that most likely starts the agent: one called `agent` or `main` before others, source code before
/// compiled files, and top files before others.
fn main_file<'a>(files: &[&'a str]) -> Option<&'a str> {
    let rank = |file: &&str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let by_name = ["agent", "main"].iter().position(|word| stem == *word).unwrap_or(2);
        let is_compiled = has_extension(name, "class") || has_extension(name, "jar");
        (file.matches('/').count(), is_compiled, by_name, name.len())
    };
    let sources = files.iter().copied().filter(|file| is_source(file));
    sources.min_by_key(rank).or_else(|| files.iter().copied().find(|file| file.ends_with("agent")))
}

/// Quotes a file's name for a shell if necessary.
fn shell_quoted(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c)) && !name.starts_with('-');
    if is_plain { name.to_owned() } else { format!("'./{}'", name.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_lines_suit_the_files() {
        let defaults = AgentSpec { dialect: Some("nus".to_owned()), ..AgentSpec::default() };
        for (files, command, build) in [
            (&["agent.py", "board.py"][..], "\"python3 agent.py\"", None),
            (&["my agent.py"], "[\"python3\", \"my agent.py\"]", None),
            (&["Agent.java", "Board.java"], "\"java -cp . Agent\"", Some("javac *.java")),
            (&["Agent.class", "Board.class"], "\"java -cp . Agent\"", None),
            (&["loa.c"], "\"./agent\"", Some("gcc -O2 -o agent loa.c -lm")),
            (&["loa.c", "board.c", "board.h"], "\"./agent\"", Some("gcc -O2 -o agent *.c -lm")),
            (&["it's.cpp"], "\"./agent\"", Some("g++ -O2 -o agent './it'\\''s.cpp'")),
            (&["main.c", "Makefile"], "\"./agent\"", Some("make")),
            (&["agent.js"], "\"node agent.js\"", None),
            (&["agent", "README.md"], "\"./agent\"", None),
            (&["README.md"], "\"./agent\"", None),
        ] {
            let text = first_lines(files, &defaults);
            let build_line = build.map_or_else(String::new, |build| format!("\nbuild = {}", toml::Value::from(build)));
            let expected = format!("command = {command}\ndialect = \"nus\"{build_line}");
            assert_eq!(text, expected, "{files:?}");
            let read = arena::read_agent(&text, "a").expect("a valid description");
            assert_eq!(read.build.as_deref(), build);
        }
        let text = first_lines(&["agent.py"], &AgentSpec::default());
        assert!(arena::read_agent(&text, "a").is_ok() && text.contains("comp10002"), "{text}");
    }

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
