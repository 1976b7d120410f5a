//! Texts and names that fit the width of a terminal.

use std::collections::BTreeSet;

/// Maximum width of lines, if words and names allow it.
pub(super) const WIDTH: usize = 80;
/// Maximum length of a name, and the minimum to which it may be cut to fit a line.
const NAME_LENGTHS: [usize; 2] = [28, 12];

/// Cuts names to `room` if they remain different, and to the maximum length otherwise.
pub(super) fn shortened(names: &[&str], room: usize) -> Vec<String> {
    let [longest, shortest] = NAME_LENGTHS;
    let cut = |length: usize| -> Vec<String> { names.iter().map(|name| short(name, length)).collect() };
    let fitting = cut(room.clamp(shortest, longest));
    let different: BTreeSet<&String> = fitting.iter().collect();
    if different.len() == names.len() { fitting } else { cut(longest) }
}

fn short(name: &str, length: usize) -> String {
    if name.chars().count() <= length {
        name.to_owned()
    } else {
        name.chars().take(length - 1).chain(['…']).collect()
    }
}

/// Wraps a text at [`WIDTH`], after a label and with a hanging indent.
pub(super) fn wrapped(label: &str, text: &str) -> String {
    let indent = label.chars().count();
    let (mut lines, mut column) = (label.to_owned(), indent);
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_only_if_they_stay_different() {
        let names = ["plyhouse nodes=4000", "plyhouse nodes=9000", "Ann"];
        assert_eq!(shortened(&names, 17), ["plyhouse nodes=4…", "plyhouse nodes=9…", "Ann"]);
        assert_eq!(shortened(&names, 14), names, "shorter names would be equal");
        assert_eq!(shortened(&["x".repeat(40).as_str()], 60), ["x".repeat(27) + "…"]);
    }

    #[test]
    fn lines_break_between_words() {
        let text = ["word"; 40].join(" ");
        let lines = wrapped("label   ", &text);
        assert!(lines.lines().all(|line| line.chars().count() <= WIDTH), "{lines}");
        assert!(lines.lines().skip(1).all(|line| line.starts_with("        word")), "{lines}");
        assert_eq!(lines.split_whitespace().count(), 41);
        assert_eq!(wrapped("", &"x".repeat(99)), "x".repeat(99) + "\n");
    }
}
