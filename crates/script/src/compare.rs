//! Compares what was copied with what was expected.

use similar::TextDiff;

/// The lines that count: without `#…` comments, blanks at their ends, and empty ones.
fn normal(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim_end());
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

/// A unified diff from what was expected to what was printed; `None` if they agree.
pub(crate) fn difference(expected: &str, printed: &str) -> Option<String> {
    let (expected, printed) = (normal(expected), normal(printed));
    (expected != printed).then(|| {
        let diff = TextDiff::from_lines(&expected, &printed);
        diff.unified_diff().context_radius(3).header("expected", "printed").to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blanks_at_ends_and_empty_lines_do_not_count() {
        assert_eq!(difference("# header\n===\n    b - w  # here\n\n===\n", "===\r\n    b - w\n===\n"), None);
        assert_eq!(difference("", ""), None);
    }

    #[test]
    fn leading_blanks_count() {
        let diff = difference("===\n    b\n===\n", "===\n   b\n===\n");
        assert_eq!(diff.as_deref(), Some("--- expected\n+++ printed\n@@ -1,3 +1,3 @@\n ===\n-    b\n+   b\n ===\n"));
    }
}
