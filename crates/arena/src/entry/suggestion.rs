//! Suggests an `agent.toml` for a submission that has none.

use protocol::dialects::Speaks;

use crate::entry::paths::has_extension;

/// File name extensions of source code and of programs.
const EXTENSIONS: [&str; 22] = [
    "py", "java", "class", "jar", "c", "cc", "cpp", "cxx", "js", "mjs", "cjs", "ts", "sh", "bash", "rs", "go", "rb",
    "lua", "pl", "hs", "kt", "jl",
];

/// Returns the lines of an `agent.toml` that suit the files of a submission, without a final line end. `files` are
/// paths from its folder. Returns `None` if no file's name is that of a program. If `dialect` is unset, a comment lists
/// the choices.
pub fn suggestion(files: &[&str], dialect: Option<&str>) -> Option<String> {
    let (command, build) = start_of(files)?;
    let dialect = match dialect {
        Some(dialect) => toml::Value::from(dialect).to_string(),
        None => format!("\"ugi\"  # {}", Speaks::NAMES),
    };
    let lines = format!("command = {}\ndialect = {dialect}", toml_value(&command));
    Some(build.map_or(lines.clone(), |build| format!("{lines}\nbuild = {}", toml::Value::from(build))))
}

/// Returns words as a TOML value.
fn toml_value(words: &[String]) -> toml::Value {
    let is_plain = words.iter().all(|word| !word.contains(char::is_whitespace));
    if is_plain { toml::Value::from(words.join(" ")) } else { toml::Value::from(words.to_vec()) }
}

/// Returns the command and the build line that suit the most likely of these files; `None` if none can start an agent.
fn start_of(files: &[&str]) -> Option<(Vec<String>, Option<String>)> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let main = main_file(files)?;
    let stem = main.rsplit_once('.').map_or(main, |(stem, _)| stem);
    let extension = main.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let all_of = |extension: &str| {
        let is_alone = files.iter().filter(|file| has_extension(file, &[extension])).count() == 1;
        if is_alone { shell_quoted(main) } else { format!("*.{extension}") }
    };
    let has_makefile = files.iter().any(|file| is_makefile(file));
    let compiled = |build: String| (words(&["./agent"]), Some(if has_makefile { "make".to_owned() } else { build }));
    Some(match extension.as_str() {
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
    })
}

/// Returns `true` for the names under which `make` finds its rules.
pub fn is_makefile(name: &str) -> bool {
    matches!(name, "Makefile" | "makefile" | "GNUmakefile")
}

/// Returns the file that most likely starts the agent: one called `agent` or `main` before others, source code before
/// compiled files, and top files before others.
fn main_file<'a>(files: &[&'a str]) -> Option<&'a str> {
    let rank = |file: &&str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let by_name = ["agent", "main"].iter().position(|word| stem == *word).unwrap_or(2);
        let is_compiled = has_extension(name, &["class", "jar"]);
        (file.matches('/').count(), is_compiled, by_name, name.len())
    };
    let sources = files.iter().copied().filter(|file| is_source(file));
    sources.min_by_key(rank).or_else(|| files.iter().copied().find(|file| file.ends_with("agent")))
}

/// Returns `true` if a file has the extension of source code or of a program.
pub fn is_source(name: &str) -> bool {
    has_extension(name, &EXTENSIONS)
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
    fn the_lines_suit_the_files() {
        for (files, command, build) in [
            (&["agent.py", "board.py"][..], "\"python3 agent.py\"", None),
            (&["board.py", "main.py", "agent.txt"], "\"python3 main.py\"", None),
            (&["my agent.py"], "[\"python3\", \"my agent.py\"]", None),
            (&["Agent.java", "Board.java", "Agent.class"], "\"java -cp . Agent\"", Some("javac *.java")),
            (&["Agent.class", "Board.class"], "\"java -cp . Agent\"", None),
            (&["agent.jar"], "\"java -jar agent.jar\"", None),
            (&["loa.c"], "\"./agent\"", Some("gcc -O2 -o agent loa.c -lm")),
            (&["loa.c", "board.c", "board.h"], "\"./agent\"", Some("gcc -O2 -o agent *.c -lm")),
            (&["it's.cpp"], "\"./agent\"", Some("g++ -O2 -o agent './it'\\''s.cpp'")),
            (&["main.c", "Makefile"], "\"./agent\"", Some("make")),
            (&["agent.js"], "\"node agent.js\"", None),
            (&["agent", "README.md"], "\"./agent\"", None),
        ] {
            let text = suggestion(files, Some("nus")).expect("a program");
            let build_line = build.map_or_else(String::new, |build| format!("\nbuild = {}", toml::Value::from(build)));
            let expected = format!("command = {command}\ndialect = \"nus\"{build_line}");
            assert_eq!(text, expected, "{files:?}");
            let read = crate::agent_spec::read_agent(&text, "a").expect("a valid description");
            assert_eq!(read.build.as_deref(), build);
        }
        assert_eq!(suggestion(&["README.md", "py"], None), None);
        let text = suggestion(&["agent.py"], None).expect("a program");
        assert!(crate::agent_spec::read_agent(&text, "a").is_ok() && text.contains("comp10002"), "{text}");
    }
}
