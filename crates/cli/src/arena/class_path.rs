//! Passes the user's `CLASSPATH` to a Java program. A sandbox would hide the variable and the folders in it.

use std::path::{Path, PathBuf};

use arena::{AgentSpec, Spec, Words};

use super::confined::warn;

/// Passes the class path of this process to a Java program, and makes its files readable. Only `check` and `spar` may
/// do this, because the program is the user's own there.
pub(super) fn pass_class_path(agent: &mut AgentSpec, spec: &mut Spec) {
    let Ok(class_path) = std::env::var("CLASSPATH") else { return };
    let Some(words) = agent.command.as_ref().and_then(|command| with_class_path(command.words(), &class_path)) else {
        return;
    };
    agent.command = Some(Words::List(words));
    spec.readable.extend(folders(&class_path, agent.directory.as_deref().unwrap_or(Path::new("."))));
    warn("your CLASSPATH is passed to this program; a tournament hides it, so use `java -cp` there");
}

/// Adds the class path to a command as an option. Returns `None` if the command does not start Java, or if it already
/// has a class path.
fn with_class_path(mut words: Vec<String>, class_path: &str) -> Option<Vec<String>> {
    const OWN: [&str; 4] = ["-cp", "-classpath", "--class-path", "-jar"];
    let is_java =
        words.first().is_some_and(|program| Path::new(program).file_name().is_some_and(|name| name == "java"));
    let has_own = words.iter().any(|word| OWN.contains(&word.as_str()) || word.starts_with("--class-path="));
    if !is_java || has_own || class_path.is_empty() {
        return None;
    }
    words.splice(1..1, ["-cp".to_owned(), class_path.to_owned()]);
    Some(words)
}

/// Returns the files and folders of a class path. The entry `lib/*`, which stands for the archives in `lib`, yields
/// `lib`.
fn folders(class_path: &str, directory: &Path) -> Vec<PathBuf> {
    let entries = std::env::split_paths(class_path).filter(|entry| !entry.as_os_str().is_empty());
    entries
        .map(|entry| match entry.file_name() {
            Some(name) if name == "*" => directory.join(entry.parent().unwrap_or(Path::new("."))),
            _ => directory.join(entry),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_commands_receive_the_class_path() {
        let with = |command: &str| {
            let words = command.split(' ').map(str::to_owned).collect();
            with_class_path(words, "..:/srv/lib/*").map(|words| words.join(" "))
        };
        assert_eq!(with("java -ea loa.Main").as_deref(), Some("java -cp ..:/srv/lib/* -ea loa.Main"));
        assert_eq!(with("/opt/jdk/bin/java loa.Main").as_deref(), Some("/opt/jdk/bin/java -cp ..:/srv/lib/* loa.Main"));
        for other in ["java -cp . loa.Main", "java -jar agent.jar", "java --class-path=. loa.Main", "python3 java"] {
            assert_eq!(with(other), None, "{other}");
        }
        assert_eq!(with_class_path(vec!["java".to_owned()], ""), None);
        assert_eq!(with_class_path(Vec::new(), "."), None);
    }

    #[test]
    fn a_class_path_is_relative_to_the_programs_folder() {
        let expected = ["/agent/..", "/agent/lib", "/srv/ucb.jar"].map(PathBuf::from);
        assert_eq!(folders("..:lib/*::/srv/ucb.jar", Path::new("/agent")), expected);
    }
}
