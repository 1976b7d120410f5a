//! The files that a command and a build line name.

use arena::entry::{has_extension, is_source};
use arena::{AgentSpec, Words};

/// The files that an agent's command and build line name.
#[derive(Debug)]
pub(super) struct Programs {
    /// All names.
    all: Vec<String>,
    /// Names of the files that the first step reads: the build, or the command if there is none.
    first: Vec<String>,
}

impl Programs {
    /// Collects the words of the command and the build line of an agent. A class that `java` runs stands for its source
    /// and its compiled file.
    pub(super) fn of(agent: &AgentSpec) -> Self {
        let command = agent.command.as_ref().map(Words::words).unwrap_or_default();
        let mut started: Vec<String> = command.iter().map(|word| without_dot(word)).collect();
        if let Some(class) = java_class(&command) {
            let path = class.replace('.', "/");
            started.extend([format!("{path}.java"), format!("{path}.class")]);
        }
        let is_separator = |c: char| c.is_whitespace() || ";&|()<>'\"`".contains(c);
        let build = agent.build.as_deref().map(|line| line.split(is_separator).map(without_dot).collect::<Vec<_>>());
        let first = match &build {
            // Archives and classes are not required, because the build may write them.
            Some(words) => words.iter().filter(|word| is_code(word)).cloned().collect(),
            None => started.iter().filter(|word| is_source(word)).cloned().collect(),
        };
        let mut all = started;
        all.extend(build.unwrap_or_default());
        all.retain(|name| !name.is_empty());
        Self { all, first }
    }

    /// Returns `true` if the command or the build line names this file.
    pub(super) fn names(&self, file: &str) -> bool {
        self.all.iter().any(|name| name == file)
    }

    /// Returns the source files and programs that must be there before the first step.
    pub(super) fn needed(&self) -> impl Iterator<Item = &str> {
        self.first.iter().map(String::as_str).filter(|name| is_file_name(name))
    }

    /// Returns the names of source files and programs.
    fn sources(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str).filter(|name| is_file_name(name) && is_source(name))
    }

    /// Returns the only source file with this extension, if there is exactly one.
    pub(super) fn only_source(&self, extension: &str) -> Option<&str> {
        let mut found: Vec<&str> = self.sources().filter(|name| has_extension(name, &[extension])).collect();
        found.sort_unstable();
        found.dedup();
        if let [name] = found[..] { Some(name) } else { None }
    }
}

/// Returns a word without a leading `./`.
fn without_dot(word: &str) -> String {
    word.trim_start_matches("./").to_owned()
}

/// Returns `true` if a word is the name of a single file below the folder, and not an option or a pattern.
fn is_file_name(word: &str) -> bool {
    !word.starts_with(['-', '/']) && !word.contains(['*', '$', '=', ':'])
}

/// Returns `true` if a file has the extension of source code that is not compiled.
fn is_code(name: &str) -> bool {
    is_source(name) && !has_extension(name, &["class", "jar"])
}

/// Returns the class that a command runs with `java`, if Java looks for the class in the agent's folder.
fn java_class(command: &[String]) -> Option<&str> {
    let mut words = command.iter().map(String::as_str).skip_while(|word| *word != "java" && !word.ends_with("/java"));
    words.next()?;
    while let Some(word) = words.next() {
        match word {
            "-cp" | "-classpath" | "--class-path" => {
                words.next()?.split(':').any(|path| matches!(path, "" | "." | "./")).then_some(())?;
            }
            "--add-modules" | "--add-opens" | "--add-exports" => drop(words.next()),
            "-jar" | "-m" | "--module" | "-p" | "--module-path" => return None,
            option if option.starts_with('-') => (),
            class => return (!is_source(class)).then_some(class),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(command: &str, build: Option<&str>) -> Programs {
        Programs::of(&AgentSpec {
            command: Some(Words::Text(command.to_owned())),
            build: build.map(str::to_owned),
            ..AgentSpec::default()
        })
    }

    #[test]
    fn files_are_found_in_commands_and_build_lines() {
        for (command, build, expected) in [
            ("python3 -u ./agent.py", None, &["agent.py"][..]),
            ("java -Xmx1g -cp .:lib/a.jar Agent", None, &["Agent.java", "Agent.class"]),
            ("/usr/bin/java -ea loa.Main 3", None, &["loa/Main.java", "loa/Main.class"]),
            ("java -cp bin Agent", None, &[]),
            ("java -jar agent.jar", None, &["agent.jar"]),
            ("java -jar agent.jar", Some("javac src/Agent.java && jar cf agent.jar *.class"), &["src/Agent.java"]),
            ("java -cp . Agent", Some("javac *.java"), &[]),
            ("java Agent.java", None, &["Agent.java"]),
            ("./agent", Some("gcc -O2 -o agent agent.c -lm && strip agent"), &["agent.c"]),
            ("node /opt/runner.js agent.js", None, &["agent.js"]),
            ("sh -c", None, &[]),
        ] {
            let found = programs(command, build);
            assert_eq!(found.needed().collect::<Vec<_>>(), expected, "{command}; {build:?}");
        }
        let found = programs("./agent", Some("gcc -o agent agent.c"));
        assert!(found.names("agent") && found.names("agent.c") && !found.names("b.c"));
        assert_eq!((found.only_source("c"), found.only_source("py")), (Some("agent.c"), None));
        assert_eq!(programs("python3 a.py b.py", None).only_source("py"), None);
        assert_eq!(programs("java Agent", Some("javac Agent.java")).only_source("java"), Some("Agent.java"));
    }
}
