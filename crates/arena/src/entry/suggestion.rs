//! Suggests an `agent.toml` for a folder that has none.

use std::path::Path;

/// Kinds of source files and programs: extension, command and build command. `STEM` is the file's name without its
/// extension, `FILE` the whole name. The first kind that a folder contains counts, so source files are listed before
/// the programs that are built from them.
const KINDS: [(&str, &str, Option<&str>); 10] = [
    ("py", "python3 FILE", None),
    ("java", "java -cp . STEM", Some("javac *.java")),
    ("c", "./STEM", Some("cc -O2 -o STEM *.c -lm")),
    ("cpp", "./STEM", Some("c++ -O2 -o STEM *.cpp")),
    ("cc", "./STEM", Some("c++ -O2 -o STEM *.cc")),
    ("rs", "./STEM", Some("rustc -O -o STEM FILE")),
    ("js", "node FILE", None),
    ("jar", "java -jar FILE", None),
    ("class", "java -cp . STEM", None),
    ("sh", "sh FILE", None),
];

/// Names of main files, best first. Without one of these, the first file by name is suggested.
const MAIN: [&str; 4] = ["agent", "main", "player", "ai"];

/// Returns the lines of an `agent.toml` for the files in a folder, without a final line end; `None` if no file's name
/// has a known extension. If `dialect` is unset, a comment lists the choices.
pub fn suggestion(folder: &Path, dialect: Option<&str>) -> Option<String> {
    let entries = folder.read_dir().ok()?.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let (command, build) = KINDS.into_iter().find_map(|(extension, command, build)| {
        let stems = names.iter().filter_map(|name| Some((name, name.strip_suffix(extension)?.strip_suffix('.')?)));
        let rank = |stem: &str| MAIN.iter().position(|main| stem.eq_ignore_ascii_case(main)).unwrap_or(MAIN.len());
        let (file, stem) = stems.filter(|(_, stem)| is_plain(stem)).min_by_key(|(_, stem)| rank(stem))?;
        let filled = |line: &str| line.replace("FILE", file).replace("STEM", stem);
        Some((filled(command), build.map(filled)))
    })?;
    let makefile = names.iter().any(|name| ["Makefile", "makefile", "GNUmakefile"].contains(&name.as_str()));
    let build = if makefile && build.is_some() { Some("make".to_owned()) } else { build };
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let dialect = match dialect {
        Some(dialect) => quoted(dialect),
        None => "\"ugi\"  # cs61b, nus, comp10002 or ugi".to_owned(),
    };
    let lines = format!("command = {}\ndialect = {dialect}", quoted(&command));
    Some(build.map_or(lines.clone(), |build| format!("{lines}\nbuild = {}", quoted(&build))))
}

/// Returns `true` if a name needs no quotes in a command.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) && !name.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_fit_the_files() {
        for (files, expected) in [
            (&["agent.c", "board.c"][..], Some("./agent|nus|cc -O2 -o agent *.c -lm")),
            (&["search.c", "Makefile"], Some("./search|nus|make")),
            (&["Agent.java", "Board.java", "Agent.class"], Some("java -cp . Agent|nus|javac *.java")),
            (&["Agent.class", "Board.class"], Some("java -cp . Agent|nus")),
            (&["board.py", "main.py", "agent.txt"], Some("python3 main.py|nus")),
            (&["agent.jar"], Some("java -jar agent.jar|nus")),
            (&["agent", "readme.md", "py", ".py", "a b.py", "-x.py"], None),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            for file in files {
                std::fs::write(folder.path().join(file), "").expect("written");
            }
            let found = suggestion(folder.path(), Some("nus")).map(|lines| {
                let table: toml::Table = lines.parse().expect("TOML");
                ["command", "dialect", "build"]
                    .map(|key| table.get(key).and_then(toml::Value::as_str))
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("|")
            });
            assert_eq!(found.as_deref(), expected, "{files:?}");
        }
    }
}
