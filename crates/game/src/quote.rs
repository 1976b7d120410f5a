//! Quoting of text from other sources, for errors and for terminals.

use std::borrow::Cow;

/// Returns at most 40 characters of `text` with hidden characters escaped, for quoting it in an error.
///
/// ```
/// assert_eq!(game::text::excerpt("a\tb"), "a\\tb");
/// assert_eq!(game::text::excerpt(&"x".repeat(50)), format!("{}…", "x".repeat(40)));
/// ```
pub fn excerpt(text: &str) -> String {
    let mut short = String::new();
    text.chars().take(40).for_each(|c| push_shown(c, &mut short));
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// Makes text from other sources safe for a terminal. It escapes hidden characters as in JSON, except line ends and
/// tabs, so that the terminal shows them and does not interpret them.
///
/// ```
/// assert_eq!(game::text::printable("\x1b]0;title\x07 \u{202e}txt\n"), "\\u001b]0;title\\u0007 \\u202etxt\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |c| matches!(c, '\n' | '\t') || !is_hidden(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        if is_plain(c) { shown.push(c) } else { push_shown(c, &mut shown) }
    }
    Cow::Owned(shown)
}

fn push_shown(c: char, to: &mut String) {
    match c {
        '\t' => to.push_str("\\t"),
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        c if is_hidden(c) => {
            let units: Vec<String> = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
            to.push_str(&units.concat());
        }
        c => to.push(c),
    }
}

/// Returns `true` for invisible characters that change how text is shown: Unicode's control characters (Cc), format
/// characters (Cf), and separators of lines and paragraphs (Zl, Zp).
///
/// Source: Unicode 17, `DerivedGeneralCategory.txt`.
pub fn is_hidden(c: char) -> bool {
    const FORMAT: [core::ops::RangeInclusive<char>; 20] = [
        '\u{ad}'..='\u{ad}',
        '\u{600}'..='\u{605}',
        '\u{61c}'..='\u{61c}',
        '\u{6dd}'..='\u{6dd}',
        '\u{70f}'..='\u{70f}',
        '\u{890}'..='\u{891}',
        '\u{8e2}'..='\u{8e2}',
        '\u{180e}'..='\u{180e}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{110bd}'..='\u{110bd}',
        '\u{110cd}'..='\u{110cd}',
        '\u{13430}'..='\u{1343f}',
        '\u{1bca0}'..='\u{1bca3}',
        '\u{1d173}'..='\u{1d17a}',
        '\u{e0001}'..='\u{e0001}',
        '\u{e0020}'..='\u{e007f}',
    ];
    c.is_control() || (c >= '\u{ad}' && FORMAT.iter().any(|range| range.contains(&c)))
}
