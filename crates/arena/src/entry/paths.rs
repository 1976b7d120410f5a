//! Paths in messages, and extensions of file names.

use std::path::Path;

/// Maximum length of a quoted path, in characters.
const MAX_PATH: usize = 120;

/// Formats a path for an error message, with hidden characters escaped. A long path loses its beginning, because its
/// end names the file.
pub fn quoted_path(text: &str) -> String {
    let cut = text.chars().count().saturating_sub(MAX_PATH);
    let kept = text.chars().skip(cut).map(|c| game::text::excerpt(c.encode_utf8(&mut [0; 4])));
    let mark = if cut > 0 { "…" } else { "" };
    kept.fold(mark.to_owned(), |shown, c| shown + &c)
}

/// Returns `true` if a name has one of these extensions, ignoring case.
pub fn has_extension(name: impl AsRef<Path>, extensions: &[&str]) -> bool {
    let found = name.as_ref().extension();
    found.is_some_and(|found| extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_path_is_quoted() {
        let path = "/home/student/cs61b/projects/autumn/lines/agents/a\n\u{202e}b.py";
        assert_eq!(quoted_path(path), path.replace('\n', "\\n").replace('\u{202e}', "\\u202e"));
        let long = format!("{}/agent.py", "/folder".repeat(40));
        let shown = quoted_path(&long);
        assert!(shown.starts_with('…') && shown.ends_with("/folder/agent.py"), "{shown}");
        assert_eq!(shown.chars().count(), MAX_PATH + 1);
    }
}
