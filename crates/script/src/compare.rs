//! Comparison of the copied output with the expected output.

use game::text::printable;
use similar::TextDiff;

/// The kind of difference between the output and the expected text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// The expected text has no newline at its end, and the output has one.
    ExpectedLacksNewline,
    /// The output has no newline at its end, and the expected text has one.
    OutputLacksNewline,
    /// Only blanks before a comment of the expected text differ. A diff would not show them.
    CommentBlanks,
    /// The lines differ. The text is a unified diff from the expected text to the output.
    Lines(String),
}

/// Compares the expected text with the output in two possible orders, and returns the difference; `None` if one of the
/// orders matches. A `lenient` comparison accepts a missing newline at the end.
pub(crate) fn compare(expected: &str, outputs: &[String; 2], lenient: bool) -> Option<Difference> {
    let [arrived, scripted] = outputs.each_ref().map(|output| difference(expected, output, lenient));
    match (arrived?, scripted?) {
        // The order that is closer to the expected one gives the more useful diff.
        (Difference::Lines(arrived), Difference::Lines(scripted)) => {
            Some(Difference::Lines(if scripted.len() < arrived.len() { scripted } else { arrived }))
        }
        (Difference::Lines(_), small) | (small, _) => Some(small),
    }
}

fn difference(expected: &str, output: &str, lenient: bool) -> Option<Difference> {
    let (expected, output) = (normal(expected, lenient), normal(output, lenient));
    if expected == output {
        None
    } else if expected.strip_suffix('\n') == Some(&output) {
        Some(Difference::OutputLacksNewline)
    } else if output.strip_suffix('\n') == Some(&expected) {
        Some(Difference::ExpectedLacksNewline)
    } else if without_blank_ends(&expected) == without_blank_ends(&output) {
        Some(Difference::CommentBlanks)
    } else {
        // Escape control characters, so that a terminal does not interpret them.
        let (expected, output) = (printable(&expected), printable(&output));
        let diff = TextDiff::from_lines(&*expected, &*output);
        Some(Difference::Lines(diff.unified_diff().context_radius(3).header("expected", "printed").to_string()))
    }
}

/// Returns the lines that are compared: without trailing blanks, `#…` comments and empty lines. As in the courses'
/// script, the blanks before a comment are kept, and a lone carriage return ends a line. A missing newline at the end
/// stays missing, unless the comparison is lenient.
fn normal(text: &str, lenient: bool) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut normal = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let counted = match line.split_once('#') {
            Some((before, _)) => before,
            None => line.trim_end_matches([' ', '\t', '\n']),
        };
        if !counted.is_empty() {
            normal.push_str(counted);
            if lenient || line.ends_with('\n') {
                normal.push('\n');
            }
        }
    }
    normal
}

/// Returns the lines without trailing blanks, and without lines of only blanks.
fn without_blank_ends(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blanks_at_ends_and_empty_lines_do_not_count() {
        let expected = "# header\n===\n    b - w# here\n\n===\n";
        assert_eq!(difference(expected, "===\r\n    b - w\n===\n", false), None);
        assert_eq!(difference("===\ra \rb\n", "===\na\r\nb\n", false), None);
        assert_eq!(difference("===\n \t", "===\n# end", false), None);
        assert_eq!(difference("", "", false), None);
        assert_eq!(difference("# nothing", "\n", false), None);
    }

    #[test]
    fn blanks_before_a_comment_count() {
        for expected in ["===\na  # here\n===\n", "===\na\n  # here\n===\n"] {
            assert_eq!(difference(expected, "===\na\n===\n", false), Some(Difference::CommentBlanks));
        }
        let found = difference("===\na  # here\n===\n", "===\nb\n===\n", false);
        assert!(matches!(found, Some(Difference::Lines(_))), "{found:?}");
    }

    #[test]
    fn hidden_characters_are_escaped() {
        let printed = "a\x1b]0;title\x07\0b\u{202e}c\n";
        let Some(Difference::Lines(diff)) = difference("a\n", printed, false) else { panic!("a difference") };
        assert!(diff.ends_with("-a\n+a\\u001b]0;title\\u0007\\u0000b\\u202ec\n"), "{diff}");
    }

    #[test]
    fn leading_blanks_count() {
        let diff = "--- expected\n+++ printed\n@@ -1,3 +1,3 @@\n ===\n-    b\n+   b\n ===\n";
        let found = difference("===\n    b\n===\n", "===\n   b\n===\n", false);
        assert_eq!(found, Some(Difference::Lines(diff.to_owned())));
    }

    #[test]
    fn a_newline_at_the_end_counts_unless_the_comparison_is_lenient() {
        for (expected, output, found) in [
            ("===", "===\n", Some(Difference::ExpectedLacksNewline)),
            ("===\n", "===  ", Some(Difference::OutputLacksNewline)),
            ("===", "===", None),
        ] {
            assert_eq!(difference(expected, output, false), found);
            assert_eq!(difference(expected, output, true), None);
        }
    }

    #[test]
    fn one_of_two_orders_is_enough_and_the_nearer_one_is_shown() {
        let orders = ["win\na\nb\n".to_owned(), "a\nb\nwin\n".to_owned()];
        assert_eq!(compare("win\na\nb\n", &orders, false), None);
        assert_eq!(compare("a\nb\nwin\n", &orders, false), None);
        assert_eq!(compare("a\nb\nwin", &orders, false), Some(Difference::ExpectedLacksNewline));
        let shown = compare("a\nc\nwin\n", &orders, false);
        assert_eq!(shown, difference("a\nc\nwin\n", &orders[1], false));
    }
}
