//! Checks names of agents, and finds names that look alike.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// Maximum length of a name, in characters.
const MAX_LENGTH: usize = 80;
/// Maximum number of combining marks on a letter. More would overlap the neighbouring lines.
const MAX_MARKS: usize = 2;

/// Unicode's names of the invisible characters that are most likely in a name.
const NAMES: [(char, &str); 20] = [
    ('\n', "line feed"),
    ('\t', "tabulation"),
    ('\u{a0}', "no-break space"),
    ('\u{ad}', "soft hyphen"),
    ('\u{200b}', "zero width space"),
    ('\u{200c}', "zero width non-joiner"),
    ('\u{200d}', "zero width joiner"),
    ('\u{200e}', "left-to-right mark"),
    ('\u{200f}', "right-to-left mark"),
    ('\u{202a}', "left-to-right embedding"),
    ('\u{202b}', "right-to-left embedding"),
    ('\u{202c}', "pop directional formatting"),
    ('\u{202d}', "left-to-right override"),
    ('\u{202e}', "right-to-left override"),
    ('\u{2060}', "word joiner"),
    ('\u{2066}', "left-to-right isolate"),
    ('\u{2067}', "right-to-left isolate"),
    ('\u{2068}', "first strong isolate"),
    ('\u{2069}', "pop directional isolate"),
    ('\u{feff}', "zero width no-break space"),
];

/// Checks that a name has 1 to 80 visible characters, with spaces only between them.
///
/// # Errors
/// If the name is invalid; the text says what was found and what was expected.
pub fn check_name(name: &str) -> Result<(), String> {
    let count = name.chars().count();
    if !(1..=MAX_LENGTH).contains(&count) {
        return Err(format!("{count} characters found, expected 1 to {MAX_LENGTH}"));
    }
    if name != name.trim() {
        return Err("a leading or trailing space found, expected spaces only between words".to_owned());
    }
    if let Some(c) = name.chars().find(|&c| is_invisible(c)) {
        let name = character_name(c).map(|name| format!(" ({name})")).unwrap_or_default();
        return Err(format!("the character U+{:04X} found{name}, expected visible characters", c as u32));
    }
    let mut marks = 0;
    for c in name.nfd() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            return Err(format!("{marks} marks on a letter found, expected at most {MAX_MARKS}"));
        }
    }
    Ok(())
}

/// Returns Unicode's name of an invisible character, if it is a common one.
pub fn character_name(c: char) -> Option<&'static str> {
    NAMES.iter().find(|(named, _)| *named == c).map(|(_, name)| *name)
}

/// Returns `true` for characters that are invisible or reserved for private use.
fn is_invisible(c: char) -> bool {
    let fills = matches!(
        c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
    );
    let varies = matches!(c, '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}');
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    game::text::is_hidden(c) || (c.is_whitespace() && c != ' ') || fills || varies || is_private
}

/// Returns normalised forms of a name for comparison with other names. All forms ignore differences in spaces, in
/// Unicode normalisation, and between letters of the same shape; some also ignore case. Two names look alike if they
/// have a form in common.
///
/// Source: Unicode Technical Standard 39, section 4, "skeleton".
///
/// ```
/// let alike = |a: &str, b: &str| !arena::looks(a).is_disjoint(&arena::looks(b));
/// assert!(alike("Paul", "PauI") && alike("paypal", "pаypаl") && alike("Ann", "ANN"));
/// assert!(!alike("Ann", "Anna"));
/// ```
pub fn looks(name: &str) -> BTreeSet<String> {
    let plain: String = name.nfkc().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    let drawn = |text: &str| skeleton(text).collect::<String>();
    BTreeSet::from([drawn(&plain), drawn(&plain.to_lowercase()), drawn(&plain).to_lowercase()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_seen_whole() {
        for name in ["Ann", "Bob & co", "Zoë", "李雷", "O'Brien (2)", "plyhouse level=5", "Việt", "naïve\u{301}"]
        {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        let too_long = "x".repeat(81);
        let bad = [
            "",
            " ",
            " Ann",
            "Ann\u{200b}",
            "\u{202e}nnA",
            "A\u{ad}nn",
            "A\nnn",
            "A\u{9b}nn",
            "\u{3164}",
            "A\u{a0}nn",
            "Ann\u{fe0f}",
            "\u{e041}",
            "\u{e0041}",
            "Z\u{300}\u{301}\u{302}",
            &too_long,
        ];
        for name in bad {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        assert_eq!(
            check_name("A\u{202e}").expect_err("invisible"),
            "the character U+202E found (right-to-left override), expected visible characters"
        );
        assert!(check_name("A\u{200b}").is_err_and(|why| why.contains("U+200B found (zero width space)")));
        assert!(check_name("A\u{600}").is_err_and(|why| why.contains("U+0600 found, expected")));
    }

    #[test]
    fn names_that_look_alike_are_found() {
        let alike = |a: &str, b: &str| !looks(a).is_disjoint(&looks(b));
        for (a, b) in [
            ("Ann", "ann"),
            ("Zoë", "Zoe\u{308}"),
            ("Scope", "Ѕсоре"),
            ("Paul", "PauI"),
            ("A  b", "A b"),
            ("Ａnn", "Ann"),
        ] {
            assert!(alike(a, b), "{a} {b}");
        }
        for (a, b) in [("Ann", "Anne"), ("team 1", "team 2"), ("Zoë", "Zoe")] {
            assert!(!alike(a, b), "{a} {b}");
        }
    }
}
