//! Alternative spellings of moves.

/// Returns the possible readings of a move's text in the notation, the most literal first. Capital letters, the
/// separator of the places, and marks after the move vary between programs and between people: `C1xA3+`, `c1:a3` and
/// `c1a3` mean `c1-a3`, and `2-3` means `2:3`.
pub(crate) fn spellings(text: &str) -> Vec<String> {
    let bare: String = text.trim().trim_end_matches(['+', '#', '!', '?']).trim_end().chars().map(plain).collect();
    let mut spellings = vec![bare.to_ascii_lowercase(), bare.to_ascii_uppercase()];
    if let Some(joined) = joined(&spellings[0]) {
        spellings.extend([joined.to_ascii_uppercase(), joined]);
        spellings.swap(2, 3);
    }
    spellings
}

/// Maps look-alike characters to the usual ones: dashes, minus signs and arrows become `-`, the times sign becomes `x`,
/// and the full-width characters of Chinese and Japanese keyboards become ASCII.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).map_or(c, plain),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '→' | '>' => '-',
        '×' => 'x',
        c => c,
    }
}

/// Joins the two places of a move with the usual separator: `-` between squares, `:` between numbers.
fn joined(text: &str) -> Option<String> {
    let text = text.trim_end_matches('*');
    let (from, rest) = place(text)?;
    let to = rest.trim_start_matches(|c: char| matches!(c, '-' | 'x' | ':' | '.' | ',') || c.is_whitespace());
    let ("", sign) = (place(to)?.1, rest.len() - to.len()) else { return None };
    match (from.starts_with(|c: char| c.is_ascii_digit()), sign) {
        (false, _) => Some(format!("{from}-{to}")),
        // Without a separator, the start of the second number is ambiguous.
        (true, 0) => None,
        (true, _) => Some(format!("{from}:{to}")),
    }
}

/// Splits off a place: at most one letter, then digits.
fn place(text: &str) -> Option<(&str, &str)> {
    let letters = usize::from(text.starts_with(|c: char| c.is_ascii_alphabetic()));
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text.split_at(letters + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_spellings_come_first() {
        assert_eq!(spellings("C1xA3+"), ["c1xa3", "C1XA3", "c1-a3", "C1-A3"]);
        assert_eq!(spellings(" 10 : 3 "), ["10 : 3", "10 : 3", "10:3", "10:3"]);
    }

    #[test]
    fn places_are_joined_by_the_usual_sign() {
        for text in ["c1a3", "c1:a3", "c1 – a3", "C1—A3", "c1×a3!?", "c1->a3", "c1 a3", "c1‑a3", "c1a3*", "ｃ１－Ａ３"]
        {
            assert_eq!(spellings(text)[2], "c1-a3", "{text}");
        }
        for text in ["", "-", "c1", "c1-", "c1-a3-b4", "cc1-a3", "é1-a3", "12", "a-3", "c1-a3 x"] {
            assert_eq!(spellings(text).len(), 2, "{text}");
        }
    }
}
