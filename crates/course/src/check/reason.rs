//! Reasons and remedies of refused submissions, from errors of [`arena::entry`].

use arena::SpecError;
use arena::entry::EntryError;

/// Returns the reason why a submission is refused, and the remedy. Both name paths of the server.
pub(super) fn reason(error: &EntryError) -> (String, String) {
    match error {
        EntryError::Description { error, .. } => of_description(error, None),
        EntryError::Misspelt { error, meant, .. } => of_description(error, Some(meant)),
        EntryError::UnknownDialect { line, column, error, meant, .. } => {
            let what = format!("`agent.toml`, line {line}, column {column}: {error}");
            (what, format!("`{meant}` was probably meant"))
        }
        EntryError::Undescribed { .. } => (
            "the command or the dialect is missing in `agent.toml`, and the course sets none".to_owned(),
            "add the line that is missing, such as `command = \"python3 agent.py\"` or `dialect = \"ugi\"`; dialects \
             are ugi, uci, nus, cs61b and comp10002"
                .to_owned(),
        ),
        other => {
            let text = other.to_string();
            // The first line is the reason; further ones are the remedy.
            let (what, more) = text.split_once('\n').unwrap_or((&text, ""));
            let remedy = if more.is_empty() { remedy(other) } else { more };
            (what.to_owned(), remedy.to_owned())
        }
    }
}

/// Returns the remedy of an error whose text has none.
fn remedy(error: &EntryError) -> &'static str {
    match error {
        EntryError::Name { .. } => {
            "type `name` in `agent.toml` again, with visible characters only, such as `name = \"Ann\"`"
        }
        EntryError::Builtin(_) | EntryError::Writes => "remove this line from `agent.toml`",
        EntryError::LargeDescription { .. } => "keep only the few lines that say how to build and start the agent",
        EntryError::Link(_) => "replace the link with a copy of the file, or let the build create no link",
        EntryError::Size(_) => "leave out files that the agent does not need, and let the build write less",
        EntryError::Directory(_) | EntryError::Foreign(_) => "name a folder or a file of your own submission",
        EntryError::Privileges(_) => "submit and build files without such permissions",
        EntryError::Setting(_) => "name it in `agent.toml`, such as `dialect = \"ugi\"`",
        EntryError::ChangedItself(_) => {
            "let the program write new files only, or files in the folder that `HOME` names"
        }
        EntryError::Io { .. } => "compare the names in `agent.toml` with those of the submitted files",
        _ => "",
    }
}

/// Returns the reason and the remedy of an invalid `agent.toml`. `meant` is the field that a misspelt one resembles.
fn of_description(error: &SpecError, meant: Option<&str>) -> (String, String) {
    let SpecError::Toml(error) = error else {
        return (format!("`agent.toml`: {error}"), "correct this line of `agent.toml`".to_owned());
    };
    let text = error.to_string();
    let mut lines = text.lines();
    let place = lines.next().and_then(|line| line.strip_prefix("TOML parse error at ")).unwrap_or("invalid");
    // The line of the file, and a mark below the error.
    let excerpt: Vec<&str> = lines.filter(|line| line.contains(" | ")).collect();
    let message = error.message();
    let (found, _) = message.split_once(", expected").unwrap_or((message, ""));
    let remedy = match meant {
        Some(meant) => format!("`{meant}` was probably meant; {FIELDS}"),
        None if message.starts_with("unknown field") => format!("remove this line; {FIELDS}"),
        None if message.starts_with("string values must be quoted") => quoted(excerpt.first().copied()),
        None => "correct this line; texts stand between quotation marks, such as `command = \"python3 agent.py\"`"
            .to_owned(),
    };
    let shown: String = excerpt.iter().flat_map(|line| ["\n", line]).collect();
    (format!("`agent.toml`, {place}: {found}"), remedy + &shown)
}

/// Fields that submissions may set.
const FIELDS: &str = "the fields are `name`, `command`, `dialect`, `directory`, `build`, `build_time` and `options`";

/// Returns the line of an excerpt with its value in quotation marks.
fn quoted(line: Option<&str>) -> String {
    let assigned = line.and_then(|line| line.split_once(" | ")?.1.split_once('='));
    let (key, value) = assigned.map_or(("command", "python3 agent.py"), |(key, value)| (key.trim(), value.trim()));
    format!("write the text between quotation marks: `{key} = {}`", toml::Value::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(description: &str) -> (String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("agent.toml"), description).expect("written");
        let error = arena::entry::read_submission(folder.path(), &arena::AgentSpec::default()).expect_err("invalid");
        reason(&error)
    }

    #[test]
    fn errors_of_descriptions_have_a_place_and_a_remedy() {
        for (description, what, remedy) in [
            (
                "comand = './a'\n",
                "`agent.toml`, line 1, column 1: unknown field `comand`",
                "`command` was probably meant; the",
            ),
            (
                "author = 'Ann'\n",
                "`agent.toml`, line 1, column 1: unknown field `author`",
                "remove this line; the fields are",
            ),
            (
                "dialect = 'ugi'\ncommand = python3 a.py\n",
                "`agent.toml`, line 2, column 11: string values must be quoted",
                "write the text between quotation marks: `command = \"python3 a.py\"`\n2 | command = python3 a.py\n",
            ),
            ("command = './a\n", "`agent.toml`, line 1, column", "correct this line; texts stand between"),
            ("command './a'\n", "`agent.toml`, line 1, column", "correct this line; texts stand between"),
            ("dialect = 'ugi'\n", "the command or the dialect is missing", "`command = \"python3 agent.py\"`"),
            (
                "command = './a'\ndialect = 'ugy'\n",
                "`agent.toml`, line 2, column 11: unknown dialect `ugy`",
                "`ugi` was probably meant",
            ),
            (
                "name = 'a\u{200b}'\ncommand = './a'\ndialect = 'ugi'\n",
                "name `a\\u200b`: the character U+200B",
                "type `name`",
            ),
            ("command = './a'\ndialect = 'ugi'\ndirectory = '..'\n", "directory `", "of your own submission"),
            ("command = './a'\ndialect = 'ugi'\ndirectory = 'src'\n", "directory `", "compare the names"),
        ] {
            let found = reason_of(description);
            assert!(found.0.starts_with(what) && found.1.contains(remedy), "{description}: {found:?}");
        }
    }
}
